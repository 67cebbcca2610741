"""The jobs of a test run: the command of each, what it waits for, and how much memory it may come to use."""

import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml
from functools import partial
from typing import Callable, List

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / ".build"
REPORTS = BUILD / "reports"
CACHE = BUILD / "test-cache"
GIB = 1 << 30

REAL = "real Cassandra"
# The tags of test classes that run as jobs of their own, and the part of the run that each belongs to.
TAGS = {"cassandra": REAL, "kubernetes": "real Kubernetes", "mesos": "real Mesos"}
# Started first, because the last job to start decides when the run ends. The others follow by name.
LONGEST = (
    *("build", "kubernetes", "versitygw", "metronome", "metronome-tests", "unit", "unit-simulator"),
    *("image", "image-server"),
    *("DefaultsTest", "KubernetesWalkTest", "CompanionSensesTest", "BackupFailuresTest", "ChangesTest", "BackupTest"),
    *("EncryptedClusterTest", "web-browser", "RepairTest", "RealNodeTest"),
)


@dataclasses.dataclass(frozen=True)
class Job:
    """A command of a test run. Its output goes to NAME.log in the reports, and its XML reports to a folder NAME."""

    name: str
    part: str
    # Called at the start of the job, when the jobs before it have left what the command line needs.
    command: Callable[[], List[str]]
    after: tuple = ()
    folder: pathlib.Path = ROOT
    # Whether it runs in namespaces of its own, with a home for playgrounds.
    enclosed: bool = False
    # Whether its tests judge times of their own processes: it goes before the others on the processors, or runs alone.
    timed: bool = False
    # Whether its log has the closing lines of cargo or unittest; others write XML reports or have no tests.
    counts_in_log: bool = False
    memory: int = GIB

    @property
    def log(self) -> pathlib.Path:
        return REPORTS / f"{self.name}.log"

    def order(self) -> tuple:
        return (LONGEST.index(self.name) if self.name in LONGEST else len(LONGEST), self.name)


class LauncherJob(Job):
    """Tests in a JVM of their own; without an XML report of at least one test it has failed."""


@dataclasses.dataclass(frozen=True)
class TestClass:
    """A Java test class that starts real Cassandra, or a real Kubernetes."""

    name: str
    qualified: str
    module: pathlib.Path
    tag: str
    long: bool
    needs_metronome: bool
    needs_versitygw: bool
    needs_kubernetes: bool
    needs_image: bool


def dev(name: str, part: str, *arguments: str, **settings) -> Job:
    """A job that ./dev has as a command, too."""
    return Job(name, part, lambda: [str(ROOT / "dev"), *arguments], **settings)


def preparation() -> list:
    """What every test class with a job of its own waits for."""
    return [
        dev("build", "build", "build"),
        dev("compile", "build", "compile-tests", after=("build",)),
        Job("binaries", "build", binaries, after=("build",)),
    ]


def suites(everything: bool) -> list:
    """everything: also the tests tagged long"""
    return [
        dev("style", "style", "style", after=("compile",)),
        Job("runner", "style", lambda: [sys.executable, str(ROOT / "testing/test_runner.py")], counts_in_log=True),
        versitygw_job(),
        unit(everything),
        simulator(everything),
        metronome(),
        dev("metronome-tests", "metronome", "rust", "--tests", after=("metronome",), timed=True, counts_in_log=True),
        Job("web", "page", lambda: page("--check"), after=("build",), counts_in_log=True),
        page_job("web-browser", "--browser", memory=3 * GIB),
        dev("metronome-real", REAL, "rust", "--real", after=("metronome",), enclosed=True, counts_in_log=True),
        *(takes_minutes() if everything else []),
    ]


def takes_minutes() -> list:
    """What runs with the tests tagged long."""
    return [
        page_job("web-story", "--story", memory=6 * GIB),
        Job("mutations", "unit tests", mutations, after=("compile",)),
    ]


def mutations() -> List[str]:
    """Those that unit tests catch."""
    return [sys.executable, str(ROOT / "tools/mutations.py")]


def unit(everything: bool) -> Job:
    arguments = ["unit", "", "--offline", "--fail-at-end", "-Dsimulator.tests.skip=true"]
    if not everything:
        arguments.append("-Dtest.excluded.groups=cassandra | kubernetes | mesos | long")
    return dev("unit", "unit tests", *arguments, after=("compile", "versitygw"), enclosed=True)


def simulator(everything: bool) -> Job:
    """The simulator's tests take minutes, so they run in parallel with Maven's run of the other modules."""
    module = ROOT / "simulator"
    select = ["--scan-classpath=target/test-classes", "--include-classname=.*(Test|Properties)"]
    select += [] if everything else ["--exclude-tag=long"]
    command = partial(launcher, module, "unit-simulator", [], select)
    return LauncherJob("unit-simulator", "unit tests", command, after=("compile",), folder=module)


def versitygw_job() -> Job:
    return Job("versitygw", "build", versitygw)


def versitygw() -> List[str]:
    """The S3 server of the tests. Those that need it are skipped without it, so that no Go is no failure."""
    return [str(ROOT / "dev"), "versitygw"] if shutil.which("go") else ["echo", "go not found"]


def page_job(name: str, part: str, memory: int) -> Job:
    after = ("compile", "binaries", "web")
    return Job(name, "page", lambda: page(part), after, enclosed=True, counts_in_log=True, memory=memory)


