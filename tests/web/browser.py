# SPDX-License-Identifier: BSD-2-Clause
"""A headless Chromium for the tests of pages, and how their claims are told."""
import base64
import json
import os
import signal
import sys

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

CHROMIUM = "/usr/bin/chromium"
CHROMEDRIVER = "/usr/bin/chromedriver"


# So that a browser is closed, whatever ends the test.
signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped by SIGTERM"))


class Browser:
    def __init__(self):
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for argument in ("--headless=new", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage",
                         "--disable-background-networking", "--disable-component-update",
                         "--disable-extensions", "--no-first-run"):
            options.add_argument(argument)
        if os.geteuid() == 0:
            options.add_argument("--no-sandbox")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service(CHROMEDRIVER), options=options)
        self.driver.set_script_timeout(120)
        self.group = os.getpgid(self.driver.capabilities["goog:processID"])

    def close(self):
        self.driver.quit()

    def disable_scripts(self):
        """Those of pages that are opened from now on; run() goes on."""
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})

    def hurry(self):
        """Its main threads give themselves a niceness of 12 (seen with 156), and starve where
        others want the CPU, too; root may take it back."""
        try:
            os.setpriority(os.PRIO_PGRP, self.group, os.nice(0))
        except PermissionError:
            pass

    def open(self, path, width=1280, scheme="light", media=""):
        """The page, new, as it is shown at this width."""
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "media": media, "features": [{"name": "prefers-color-scheme", "value": scheme}]})
        self.hurry()
        self.console(), self.requests()
        self.driver.get("file://" + os.path.abspath(path))

    def console(self):
        """What was logged since it was last asked."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self):
        """Addresses of what was asked for since."""
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]

    def run(self, script, *arguments):
        """A script outside the page's own policy."""
        return self.driver.execute_script(script, *arguments)

    def save(self, path):
        """A picture of the whole page."""
        size = self.driver.execute_cdp_cmd("Page.getLayoutMetrics", {})["cssContentSize"]
        picture = self.driver.execute_cdp_cmd("Page.captureScreenshot", {
            "captureBeyondViewport": True,
            "clip": {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 12000), "scale": 1}})
        with open(path, "wb") as f:
            f.write(base64.b64decode(picture["data"]))


def claim(name, wrong):
    """A line for tests/run; wrong: what is not as it should be."""
    wrong = list(wrong)
    for what in wrong[:10]:
        print("  ", what)
    print("not ok -" if wrong else "ok -", name)
    sys.stdout.flush()
