/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Programs of a few hundred bytes that only exit: quick to start, and able to
 * do what no linker makes.
 */
#ifndef ITERTRACE_TESTS_TINY_ELF_H
#define ITERTRACE_TESTS_TINY_ELF_H

#include "host.h"

#include <elf.h>
#include <sys/mman.h>

#define TINY_BASE   0x10000UL
#define TINY_STATUS 9

struct tiny_elf {
	Elf64_Ehdr head;
	Elf64_Phdr segments[2];
	char interpreter[64];
	uint32_t code[4];
};

/* exit(TINY_STATUS) */
#if defined(__x86_64__)
#define TINY_MACHINE EM_X86_64
#define TINY_CODE                                     \
	{                                             \
		0x000009bf, 0x003cb800, 0x050f0000, 0 \
	} /* mov $9,%edi; mov $60,%eax; syscall */
#elif defined(__aarch64__)
#define TINY_MACHINE EM_AARCH64
#define TINY_CODE                                     \
	{                                             \
		0xd2800120, 0xd2800ba8, 0xd4000001, 0 \
	} /* mov x0,9; mov x8,93; svc 0 */
#else
#error "no code for this machine"
#endif

static inline Elf64_Phdr tiny_segment(unsigned long at, unsigned long offset,
				      size_t size, unsigned int flags)
{
	return (Elf64_Phdr){
		.p_type = PT_LOAD,
		.p_flags = flags,
		.p_offset = offset,
		.p_vaddr = at,
		.p_filesz = size,
		.p_memsz = size,
		.p_align = (Elf64_Xword)sysconf(_SC_PAGESIZE),
	};
}

/* Static, with its code at TINY_BASE; the second segment is not used yet. */
static inline void tiny_elf_init(struct tiny_elf *t)
{
	*t = (struct tiny_elf){
		.head =
			{
				.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3,
					    ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
				.e_type = ET_EXEC,
				.e_machine = TINY_MACHINE,
				.e_version = EV_CURRENT,
				.e_entry = TINY_BASE + offsetof(struct tiny_elf, code),
				.e_phoff = offsetof(struct tiny_elf, segments),
				.e_ehsize = sizeof(Elf64_Ehdr),
				.e_phentsize = sizeof(Elf64_Phdr),
				.e_phnum = 1,
			},
		.code = TINY_CODE,
	};
	t->segments[0] = tiny_segment(TINY_BASE, 0, sizeof(*t), PF_R | PF_X);
}

/* A file in memory that other processes can execute by path as long as fd is open. */
static inline int tiny_file(const char *name, const struct tiny_elf *t, char path[64])
{
	int fd = memfd_create(name, 0);

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, t, sizeof(*t), 0), sizeof(*t));
	snprintf(path, 64, "/proc/%d/fd/%d", (int)getpid(), fd);
	return fd;
}

#endif
