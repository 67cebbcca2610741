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

    def all_of(self, *some: jobs.Job, limit_s: float = 60) -> runner.Runner:
        with contextlib.redirect_stdout(io.StringIO()):
            whole = runner.Runner(list(some), 3, limit_s)
            whole.run()
        return whole

    def marker(self) -> str:
        return f"3{id(self) % 10**8}"


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
        self.assertNotEqual(self.all_of(job("a", "sleep", "60"), limit_s=0.5).done[0].code, 0)

    def test_a_job_after_an_unknown_one_is_refused(self):
        with self.assertRaisesRegex(ValueError, "unknown"):
            self.all_of(job("a", "true", after=("b",)))

    def test_an_interrupt_ends_every_job(self):
        job_of = job("a", "sh", "-c", f"setsid sleep {self.marker()}; true")
        with mock.patch.object(runner.Runner, "collect", side_effect=[None, KeyboardInterrupt]):
            with self.assertRaises(KeyboardInterrupt):
                self.all_of(job_of)
        self.assertEqual(left(self.marker()), "")


def left(marker: str) -> str:
    """Processes with the marker in their command lines."""
    return subprocess.run(["pgrep", "-f", f"sleep {marker}"], capture_output=True, text=True, check=False).stdout


class SandboxTest(unittest.TestCase):
    def setUp(self):
        self.marker = f"3{time.time_ns() % 10**8}"

    def test_the_exit_code_is_that_of_the_command_and_nothing_it_started_is_left(self):
        script = f"setsid sleep {self.marker} & (setsid sh -c 'sleep {self.marker} & sleep {self.marker}' &) ; exit 3"
        command = sandbox.wrapped(["sh", "-c", script], sandbox.available())
        self.assertEqual(subprocess.run(command, check=False).returncode, 3)
        self.assertEqual(left(self.marker), "")

    def test_a_command_that_ignores_the_signal_is_killed_with_what_it_started(self):
        script = f"trap '' TERM; setsid sleep {self.marker} & sleep {self.marker} & echo ready; wait; wait"
        command = sandbox.wrapped(["sh", "-c", script], False)
        with subprocess.Popen(command, start_new_session=True, stdout=subprocess.PIPE) as process:
            process.stdout.readline()
            process.terminate()
            process.terminate()
            self.assertEqual(process.wait(30), 128 + 9)
        self.assertEqual(left(self.marker), "")

    @unittest.skipUnless(sandbox.available(), "this user may not make network namespaces")
    def test_two_jobs_listen_at_one_address(self):
        listen = "import socket, time; s = socket.create_server(('127.1.1.1', 7000)); time.sleep(1)"
        command = sandbox.wrapped([sys.executable, "-c", listen], True)
        both = [subprocess.Popen(command) for _ in range(2)]
        self.assertEqual([p.wait() for p in both], [0, 0])


class ReportTest(Reports):
    def test_failed_and_skipped_tests_are_named_with_their_reasons(self):
        (self.folder / "TEST-a.xml").write_text(SUITE)
        results = report.Results()
        self.assertEqual(results.read_reports(self.folder), 3)
        self.assertEqual((results.passed, results.failed, results.skipped), (1, 1, 1))
        self.assertEqual(results.lines, ["FAILED: ATest.fails: expected: 1", "skipped: ATest.skipped: needs root"])
        self.assertIn("2000.2", results.slowest()[1])

    def test_a_test_that_is_skipped_for_another_reason_than_allowed_has_failed(self):
        passed = self.all_of(job("a", "true"))
        (self.folder / "a").mkdir()
        (self.folder / "a" / "TEST-a.xml").write_text(SUITE.replace('<failure message="expected: 1"/>', "").replace(
            'failures="1"', 'failures="0"'
        ))
        for allowed, code in ((None, 0), ("root", 0), ("Mesos", 1), ("ATest", 1)):
            output = io.StringIO()
            options = mock.Mock(all=True, may_skip=allowed)
            with contextlib.redirect_stdout(output), mock.patch.object(jobs, "surefire_reports", list):
                self.assertEqual(run.print_results(passed, time.monotonic(), options), code, allowed)
            self.assertEqual("1 tests were skipped that must run here" in output.getvalue(), code == 1)

    def test_a_report_that_is_cut_off_is_a_failure(self):
        (self.folder / "TEST-a.xml").write_text(SUITE[:100])
        results = report.Results()
        results.read_reports(self.folder)
        self.assertEqual(results.failed, 1)
        self.assertIn("TEST-a.xml cannot be read", results.lines[0])

    def test_a_class_that_ends_without_a_report_has_failed(self):
        empty = jobs.LauncherJob("a", jobs.REAL, lambda: ["true"])
        output = io.StringIO()
        with contextlib.redirect_stdout(output), mock.patch.object(jobs, "surefire_reports", list):
            options = mock.Mock(all=True, may_skip=None)
            self.assertEqual(run.print_results(self.all_of(empty), time.monotonic(), options), 1)
        self.assertIn("a ended without a report of its tests", output.getvalue())


class NamesTest(unittest.TestCase):
    def test_a_name_that_matches_nothing_ends_the_program_with_similar_names(self):
        with self.assertRaisesRegex(SystemExit, "no test on .* is named 'RestrtTest' -> did you mean RestartTest"):
            run.chosen(["RestrtTest"])

    def test_two_methods_of_one_class_are_refused_instead_of_one_being_dropped(self):
        options = mock.Mock(test=["RestartTest#a", "RestartTest#b"], define=[])
        with self.assertRaisesRegex(SystemExit, "RestartTest is named more than once"):
            run.plan_it(options)

    def test_a_class_that_needs_metronome_waits_for_it_also_without_long_tests(self):
        planned = {job.name: job for job in run.plan_test(mock.Mock(all=False))}
        self.assertIn("metronome", planned["EncryptedClusterTest"].after)

    def test_every_class_has_its_module(self):
        modules = {c.name: os.path.relpath(c.module, jobs.ROOT) for c in run.chosen([])}
        self.assertEqual(modules["RestartTest"], "integration")
        self.assertEqual(modules["KillTest"], "node/rocksdb-engine")

    def test_the_jobs_that_start_first_exist(self):
        plan = run.plan_test(mock.Mock(all=True))
        self.assertLessEqual(set(jobs.LONGEST), {job.name for job in plan})


if __name__ == "__main__":
    unittest.main()
