"""The tests of ./dev test and ./dev it."""

import argparse
import difflib
import os
import shutil
import signal
import sys
import time

import jobs
import report
from runner import Runner, say


def chosen(names: list) -> list:
    """The test classes with these names, all without a name; ends the program if a name matches none."""
    classes = {c.name: c for c in jobs.real_classes()}
    for name in names:
        if name not in classes:
            near = difflib.get_close_matches(name, classes, n=3, cutoff=0.5) or sorted(classes)
            sys.exit(f"dev: no test on real Cassandra is named '{name}' -> one of: {', '.join(near)}")
    return [classes[n] for n in dict.fromkeys(names or classes)]


def default_slots() -> int:
    """Tests on real Cassandra wait more than they compute: three for two cores."""
    wanted = os.environ.get("RINGMASTER_TEST_JOBS", "")
    if wanted and not (wanted.isdigit() and int(wanted) > 0):
        sys.exit(f"dev: RINGMASTER_TEST_JOBS is '{wanted}' -> the number of jobs at once, such as 3")
    return int(wanted or max(2, (os.cpu_count() or 1) * 3 // 2))


def planned(options: argparse.Namespace) -> list:
    if options.what == "it":
        names = [name for given in options.test for name in given.split(",") if name]
        return jobs.preparation() + [jobs.real_job(c, "cassandra", options.define, ()) for c in chosen(names)]
    tags = "cassandra" if options.all else "cassandra & !long"
    classes = [c for c in jobs.real_classes() if options.all or not c.long]
    return (
        jobs.preparation()
        + jobs.all_but_real_classes()
        + [jobs.real_job(c, tags, [], ("metronome",) if options.all and c.needs_metronome else ()) for c in classes]
    )


def main() -> int:
    since = time.time()
    options = argparse.ArgumentParser(prog="./dev")
    options.add_argument("what", choices=["test", "it"])
    options.add_argument("--all", action="store_true", help="also the tests tagged long")
    options.add_argument("-D", dest="define", action="append", default=[], metavar="NAME=VALUE")
    options.add_argument("test", nargs="*", help="name of a test class")
    given = options.parse_intermixed_args()
    plan = planned(given)
    shutil.rmtree(jobs.REPORTS, ignore_errors=True)
    for old in jobs.ROOT.glob("**/target/surefire-reports"):
        shutil.rmtree(old)
    jobs.REPORTS.mkdir(parents=True)
    runner = Runner(plan, default_slots())
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        runner.run()
    except KeyboardInterrupt:
        say("interrupted; nothing is left running")
        return 130
    return close(runner, since, given)


def close(runner: Runner, since: float, given: argparse.Namespace) -> int:
    counts = report.Counts().read(jobs.REPORTS)
    for folder in jobs.ROOT.glob("**/target/surefire-reports"):
        counts.read(folder)
    counts.add_set_up(runner.done)
    print("\n".join(["", *counts.lines, "", *report.parts(runner.done, since), "", *report.slowest(counts.times), ""]))
    failed = [d.job.name for d in runner.done if d.code != 0]
    if failed:
        say(f"failed: {', '.join(failed)}")
    if runner.dropped:
        say(f"not run, because what they need failed: {', '.join(runner.dropped)}")
    if given.what == "test" and not given.all:
        say("left out: the tests tagged long, which ./dev test --all runs too")
    print(f"{counts.passed} passed, {counts.failed} failed, {counts.skipped} skipped")
    return 1 if failed or runner.dropped or counts.failed or not counts.passed else 0


if __name__ == "__main__":
    sys.exit(main())
