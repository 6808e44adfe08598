// SPDX-License-Identifier: BSD-2-Clause
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <zlib.h>

#include "base/file.h"
#include "kernel/identity.h"
#include "kernel/identity_text.h"

#define MAX_FILE        (1 << 20)
#define SYS_CPU         "/sys/devices/system/cpu/"
#define VULNERABILITIES SYS_CPU "vulnerabilities"

static int read_uname(struct identity *id)
{
	struct utsname name;

	if (uname(&name))
		return -errno;
	snprintf(id->release, sizeof(id->release), "%s", name.release);
	snprintf(id->version, sizeof(id->version), "%s", name.version);
	snprintf(id->arch, sizeof(id->arch), "%.15s", name.machine);
	return 0;
}

static void read_build_id(struct identity *id)
{
	size_t len;
	char *notes;

	if (file_read(AT_FDCWD, "/sys/kernel/notes", MAX_FILE, &notes, &len))
		return;
	identity_build_id(notes, len, id->build_id);
	free(notes);
}

static void read_cpuinfo(struct identity *id)
{
	char *text;

	if (file_read(AT_FDCWD, "/proc/cpuinfo", MAX_FILE, &text, NULL))
		return;
	identity_cpu_model(text, id->cpu_model, sizeof(id->cpu_model));
	identity_microcode(text, id->microcode, sizeof(id->microcode));
	free(text);
}

/* The first line, or "". */
static void read_text(int dirfd, const char *path, char *ret, size_t size)
{
	if (file_read_line(dirfd, path, ret, size))
		ret[0] = '\0';
}

/* A small number, or -1. */
static int read_number(const char *path)
{
	char text[16], *end;
	long value;

	read_text(AT_FDCWD, path, text, sizeof(text));
	value = strtol(text, &end, 10);
	return end == text || *end || value < 0 || value > 1000 ? -1 : (int)value;
}

static int read_cpu_count(const char *path)
{
	char list[1024];

	read_text(AT_FDCWD, path, list, sizeof(list));
	return identity_count_cpus(list);
}

/* securityfs, mounted nowhere; -errno. */
static int open_securityfs(void)
{
	int context, fd = -1, err = 0;

	context = fsopen("securityfs", FSOPEN_CLOEXEC);
	if (context < 0)
		return -errno;
	if (!fsconfig(context, FSCONFIG_CMD_CREATE, NULL, NULL, 0))
		fd = fsmount(context, FSMOUNT_CLOEXEC,
			     MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV |
				     MOUNT_ATTR_NOEXEC);
	if (fd < 0)
		err = -errno;
	close(context);
	return err ? err : fd;
}

void identity_read_lockdown(char *ret, size_t size)
{
	char text[128] = "";
	int fd, err;

	ret[0] = '\0';
	if (file_read_line(AT_FDCWD, "/sys/kernel/security/lockdown", text,
			   sizeof(text))) {
		fd = open_securityfs();
		if (fd < 0)
			return;
		err = file_read_line(fd, "lockdown", text, sizeof(text));
		close(fd);
		/* Built without the lockdown module: nothing is locked down. */
		if (err == -ENOENT)
			snprintf(text, sizeof(text), "[none]");
		else if (err)
			return;
	}
	identity_lockdown(text, ret, size);
}

#if defined(__x86_64__) || defined(__i386__)
#define CPUID_HYPERVISOR_BIT  (1U << 31) /* leaf 1, ECX */
#define CPUID_HYPERVISOR_LEAF 0x40000000

