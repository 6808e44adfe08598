// SPDX-License-Identifier: BSD-2-Clause
/* Hot paths of x86-64 code, and code that cannot be read. */
#include <errno.h>
#include <string.h>

#include "hot_path.h"

/* add, cmp, jb */
static void register_loop_is_three_instructions(void **state)
{
	static const uint8_t code[] = {
		0x31, 0xff,                               /* 0: xor edi,edi */
		0x48, 0x83, 0xc7, 0x01,                   /* 2: add rdi,0x1 */
		0x48, 0x81, 0xff, 0xe8, 0x03, 0x00, 0x00, /* 6: cmp rdi,0x3e8 */
		0x72, 0xf3,                               /* d: jb 0x2 */
		0x31, 0xc0,                               /* f: xor eax,eax */
		0xc3,                                     /* 11: ret */
	};
	static const struct want want = {.head = 2, .nr_insns = 3, .nr_taken = 1};

	(void)state;
	assert_loop(JITED_X86_64, code, sizeof(code), &want);
}

/*
 * The loop is entered at 21, behind the first call of next. Round: mov, cmp, jb;
 * mov, add, call, test, je: 8, the load of the number, the jb taken.
 */
static void called_iterator_has_its_call_on_the_path(void **state)
{
	static const uint8_t code[] = {
		0x55,                         /* 0: push rbp */
		0x48, 0x89, 0xef,             /* 1: mov rdi,rbp */
		0xe8, 0xfb, 0x0f, 0x00, 0x00, /* 4: call 0x1004 */
		0x48, 0x85, 0xc0,             /* 9: test rax,rax */
		0x74, 0x1b,                   /* c: je 0x29 */
		0xeb, 0x11,                   /* e: jmp 0x21 */
		0x48, 0x89, 0xef,             /* 10: mov rdi,rbp */
		0x48, 0x83, 0xc7, 0xf8,       /* 13: add rdi,0xfffffffffffffff8 */
		0xe8, 0xfb, 0x0f, 0x00, 0x00, /* 17: call 0x1017 */
		0x48, 0x85, 0xc0,             /* 1c: test rax,rax */
		0x74, 0x08,                   /* 1f: je 0x29 */
		0x44, 0x8b, 0x38,             /* 21: mov r15d,DWORD PTR [rax] */
		0x45, 0x39, 0xf7,             /* 24: cmp r15d,r14d */
		0x72, 0xe7,                   /* 27: jb 0x10 */
		0xc9,                         /* 29: leave */
		0xc3,                         /* 2a: ret */
	};
	static const struct want want = {.head = 0x21,
					 .nr_insns = 8,
					 .nr_calls = 1,
					 .nr_loads = 1,
					 .nr_taken = 1};
	struct hot_func f;

	(void)state;
	read_loop(&f, JITED_X86_64, code, sizeof(code), &want);
	assert_int_equal(f.loops[0].path.nr_targets, 1);
	assert_int_equal(f.loops[0].path.targets[0], ADDR + 0x1017);
	assert_int_equal(f.nr_calls, 2);
	assert_int_equal(f.calls[0].depth, 0);
	assert_int_equal(f.calls[1].depth, 1);
	hot_func_release(&f);
}

/*
 * Hot: 7 up to jge, then mov, mov, jmp, then test, je, then mov, cmp, jb: 15. By
 * way of the exhausted branch it would be 14, but there rax is 0, and je leaves.
 * Loads at 7, c, 28; a store at 13; taken jmp and jb.
 */
