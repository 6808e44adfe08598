// SPDX-License-Identifier: BSD-2-Clause
/* Runners around the workloads of this kernel: cheats, and several CPUs at once. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

#include "base/time.h"
#include "bench/measure.h"
#include "bench/threads.h"
#include "bench_claims.h"

/* ---- runners around the real one ----------------------------------------------- */

struct wrapper {
	const struct runner *inner;
	struct runner runner;
	int last_cpu;   /* what a wrapper does, it does there */
	cpu_set_t seen; /* CPUs that runs began on, and they ended there */
	pthread_mutex_t lock;
};

static int wrapped_load(void *context, struct reason *why)
{
	struct wrapper *w = context;

	return w->inner->load(w->inner->context, why);
}

static uint64_t wrapped_trips(void *context, enum workload_id id, uint64_t nr)
{
	struct wrapper *w = context;

	return w->inner->trips(w->inner->context, id, nr);
}

static int wrapped_placement(void *context, enum workload_id id)
{
	struct wrapper *w = context;

	return w->inner->placement(w->inner->context, id);
}

static uint64_t wrapped_now(void *context)
{
	struct wrapper *w = context;

	return w->inner->now_ns(w->inner->context);
}

static int run_half(void *context, enum workload_id id, struct bench_run *r,
		    struct reason *why)
{
	struct wrapper *w = context;
	int err;

	r->nr /= 2;
	err = w->inner->run(w->inner->context, id, r, why);
	r->nr *= 2;
	return err;
}

static int note_cpu(void *context, enum workload_id id, struct bench_run *r,
		    struct reason *why)
{
	struct wrapper *w = context;
	int err = w->inner->run(w->inner->context, id, r, why);

	pthread_mutex_lock(&w->lock);
	CPU_SET(r->cpu, &w->seen);
	CPU_SET(r->cpu_end, &w->seen);
	pthread_mutex_unlock(&w->lock);
	return err;
}

static int fail_on_last_cpu(void *context, enum workload_id id, struct bench_run *r,
			    struct reason *why)
{
	struct wrapper *w = context;

	if (sched_getcpu() == w->last_cpu)
		return reason_set(why, -EIO, "CPU %d failed", w->last_cpu);
	return w->inner->run(w->inner->context, id, r, why);
}

static int run_half_on_last_cpu(void *context, enum workload_id id, struct bench_run *r,
				struct reason *why)
{
	struct wrapper *w = context;

	if (sched_getcpu() == w->last_cpu)
		return run_half(context, id, r, why);
	return w->inner->run(w->inner->context, id, r, why);
}

/* The nth CPU of those that we may run on, from 0. */
static int nth_cpu(int n)
{
	cpu_set_t set;
	int cpu;

	sched_getaffinity(0, sizeof(set), &set);
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &set) && !n--)
			return cpu;
	return -1;
}

static void wrap(struct wrapper *w, const struct runner *inner,
		 int (*run_it)(void *, enum workload_id, struct bench_run *,
			       struct reason *))
{
	*w = (struct wrapper){
		.inner = inner,
		.runner = {wrapped_load, wrapped_trips, run_it, wrapped_placement,
			   wrapped_now, w},
		.last_cpu = nth_cpu(1),
		.lock = PTHREAD_MUTEX_INITIALIZER,
	};
}

/* What measuring bpf_loop with it comes to. */
static int measure_bpf_loop(const struct runner *runner, struct reason *why)
{
	struct measure_options options = {
		.set = WORKLOAD_BIT(WORKLOAD_BPF_LOOP),
		.batch_ns = 60 * NSEC_PER_USEC,
		.rounds_per_load = 5,
	};
	struct measurement *m = NULL;
	int err = measurement__new(runner, &options, &m, why);

	measurement__free(m);
	return err;
}

static void a_workload_that_makes_half_its_trips_is_caught(void **state)
{
	struct fixture *f = loaded_workloads(state);
	struct reason why = {""};
	struct wrapper w;

	wrap(&w, f->runner, run_half);
	assert_int_equal(measure_bpf_loop(&w.runner, &why), -EPROTO);
	assert_string_equal(why.text,
			    "bpf_loop made 512 trips where it was told to make 1024");
}

/* ---- threads ------------------------------------------------------------------- */

static void needs_two_cpus(void)
{
	if (threads_max() >= 2)
		return;
	print_message("there is one CPU only\n");
	skip();
}

