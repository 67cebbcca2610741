package io.ringmaster.playground.doctor;

/** Cassandra 5.0 runs on Java 11 and 17; Ringmaster needs 17. */
final class JavaCheck implements Check {
    @Override
    public Result look(Host host, Demand demand) {
        String found = "Java " + host.javaVersion() + " in " + host.javaHome();
        return host.javaVersion().startsWith("17.") || host.javaVersion().equals("17")
                ? Result.ok("java", found)
                : Result.fail("java", found + "; 17 is needed", "apt-get install openjdk-17-jdk-headless");
    }
}
