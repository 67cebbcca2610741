"""Tests of the runner itself: python3 -m unittest discover testing"""

import contextlib
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

import jobs
import report
import run
import runner
import sandbox

SUITE = """<testsuite tests="3" failures="1" errors="0" skipped="1">
<testcase classname="io.x.ATest" name="fails()" time="1.5"><failure message="expected: 1"/></testcase>
<testcase classname="io.x.ATest" name="waits(int)[1]" time="2,000.25"/>
<testcase classname="io.x.ATest" name="skipped()" time="0"><skipped>Assumption failed: needs root</skipped></testcase>
</testsuite>"""


def job(name: str, *command: str, after: tuple = (), memory: int = 1) -> jobs.Job:
    return jobs.Job(name, "part", lambda: list(command), after, memory=memory)


class Reports(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.enterContext(mock.patch.object(jobs, "REPORTS", self.folder))
        self.enterContext(mock.patch.object(runner, "home", lambda slot: self.folder))

    def enterContext(self, context):  # in unittest since Python 3.11
        value = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        return value

    def all_of(self, *some: jobs.Job, slots: int = 3) -> runner.Runner:
        whole = runner.Runner(list(some), slots)
        with contextlib.redirect_stdout(io.StringIO()):
            whole.run()
        return whole


class RunnerTest(Reports):
    def test_a_job_runs_after_its_predecessors(self):
        done = self.all_of(job("b", "true", after=("a",)), job("a", "sleep", "0.3")).done
        self.assertEqual([d.job.name for d in done], ["a", "b"])
        self.assertGreaterEqual(done[1].started, done[0].ended)

    def test_what_needs_a_failed_job_does_not_run(self):
        whole = self.all_of(job("a", "false"), job("b", "true", after=("a",)), job("c", "true", after=("b",)))
        self.assertEqual([(d.job.name, d.code) for d in whole.done], [("a", 1)])
        self.assertEqual(whole.dropped, ["b", "c"])

    def test_a_job_waits_while_memory_is_short_but_one_always_runs(self):
        large = [job(n, "sleep", "0.3", memory=1 << 50) for n in "ab"]
        done = self.all_of(*large).done
        self.assertGreaterEqual(done[1].started, done[0].ended)

    def test_a_job_that_takes_too_long_is_stopped(self):
        with mock.patch.object(runner, "LIMIT_S", 0.5):
            self.assertNotEqual(self.all_of(job("a", "sleep", "60")).done[0].code, 0)


class SandboxTest(unittest.TestCase):
    def test_the_exit_code_is_that_of_the_command_and_nothing_it_started_is_left(self):
        marker = f"3{time.time_ns() % 10**8}"
        script = f"setsid sleep {marker} & (setsid sh -c 'sleep {marker} & sleep {marker}' &) ; exit 3"
        command = sandbox.enclosed(["sh", "-c", script], sandbox.available())
        self.assertEqual(subprocess.run(command, check=False).returncode, 3)
        left = subprocess.run(["pgrep", "-f", f"sleep {marker}"], capture_output=True, check=False).stdout
        self.assertEqual(left, b"")

    @unittest.skipUnless(sandbox.available(), "this user may not make network namespaces")
    def test_two_jobs_listen_at_one_address(self):
        listen = "import socket, time; s = socket.create_server(('127.1.1.1', 7000)); time.sleep(1)"
        command = sandbox.enclosed([sys.executable, "-c", listen], True)
        both = [subprocess.Popen(command) for _ in range(2)]
        self.assertEqual([p.wait() for p in both], [0, 0])


class ReportTest(Reports):
    def test_failed_and_skipped_tests_are_named_with_their_reasons(self):
        (self.folder / "TEST-a.xml").write_text(SUITE)
        counts = report.Counts().read(self.folder)
        self.assertEqual((counts.passed, counts.failed, counts.skipped), (1, 1, 1))
        self.assertEqual(counts.lines, ["FAILED: ATest.fails: expected: 1", "skipped: ATest.skipped: needs root"])
        self.assertIn("2000.2", report.slowest(counts.times)[1])


class NamesTest(unittest.TestCase):
    def test_a_name_that_matches_nothing_ends_the_program_with_similar_names(self):
        with self.assertRaisesRegex(SystemExit, "no test on real Cassandra is named 'RestrtTest' -> .*RestartTest"):
            run.chosen(["RestrtTest"])

    def test_every_class_has_its_module(self):
        modules = {c.name: os.path.relpath(c.module, jobs.ROOT) for c in run.chosen([])}
        self.assertEqual(modules["RestartTest"], "integration")
        self.assertEqual(modules["KillTest"], "node/rocksdb-engine")


if __name__ == "__main__":
    unittest.main()
