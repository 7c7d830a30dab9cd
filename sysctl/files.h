/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The engine's files, as attach.c sets them up and hooks them into the stock ones.
 */
#ifndef _SYSCTL_FILES_H
#define _SYSCTL_FILES_H

#include <linux/sysctl.h>
#include "../mm/page-writeback/compat.h"

int sysctl_vm_register(void);
void sysctl_vm_unregister(void);
bool sysctl_path_exists(const char *path);
int sysctl_show_text(const char *text, size_t text_len, void *buffer, size_t *len, loff_t *pos);

/* Bodies for the stock files' handlers while attached. */
int sysctl_background_ratio(compat_ctl_table *table, int write, void *buffer, size_t *len,
			    loff_t *pos);
int sysctl_background_bytes(compat_ctl_table *table, int write, void *buffer, size_t *len,
			    loff_t *pos);
int sysctl_async_ratio(compat_ctl_table *table, int write, void *buffer, size_t *len,
		       loff_t *pos);
int sysctl_async_bytes(compat_ctl_table *table, int write, void *buffer, size_t *len,
		       loff_t *pos);

int proc_pdflush_create(void);
void proc_pdflush_remove(void);

#endif