static void two_threads_run_on_two_cpus(void **state)
{
	struct fixture *f = loaded_workloads(state);
	struct bench_run r = {.nr = 5000};
	struct threads *t = NULL;
	struct wrapper w;

	needs_two_cpus();
	wrap(&w, f->runner, note_cpu);
	assert_int_equal(threads__new(&w.runner, 2, &t, NULL), 0);
	for (int i = 0; i < 20; i++) {
		const struct runner *both = threads_runner(t);

		CPU_ZERO(&w.seen);
		assert_int_equal(both->run(both->context, WORKLOAD_BPF_LOOP, &r, NULL),
				 0);
		assert_int_equal(CPU_COUNT(&w.seen), 2);
		assert_true(CPU_ISSET(nth_cpu(0), &w.seen));
		assert_true(CPU_ISSET(nth_cpu(1), &w.seen));
		assert_int_equal(r.trips, 5000);
		assert_int_equal(r.cpu, r.cpu_end);
		assert_true(r.ns > 0);
	}
	threads__free(t);
}

/* Both add to their own CPU's value, so the sum is that of both. */
static void two_threads_make_twice_the_trips(void **state)
{
	struct fixture *f = loaded_workloads(state);
	struct bench_run r = {.nr = 50};
	struct threads *t = NULL;
	uint64_t before;

	needs_two_cpus();
	assert_int_equal(threads__new(f->runner, 2, &t, NULL), 0);
	before = sum_of(f, WORKLOAD_ARR_INC, "arr");
	assert_int_equal(threads_runner(t)->run(threads_runner(t)->context,
						WORKLOAD_ARR_INC, &r, NULL),
			 0);
	assert_int_equal(sum_of(f, WORKLOAD_ARR_INC, "arr") - before, 2 * 50 * 1000);
	threads__free(t);
}

static void two_threads_pass_on_what_failed_on_the_nth_cpu(const struct fixture *f,
							   int n)
{
	struct bench_run r = {.nr = 5000};
	struct reason why = {""};
	struct threads *t = NULL;
	char sentence[32];
	struct wrapper w;

	wrap(&w, f->runner, fail_on_last_cpu);
	w.last_cpu = nth_cpu(n);
	snprintf(sentence, sizeof(sentence), "CPU %d failed", w.last_cpu);
	assert_int_equal(threads__new(&w.runner, 2, &t, NULL), 0);
	assert_int_equal(threads_runner(t)->run(threads_runner(t)->context,
						WORKLOAD_BPF_LOOP, &r, &why),
			 -EIO);
	assert_string_equal(why.text, sentence);
	threads__free(t);
}

static void two_threads_pass_on_what_failed_in_either(void **state)
{
	struct fixture *f = loaded_workloads(state);

	needs_two_cpus();
	two_threads_pass_on_what_failed_on_the_nth_cpu(f, 0);
	two_threads_pass_on_what_failed_on_the_nth_cpu(f, 1);
}

static void two_threads_of_which_either_makes_half_its_trips_are_caught(void **state)
{
	struct fixture *f = loaded_workloads(state);

	needs_two_cpus();
	for (int n = 0; n < 2; n++) {
		struct reason why = {""};
		struct threads *t = NULL;
		struct wrapper w;

		wrap(&w, f->runner, run_half_on_last_cpu);
		w.last_cpu = nth_cpu(n);
		assert_int_equal(threads__new(&w.runner, 2, &t, NULL), 0);
		assert_int_equal(measure_bpf_loop(threads_runner(t), &why), -EPROTO);
		assert_non_null(strstr(why.text, "512 trips"));
		threads__free(t);
	}
}

static void more_threads_than_cpus_are_refused(void **state)
{
	struct fixture *f = loaded_workloads(state);
	struct threads *untouched = (struct threads *)f, *t = untouched;
	struct reason why = {""};

	assert_int_equal(threads__new(f->runner, threads_max() + 1, &t, &why), -ERANGE);
	assert_ptr_equal(t, untouched);
	assert_non_null(strstr(why.text, "CPUs"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_workload_that_makes_half_its_trips_is_caught),
		cmocka_unit_test(two_threads_run_on_two_cpus),
		cmocka_unit_test(two_threads_make_twice_the_trips),
		cmocka_unit_test(two_threads_pass_on_what_failed_in_either),
		cmocka_unit_test(
			two_threads_of_which_either_makes_half_its_trips_are_caught),
		cmocka_unit_test(more_threads_than_cpus_are_refused),
	};

	return cmocka_run_group_tests(tests, set_up_workloads,
					   tear_down_workloads);
}
