/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A page of HTML in one file, with its style and script in it: nothing is
 * fetched, and a content policy that knows the two by their hashes lets nothing
 * else run, be loaded or be sent. So there are no style attributes.
 *
 * Texts may come from a recording, hence from anybody: they go through
 * html_text(), in elements, in quoted attributes and in SVG alike. Tags, classes,
 * ids and formats are the caller's own.
 */
#ifndef ITERTRACE_EXPORT_HTML_H
#define ITERTRACE_EXPORT_HTML_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Up to and into <body>. */
void html_begin(FILE *out, const char *title);
void html_end(FILE *out);

/*
 * Markup stands as text; control characters, those that turn the direction of
 * writing, and what is not UTF-8 as U+FFFD, a byte each.
 */
void html_text(FILE *out, const char *text);

/* <tag class="class">text</tag>; class may be NULL. */
void html_element(FILE *out, const char *tag, const char *class, const char *text);

#define HTML_FIGURE_LEN 48

/* Three significant digits: "0.0123", "4.57", "12,346"; "\u2013" where there is none. */
const char *html_figure(char buf[HTML_FIGURE_LEN], double figure);

/* One decimal and a sign: "+4.6%", "\u22120.3%", "0.0%". */
const char *html_percent(char buf[HTML_FIGURE_LEN], double percent);

/* "0.0123", "<0.0001". */
const char *html_probability(char buf[HTML_FIGURE_LEN], double p);

/* As many digits as a person may want to copy; of a figure that is there. */
const char *html_exact(char buf[HTML_FIGURE_LEN], double figure);

/* "2026-01-31 12:34:56 UTC". */
const char *html_time(char buf[HTML_FIGURE_LEN], uint64_t time_ns);

/*
 * A table that scrolls in itself where the page is narrow. label names it to
 * those who do not see it. A title that begins with "#" is over figures, with "~"
 * over figures with intervals.
 */
void html_table_begin(FILE *out, const char *label, const char *const *titles,
		      size_t nr);
void html_table_end(FILE *out);

/* Cells: <td>s; where there is no text or figure they say so. */
void html_cell_text(FILE *out, const char *text);
void html_cell_exact(FILE *out, double figure);

typedef const char *(*html_show)(char buf[HTML_FIGURE_LEN], double figure);

/* Two cells: "4.57", "[4.50, 4.61]"; the interval is left out where there is none. */
void html_cell_interval(FILE *out, html_show show, double figure, double lo, double hi);

#endif
