"""The tests of ./dev test and ./dev it."""

import argparse
import difflib
import fcntl
import os
import shutil
import signal
import sys
import time

import jobs
import report
from runner import Runner, say

LIMIT_S = 45 * 60
ANY = " | ".join(jobs.TAGS)


def chosen(names: list) -> list:
    """The test classes with these names, all without a name; ends the program if a name matches none."""
    classes = {c.name: c for c in jobs.real_classes()}
    for name in names:
        if name not in classes:
            near = difflib.get_close_matches(name, classes, n=3, cutoff=0.7)
            hint = f"did you mean {' or '.join(near)}?" if near else f"all: {', '.join(sorted(classes))};"
            others = f"unit tests: ./dev unit MODULE -Dtest={name}"
            sys.exit(f"dev: no test on real Cassandra or Kubernetes is named '{name}' -> {hint} {others}")
    return [classes[n] for n in dict.fromkeys(names or classes)]


def default_slots() -> int:
    """Tests on real Cassandra wait more than they compute: three for two cores."""
    wanted = os.environ.get("RINGMASTER_TEST_JOBS", "")
    if wanted and not (wanted.isdigit() and int(wanted) > 0):
        sys.exit(f"dev: RINGMASTER_TEST_JOBS is '{wanted}' -> the number of jobs at once, such as 3")
    return int(wanted or min(8, max(2, len(os.sched_getaffinity(0)) * 3 // 2)))


def needs(classes: list) -> dict:
    """The jobs that each class waits for, beside the preparation."""
    return {
        c.name: (
            *(("metronome",) if c.needs_metronome else ()),
            *(("versitygw",) if c.needs_versitygw else ()),
            *(("kubernetes",) if c.needs_kubernetes else ()),
            *(("image", "image-server") if c.needs_image else ()),
        )
        for c in classes
    }


def plan_it(options: argparse.Namespace) -> list:
    if any(d.split("=")[0] == "test" for d in options.define):
        sys.exit("dev: -Dtest is Maven's -> ./dev it RestartTest NodeFailuresTest")
    given = [name.partition("#")[::2] for names in options.test for name in names.split(",") if name]
    names = dict(given)
    for name in names:
        if len({method for other, method in given if other == name}) > 1:
            sys.exit(f"dev: {name} is named more than once -> one method of it, or ./dev it {name} for all")
    classes = chosen(list(names))
    needed = [jobs.metronome()] if any(c.needs_metronome for c in classes) else []
    needed += [jobs.versitygw_job()] if any(c.needs_versitygw for c in classes) else []
    after = needs(classes)
    wanted = {name for before in after.values() for name in before}
    needed += [job for job in jobs.kubernetes() if job.name in wanted]
    return [
        *jobs.preparation(),
        *needed,
        *(jobs.real_job(c, ANY, options.define, names.get(c.name, ""), after[c.name]) for c in classes),
    ]


def plan_test(options: argparse.Namespace) -> list:
    tags = ANY if options.all else f"({ANY}) & !long"
    classes = [c for c in jobs.real_classes() if options.all or not c.long]
    after = needs(classes)
    return [
        *(*jobs.preparation(), *jobs.kubernetes(), *jobs.suites(options.all)),
        *(jobs.real_job(c, tags, [], after=after[c.name]) for c in classes),
    ]


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./dev")
    commands = parser.add_subparsers(dest="command", required=True)
    test = commands.add_parser("test", help="all tests")
    test.add_argument("--all", action="store_true", help="also the tests tagged long")
    test.add_argument("--may-skip", metavar="TEXT", help="a test that is skipped without this in its reason has failed")
    test.set_defaults(plan=plan_test, limit_s=LIMIT_S)
    it = commands.add_parser("it", help="tests on real Cassandra or Kubernetes, all without a name")
    it.add_argument("-D", dest="define", action="append", default=[], metavar="NAME=VALUE", help="a system property")
    it.add_argument("test", nargs="*", metavar="TEST", help="a class, such as RestartTest, or RestartTest#method")
    it.set_defaults(plan=plan_it, limit_s=float("inf"), all=True, may_skip=None)
    return parser.parse_args()


def lock_clone() -> int:
    """Reports and homes of playgrounds belong to one run; the lock ends with this process."""
    jobs.BUILD.mkdir(exist_ok=True)
    lock = os.open(jobs.BUILD / "tests.lock", os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        pid = os.read(lock, 20).decode()
        sys.exit(f"dev: process {pid} runs tests in this clone -> wait for its end, or use another clone")
    os.truncate(lock, 0)
    os.write(lock, str(os.getpid()).encode())
    return lock


def main() -> int:
    since = time.monotonic()
    options = parsed()
    plan = options.plan(options)
    lock_clone()
    shutil.rmtree(jobs.REPORTS, ignore_errors=True)
    for old in jobs.surefire_reports():
        shutil.rmtree(old)
    jobs.REPORTS.mkdir(parents=True)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda n, _: sys.exit(128 + n))
    runner = Runner(plan, default_slots(), options.limit_s)
    try:
        runner.run()
    except KeyboardInterrupt:
        say("interrupted" if runner.running else "interrupted; nothing is left running")
        return 130
    return print_results(runner, since, options)


def print_results(runner: Runner, since: float, options: argparse.Namespace) -> int:
    results = report.Results()
    failed = [d.job.name for d in runner.done if d.code != 0]
    for done in runner.done:
        if done.job.counts_in_log:
            results.read_log(done.job.log)
        tests = results.read_reports(jobs.REPORTS / done.job.name)
        if isinstance(done.job, jobs.LauncherJob) and done.code == 0 and not tests:
            say(f"{done.job.name} ended without a report of its tests")
            failed.append(done.job.name)
    for folder in jobs.surefire_reports():
        results.read_reports(folder)
    results.add_set_up(runner.done)
    print("\n".join(["", *results.lines, "", *report.parts(runner.done, since), "", *results.slowest(), ""]))
    if failed:
        say(f"failed: {', '.join(failed)}")
    if runner.dropped:
        say(f"not run, because what they need failed: {', '.join(runner.dropped)}")
    missed = 0 if options.may_skip is None else results.skipped - results.skipped_for(options.may_skip)
    if missed:
        say(f"{missed} tests were skipped that must run here, see above")
    if not options.all:
        say("left out: the tests tagged long, which ./dev test --all runs too")
    print(f"{results.passed} passed, {results.failed} failed, {results.skipped} skipped")
    return 1 if failed or runner.dropped or results.failed or missed or not results.passed else 0


if __name__ == "__main__":
    sys.exit(main())