static void read_virtualised(struct identity *id)
{
	unsigned int a, b, c, d;
	uint32_t vendor[3];

	if (!__get_cpuid(1, &a, &b, &c, &d))
		return;
	if (!(c & CPUID_HYPERVISOR_BIT)) {
		snprintf(id->virtualised, sizeof(id->virtualised), "none");
		return;
	}
	__cpuid(CPUID_HYPERVISOR_LEAF, a, vendor[0], vendor[1], vendor[2]);
	identity_hypervisor(vendor, id->virtualised, sizeof(id->virtualised));
}
#else
/* There is no instruction that tells: firmware tables may, if they name one. */
static void read_virtualised(struct identity *id)
{
	static const struct {
		const char *file, *text, *name;
	} signs[] = {
		{"/proc/device-tree/hypervisor/compatible", "linux,kvm", "kvm"},
		{"/proc/device-tree/hypervisor/compatible", "xen", "xen"},
		{"/sys/class/dmi/id/sys_vendor", "QEMU", "qemu"},
		{"/sys/class/dmi/id/sys_vendor", "VMware", "vmware"},
		{"/sys/class/dmi/id/product_name", "Virtual Machine", "hyperv"},
		{"/sys/class/dmi/id/product_name", "KVM Virtual Machine", "kvm"},
		{"/sys/class/dmi/id/product_name", "VMware", "vmware"},
	};
	char text[128];

	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		read_text(AT_FDCWD, signs[i].file, text, sizeof(text));
		if (!strncmp(text, signs[i].text, strlen(signs[i].text))) {
			snprintf(id->virtualised, sizeof(id->virtualised), "%s",
				 signs[i].name);
			return;
		}
	}
}
#endif

static int is_file_name(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static void read_mitigations(struct identity *id)
{
	struct dirent **entries;
	struct identity_entry *m;
	char path[sizeof(VULNERABILITIES) + 256];
	int nr;

	nr = scandir(VULNERABILITIES, &entries, is_file_name, alphasort);
	for (int i = 0; i < nr; i++) {
		if (id->nr_mitigations < IDENTITY_MAX_MITIGATIONS) {
			m = &id->mitigations[id->nr_mitigations++];
			snprintf(m->name, sizeof(m->name), "%.*s",
				 (int)sizeof(m->name) - 1, entries[i]->d_name);
			snprintf(path, sizeof(path), VULNERABILITIES "/%s",
				 entries[i]->d_name);
			read_text(AT_FDCWD, path, m->text, sizeof(m->text));
		}
		free(entries[i]);
	}
	if (nr >= 0)
		free(entries);
}

/* The whole of a file, inflated if it is compressed; NULL: it cannot be read. */
static char *read_inflated(const char *path, size_t *ret_len)
{
	gzFile file = gzopen(path, "rbe");
	char *text = file ? malloc(MAX_FILE + 1) : NULL;
	int len = text ? gzread(file, text, MAX_FILE) : -1;

	if (file)
		gzclose(file);
	if (len <= 0) {
		free(text);
		return NULL;
	}
	text[len] = '\0';
	*ret_len = (size_t)len;
	return text;
}

static void read_config(struct identity *id)
{
	char path[sizeof("/boot/config-") + IDENTITY_TEXT_LEN];
	size_t len;
	char *text;

	id->nr_config = -1;
	text = read_inflated("/proc/config.gz", &len);
	if (!text) {
		snprintf(path, sizeof(path), "/boot/config-%s", id->release);
		text = read_inflated(path, &len);
	}
	if (!text)
		return;
	snprintf(id->config_digest, sizeof(id->config_digest), "crc32:%08lx",
		 crc32(0, (const Bytef *)text, (uInt)len));
	id->nr_config = identity_config(text, id->config);
	free(text);
}

int identity_read_jit_enable(void)
{
	return read_number("/proc/sys/net/core/bpf_jit_enable");
}

int identity_read(struct identity *id)
{
	int err;

	memset(id, 0, sizeof(*id));
	err = read_uname(id);
	if (err)
		return err;
	read_build_id(id);
	read_text(AT_FDCWD, "/proc/sys/kernel/random/boot_id", id->boot_id,
		  sizeof(id->boot_id));
	read_cpuinfo(id);
	read_text(AT_FDCWD,
		  "/sys/devices/system/clocksource/clocksource0/current_clocksource",
		  id->clock_source, sizeof(id->clock_source));
	read_virtualised(id);
	identity_read_lockdown(id->lockdown, sizeof(id->lockdown));
	id->nr_cpus_online = read_cpu_count(SYS_CPU "online");
	id->nr_cpus_possible = read_cpu_count(SYS_CPU "possible");
	id->jit_enable = identity_read_jit_enable();
	id->jit_harden = read_number("/proc/sys/net/core/bpf_jit_harden");
	id->kptr_restrict = read_number("/proc/sys/kernel/kptr_restrict");
	id->unprivileged_bpf_disabled =
		read_number("/proc/sys/kernel/unprivileged_bpf_disabled");
	id->has_btf = !access("/sys/kernel/btf/vmlinux", R_OK);
	read_mitigations(id);
	read_config(id);
	return 0;
}
