"""What the end of a test run prints: failures, skipped tests with their reasons, the slowest tests, times, counts."""

import dataclasses
import pathlib
import re
import xml.etree.ElementTree as xml

SLOWEST = 10


@dataclasses.dataclass
class Results:
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    lines: list = dataclasses.field(default_factory=list)
    reasons: list = dataclasses.field(default_factory=list)
    times: list = dataclasses.field(default_factory=list)

    def read_reports(self, folder: pathlib.Path) -> int:
        """Returns the number of tests in the XML reports of a folder."""
        before = self.passed + self.failed + self.skipped
        for name in sorted(folder.glob("**/TEST-*.xml")):
            try:
                for suite in xml.parse(name).getroot().iter("testsuite"):
                    self.suite(suite)
            except xml.ParseError as e:
                self.failed += 1
                self.lines.append(f"FAILED: {name} cannot be read: {e}")
        return self.passed + self.failed + self.skipped - before

    def read_log(self, log: pathlib.Path) -> None:
        text = log.read_text(errors="replace")
        self.cargo(text)
        self.unittest(text)

    def suite(self, suite: xml.Element) -> None:
        total, failures, errors, skipped = (
            int(suite.get(k) or 0) for k in ("tests", "failures", "errors", "skipped")
        )
        self.passed += total - failures - errors - skipped
        self.failed += failures + errors
        self.skipped += skipped
        for case in suite.iter("testcase"):
            method = re.sub(r"\(.*", "", case.get("name"))
            test = f"{case.get('classname').split('.')[-1]}.{method}"
            self.times.append((float((case.get("time") or "0").replace(",", "")), test))
            reason = case.find("skipped")
            if reason is not None:
                self.reasons.append(why(reason))
                self.lines.append(f"skipped: {test}: {self.reasons[-1]}")
            for what in case.findall("failure") + case.findall("error"):
                text = " ".join((what.get("message") or what.get("type") or "no message").split())
                self.lines.append(f"FAILED: {test}: {text[:200]}")

    def add_set_up(self, done: list) -> None:
        """The time of a job with test classes that no test method accounts for: mostly the start of its nodes."""
        for job in done:
            own = sum(seconds for seconds, test in self.times if test.split(".")[0] == job.job.name)
            if own:
                self.times.append((job.ended - job.started - own, f"{job.job.name} (set-up)"))

    def skipped_for(self, text: str) -> int:
        """The number of tests that were skipped for a reason with this text."""
        return sum(text.lower() in reason.lower() for reason in self.reasons)

    def slowest(self) -> list:
        rows = [("slowest tests", "s")]
        rows += [(test, f"{seconds:.1f}") for seconds, test in sorted(self.times, reverse=True)[:SLOWEST]]
        return table(rows)

    def unittest(self, text: str) -> None:
        """The closing lines of Python's unittest."""
        total = sum(int(n) for n in re.findall(r"^Ran (\d+) tests? in", text, re.M))
        bad = sum(int(n) for n in re.findall(r"(?:failures|errors)=(\d+)", text))
        skipped = sum(int(n) for n in re.findall(r"skipped=(\d+)", text))
        self.lines += [f"FAILED: runner {name}" for name in re.findall(r"^(?:FAIL|ERROR): (\S+)", text, re.M)]
        self.passed += total - bad - skipped
        self.failed += bad
        self.skipped += skipped

    def cargo(self, text: str) -> None:
        """Closing lines as cargo writes them, which the shell tests write, too."""
        self.lines += re.findall(r"^skipped: .*$|^FAILED  .*$|^test .* FAILED$", text, re.M)
        for ok, bad, ignored in re.findall(r"test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored", text):
            self.passed += int(ok)
            self.failed += int(bad)
            self.skipped += int(ignored)


def why(skipped: xml.Element) -> str:
    """A failed assumption has its reason as text, behind the name of its exception."""
    text = skipped.get("message") or (skipped.text or "").strip().split("\n")[0]
    return re.sub(r"^.*Assumption failed: (skipped: )?", "", text) or "no reason given"


def clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def table(rows: list) -> list:
    """Columns as wide as their widest cell; all but the first are numbers."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [
        "  ".join([row[0].ljust(widths[0])] + [cell.rjust(w) for cell, w in zip(row[1:], widths[1:])]) for row in rows
    ]


def parts(done: list, since: float) -> list:
    """
    One row for each part: when it started, in minutes since the start of the run, its wall and its processor time.

    done: the finished jobs with part, started, ended and cpu in seconds
    """
    rows = [("part", "from", "wall", "CPU")]
    for part in dict.fromkeys(d.job.part for d in sorted(done, key=lambda d: d.started)):
        own = [d for d in done if d.job.part == part]
        first, last = min(d.started for d in own), max(d.ended for d in own)
        rows.append((part, clock(first - since), clock(last - first), clock(sum(d.cpu for d in own))))
    whole = max((d.ended for d in done), default=since) - since
    return table([*rows, ("all", clock(0), clock(whole), clock(sum(d.cpu for d in done)))])
