#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Pages as a browser shows them: tests/web/pages makes them up, in build/web,
where pictures of them are left to be looked at."""
import base64
import hashlib
import os
import re
import subprocess
import sys

import html5lib
from browser import Browser, claim
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

BUILD = os.path.dirname(os.environ.get("ITERTRACE", "build/itertrace"))
PAGES = os.path.join(BUILD, "web")
NAMES = ["compare", "same", "hostile", "empty", "report", "bench", "cut", "badreport"]
WIDTHS = [1280, 390]
SCHEMES = ["light", "dark"]


def path_of(name):
    return os.path.join(PAGES, name + ".html")


def read(name):
    with open(path_of(name), encoding="utf-8") as f:
        return f.read()


def each(check):
    for name in NAMES:
        for what in check(name):
            yield f"{name}: {what}"


# --- the file ------------------------------------------------------------------


def markup_is_wrong(name):
    try:
        html5lib.HTMLParser(strict=True).parse(read(name))
    except html5lib.html5parser.ParseError as e:
        yield f"no HTML: {e}"


def policy_is_weak(name):
    text = read(name)
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text).group(1)
    hashes = {}
    for tag in ("style", "script"):
        bodies = re.findall(f"<{tag}>(.*?)</{tag}>", text, re.S)
        if len(bodies) != 1:
            yield f"{len(bodies)} elements {tag}"
        digest = hashlib.sha256(bodies[0].encode()).digest()
        hashes[tag] = "sha256-" + base64.b64encode(digest).decode()
    wanted = (f"default-src 'none'; style-src '{hashes['style']}'; script-src '{hashes['script']}'; "
              "base-uri 'none'; form-action 'none'")
    if policy != wanted:
        yield f"policy {policy} instead of {wanted}"
    if text.index("Content-Security-Policy") > text.index("<style>"):
        yield "the policy comes after the style"


# --- in a browser --------------------------------------------------------------


def is_not_quiet(browser, name):
    """Of the page that was just opened."""
    for message in browser.console():
        yield "console: " + message
    url = "file://" + os.path.abspath(path_of(name))
    for request in browser.requests():
        if request != url:
            yield "asked for " + request


INJECT = """
const script = document.createElement('script');
script.textContent = 'window.injected = 1';
document.body.append(script);
const element = document.createElement('div');
element.innerHTML = '<b onclick="window.injected = 1" style="color: rgb(1, 2, 3)">x</b>';
document.body.append(element);
element.firstChild.click();
const picture = new Image();
picture.src = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';
document.body.append(picture);
return [window.injected ?? 0, getComputedStyle(element.firstChild).color];
"""


def policy_is_not_kept(browser):
    browser.open(path_of("compare"))
    injected, colour = browser.run(INJECT)
    if injected:
        yield "another script ran"
    if colour == "rgb(1, 2, 3)":
        yield "another style was taken"
    refused = [m for m in browser.console() if "Content Security Policy" in m]
    if len(refused) < 4:
        yield f"{len(refused)} refusals on the console instead of 4: script, handler, style, image"


def overflows(browser, width):
    browser.run("document.querySelectorAll('details').forEach(d => d.open = true)")
    found = browser.run("return document.documentElement.scrollWidth")
    if found > width:
        yield f"{found} wide at {width}"


STRUCTURE = """
const wrong = [];
const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
for (const id of ids)
	if (ids.indexOf(id) != ids.lastIndexOf(id)) wrong.push(`id ${id} twice`);
let level = 0;
for (const h of document.querySelectorAll('h1, h2, h3, h4')) {
	const l = +h.tagName[1];
	if (l > level + 1) wrong.push(`${h.tagName} ${h.textContent} below h${level}`);
	level = l;
}
if (document.querySelectorAll('h1').length != 1) wrong.push('not one h1');
if (!document.documentElement.lang) wrong.push('no lang');
if (!document.title) wrong.push('no title');
for (const svg of document.querySelectorAll('svg.plot'))
	if (svg.getAttribute('role') != 'img' || !svg.getAttribute('aria-label') || !svg.querySelector('desc').textContent)
		wrong.push('a plot without role, label or description');
