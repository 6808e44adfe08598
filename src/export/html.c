// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "base/format.h"
#include "base/text.h"
#include "base/time.h"
#include "export/html.h"
#include "export/page.h"

#define NO_FIGURE   "\u2013"
#define MINUS       "\u2212"
#define REPLACEMENT "\uFFFD"

void html_begin(FILE *out, const char *title)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
	      "'none'; "
	      "style-src '" PAGE_CSS_HASH "'; script-src '" PAGE_JS_HASH "'; "
	      "base-uri 'none'; form-action 'none'\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, "
	      "initial-scale=1\">\n"
	      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>",
	      out);
	html_text(out, title);
	fputs("</title>\n<style>" PAGE_CSS "</style>\n</head>\n<body>\n", out);
}

void html_end(FILE *out)
{
	fputs("<script>" PAGE_JS "</script>\n</body>\n</html>\n", out);
}

static const char *entity(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	}
	return NULL;
}

void html_text(FILE *out, const char *text)
{
	size_t left = strlen(text), length;

	for (; left; text += length, left -= length) {
		length = text_character(text, left);
		if (!length) {
			fputs(REPLACEMENT, out);
			length = 1;
		} else if (entity(*text)) {
			fputs(entity(*text), out);
		} else {
			fwrite(text, 1, length, out);
		}
	}
}

void html_element(FILE *out, const char *tag, const char *class, const char *text)
{
	if (class)
		fprintf(out, "<%s class=\"%s\">", tag, class);
	else
		fprintf(out, "<%s>", tag);
	html_text(out, text);
	fprintf(out, "</%s>", tag);
}

/* ---- figures -------------------------------------------------------------------- */

/* Of a figure that is not negative. */
static const char *show(char buf[HTML_FIGURE_LEN], double figure)
{
	int decimals;

	if (figure > 0 && (figure < 1e-7 || figure >= 1e15))
		snprintf(buf, HTML_FIGURE_LEN, "%.3g", figure);
	else if (figure >= 999.5)
		format_count(buf, (uint64_t)llround(figure));
	else {
		decimals = figure > 0 ? 2 - (int)floor(log10(figure)) : 0;
		/* What would be rounded up to a digit more has one decimal less. */
		if (decimals > 0 &&
		    figure >= pow(10, 3 - decimals) - 0.5 * pow(10, -decimals))
			decimals--;
		snprintf(buf, HTML_FIGURE_LEN, "%.*f", decimals, figure);
	}
	return buf;
}

const char *html_figure(char buf[HTML_FIGURE_LEN], double figure)
{
	char digits[HTML_FIGURE_LEN];

	if (!isfinite(figure))
		return NO_FIGURE;
	if (figure >= 0)
		return show(buf, figure);
	snprintf(buf, HTML_FIGURE_LEN, MINUS "%.40s", show(digits, -figure));
	return buf;
}

const char *html_percent(char buf[HTML_FIGURE_LEN], double percent)
{
	double size = round(10 * fabs(percent)) / 10;
	const char *sign = size == 0 ? "" : percent < 0 ? MINUS : "+";

	if (!isfinite(percent))
		return NO_FIGURE;
	snprintf(buf, HTML_FIGURE_LEN, size < 1e7 ? "%s%.1f%%" : "%s%.3g%%", sign,
		 size);
	return buf;
}

const char *html_probability(char buf[HTML_FIGURE_LEN], double p)
{
	if (!isfinite(p))
		return NO_FIGURE;
	snprintf(buf, HTML_FIGURE_LEN, p < 0.0001 ? "<0.0001" : "%.4f", p);
	return buf;
}

const char *html_exact(char buf[HTML_FIGURE_LEN], double figure)
{
	snprintf(buf, HTML_FIGURE_LEN, "%.7g", figure);
	return buf;
}

const char *html_time(char buf[HTML_FIGURE_LEN], uint64_t time_ns)
{
	time_t seconds = (time_t)(time_ns / NSEC_PER_SEC);
	struct tm tm;

	if (!gmtime_r(&seconds, &tm) ||
	    !strftime(buf, HTML_FIGURE_LEN, "%F %T UTC", &tm))
		return NO_FIGURE;
	return buf;
}

/* ---- tables --------------------------------------------------------------------- */

void html_table_begin(FILE *out, const char *label, const char *const *titles,
		      size_t nr)
{
	size_t i;

	fputs("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"",
	      out);
	html_text(out, label);
	fputs("\">\n<table>\n<thead><tr>", out);
	for (i = 0; i < nr; i++) {
		bool is_figure = titles[i][0] == '#', is_interval = titles[i][0] == '~';

		fprintf(out, "<th scope=\"col\"%s>",
			is_figure     ? " class=\"n\""
			: is_interval ? " class=\"i\" colspan=\"2\""
				      : "");
		html_text(out, titles[i] + (is_figure || is_interval));
		fputs("</th>", out);
	}
	fputs("</tr></thead>\n<tbody>\n", out);
}

void html_table_end(FILE *out)
{
	fputs("</tbody>\n</table>\n</div>\n", out);
}

void html_cell_text(FILE *out, const char *text)
{
	html_element(out, "td", text[0] ? NULL : "none", text[0] ? text : NO_FIGURE);
}

void html_cell_exact(FILE *out, double figure)
{
	char buf[HTML_FIGURE_LEN];

	if (isfinite(figure))
		html_element(out, "td", "n", html_exact(buf, figure));
	else
		html_element(out, "td", "n none", NO_FIGURE);
}

void html_cell_interval(FILE *out, html_show show_figure, double figure, double lo,
			double hi)
{
	char buf[HTML_FIGURE_LEN];

	fprintf(out, "<td class=\"n v\">%s</td><td class=\"ci\">",
		show_figure(buf, figure));
	if (isfinite(figure) && isfinite(lo) && isfinite(hi)) {
		fprintf(out, "[%s, ", show_figure(buf, lo));
		fprintf(out, "%s]", show_figure(buf, hi));
	}
	fputs("</td>", out);
}
