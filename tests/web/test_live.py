#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""The live page of "itertrace run --listen" in a browser; pictures of it are left in build/web."""
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path[1:1] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), "../service")]
import html5lib
from browser import Browser, claim
from daemon import WORKLOADS, Daemon, await_true, skip

PICTURES = os.path.join(os.path.dirname(WORKLOADS), "../web")
EVIL = "<img src=x onerror=document.title='evil'>"
WIDTHS = [1280, 390]
SCHEMES = ["light", "dark"]


def unless(holds, *why):
    """For claim(): nothing is wrong, or this is."""
    return [] if holds else [str(why) if why else "it is not so"]


def show(browser, d, width, scheme):
    browser.open("/dev/null", width, scheme)
    browser.console(), browser.requests()
    browser.driver.get(f"http://{d.address}/")


def text_of(browser, selector):
    return browser.run("return document.querySelector(arguments[0])?.textContent ?? ''", selector)


def count_of(browser, selector):
    return browser.run("return document.querySelectorAll(arguments[0]).length", selector)


def check_look(browser, d, width, scheme):
    name = f"at {width} in {scheme}"
    show(browser, d, width, scheme)
    claim(f"it draws itself and goes on {name}",
          unless(await_true(lambda: browser.run(
              "return [...document.querySelectorAll('#cost-figures .line')].some(l => "
              "l.getAttribute('d').split('L').length > 2)"), 20), text_of(browser, "body")))
    requests = browser.requests()
    claim(f"it asks for nothing elsewhere {name}",
          [url for url in requests if not url.startswith((f"http://{d.address}/", "data:"))])
    claim(f"it says no error {name}", browser.console())
    claim(f"it is as wide as the window {name}",
          unless(browser.run("return document.documentElement.scrollWidth") <= width,
                 browser.run("return document.documentElement.scrollWidth")))
    dark = browser.run("return getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)"
    claim(f"its paper is {scheme} {name}", unless(dark == (scheme == "dark")))
    os.makedirs(PICTURES, exist_ok=True)
    browser.save(os.path.join(PICTURES, f"live-{width}-{scheme}.png"))


def check_content(browser, d):
    show(browser, d, 1280, "light")
    await_true(lambda: count_of(browser, "#sites tbody tr"), 20)
    last = d.snapshots()[-1]
    claim("every_site_has_its_row", unless(
        browser.run("return [...document.querySelectorAll('#sites tbody th')].map(t => t.textContent)") ==
        [f["site"] for f in last["sites"]], text_of(browser, "#sites")))
    claim("every_tracer_has_its_row", unless(count_of(browser, "#tracers tbody tr") == 3))
    claim("the_kernel_is_told", unless(os.uname().release in text_of(browser, "#kernel")))
    claim("waits_are_bars", unless(count_of(browser, "#runq-figures .bar") > 2))
    # Where no text of the host's stands.
    claim("nothing_is_not_a_number", [part for part in browser.run(
        "return [...document.querySelectorAll('#sites, .figures, #syscall, #tracers, header')]"
        ".map(part => part.outerHTML)") if re.search("NaN|undefined|null|Infinity", part)])

    # So often that some are among the few that are shown.
    with subprocess.Popen(["sh", "-c", 'while :; do /bin/true "$1"; done', "sh", EVIL]) as evil:
        shown = await_true(lambda: EVIL in text_of(browser, "#exec"), 20)
        evil.kill()
    claim("what_processes_are_called_is_text", unless(
        shown and count_of(browser, "img") == 0 and "evil" not in browser.driver.title,
        text_of(browser, "#exec")))
    d.stop()
    claim("it_tells_when_nobody_answers_any_more", unless(
        await_true(lambda: text_of(browser, "#state") == "itertrace does not answer", 20),
        text_of(browser, "#state")))


def check_markup(d):
    try:
        html5lib.HTMLParser(strict=True).parse(d.get("/").text)
        claim("its_markup_is_html", [])
    except html5lib.html5parser.ParseError as error:
        claim("its_markup_is_html", [error])


def main():
    if os.geteuid():
        return skip("a_live_page", "root is needed to load programs")
    with subprocess.Popen([os.path.join(WORKLOADS, "mixed")], stdout=subprocess.DEVNULL) as workload, \
            Daemon("--interval", "1") as d:
        browser = Browser()
        try:
            await_true(lambda: d.metrics().status == 200)
            check_markup(d)
            for width in WIDTHS:
                for scheme in SCHEMES:
                    check_look(browser, d, width, scheme)
            check_content(browser, d)
        finally:
            browser.close()
            workload.terminate()


main()
