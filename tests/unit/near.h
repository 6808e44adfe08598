/* SPDX-License-Identifier: BSD-2-Clause */
/* For figures that are reckoned in another order than the test does. After cmocka.h. */
#ifndef ITERTRACE_TESTS_NEAR_H
#define ITERTRACE_TESTS_NEAR_H

#include <math.h>

#define assert_near(a, b, epsilon) assert_true(fabs((a) - (b)) <= (epsilon))

#endif
