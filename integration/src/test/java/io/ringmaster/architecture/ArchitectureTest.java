package io.ringmaster.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.nio.channels.FileChannel;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The table of modules in ARCHITECTURE.md, and what else holds for all code. */
class ArchitectureTest {
    private static final String BASE = "io.ringmaster.";

    /** Package by package: of what else of Ringmaster it may know, and why no more. */
    private static final List<Row> TABLE = List.of(
            row("host", "the executor carries it, so it stands alone and stays small"),
            row("identity", "executors, servers and the command line use it, so it stands alone"),
            row("model", "the words of the domain stand alone; everything else speaks with them"),
            row("json", "only how model values are written", "model"),
            row(
                    "backup",
                    "server and nodes read the same repository, so it belongs to neither",
                    "json",
                    "model",
                    "host"),
            row("ports", "what is needed of the outside, said in words of the domain", "model"),
            row(
                    "authority",
                    "it keeps the keys that sign, so nothing reaches it but through its port",
                    "ports",
                    "model",
                    "host",
                    "identity"),
            row(
                    "core",
                    "the rules for running Cassandra are pure, so that they can be simulated and read alone",
                    "model"),
            row(
                    "controller",
                    "it drives the core and reaches the outside through ports alone",
                    "core",
                    "ports",
                    "model"),
            row("store", "an adapter knows its port, not who uses it", "ports", "json", "model", "host"),
            row("pool", "an adapter knows its port, not who uses it", "ports", "json", "model", "host"),
            row("pool.base", "what pools share knows no engine", "ports", "model"),
            row("pool.mesos", "agents are reached by Mesos alone", "pool.base", "ports", "json", "model"),
            row(
                    "wire",
                    "messages and clients are shared by both ends and belong to neither",
                    "ports",
                    "json",
                    "model",
                    "identity"),
            row(
                    "server",
                    "wiring: the only place that knows all parts of the control plane, and of pools only their port",
                    "authority",
                    "controller",
                    "core",
                    "ports",
                    "identity",
                    "wire",
                    "store",
                    "backup",
                    "json",
                    "model",
                    "host"),
            row("cli", "it can do what the API can", "wire", "json", "model", "identity", "host"),
            row(
                    "cqlshell",
                    "it needs a cluster's addresses and a terminal",
                    "cli",
                    "wire",
                    "json",
                    "model",
                    "identity"),
            row(
                    "playground",
                    "it starts the product's programs as processes, and breaks the local pool through its port",
                    "cli",
                    "wire",
                    "ports",
                    "json",
                    "model",
                    "host"),
            row("playground.wan", "it carries packets and does not know what is in them", "json", "host"),
            row("lab", "it starts everything as a process, as a user does", "cli", "wire", "json", "model", "host"),
            row("launcher", "the only place that knows all commands", "cli", "cqlshell", "playground", "lab"),
            row("executor", "it survives every server, so it knows none", "json", "model", "identity", "host"),
            row(
                    "transfer",
                    "it moves bytes and decides nothing; libraries of stores stay out of the executor",
                    "backup",
                    "json",
                    "model",
                    "host"),
            row("companion", "it is loaded into Cassandra: the less of ours is there, the better"),
            row("engine", "it is a plug-in of Cassandra and knows nothing of Ringmaster"),
            row(
                    "simulator",
                    "the real controller, and the real protocol of backups, on a simulated outside",
                    "controller",
                    "core",
                    "ports",
                    "store",
                    "transfer",
                    "backup",
                    "json",
                    "model",
                    "host"),
            row(
                    "simulator.repository",
                    "it judges the protocol of backups, which knows no controller",
                    "simulator.history",
                    "simulator.invariant",
                    "transfer",
                    "backup",
                    "json",
                    "model",
                    "host"),
            row(
                    "simulator.ledger",
                    "it judges the controller, so it shares no code with it",
                    "simulator.history",
                    "model"));

    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("io.ringmaster");

    private record Row(String module, String because, Set<String> mayKnow) {}

    private static Row row(String module, String because, String... mayKnow) {
        return new Row(module, because, Set.of(mayKnow));
    }