static void exhausted_branch_of_an_inlined_iterator_is_no_way_round(void **state)
{
	static const uint8_t code[] = {
		0x48, 0x89, 0xef,       /* 0: mov rdi,rbp */
		0x48, 0x83, 0xc7, 0xf8, /* 3: add rdi,0xfffffffffffffff8 */
		0x8b, 0x07,             /* 7: mov eax,DWORD PTR [rdi] */
		0x83, 0xc0, 0x01,       /* 9: add eax,0x1 */
		0x8b, 0x77, 0x04,       /* c: mov esi,DWORD PTR [rdi+0x4] */
		0x39, 0xf0,             /* f: cmp eax,esi */
		0x7d, 0x07,             /* 11: jge 0x1a */
		0x89, 0x07,             /* 13: mov DWORD PTR [rdi],eax */
		0x48, 0x89, 0xf8,       /* 15: mov rax,rdi */
		0xeb, 0x09,             /* 18: jmp 0x23 */
		0x48, 0xc7, 0x07, 0x00,
		0x00, 0x00, 0x00, /* 1a: mov QWORD PTR [rdi],0x0 */
		0x31, 0xc0,       /* 21: xor eax,eax */
		0x48, 0x85, 0xc0, /* 23: test rax,rax */
		0x74, 0x06,       /* 26: je 0x2e */
		0x8b, 0x08,       /* 28: mov ecx,DWORD PTR [rax] */
		0x39, 0xd1,       /* 2a: cmp ecx,edx */
		0x72, 0xd2,       /* 2c: jb 0x0 */
		0xc3,             /* 2e: ret */
	};
	static const struct want want = {
		.nr_insns = 15, .nr_loads = 3, .nr_stores = 1, .nr_taken = 2};

	(void)state;
	assert_loop(JITED_X86_64, code, sizeof(code), &want);
}

/*
 * Round: cmp, jae, mov, mov, call, add, test, je: 8. The function ends at 1d, where
 * its callback begins: push, mov, xor, leave, ret: 5, a store and a load.
 */
static void inlined_bpf_loop_calls_its_callback(void **state)
{
	static const uint8_t code[] = {
		0x49, 0x39, 0xdd,             /* 0: cmp r13,rbx */
		0x73, 0x14,                   /* 3: jae 19 */
		0x4c, 0x89, 0xef,             /* 5: mov rdi,r13 */
		0x4c, 0x89, 0xf6,             /* 8: mov rsi,r14 */
		0xe8, 0x0d, 0x00, 0x00, 0x00, /* b: call 1d */
		0x49, 0x83, 0xc5, 0x01,       /* 10: add r13,0x1 */
		0x48, 0x85, 0xc0,             /* 14: test rax,rax */
		0x74, 0xe7,                   /* 17: je 0 */
		0x4c, 0x89, 0xe8,             /* 19: mov rax,r13 */
		0xc3,                         /* 1c: ret */
		0x55,                         /* 1d: push rbp */
		0x48, 0x89, 0xe5,             /* 1e: mov rbp,rsp */
		0x31, 0xc0,                   /* 21: xor eax,eax */
		0xc9,                         /* 23: leave */
		0xc3,                         /* 24: ret */
	};
	static const struct want want = {.nr_insns = 8, .nr_calls = 1, .nr_taken = 1};
	static const struct want callback = {
		.head = 0x1d, .nr_insns = 5, .nr_loads = 1, .nr_stores = 1};
	struct hot_func f;

	(void)state;
	read_loop(&f, JITED_X86_64, code, 0x1d, &want);
	assert_int_equal(f.loops[0].path.targets[0], ADDR + 0x1d);
	/* cmp, jae taken, mov, ret */
	assert_int_equal(f.through.nr_insns, 4);
	assert_int_equal(f.through.nr_taken, 1);
	hot_func_release(&f);
	assert_int_equal(hot_func_init(&f, JITED_X86_64, code + 0x1d,
				       sizeof(code) - 0x1d, ADDR + 0x1d),
			 0);
	assert_int_equal(f.nr_loops, 0);
	assert_null(hot_func_innermost(&f));
	assert_path(&f.through, &callback);
	hot_func_release(&f);
}

/*
 * Hot: mov, test, je, sub, test, jne taken, then mov, add, cmp, jb taken: 10; the
 * budget loaded and stored. The call, when it is used up, is not there.
 */
