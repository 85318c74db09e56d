#!/usr/bin/env python3
"""Adds up what ctest, GoogleTest and lit report.

usage: count_tests.py RESULTS

RESULTS holds ctest.xml (one entry an executable), unit/*.json (one file a
GoogleTest executable, one entry a test) and lit.json. Prints every skipped test
with its reason, every failed one, and last, alone on its line,
'N passed, M failed, K skipped'. The exit status is 1 when a test failed or
none ran.
"""

import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

LIT_PASSED = {"PASS", "XFAIL", "FLAKYPASS"}
LIT_SKIPPED = {"UNSUPPORTED", "SKIPPED"}
LIT_IGNORED = {"EXCLUDED"}


class Tally:
    """Names of tests by outcome; a skipped test carries its reason."""

    def __init__(self):
        self.passed = []
        self.failed = []
        self.skipped = []

    def add(self, name, outcome, reason=""):
        if outcome == "skipped":
            self.skipped.append((name, reason))
        else:
            getattr(self, outcome).append(name)


def read_googletest(path, tally):
    """Adds the tests of one executable; returns (tests, failures)."""
    count = failures = 0
    for suite in json.loads(path.read_text())["testsuites"]:
        for test in suite["testsuite"]:
            name = f"{suite['name']}.{test['name']}"
            if test.get("value_param"):
                name += f" [{test['value_param']}]"
            if test.get("status") == "NOTRUN":
                # Disabled in the source or filtered out: not part of this run.
                continue
            count += 1
            if "failures" in test:
                failures += 1
                tally.add(name, "failed")
            elif test.get("result") == "SKIPPED":
                reasons = [entry.get("message", "") for entry in test.get("skipped", [])]
                lines = [line for line in "\n".join(reasons).splitlines()
                         if line.strip() and not re.match(r".*\.cpp:\d+$", line)]
                tally.add(name, "skipped", " ".join(lines))
            else:
                tally.add(name, "passed")
    return count, failures


def read_ctest(results, tally):
    """CTest's entries; those that GoogleTest accounts for are opened up."""
    path = results / "ctest.xml"
    if not path.exists():
        return
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        name, status = case.get("name"), case.get("status")
        account = results / "unit" / f"{name}.json"
        count = failures = 0
        if account.exists():
            count, failures = read_googletest(account, tally)
        if status == "fail" and failures == 0:
            # It died before it could say which of its tests failed.
            tally.add(name, "failed")
        elif count == 0 and status == "run":
            tally.add(name, "passed")
        elif status in ("notrun", "disabled"):
            reason = case.find("skipped")
            text = reason.get("message", "") if reason is not None else ""
            # An executable that is not there is no skip but a broken build.
            broken = "Unable to find executable" in text
            tally.add(name, "failed" if broken else "skipped", text or status)


def read_lit(results, tally):
    path = results / "lit.json"
    if not path.exists():
        return
    for test in json.loads(path.read_text())["tests"]:
        code, output = test["code"], test.get("output", "")
        if code in LIT_IGNORED:
            continue
        if code in LIT_PASSED:
            tally.add(test["name"], "passed")
        elif code in LIT_SKIPPED:
            tally.add(test["name"], "skipped", " ".join(output.split()))
        else:
            tally.add(test["name"], "failed")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    tally = Tally()
    read_ctest(Path(sys.argv[1]), tally)
    read_lit(Path(sys.argv[1]), tally)
    for name, reason in sorted(tally.skipped):
        print(f"skipped: {name}{': ' + reason if reason else ''}")
    for name in sorted(tally.failed):
        print(f"failed: {name}")
    total = len(tally.passed) + len(tally.failed)
    if total == 0:
        print("error: no test ran; expected at least one")
    print(f"{len(tally.passed)} passed, {len(tally.failed)} failed, "
          f"{len(tally.skipped)} skipped")
    sys.exit(1 if tally.failed or total == 0 else 0)


if __name__ == "__main__":
    main()
