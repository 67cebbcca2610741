#!/usr/bin/env python3
"""Breaks the code on purpose, one line at a time, and sees whether the test that guards that line fails.

The changed class is compiled into a scratch folder and stands before that of the tree, so that no file of the tree is
written. A mutation for real nodes runs in a scratch copy of the tree, whose built jars get this class.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

from mutation_table import MUTATIONS, Mutation

ROOT = pathlib.Path(__file__).resolve().parent.parent
LAUNCHER = "org.junit.platform.console.ConsoleLauncher"
# A JVM of seconds
SHORT = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
UNIT_LIMIT_S = 300
REAL_LIMIT_S = 1200
# Written by builds and tests, of no use in a copy.
LEFT_OUT = shutil.ignore_patterns(".git", "node_modules", "reports", "test-home*", "surefire-reports")

EXAMPLES = """examples:
  tools/mutations.py --list              # the table
  tools/mutations.py                     # all that unit tests catch: seconds each
  tools/mutations.py lock-ring-scope     # one, or several
  tools/mutations.py --real              # also those that need real nodes: minutes each

The tree must be compiled: ./dev build && ./dev compile-tests. Exits with 1 if a mutation survives, with 2 if one no
longer fits the code or its test fails without it.
"""


class Unfit(Exception):
    """The mutation cannot be judged; the message says why."""


def java_home() -> pathlib.Path:
    """Of the JDK 17 that ./dev finds."""
    script = "source <(sed -n '/^jdk17()/,/^}/p; /^die()/,/^}/p; /^say()/p' dev); jdk17"
    found = subprocess.run(["bash", "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    if found.returncode:
        raise SystemExit(found.stderr)
    return pathlib.Path(found.stdout.strip())


def broken(mutation: Mutation) -> str:
    text = (ROOT / mutation.file).read_text()
    count = text.count(mutation.old)
    if count != 1:
        raise Unfit(f"its text is {count} times in {mutation.file}")
    return text.replace(mutation.old, mutation.new)


def classpath(module: str) -> str:
    file = ROOT / module / "target/test.classpath"
    if not file.exists():
        raise SystemExit(f"{file} is missing -> ./dev build && ./dev compile-tests")
    return file.read_text().strip()


class Scratch:
    """Where the mutated classes and the copy of the tree are."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.classes = folder / "classes"
        self.tree = folder / "tree"
        self.bin = java_home() / "bin"
        self.passing = {}

    def compile(self, mutation: Mutation) -> None:
        """Compiles the changed file alone. So a constant is no mutation: others have copied its value."""
        text = broken(mutation)
        changed = self.folder / "src" / mutation.file
        shutil.rmtree(self.classes, ignore_errors=True)
        self.classes.mkdir(parents=True)
        changed.parent.mkdir(parents=True, exist_ok=True)
        changed.write_text(text)
        path = f"{ROOT / mutation.module / 'target/classes'}:{classpath(mutation.module)}"
        options = ["-nowarn", "-parameters", "-proc:none", "-d", str(self.classes), "-cp", path]
        command = [str(self.bin / "javac"), *(f"-J{o}" for o in SHORT), *options, str(changed)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Unfit("it does not compile:\n" + done.stderr)

    def passes(self, mutation: Mutation, tree: pathlib.Path, before: list) -> bool:
        """Whether the test of the mutation passes with these folders of classes before all others."""
        module = tree / mutation.test_module
        built = ROOT / mutation.test_module / "target"
        path = [*before, built / "test-classes", built / "classes", classpath(mutation.test_module)]
        select = [f"--select-class={self.qualified(mutation)}"]
        if mutation.method:
            select.append(rf"--include-methodname=.*#({mutation.method})(\(.*)?")
        command = [str(self.bin / "java"), "-ea", *SHORT, "-Xmx1g", f"-Dbasedir={module}"]
        command += ["-cp", ":".join(map(str, path))]
        command += [LAUNCHER, "execute", "--disable-banner", "--disable-ansi-colors", "--details=tree"]
        command += ["--fail-if-no-tests", *select]
        log = self.folder / "test.log"
        with log.open("w") as out:
            try:
                limit = REAL_LIMIT_S if mutation.real else UNIT_LIMIT_S
                done = subprocess.run(command, cwd=module, stdout=out, stderr=out, timeout=limit, check=False)
            except subprocess.TimeoutExpired as e:
                # also a computer with too much to do: no verdict
                raise Unfit(f"{mutation.test} has not ended within {limit} s") from e
        if re.search(r"\b0 tests found", log.read_text(errors="replace")):
            raise Unfit(f"{mutation.test} has no such test")
        if done.returncode not in (0, 1):
            raise Unfit(f"{mutation.test} ended with {done.returncode}: see {log}")
        return done.returncode == 0

    @staticmethod
    def qualified(mutation: Mutation) -> str:
        root = ROOT / mutation.test_module / "src/test/java"
        found = list(root.rglob(mutation.test_class + ".java"))
        if len(found) != 1:
            raise Unfit(f"{mutation.test_class} is {len(found)} times in {mutation.test_module}")
        return ".".join(found[0].relative_to(root).with_suffix("").parts)

    def survives(self, mutation: Mutation) -> bool:
        """A test that fails without the mutation, too, judges nothing."""
        tree = self.tree if mutation.real else ROOT
        self.compile(mutation)
        if mutation.real:
            self.copy(mutation, mutated=False)
        if mutation.test not in self.passing:
            self.passing[mutation.test] = self.passes(mutation, tree, [])
        if not self.passing[mutation.test]:
            raise Unfit(f"{mutation.test} fails without it: {self.failed()}")
        if mutation.real:
            self.copy(mutation, mutated=True)
        return self.passes(mutation, tree, [] if mutation.real else [self.classes])

    def failed(self) -> str:
        """The first test that failed in the last run."""
        found = re.search(r"(\w+)\(.*?\)[^\n]*?(?:✘|\[X\])", (self.folder / "test.log").read_text(errors="replace"))
        return found.group(1) if found else "see its output"

    def copy(self, mutation: Mutation, mutated: bool) -> None:
        """The sources stay as they are, so that ./ringmaster finds nothing to build; the jars get the classes."""
        if not self.tree.exists():
            shutil.copytree(ROOT, self.tree, symlinks=True, ignore=LEFT_OUT)
        dist = (ROOT / ".build/dist").resolve()
        if not dist.is_dir():
            raise SystemExit("nothing is built -> ./dev build")
        pom = (ROOT / mutation.module / "pom.xml").read_text()
        artifact = re.search(r"</parent>\s*<artifactId>(.*?)<", pom).group(1)
        for jar in dist.glob("*/*.jar"):
            copy = self.tree / ".build" / dist.name / jar.relative_to(dist)
            if jar.stat().st_mtime_ns != copy.stat().st_mtime_ns:
                shutil.copy2(jar, copy)  # changed for the mutation before
            if mutated and re.fullmatch(re.escape(artifact) + r"-[\d.]+(-SNAPSHOT)?\.jar", jar.name):
                subprocess.run([str(self.bin / "jar"), "uf", str(copy), "-C", str(self.classes), "."], check=True)


def show(mutations: list) -> None:
    for m in mutations:
        print(f"{m.name:34} {'real' if m.real else 'unit'}  {m.test}\n{'':34}       {m.promise}")


def main() -> int:
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, epilog=EXAMPLES, formatter_class=formatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="of mutations; all by default")
    parser.add_argument("--list", action="store_true", help="show the table and end")
    parser.add_argument("--real", action="store_true", help="also those whose tests start real nodes")
    parser.add_argument("--scratch", type=pathlib.Path, help="a folder to work in, which is kept")
    options = parser.parse_args()
    unknown = set(options.names) - {m.name for m in MUTATIONS}
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))} -> --list")
    chosen = [m for m in MUTATIONS if m.name in options.names or not options.names]
    if options.list:
        show(chosen)
        return 0
    if not options.names and not options.real:
        chosen = [m for m in chosen if not m.real]
    with tempfile.TemporaryDirectory(prefix="ringmaster-mutations-") as folder:
        return run(chosen, Scratch(options.scratch or pathlib.Path(folder)))


def run(chosen: list, scratch: Scratch) -> int:
    survived, unfit = [], []
    for m in chosen:
        start = time.monotonic()
        try:
            result = "SURVIVED" if scratch.survives(m) else f"caught by {scratch.failed()}"
        except Unfit as e:
            result = f"UNFIT: {e}"
            unfit.append(m.name)
        if result == "SURVIVED":
            survived.append(m.name)
        print(f"{m.name:34} {time.monotonic() - start:6.1f} s  {result}", flush=True)
    print(f"{len(chosen)} mutations, {len(survived)} survived, {len(unfit)} unfit")
    return 1 if survived else 2 if unfit else 0


if __name__ == "__main__":
    sys.exit(main())
