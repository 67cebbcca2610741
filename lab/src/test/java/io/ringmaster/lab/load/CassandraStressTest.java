package io.ringmaster.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.lab.load.StressOptions.Amount;
import io.ringmaster.lab.load.StressOptions.Pace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CassandraStressTest {
    private static final Hosts HOSTS = Hosts.of(List.of("127.0.0.1", "127.0.0.2"));

    @TempDir
    private Path folder;

    private static StressResult recorded(String name) throws Exception {
        return StressResult.read(Files.readAllLines(Samples.file(name + ".out")), Samples.file(name + ".hdr"));
    }

    @Test
    void optionsBecomeItsCommandLine() {
        StressOptions options = new StressOptions(
                StressOptions.Operation.WRITE,
                new Amount.Operations(36_000),
                24,
                new Pace.Fixed(600),
                Consistency.QUORUM,
                KeyspaceReplication.of(3));

        assertThat(String.join(" ", options.arguments(HOSTS, "b.hdr")))
                .isEqualTo("write n=36000 cl=QUORUM no-warmup -rate threads=24 fixed=600/s"
                        + " -schema replication(factor=3) -node 127.0.0.1,127.0.0.2 -log hdrfile=b.hdr");
        assertThat(options.expected()).isEqualTo(Duration.ofSeconds(60));
    }

    @Test
    void aClosedLoopOfAFixedTimeHasNoRate() {
        StressOptions options = new StressOptions(
                StressOptions.Operation.READ,
                new Amount.Time(Duration.ofSeconds(30)),
                4,
                new Pace.Unlimited(),
                Consistency.LOCAL_ONE,
                KeyspaceReplication.of(Map.of("dc1", 3, "dc2", 2)));

        assertThat(String.join(" ", options.arguments(Hosts.of(List.of("a"), "dc1"), "c.hdr")))
                .isEqualTo("read duration=30s cl=LOCAL_ONE no-warmup -rate threads=4"
                        + " -schema replication(strategy=NetworkTopologyStrategy,dc1=3,dc2=2)"
                        + " -node datacenter=dc1 a -log hdrfile=c.hdr");
    }

    @Test
    void throttleWithThePauseOfASecondPrintsServiceTimesAndLogsBoth() throws Exception {
        StressResult result = recorded("stress");

        assertThat(result.summary()).isEqualTo(new StressSummary(479, 6.6, 0.8, 7.2, 16.4, 1003.0, 1010.8, 5000, 0));
        assertThat(result.service().count()).isEqualTo(5000);
        assertThat(result.response().count()).isEqualTo(5000);
        assertThat(result.service().max()).isBetween(1010.0, 1011.0);
        assertThat(result.service().countBeyond(500)).isLessThan(30);
        assertThat(result.response().countBeyond(100)).isGreaterThan(300);
        assertThat(result.entries()).extracting(LoadLog.Entry::tag).containsOnly(LoadLog.RESPONSE, LoadLog.SERVICE);
    }

    @Test
    void withoutARateThereAreServiceTimesOnly() throws Exception {
        StressResult result = recorded("unlimited");

        assertThat(result.summary().opRate()).isEqualTo(1465);
        assertThat(result.service().count()).isEqualTo(5000);
        assertThat(result.response().count()).isZero();
    }

    @Test
    void aLogThatLacksOperationsIsRefused() throws Exception {
        List<String> half = Files.readAllLines(Samples.file("stress.hdr")).subList(0, 20);
        Path log = Files.write(folder.resolve("half.hdr"), half);

        assertThatThrownBy(() -> StressResult.read(Files.readAllLines(Samples.file("stress.out")), log))
                .hasMessageContaining("cassandra-stress made 5000 operations, and its log " + log + " has ");
    }

    @Test
    void anOutputWithoutResultsIsRefused() {
        assertThatThrownBy(() -> StressResult.read(List.of("FAILURE"), Samples.file("stress.hdr")))
                .hasMessageContaining("cassandra-stress printed no 'Op rate'");
    }

    @Test
    void programsAreNamedWithTheirHashes() throws Exception {
        Path programs = Path.of("programs.txt");

        MavenFile tarball = MavenFile.named(programs, "org.apache.cassandra:apache-cassandra");
        assertThat(tarball.coordinates()).isEqualTo("org.apache.cassandra:apache-cassandra:4.0-alpha2:tar.gz:bin");
        assertThat(tarball.sha256()).hasSize(64);
        assertThatThrownBy(() -> MavenFile.named(programs, "org.apache.cassandra:other"))
                .hasMessageContaining("does not name org.apache.cassandra:other");
    }

    @Test
    void aFileInTheCacheIsNotFetchedAgain() throws Exception {
        Path content = Files.writeString(folder.resolve("x.jar"), "content");
        MavenFile file = new MavenFile(MavenFile.hash(content), "a:x:1:jar");
        Path cached = Files.createDirectories(
                        folder.resolve("cache").resolve(file.sha256().substring(0, 16)))
                .resolve("x-1.jar");
        Files.move(content, cached);

        assertThat(file.fetch(Samples.bench(folder), folder.resolve("cache"))).isEqualTo(cached);
    }
}
