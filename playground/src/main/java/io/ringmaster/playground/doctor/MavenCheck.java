package io.ringmaster.playground.doctor;

/** Maven builds Ringmaster and downloads Cassandra's jars. */
final class MavenCheck implements Check {
    @Override
    public Result look(Host host, Demand demand) {
        return host.executable("mvn")
                .map(path -> Result.ok("maven", path.toString()))
                .orElseGet(() -> Result.fail("maven", "mvn is not on the PATH", "apt-get install maven"));
    }
}