for (const svg of document.querySelectorAll('svg:not(.plot):not(svg svg)'))
	if (svg.getAttribute('aria-hidden') != 'true') wrong.push('a picture without role or label');
for (const input of document.querySelectorAll('input'))
	if (!input.closest('label')) wrong.push('a control without a label');
for (const e of document.querySelectorAll('[aria-labelledby]'))
	if (!document.getElementById(e.getAttribute('aria-labelledby'))) wrong.push('labelled by nothing');
for (const a of document.querySelectorAll('a'))
	if (!document.getElementById(a.getAttribute('href').slice(1))) wrong.push('a link to nothing');
for (const table of document.querySelectorAll('table')) {
	const nr = r => [...r.cells].reduce((n, c) => n + c.colSpan, 0);
	for (const r of table.rows)
		if (nr(r) != nr(table.rows[0])) wrong.push(`a row of ${nr(r)} cells below ${nr(table.rows[0])}: ${r.textContent}`);
	if (!table.parentElement.getAttribute('aria-label')) wrong.push('a table without a name');
}
return wrong;
"""

# Of each text, over what stands behind it; of each kind of mark, over the paper.
CONTRAST = """
const rgb = c => c.match(/[\\d.]+/g).map(Number);
const light = c => {
	const [r, g, b] = c.slice(0, 3).map(v => v / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
const behind = e => {
	for (; e; e = e.parentElement) {
		const c = rgb(getComputedStyle(e).backgroundColor);
		if (c.length < 4 || c[3] == 1) return c;
	}
};
const over = (c, alpha, paper) => c.slice(0, 3).map((v, i) => v * alpha + paper[i] * (1 - alpha));
const found = [], seen = new Set();
// Of elements with the same tags and classes around them, one is enough.
const isNew = (e, kind) => {
	let key = kind;
	for (let p = e; p != document.body; p = p.parentElement) key += `${p.tagName}.${p.getAttribute('class')} `;
	return !seen.has(key) && seen.add(key);
};
document.querySelectorAll('details').forEach(d => d.open = true);
for (const e of document.querySelectorAll('body *')) {
	const hasText = [...e.childNodes].some(n => n.nodeType == 3 && n.data.trim());
	if (!hasText || e.closest('script, desc, title') || !isNew(e, 'text')) continue;
	const style = getComputedStyle(e), svg = e.closest('svg');
	const r = ratio(rgb(svg ? style.fill : style.color), behind(e));
	if (r < 4.5) found.push(`${e.tagName}.${e.getAttribute('class')} ${e.textContent.slice(0, 30)}: ${r.toFixed(2)}`);
}
for (const [query, least] of [['.dots > *', 3], ['.median', 3], ['.fit', 3], ['.shift', 3], ['.whisker', 3]])
	for (const e of [...document.querySelectorAll('svg ' + query)].filter(e => isNew(e, query))) {
		const style = getComputedStyle(e), paper = behind(e);
		const stroke = style.stroke != 'none', alpha = +(stroke ? style.strokeOpacity : style.fillOpacity);
		const r = ratio(over(rgb(stroke ? style.stroke : style.fill), alpha, paper), paper);
		if (r < least) found.push(`${query}: ${r.toFixed(2)}`);
	}
return [...new Set(found)];
"""


def look_at_all(browser):
    """Every page at every width, once: opening one takes a second. Leaves the pictures."""
    wrong = {"noise": [], "structure": [], "width": [], "contrast": []}
    for name in NAMES:
        for width in WIDTHS:
            for scheme in SCHEMES if name in ("compare", "report") else ["light"]:
                where = f"{name}, {width}, {scheme}: "
                browser.open(path_of(name), width, scheme)
                wrong["noise"] += [where + what for what in is_not_quiet(browser, name)]
                browser.save(os.path.join(PAGES, f"{name}-{width}-{scheme}.png"))
                wrong["structure"] += [where + what for what in browser.run(STRUCTURE)]
                wrong["width"] += [where + what for what in overflows(browser, width)]
                if name not in ("hostile", "badreport"):
                    wrong["contrast"] += [where + what for what in browser.run(CONTRAST)]
    return wrong


# --- marks and numbers ---------------------------------------------------------

# Places in the plot's own coordinates; numbers of the tables below it.
READ_PLOTS = """
document.querySelectorAll('details').forEach(d => d.open = true);
const number = text => text.trim() == '\u2013' ? null : +text.replace('\u2212', '-').replaceAll(',', '');
const middle = e => { const b = e.getBBox(); return [b.x + b.width / 2, b.y + b.height / 2]; };
return [...document.querySelectorAll('figure')].map(figure => {
	const svg = figure.querySelector('svg.plot');
	const ticks = axis => [...svg.querySelectorAll(`.axis.${axis} text:not(.title)`)].map(t =>
		[number(t.textContent), +t.getAttribute(axis) - (axis == 'y' ? 4 : 0)]);
	const side = s => ({
		dots: [...svg.querySelectorAll(`.dots.${s} > *`)].map(middle),
		median: [...svg.querySelectorAll(`.${s} .median`)].map(middle),
		box: [...svg.querySelectorAll(`.${s} .box`)].map(e => [e.x.baseVal.value, e.x.baseVal.value + e.width.baseVal.value]),
		ci: [...svg.querySelectorAll(`.${s} .ci`)].map(e => [e.x.baseVal.value, e.x.baseVal.value + e.width.baseVal.value]),
		fit: [...svg.querySelectorAll(`.${s} .fit`)].map(e => e.getAttribute('d').match(/[-\\d.]+/g).map(Number)),
	});
	return {
		label: svg.getAttribute('aria-label'), kind: svg.classList[1],
		x: ticks('x'), y: ticks('y'), base: side('base'), new: side('new'),
		tables: [...figure.querySelectorAll('table')].map(t => [...t.tBodies[0].rows].map(r =>
			[...r.cells].map((c, i) => i || c.className == 'n' ? number(c.textContent) : c.textContent))),
	};
});
"""


def scale(ticks):
    """The line through the labelled ticks, from two of them; the others must lie on it."""
    (v0, p0), (v1, p1) = ticks[0], ticks[-1]
    slope = (p1 - p0) / (v1 - v0)
    for value, place in ticks:
        if abs(p0 + (value - v0) * slope - place) > 0.1:
            raise ValueError(f"tick {value} does not lie on the line of its axis")
    return lambda value: p0 + (value - v0) * slope


def far(found, wanted):
    """Places that are not where they should be; marks have no order that matters."""
    if len(found) != len(wanted):
        yield f"{len(found)} marks instead of {len(wanted)}"
        return
    for f, w in zip(found, wanted):
        if max(abs(a - b) for a, b in zip(f, w)) > 0.25:
            yield f"a mark at {f} instead of {w}"


def values_are_misplaced(plot, sides):
    x = scale(plot["x"])
    summary, values = plot["tables"]
    for i, side in enumerate(sides):
        wanted = [[x(row[i + 1])] for row in values if row[i + 1] is not None]
        yield from far([[p[0]] for p in plot[side]["dots"]], wanted)
        _, least, q1, median, lo, hi, q3, most = summary[i]
        for what, ends in ("median", [median]), ("box", [q1, q3]), ("ci", [lo, hi]):
            if None not in ends:
                yield from far([p[:len(ends)] for p in plot[side][what]], [[x(v) for v in ends]])


def points_are_misplaced(plot, sides, names):
    x, y = scale(plot["x"]), scale(plot["y"])
    for side, name in zip(sides, names):
        wanted = [[x(r[1]), y(r[2])] for r in plot["tables"][-1] if r[0] == name]
        yield from far(plot[side]["dots"], wanted)


def lines_are_misplaced(plot, sides, names):
    x, y = scale(plot["x"]), scale(plot["y"])
    for i, (side, name) in enumerate(zip(sides, names)):
        _, a, _, _, b, _, _ = plot["tables"][0][i]
        most = max((r[1] for r in plot["tables"][1] if r[0] == name), default=0)
        wanted = [] if a is None else [[x(0), y(a), x(most), y(a + b * most)]]
        yield from far(plot[side]["fit"], wanted)


def marks_are_misplaced(browser, name, sides, names, nr_wanted):
    browser.open(path_of(name))
    plots = browser.run(READ_PLOTS)
    if len(plots) != nr_wanted:
        yield f"{len(plots)} plots instead of {nr_wanted}"
    for plot in plots:
        wrong = []
        if plot["kind"] == "values":
            wrong += values_are_misplaced(plot, sides)
        else:
            wrong += points_are_misplaced(plot, sides, names)
        if plot["kind"] == "costs":
            wrong += lines_are_misplaced(plot, sides, names)
        for what in wrong:
            yield f"{plot['label']}: {what}"


STRIPS = """
const number = text => +text.replace('\u2212', '-').replace('%', '').replaceAll(',', '');
const table = document.querySelector('table.rows');
return [
	[...table.tHead.querySelectorAll('svg text')].map(t => [number(t.textContent), +t.getAttribute('x')]),
	[...table.tBodies[0].rows].map(r => ({
		shift: number(r.cells[2].textContent),
		ends: r.cells[3].textContent.slice(1, -1).split(', ').map(number),
		mark: +r.querySelector('circle').getAttribute('cx'),
		line: r.querySelector('path.ci').getAttribute('d').match(/[-\\d.]+/g).map(Number),
		zero: +r.querySelector('.zero').getAttribute('d').match(/[-\\d.]+/)[0],
		band: [+r.querySelector('.threshold').getAttribute('x'), +r.querySelector('.threshold').getAttribute('width')],
	})),
];
"""


def strips_are_misplaced(browser):
    browser.open(path_of("compare"))
    ticks, rows = browser.run(STRIPS)
    x = scale(ticks)
    slack = 0.06 * abs(x(1) - x(0)) + 0.02  # figures of one decimal
    for row in rows:
        left, _, right = row["line"]
        for found, value in ((row["mark"], row["shift"]), (left, row["ends"][0]), (right, row["ends"][1]),
                             (row["zero"], 0), (row["band"][0], -5), (sum(row["band"]), 5)):
            if abs(found - x(value)) > slack:
                yield f"{value}% is at {found} instead of {x(value)}"


# --- what can be done with it --------------------------------------------------

SEEN = """
const shown = e => e.checkVisibility({visibilityProperty: true});
document.querySelectorAll('details.row').forEach(d => d.open = true);
const nr = q => [...document.querySelectorAll(q)].filter(shown).length;
return ['svg .base.dots > *', 'svg .new.dots > *', 'tr.row.is-faster', 'tr.row.is-same',
	'details.row.is-faster', 'details.row.is-same'].map(nr);
"""


def toggles_fail(browser, name):
    browser.open(path_of(name))
    before = browser.run(SEEN)
    if 0 in before:
        yield f"something is not there at first: {before}"
    for box, hidden in (("show-base", [0]), ("show-new", [1]), ("show-faster", [2, 4]), ("show-same", [3, 5])):
        element = browser.driver.find_element(By.ID, box)
        element.send_keys(Keys.SPACE)
        after = browser.run(SEEN)
        for i in hidden:
            if after[i]:
                yield f"{box}: {after[i]} of {before[i]} are still there"
        if hidden[0] < 2 and after[1 - hidden[0]] != before[1 - hidden[0]]:
            yield f"{box}: the other side is hidden, too"
        element.send_keys(Keys.SPACE)
        if browser.run(SEEN) != before:
            yield f"{box}: not all came back"


TIP = "const tip = document.querySelector('.tip'); return tip.hidden ? '' : tip.textContent"


def details_fail(browser):
    browser.open(path_of("compare"))
    svg = browser.driver.find_element(By.CSS_SELECTOR, "details[open] svg.values")
    wanted = browser.run("""
        const rows = arguments[0].closest('figure').querySelectorAll('table')[1].tBodies[0].rows;
        return [...rows].flatMap(r => [1, 2].map(i => (i == 1 ? 'base: ' : 'new: ') + r.cells[i].textContent + ' ns a trip'));
        """, svg)
    mark = svg.find_elements(By.CSS_SELECTOR, ".base.dots > *")[3]
    browser.run("arguments[0].scrollIntoView({block: 'center'})", svg)
    ActionChains(browser.driver).move_to_element(mark).perform()
    if browser.run(TIP) not in wanted:
        yield f"pointed at: '{browser.run(TIP)}' is no value of the table"
    ActionChains(browser.driver).move_by_offset(0, 300).perform()
    if browser.run(TIP):
        yield "the tip stays"
    browser.run("arguments[0].focus()", svg)
    tips = []
    for _ in range(5):
        ActionChains(browser.driver).send_keys(Keys.ARROW_RIGHT).perform()
        tips.append(browser.run(TIP))
    if len(set(tips)) != 5 or not any(t in wanted for t in tips):
        yield f"arrow keys show {tips}"
    ActionChains(browser.driver).send_keys(Keys.ESCAPE).perform()
    if browser.run(TIP):
        yield "Escape leaves the tip"


def link_does_not_open(browser):
    browser.open(path_of("compare"))
    row = browser.driver.find_element(By.CSS_SELECTOR, "tr.is-same a")
    place = row.get_attribute("href").split("#")[1]
    query = f"return document.getElementById('{place}').checkVisibility()"
    if browser.run(query):
        yield "the row is open at first"
    row.click()
    if not browser.run(query):
        yield "the link's row stays closed"


def focus_is_not_seen(browser):
    browser.open(path_of("compare"))
    for _ in range(40):
        ActionChains(browser.driver).send_keys(Keys.TAB).perform()
        what, outline = browser.run("""const e = document.activeElement;
            return [e.outerHTML.slice(0, 80), getComputedStyle(e).outlineStyle];""")
        if outline == "none":
            yield f"no outline around {what}"


def print_is_wrong(browser):
    browser.open(path_of("compare"), scheme="dark", media="print")
    nr_closed, nr_shown, controls, paper = browser.run("""
        const closed = [...document.querySelectorAll('details.row:not([open])')];
        return [closed.length, closed.filter(d => d.querySelector('svg.plot').checkVisibility()).length,
            [...document.querySelectorAll('input')].filter(e => e.checkVisibility()).length,
            getComputedStyle(document.body).backgroundColor];""")
    if not nr_closed or nr_shown != nr_closed:
        yield f"{nr_shown} of {nr_closed} closed rows are printed"
    if controls:
        yield f"{controls} controls are printed"
    if paper != "rgb(255, 255, 255)":
        yield f"the paper is {paper}"
    pdf = base64.b64decode(browser.driver.execute_cdp_cmd("Page.printToPDF", {})["data"])
    if not pdf.startswith(b"%PDF"):
        yield "no PDF"


# --- without a script, and with hostile texts ----------------------------------


def script_is_needed(browser):
    browser.open(path_of("compare"))
    if browser.driver.find_elements(By.CSS_SELECTOR, ".tip"):
        yield "the script ran: nothing is shown by this"
    if "slower" not in browser.driver.find_element(By.TAG_NAME, "h1").text:
        yield "no verdict"
    marks = browser.driver.find_elements(By.CSS_SELECTOR, ".base.dots > *")
    titles = browser.driver.find_elements(By.CSS_SELECTOR, ".base.dots > * > title")
    if not marks or len(marks) != len(titles):
        yield f"{len(titles)} titles of {len(marks)} marks"
    yield from toggles_fail(browser, "compare")


def shown(raw):
    """What a text of these bytes must look like: worked out by rules of Unicode alone."""
    text = ""
    while raw:
        for n in (1, 2, 3, 4):
            try:
                c = raw[:n].decode("utf-8")
                break
            except UnicodeDecodeError:
                c = None
        bidi = c is not None and re.match("[\u200e\u200f\u202a-\u202e\u2066-\u2069]", c)
        if c is None or not c or bidi or ord(c) < 32 or 127 <= ord(c) < 160:
            text, raw = text + "\ufffd", raw[1:]
            if bidi:  # its other bytes are none
                text, raw = text + "\ufffd\ufffd", raw[2:]
        else:
            text, raw = text + c, raw[len(c.encode()):]
    return text


def hostile_texts():
    """The texts of the array in made.h, as the compiler makes them."""
    with open("tests/web/made.h", encoding="utf-8") as f:
        body = re.search(r"hostile\[\] = \{\n(.*?)\n\};", f.read(), re.S).group(1)
    for line in body.split("\n"):
        parts = re.findall(r'"((?:\\.|[^"\\])*)"', line)
        yield b"".join(p.encode().decode("unicode_escape").encode("latin-1") for p in parts)


def texts_act(browser):
    texts = [shown(raw) for raw in hostile_texts()]
    if len(texts) != 12:
        yield f"{len(texts)} hostile texts found"
    browser.open(path_of("hostile"))
    found = browser.run("return [...document.querySelectorAll('.warnings li')].map(e => e.textContent)")[1:]
    for got, wanted in zip(found, texts):
        if got != wanted:
            yield f"{got!r} instead of {wanted!r}"
    labels = browser.run("return [...document.querySelectorAll('svg.plot')].map(e => e.getAttribute('aria-label'))")
    for wanted in texts:
        if wanted + ": distribution" not in labels:
            yield f"no plot is labelled {wanted!r}"
    for name in ("hostile", "badreport"):
        browser.open(path_of(name))
        browser.run("document.querySelectorAll('*').forEach(e => e.dispatchEvent(new Event('mouseover')))")
        title, nr_wrong = browser.run("""
            const all = [...document.querySelectorAll('*')];
            return [document.title, all.filter(e => e.matches('img, svg + h1, iframe, form, meta[http-equiv=refresh]') ||
                [...e.attributes].some(a => /^on|^style$|^src/.test(a.name) || a.name == 'href' && a.value[0] != '#')).length +
                document.querySelectorAll('script').length - 1 + document.querySelectorAll('h1').length - 1];""")
        if "owned" in title and "<" not in title:
            yield f"{name}: a text ran"
        if nr_wrong:
            yield f"{name}: {nr_wrong} elements or attributes come from texts"
        if "\x1b" in read(name) or "\u202e" in read(name):
            yield f"{name}: control characters came through"
        for word in re.findall(r"\b(?:nan|inf)\b", re.sub(r"<style>.*?</style>|<script>.*?</script>", "", read(name), flags=re.S)):
            yield f"{name}: '{word}' is no figure"


def main():
    os.makedirs(PAGES, exist_ok=True)
    subprocess.run([os.path.join(BUILD, "tests/web/pages"), PAGES], check=True)
    claim("markup_is_valid", each(markup_is_wrong))
    claim("policy_names_the_style_and_the_script_and_nothing_else", each(policy_is_weak))
    browser = Browser()
    try:
        wrong = look_at_all(browser)
        claim("nothing_is_fetched_and_nothing_is_complained_of", wrong["noise"])
        claim("headings_labels_links_and_tables_are_whole", wrong["structure"])
        claim("no_page_is_wider_than_the_window", wrong["width"])
        claim("contrast_is_enough_in_light_and_dark", wrong["contrast"])
        claim("policy_refuses_other_scripts_styles_and_images", policy_is_not_kept(browser))
        claim("marks_of_a_comparison_are_where_the_numbers_say",
              marks_are_misplaced(browser, "compare", ["base", "new"], ["base", "new"], 4 * 1 + 5 * 3))
        claim("marks_of_a_report_are_where_the_numbers_say",
              marks_are_misplaced(browser, "report", ["base"], ["cost"], 9))
        claim("shifts_are_drawn_where_the_numbers_say", strips_are_misplaced(browser))
        claim("toggles_hide_and_show", toggles_fail(browser, "compare"))
        claim("pointer_and_arrow_keys_show_exact_figures", details_fail(browser))
        claim("link_opens_its_row", link_does_not_open(browser))
        claim("keyboard_focus_is_seen", focus_is_not_seen(browser))
        claim("print_shows_every_row_on_white", print_is_wrong(browser))
        claim("hostile_texts_stay_texts", texts_act(browser))
        browser.disable_scripts()
        claim("page_works_without_its_script", script_is_needed(browser))
    finally:
        browser.close()


if __name__ == "__main__":
    sys.exit(main())