static void timed_may_goto_does_not_call_on_the_path(void **state)
{
	static const uint8_t code[] = {
		0x31, 0xff,             /* 0: xor edi,edi */
		0x4c, 0x8b, 0x55, 0xf0, /* 2: mov r10,QWORD PTR [rbp-0x10] */
		0x4d, 0x85, 0xd2,       /* 6: test r10,r10 */
		0x74, 0x22,             /* 9: je 0x2d */
		0x49, 0x83, 0xea, 0x01, /* b: sub r10,0x1 */
		0x4d, 0x85, 0xd2,       /* f: test r10,r10 */
		0x75, 0x0c,             /* 12: jne 0x20 */
		0x49, 0xc7, 0xc2, 0xf0, 0xff,
		0xff, 0xff,                   /* 14: mov r10,0xfffffffffffffff0 */
		0xe8, 0xfb, 0x0f, 0x00, 0x00, /* 1b: call 0x101b */
		0x4c, 0x89, 0x55, 0xf0,       /* 20: mov QWORD PTR [rbp-0x10],r10 */
		0x48, 0x83, 0xc7, 0x01,       /* 24: add rdi,0x1 */
		0x48, 0x39, 0xf7,             /* 28: cmp rdi,rsi */
		0x72, 0xd5,                   /* 2b: jb 0x2 */
		0xc3,                         /* 2d: ret */
	};
	static const struct want want = {.head = 2,
					 .nr_insns = 10,
					 .nr_loads = 1,
					 .nr_stores = 1,
					 .nr_taken = 2};

	(void)state;
	assert_loop(JITED_X86_64, code, sizeof(code), &want);
}

/*
 * A hash lookup inlined in part. Where the call returned 0, the second test cannot
 * find anything else, so add is on the path: call, test, je, add, test, je, add to
 * memory, add, cmp, jne: 10.
 */
static void what_a_branch_found_is_known_behind_it(void **state)
{
	static const uint8_t code[] = {
		0xe8, 0xfb, 0x0f, 0x00, 0x00, /* 0: call 0x1000 */
		0x48, 0x85, 0xc0,             /* 5: test rax,rax */
		0x74, 0x04,                   /* 8: je 0xe */
		0x48, 0x83, 0xc0, 0x38,       /* a: add rax,0x38 */
		0x48, 0x85, 0xc0,             /* e: test rax,rax */
		0x74, 0x11,                   /* 11: je 0x24 */
		0x48, 0x83, 0x00, 0x01,       /* 13: add QWORD PTR [rax],0x1 */
		0x49, 0x83, 0xc5, 0x01,       /* 17: add r13,0x1 */
		0x49, 0x81, 0xfd, 0xe8, 0x03, 0x00, 0x00, /* 1b: cmp r13,0x3e8 */
		0x75, 0xdc,                               /* 22: jne 0x0 */
		0xc3,                                     /* 24: ret */
	};
	static const struct want want = {.nr_insns = 10,
					 .nr_calls = 1,
					 .nr_loads = 1,
					 .nr_stores = 1,
					 .nr_taken = 1};

	(void)state;
	assert_loop(JITED_X86_64, code, sizeof(code), &want);
}

/* By way of the call it is 5 instructions, without it 9: the call costs more. */
static void the_way_without_a_call_is_cheaper(void **state)
{
	static const uint8_t code[] = {
		0x48, 0x8b, 0x07,             /* 0: mov rax,QWORD PTR [rdi] */
		0xa8, 0x01,                   /* 3: test al,0x1 */
		0x75, 0x15,                   /* 5: jne 0x1c */
		0x48, 0x01, 0xc6,             /* 7: add rsi,rax */
		0x48, 0x83, 0xf6, 0x01,       /* a: xor rsi,0x1 */
		0x48, 0x83, 0xc6, 0x01,       /* e: add rsi,0x1 */
		0x48, 0x83, 0xc7, 0x08,       /* 12: add rdi,0x8 */
		0x48, 0x39, 0xd7,             /* 16: cmp rdi,rdx */
		0x72, 0xe5,                   /* 19: jb 0x0 */
		0xc3,                         /* 1b: ret */
		0xe8, 0xfb, 0x0f, 0x00, 0x00, /* 1c: call 0x101c */
		0xeb, 0xdd,                   /* 21: jmp 0x0 */
	};
	static const struct want want = {.nr_insns = 9, .nr_loads = 1, .nr_taken = 1};

	(void)state;
	assert_loop(JITED_X86_64, code, sizeof(code), &want);
}