def page(part: str) -> List[str]:
    """Without Node 20.19 or 22.12, or newer, there is no page to test, and without Chromium nothing to see it in."""
    script = '. web/build.sh; say() { echo "skipped: page: $*"; }; web_needs'
    needs = subprocess.run(["bash", "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    lacks = needs.stdout
    if not lacks and part != "--check" and not shutil.which("chromium"):
        lacks = "skipped: page: chromium not found -> ./dev setup\n"
    return ["printf", "%s", lacks] if lacks else [str(ROOT / "dev"), "web", part]


def metronome() -> Job:
    return dev("metronome", "metronome", "rust", "--build")


def kubernetes() -> list:
    """A real Kubernetes, if it can be built here, and the images for its pods. Otherwise its tests are skipped."""
    return [
        Job("kubernetes", "build", kubernetes_programs),
        dev("image", "build", "image", after=("build", "binaries")),
        dev("image-server", "build", "image", "server", after=("image",)),
    ]


def kubernetes_programs() -> List[str]:
    """Takes minutes to build without a cache, so that it is left out where Go is missing or nothing could run it."""
    script, alone = ROOT / "integration/kubernetes/needs.sh", {**os.environ, "MACHINES": "no"}
    needs = subprocess.run([script], env=alone, capture_output=True, text=True, check=False)
    lacks = [line for line in needs.stdout.splitlines() if not line.startswith("no Kubernetes in ")]
    lacks += [] if shutil.which("go") else ["go not found"]
    return ["printf", "%s\\n", *lacks] if lacks else [str(ROOT / "dev"), "kubernetes"]


def real_classes() -> list:
    """All test classes with one of the tags, also on a method only."""
    found = []
    for source in sorted(ROOT.glob("**/src/test/java/**/*Test.java")):
        text = source.read_text()
        tag = next((t for t in TAGS if f'@Tag("{t}")' in text), None)
        if tag and BUILD not in source.parents:
            package = re.search(r"^package ([\w.]+);", text, re.M).group(1)
            module = next(p for p in source.parents if (p / "pom.xml").exists())
            long = re.search(r'^@Tag\("long"\)', text, re.M) is not None
            testbed = "KubernetesTestbed" in text
            needs = ("metronome()" in text, "S3Server" in text, testbed or tag == "kubernetes", testbed)
            found.append(TestClass(source.stem, f"{package}.{source.stem}", module, tag, long, *needs))
    return found


def real_job(test: TestClass, tags: str, properties: list, method: str = "", after: tuple = ()) -> Job:
    return LauncherJob(
        test.name,
        TAGS[test.tag],
        lambda: console_launcher(test, tags, properties, method),
        after=("compile", "binaries", *after),
        folder=test.module,
        enclosed=True,
        memory=(5 if test.tag == "cassandra" else 2) * GIB,
    )


def surefire_reports() -> list:
    return list(ROOT.glob("**/target/surefire-reports"))


def java() -> str:
    """Of the JDK 17 that ./dev has found."""
    return os.environ["JAVA_HOME"] + "/bin/java"


def dist() -> str:
    return str((BUILD / "dist").resolve())


def binaries() -> List[str]:
    """Cassandra and its class data archive, once for all homes: a job in a network namespace cannot download them."""
    classpath, main = f"{dist()}/server/*", "io.ringmaster.pool.local.PrepareMain"
    version = re.search(r"<cassandra.version>(.*)</", (ROOT / "pom.xml").read_text()).group(1)
    return [java(), "-cp", classpath, main, "--version", version, "--cache", str(CACHE), "--dist", dist()]


def console_launcher(test: TestClass, tags: str, properties: list, method: str) -> List[str]:
    methods = [f"--include-methodname=.*#{method}(\\(.*)?"] if method else []
    select = [*methods, f"--select-class={test.qualified}", f"--include-tag={tags}"]
    return launcher(test.module, test.name, properties, select)


def launcher(module: pathlib.Path, name: str, properties: list, select: list) -> List[str]:
    """select: which tests of the module"""
    target = module / "target"
    classpath = (target / "test.classpath").read_text().strip()
    return [
        *(java(), "-ea", *jvm_options(module), f"-Dringmaster.dist={dist()}", f"-Dbasedir={module}"),
        *(f"-D{p}" for p in properties),
        *("-cp", f"{target}/test-classes:{target}/classes:{classpath}", "org.junit.platform.console.ConsoleLauncher"),
        *("execute", "--disable-banner", "--disable-ansi-colors", "--details=tree", "--fail-if-no-tests"),
        *(*select, f"--reports-dir={REPORTS / name}"),
    ]


def jvm_options(module: pathlib.Path) -> List[str]:
    """The options that the module's pom, or else its parent's, gives to the JVM of its tests."""
    space = {"m": "http://maven.apache.org/POM/4.0.0"}
    for pom in (module / "pom.xml", ROOT / "pom.xml"):
        project = xml.parse(pom).getroot()
        line = project.find(".//m:argLine", space)
        if line is not None:
            values = {p.tag.split("}")[1]: p.text for p in project.findall("./m:properties/*", space)}

            def text(element: xml.Element) -> str:
                return re.sub(r"\$\{([^}]+)\}", lambda m: values[m.group(1)], element.text)

            variables = project.findall(".//m:plugin/m:configuration/m:systemPropertyVariables/*", space)
            return text(line).split() + [f"-D{v.tag.split('}')[1]}={text(v)}" for v in variables]
    raise ValueError(f"{ROOT / 'pom.xml'} has no argLine")
