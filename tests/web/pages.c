// SPDX-License-Identifier: BSD-2-Clause
/*
 * pages DIRECTORY: writes pages of made-up comparisons and reports there, which
 * tests/web/test_pages.py looks at. What they show is chosen, not measured:
 *
 *   compare.html  a kernel that is faster at some sites, and slower at one
 *   same.html     no difference
 *   hostile.html  every text tries to be more than text; absent and huge figures
 *   empty.html    not comparable, and nothing on both sides
 *   report.html   a recording of run; bench.html of bench; cut.html a cut one
 *   badreport.html as hostile.html
 */
#include <stdio.h>
#include <stdlib.h>

#include "export/html_compare.h"
#include "export/html_report.h"
#include "web/made_comparisons.h"
#include "web/made_reports.h"

static FILE *open_page(const char *directory, const char *name)
{
	char path[4096];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	out = fopen(path, "w");
	if (!out) {
		fprintf(stderr, "pages: cannot write %s\n", path);
		exit(1);
	}
	return out;
}

static void write_comparison(const char *directory, const char *name,
			     void (*make)(struct comparison *c))
{
	FILE *out = open_page(directory, name);
	struct comparison c;

	make(&c);
	if (html_compare(out, &c) || fclose(out)) {
		fprintf(stderr, "pages: cannot write %s\n", name);
		exit(1);
	}
	comparison_release(&c);
}

static void write_report(const char *directory, const char *name,
			 struct report *(*make)(struct recording_head *head))
{
	struct recording_head *head = make_head("recordings/base-1.itr", "7.3.4+deb13-amd64");
	FILE *out = open_page(directory, name);
	struct report *r = make(head);

	if (html_report(out, r) || fclose(out)) {
		fprintf(stderr, "pages: cannot write %s\n", name);
		exit(1);
	}
	snapshot_release(&r->summary);
	free(r->bench);
	free(r);
	free(head);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	write_comparison(argv[1], "compare.html", make_compare);
	write_comparison(argv[1], "same.html", make_same);
	write_comparison(argv[1], "hostile.html", make_hostile);
	write_comparison(argv[1], "empty.html", make_empty);
	write_report(argv[1], "report.html", make_report);
	write_report(argv[1], "bench.html", make_bench);
	write_report(argv[1], "cut.html", make_cut);
	write_report(argv[1], "badreport.html", make_bad_report);
	return 0;
}