/* Outer: xor, once add, mov, cmp, jb, then add, cmp, jb: 8. Inner: 4. Third: 3. */
static void innermost_loop_is_the_deepest(void **state)
{
	static const uint8_t code[] = {
		0x31, 0xc9,       /* 0: xor ecx,ecx */
		0x31, 0xd2,       /* 2: xor edx,edx */
		0x83, 0xc2, 0x01, /* 4: add edx,0x1 */
		0x89, 0x16,       /* 7: mov DWORD PTR [rsi],edx */
		0x83, 0xfa, 0x0a, /* 9: cmp edx,0xa */
		0x72, 0xf6,       /* c: jb 0x4 */
		0x83, 0xc1, 0x01, /* e: add ecx,0x1 */
		0x83, 0xf9, 0x14, /* 11: cmp ecx,0x14 */
		0x72, 0xec,       /* 14: jb 0x2 */
		0x83, 0xc7, 0x01, /* 16: add edi,0x1 */
		0x83, 0xff, 0x05, /* 19: cmp edi,0x5 */
		0x72, 0xf8,       /* 1c: jb 0x16 */
		0xc3,             /* 1e: ret */
	};
	static const struct want outer = {
		.head = 2, .nr_insns = 8, .nr_stores = 1, .nr_taken = 1};
	static const struct want last = {.head = 0x16, .nr_insns = 3, .nr_taken = 1};
	static const struct want inner = {
		.head = 4, .nr_insns = 4, .nr_stores = 1, .nr_taken = 1};
	struct hot_func f;

	(void)state;
	assert_int_equal(hot_func_init(&f, JITED_X86_64, code, sizeof(code), ADDR), 0);
	assert_int_equal(f.nr_loops, 3);
	assert_path(&f.loops[0].path, &outer);
	assert_path(&f.loops[1].path, &last);
	assert_path(&f.loops[2].path, &inner);
	assert_int_equal(f.loops[1].depth, 1);
	assert_int_equal(f.loops[2].depth, 2);
	assert_ptr_equal(hot_func_innermost(&f), &f.loops[2]);
	hot_func_release(&f);
}

/*
 * Loads: push [rdi], pop, pop [rdi] (from the stack), lock add, xchg, cmp, gs: 7.
 * Stores: push, push [rdi], pop [rdi], lock add, xchg, mov: 6. Not nop, not lea.
 * Through: these 13, leave (a load) and ret.
 */
static void memory_accesses_are_counted(void **state)
{
	static const uint8_t code[] = {
		0x0f, 0x1f, 0x04, 0x00, /* 0: nop DWORD PTR [rax+rax*1] */
		0x48, 0x8d, 0x47, 0x08, /* 4: lea rax,[rdi+0x8] */
		0x50,                   /* 8: push rax */
		0xff, 0x37,             /* 9: push QWORD PTR [rdi] */
		0x59,                   /* b: pop rcx */
		0x8f, 0x07,             /* c: pop QWORD PTR [rdi] */
		0xf0, 0x48, 0x01, 0x07, /* e: lock add QWORD PTR [rdi],rax */
		0x48, 0x87, 0x07,       /* 12: xchg QWORD PTR [rdi],rax */
		0x80, 0x3f, 0x01,       /* 15: cmp BYTE PTR [rdi],0x1 */
		0x65, 0x48, 0x8b, 0x14, 0x25,
		0x28, 0x00, 0x00, 0x00, /* 18: mov rdx,QWORD PTR gs:0x28 */
		0x48, 0x89, 0x17,       /* 21: mov QWORD PTR [rdi],rdx */
		0x48, 0x83, 0xe9, 0x01, /* 24: sub rcx,0x1 */
		0x75, 0xd6,             /* 28: jne 0x0 */
		0xc9,                   /* 2a: leave */
		0xc3,                   /* 2b: ret */
	};
	static const struct want want = {
		.nr_insns = 13, .nr_loads = 7, .nr_stores = 6, .nr_taken = 1};
	static const struct want through = {
		.nr_insns = 15, .nr_loads = 8, .nr_stores = 6};
	struct hot_func f;

	(void)state;
	read_loop(&f, JITED_X86_64, code, sizeof(code), &want);
	assert_path(&f.through, &through);
	hot_func_release(&f);
}

