"""Writes the report of pytest's option --ctrf, for tests that ask for pytest-json-ctrf where it is not installed. https://ctrf.io"""

import json
import time

START = time.time()


def pytest_addoption(parser):
    parser.addoption("--ctrf", default=None, help="Write a report in the Common Test Report Format to this file.")


def pytest_configure(config):
    if config.getoption("--ctrf"):
        config.pluginmanager.register(Report(config.getoption("--ctrf")))


class Report:
    def __init__(self, file):
        self.file = file
        self.tests = {}

    def pytest_runtest_logreport(self, report):
        test = self.tests.setdefault(report.nodeid, {"name": report.nodeid, "status": "passed", "duration": 0})
        test["duration"] += round(report.duration * 1000)
        if report.outcome != "passed":
            test["status"] = report.outcome
            if report.outcome == "failed":
                test["trace"] = report.longreprtext

    def pytest_sessionfinish(self):
        tests = list(self.tests.values())
        counts = {each: sum(test["status"] == each for test in tests) for each in ("passed", "failed", "skipped")}
        summary = {"tests": len(tests), **counts, "pending": 0, "other": 0, "start": round(START * 1000), "stop": round(time.time() * 1000)}
        with open(self.file, "w") as out:
            json.dump({"results": {"tool": {"name": "pytest"}, "summary": summary, "tests": tests}}, out)