    /** Many exceptions of the JDK have no message, and most assertions of Cassandra have none. */
    @Test
    void the_text_of_a_throwable_is_never_empty() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        BASE + "host..",
                        BASE + "identity..",
                        BASE + "companion..", // its InternalCallsTest
                        BASE + "engine..",
                        BASE + "playground.wan..",
                        BASE + "lab..",
                        BASE + "simulator..")
                .and()
                .haveNameNotMatching(".*[.](ThrowableText|FailureText|S3Failures|HeldSockets|ConfigSection|TransferMain"
                        + "|CassandraParameters|Document|Follower)([$].*)?")
                .should()
                .callMethodWhere(DescribedPredicate.describe(
                        "is Throwable.getMessage()",
                        call -> call.getName().equals("getMessage")
                                && call.getTargetOwner().isAssignableTo(Throwable.class)))
                .because("ThrowableText names the class and the place of an exception without a message")
                .check(ALL);
    }

    @TestFactory
    Stream<DynamicTest> each_module_knows_only_what_its_row_says() {
        return TABLE.stream()
                .map(row -> dynamicTest(row.module, () -> {
                    String[] allowed = Stream.concat(Stream.of(row.module), row.mayKnow.stream())
                            .map(module -> BASE + module + "..")
                            .toArray(String[]::new);
                    classes()
                            .that()
                            .resideInAPackage(BASE + row.module + "..")
                            .should()
                            .onlyDependOnClassesThat(
                                    not(resideInAPackage("io.ringmaster..")).or(resideInAnyPackage(allowed)))
                            .because(row.because)
                            .check(ALL);
                }));
    }

    @Test
    void every_module_has_its_row() {
        Set<String> modules = ALL.stream()
                .map(c -> c.getPackageName().substring(BASE.length()).replaceFirst("\\..*", ""))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(TABLE.stream().map(Row::module)).containsAll(modules);
    }

    @Test
    void what_decides_has_no_clock_and_no_chance_of_its_own() {
        noClasses()
                .that()
                .resideInAnyPackage(BASE + "model..", BASE + "core..", BASE + "controller..")
                .should()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Thread.class, "sleep", long.class)
                .orShould()
                .callMethod(Math.class, "random")
                .orShould()
                .callMethod(UUID.class, "randomUUID")
                .orShould()
                .callMethod(ThreadLocalRandom.class, "current")
                .orShould()
                .callConstructor(Random.class)
                .because("time and chance come in with the view, so that every decision can be replayed from a seed")
                .check(ALL);
    }

    @Test
    void the_core_neither_reads_nor_writes_nor_runs_threads() {
        noClasses()
                .that()
                .resideInAnyPackage(BASE + "model..", BASE + "core..")
                .and()
                .doNotHaveSimpleName("CassandraTable") // reads a file of its own jar
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "java.io..", "java.nio.file..", "java.net..", "java.util.concurrent..", "org.slf4j..")
                .because("facts go in and decisions come out; the controller does the rest")
                .check(ALL);
    }

    @Test
    void only_the_stores_of_backups_know_the_sdk_of_s3() {
        noClasses()
                .that()
                .resideOutsideOfPackage(BASE + "backup.store")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("software.amazon..")
                .because("what a store is made of must not spread: everything else knows its port")
                .check(ALL);
    }

    @Test
    void only_the_authority_knows_BouncyCastle() {
        noClasses()
                .that()
                .resideOutsideOfPackage(BASE + "authority")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.bouncycastle..")
                .because("executors and the command line use the JDK alone; a server that issues nothing loads none of"
                        + " it")
                .check(ALL);
    }

    /** Such a wait would last as long as the step of a clock that is set back. */
    @Test
    void no_wait_of_the_executor_depends_on_the_wall_clock() {
        noClasses()
                .that()
                .resideInAPackage(BASE + "executor..")
                .and()
                .doNotHaveSimpleName("NodeIdentity") // when a certificate ends
                .and()
                .doNotHaveSimpleName("ExitReport") // the age of a file
                .should()
                .callMethodWhere(DescribedPredicate.describe(
                        "reckons with the time of day",
                        call -> (call.getTargetOwner().isEquivalentTo(Instant.class)
                                        && call.getName().matches("plus.*|minus.*|isBefore|isAfter|compareTo|until"))
                                || (call.getTargetOwner().isEquivalentTo(Duration.class)
                                        && call.getName().equals("between"))))
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .because("a wall clock may be set back by hours; System.nanoTime measures time")
                .check(ALL);
    }

    @Test
    void only_HeldLock_locks_files() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(BASE + "host.HeldLock")
                .should()
                .callMethodWhere(DescribedPredicate.describe(
                        "locks a file",
                        call -> call.getTargetOwner().isAssignableTo(FileChannel.class)
                                && Set.of("lock", "tryLock").contains(call.getName())))
                .because("the JDK gives a lock back once nobody keeps its channel, and the kernel once another"
                        + " descriptor of the file is closed")
                .check(ALL);
    }

    @Test
    void packages_are_named_after_what_they_hold() {
        noClasses()
                .should()
                .resideInAnyPackage(
                        "..util..", "..utils..", "..common..", "..impl..", "..manager..", "..helper..", "..misc..")
                .because("such a name says nothing, and everything ends up there")
                .check(ALL);
    }

    @Test
    void every_package_says_what_it_is_for_and_is_checked_for_nulls() {
        Set<String> without = ALL.stream()
                .map(JavaClass::getPackage)
                .filter(p -> !p.tryGetPackageInfo()
                        .map(info -> info.isAnnotatedWith(NullMarked.class))
                        .orElse(false))
                .map(JavaPackage::getName)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(without)
                .as("packages without a package-info.java that is @NullMarked")
                .isEmpty();
    }

    @TestFactory
    Stream<DynamicTest> packages_of_each_module_have_no_cycles() {
        return TABLE.stream()
                .map(Row::module)
                .map(module -> dynamicTest(module, () -> slices().assignedFrom(new SliceAssignment() {
                            @Override
                            public SliceIdentifier getIdentifierOf(JavaClass type) {
                                String name = type.getPackageName();
                                return name.equals(BASE + module) || name.startsWith(BASE + module + ".")
                                        ? SliceIdentifier.of(name)
                                        : SliceIdentifier.ignore();
                            }

                            @Override
                            public String getDescription() {
                                return "packages of " + module;
                            }
                        })
                        .should()
                        .beFreeOfCycles()
                        .check(ALL)));
    }
}