static void loop_that_never_repeats_is_still_counted(void **state)
{
	static const uint8_t code[] = {
		0x8b, 0x17, /* 0: mov edx,DWORD PTR [rdi] */
		0x31, 0xc0, /* 2: xor eax,eax */
		0x85, 0xc0, /* 4: test eax,eax */
		0x75, 0xf8, /* 6: jne 0x0 */
		0xc3,       /* 8: ret */
	};
	static const struct want want = {.nr_insns = 4, .nr_loads = 1, .nr_taken = 1};

	(void)state;
	assert_loop(JITED_X86_64, code, sizeof(code), &want);
}

/* An irreducible loop: whichever way in is taken for its head, it is 4. */
static void loop_with_two_ways_in_is_one_loop(void **state)
{
	static const uint8_t code[] = {
		0x85, 0xff,       /* 0: test edi,edi */
		0x74, 0x03,       /* 2: je 0x7 */
		0x83, 0xc0, 0x01, /* 4: add eax,0x1 */
		0x83, 0xc0, 0x02, /* 7: add eax,0x2 */
		0x39, 0xf0,       /* a: cmp eax,esi */
		0x72, 0xf6,       /* c: jb 0x4 */
		0xc3,             /* e: ret */
	};
	static const struct want want = {.head = 4, .nr_insns = 4, .nr_taken = 1};

	(void)state;
	assert_loop(JITED_X86_64, code, sizeof(code), &want);
}

/* ---- what cannot be read --------------------------------------------------- */

static void jump_into_an_instruction_is_refused(void **state)
{
	static const uint8_t code[] = {
		0xb8, 0x01, 0x00, 0x00, 0x00, /* 0: mov eax,0x1 */
		0xeb, 0xfd,                   /* 5: jmp 0x4 */
		0xc3,                         /* 7: ret */
	};
	struct hot_func f = {.nr_loops = 7};

	(void)state;
	assert_int_equal(hot_func_init(&f, JITED_X86_64, code, sizeof(code), ADDR),
			 -EINVAL);
	assert_int_equal(f.nr_loops, 7);
}

static void code_that_runs_off_its_end_is_refused(void **state)
{
	static const uint8_t cut[] = {0x31, 0xff, 0x48, 0x83}; /* xor edi, edi; add … */
	static const uint8_t data[] = {0xc3, 0x06, 0x06};      /* ret; no instruction */
	struct hot_func f;

	(void)state;
	assert_int_equal(hot_func_init(&f, JITED_X86_64, cut, sizeof(cut), ADDR),
			 -EINVAL);
	assert_int_equal(hot_func_init(&f, JITED_X86_64, cut, 0, ADDR), -EINVAL);
	assert_int_equal(hot_func_init(&f, JITED_X86_64, data, sizeof(data), ADDR), 0);
	assert_int_equal(f.through.nr_insns, 1);
	hot_func_release(&f);
	memset(&f, 0, sizeof(f));
	hot_func_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(register_loop_is_three_instructions),
		cmocka_unit_test(called_iterator_has_its_call_on_the_path),
		cmocka_unit_test(
			exhausted_branch_of_an_inlined_iterator_is_no_way_round),
		cmocka_unit_test(inlined_bpf_loop_calls_its_callback),
		cmocka_unit_test(timed_may_goto_does_not_call_on_the_path),
		cmocka_unit_test(what_a_branch_found_is_known_behind_it),
		cmocka_unit_test(the_way_without_a_call_is_cheaper),
		cmocka_unit_test(innermost_loop_is_the_deepest),
		cmocka_unit_test(memory_accesses_are_counted),
		cmocka_unit_test(loop_that_never_repeats_is_still_counted),
		cmocka_unit_test(loop_with_two_ways_in_is_one_loop),
		cmocka_unit_test(jump_into_an_instruction_is_refused),
		cmocka_unit_test(code_that_runs_off_its_end_is_refused),
	};

	return cmocka_run_group_tests_name("hot_path", tests, NULL, NULL);
}
