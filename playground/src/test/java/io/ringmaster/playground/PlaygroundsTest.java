package io.ringmaster.playground;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.cli.screen.Golden;
import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.session.Environment;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.cli.session.Format;
import io.ringmaster.cli.session.KeptServers;
import io.ringmaster.cli.session.LocalServers;
import io.ringmaster.cli.session.ServerCandidates;
import io.ringmaster.cli.session.Session;
import io.ringmaster.cli.session.WebLink;
import io.ringmaster.cli.terminal.Abilities;
import io.ringmaster.cli.terminal.Console;
import io.ringmaster.host.ProcessIdentity;
import io.ringmaster.json.Json;
import io.ringmaster.model.spec.Preset;
import io.ringmaster.playground.command.SizeOptions;
import io.ringmaster.playground.doctor.Demand;
import io.ringmaster.playground.loopback.HeldSockets;
import io.ringmaster.playground.loopback.LoopbackBlock;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class PlaygroundsTest {
    private static final PlaygroundOptions PLAIN =
            new PlaygroundOptions(true, false, false, Duration.ofSeconds(30), SpecAdditions.NONE, false, false, null);
    private final List<Process> started = new ArrayList<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @TempDir
    private Path home;

    @AfterEach
    void end_what_was_started() {
        started.forEach(Process::destroyForcibly);
    }

    private Playgrounds playgrounds() {
        return new Playgrounds(session());
    }

    private Session session() {
        PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
        var environment = new Environment(
                Map.of("RINGMASTER_HOME", home.toString()), home, InputStream.nullInputStream(), false, print, print);
        var servers = new ServerCandidates(
                List.of(URI.create("http://127.0.0.1:9")),
                home.resolve("token"),
                "a test",
                LocalServers.NONE,
                new KeptServers(home));
        var console = new Console(print, print, new Abilities(false, false, 100));
        return new Session(environment, console, Format.TABLE, servers);
    }

    private Process ringmasterProcess(String main, String file) throws Exception {
        Process process = new ProcessBuilder("sh", "-c", "read forever", main, directory() + "/" + file).start();
        started.add(process);
        return process;
    }

    private Path directory() {
        return PlaygroundState.directory(home);
    }

    private PlaygroundState state(boolean keep, ProcessIdentity owner) {
        var server = new PlaygroundState.Server("dc1", "http://127.0.0.1:8080", new ProcessIdentity(1, 1, null));
        return new PlaygroundState("rides", Demand.DEFAULT, keep, owner, List.of(server), false, 1, false, null);
    }

    /** As of a playground that was stopped and kept its data in a block that no other takes first. */
    private PlaygroundState keptInBlock63() {
        return new PlaygroundState("rides", Demand.DEFAULT, true, null, List.of(), false, 63, false, null);
    }

    private void volume() throws Exception {
        Path volume = Files.createDirectories(directory().resolve("dc1/allocations/rides-dc1-node-0/volume"));
        Files.writeString(volume.resolve("data"), "rows");
    }

    @Test
    void down_ends_nodes_without_servers_and_deletes_the_data() throws Exception {
        state(false, null).write(home);
        volume();
        Process executor = ringmasterProcess("io.ringmaster.executor.ExecutorMain", "dc1/allocations/rides-dc1-node-0");
        Process daemon = ringmasterProcess("io.ringmaster.companion.Launch", "dc1/allocations/rides-dc1-node-0/volume");
        assertThat(playgrounds().down(false)).isEqualTo(ExitCode.OK);
        assertThat(executor.waitFor(5, TimeUnit.SECONDS) && daemon.waitFor(5, TimeUnit.SECONDS))
                .isTrue();
        assertThat(directory()).doesNotExist();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("2 processes ended, data deleted");
    }

    @Test
    void down_keeps_the_data_if_wanted_and_forgets_the_servers() throws Exception {
        state(true, null).write(home);
        volume();
        playgrounds().down(false);
        assertThat(directory().resolve("dc1/allocations/rides-dc1-node-0/volume/data"))
                .hasContent("rows");
        assertThat(PlaygroundState.urls(home)).isEmpty();
        assertThat(PlaygroundState.read(home).orElseThrow().keepData()).isTrue();
    }

    @Test
    void down_ends_the_wan_process_and_forgets_slowed_machines() throws Exception {
        state(true, null).write(home);
        volume();
        Path slowed = Files.createDirectories(directory().resolve("dc1/slowed"));
        Files.writeString(slowed.resolve("machine-2"), "");
        Process wan = ringmasterProcess("io.ringmaster.playground.wan.WanMain", "wan");
        playgrounds().down(false);
        assertThat(wan.waitFor(5, TimeUnit.SECONDS)).isTrue();
        assertThat(slowed).doesNotExist();
    }

    @Test
    void faults_need_a_running_playground_and_links_need_wan() throws Exception {
        assertThatThrownBy(() -> FaultRunner.of(session())).hasMessageContaining("no playground runs");
        state(false, null).write(home);
        assertThatThrownBy(() -> FaultRunner.of(session()).cut("dc1", "dc2"))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("no links to cut")
                .extracting(e -> ((Failure) e).nextStep())
                .asString()
                .contains("--wan 77.8ms");
    }

    @Test
    void kept_data_of_nodes_on_loopback_do_not_move_into_namespaces() throws Exception {
        state(true, null).write(home);
        volume();
        PlaygroundOptions far = new PlaygroundOptions(
                true,
                false,
                false,
                Duration.ofSeconds(30),
                SpecAdditions.NONE,
                false,
                false,
                new WanOptions.Link(77_800, null));
        assertThatThrownBy(() -> playgrounds().up(d -> d, far))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("whose addresses cannot change");
        assertThat(directory().resolve("dc1/allocations/rides-dc1-node-0/volume/data"))
                .exists();
    }

    @Test
    void nodes_with_kept_data_keep_their_kind_of_address() throws Exception {
        state(true, null).write(home);
        volume();
        var moving = new PlaygroundOptions(
                true, false, false, Duration.ofSeconds(30), SpecAdditions.NONE, true, false, null);
        assertThatThrownBy(() -> playgrounds().up(d -> d, moving))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("the kept data are of nodes with the addresses of their machines");
        var kept = new PlaygroundState("rides", Demand.DEFAULT, true, null, List.of(), true, 1, false, null);
        assertThat(PLAIN.keeping(kept).movingAddresses()).isTrue();
    }

    @Test
    void kept_data_are_not_resumed_where_another_program_listens() throws Exception {
        keptInBlock63().write(home);
        volume();
        try (var other = new HeldSockets()) {
            var unused = other.server("127.63.0.1"); // or the same test of another checkout has it
            assertThatThrownBy(() -> playgrounds().up(d -> d, PLAIN))
                    .isInstanceOf(Failure.class)
                    .hasMessageContaining("the kept data are of nodes in 127.63.0.0/16, where another program listens")
                    .hasMessageEndingWith("or a program listens at port 6999 of every address")
                    .satisfies(e -> assertThat(((Failure) e).code()).isEqualTo(ExitCode.REFUSED))
                    .satisfies(e -> assertThat(((Failure) e).nextStep())
                            .contains(
                                    "ss -ltnp src 127.63.0.0/16",
                                    "'sport = :6999'",
                                    "start again",
                                    "rm -r " + directory()));
        }
        assertThat(PlaygroundState.read(home)).contains(keptInBlock63());
        assertThat(directory().resolve("dc1/allocations/rides-dc1-node-0/volume/data"))
                .exists();
    }

    @Test
    void a_damaged_record_is_named_and_its_removal_leads_to_a_clean_end() throws Exception {
        state(true, null).write(home);
        volume();
        Path record = directory().resolve("playground.json");
        String text = Files.readString(record);
        for (String left : List.of("", text.substring(0, text.length() / 2))) {
            Files.writeString(record, left);
            assertThatThrownBy(() -> playgrounds().down(false))
                    .isInstanceOf(Failure.class)
                    .hasMessage(record + " is damaged")
                    .satisfies(e -> assertThat(((Failure) e).nextStep()).startsWith("remove it; "));
        }
        Files.delete(record);
        assertThat(playgrounds().down(false)).isEqualTo(ExitCode.OK);
        assertThat(directory()).doesNotExist();
    }

    @Test
    void what_a_failed_computer_has_left_is_not_deleted_without_a_word() throws Exception {
        state(false, null).write(home);
        volume();
        assertThatThrownBy(() -> playgrounds()
                        .up(
                                d -> {
                                    throw new IllegalStateException("no start in this test");
                                },
                                PLAIN))
                .isInstanceOf(RuntimeException.class);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("deletes the data of the playground that ran before", "--keep-data");
    }

    @Test
    void down_twice_reports_that_nothing_is_left() throws Exception {
        playgrounds().down(false);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("nothing is left");
    }

    @Test
    void deleting_does_not_follow_links_out_of_the_folder() throws Exception {
        Path outside = Files.writeString(home.resolve("precious"), "mine");
        state(false, null).write(home);
        Files.createSymbolicLink(directory().resolve("link"), outside);
        playgrounds().down(false);
        assertThat(outside).hasContent("mine");
    }

    @Test
    void a_second_playground_is_refused_while_one_runs() throws Exception {
        state(false, null).write(home);
        ringmasterProcess("io.ringmaster.server.ServerMain", "dc1/server.yaml");
        assertThatThrownBy(() -> playgrounds().up(d -> d, PLAIN))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("runs already")
                .extracting(e -> ((Failure) e).code())
                .isEqualTo(ExitCode.REFUSED);
        assertThat(PlaygroundState.read(home)).isPresent();
    }

    @Test
    void kept_data_refuse_fewer_nodes() throws Exception {
        state(true, null).write(home);
        volume();
        assertThatThrownBy(() -> playgrounds().up(d -> new Demand(2, 1, d.heapBytes()), PLAIN))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("2 datacenters with 3 nodes");
        assertThat(directory().resolve("dc1/allocations/rides-dc1-node-0/volume/data"))
                .exists();
    }

    @Test
    void the_example_is_scaled() throws Exception {
        var example = ExampleSpec.of(
                """
                cluster: rides
                cassandra: 5.0.9
                datacenters:
                  dc1: {nodes: 3, seeds: 2}
                  dc2: {nodes: 3, seeds: 2}
                node: {cpus: 1, memory: 1GiB, heap: 256MiB, disk: 4GiB}
                """);
        assertThat(example.size()).isEqualTo(Demand.DEFAULT);
        assertThat(example.scaled(new Demand(1, 1, 1L << 30)).yaml())
                .contains("nodes: 1", "seeds: 1", "heap: 1024MiB", "memory: 1536MiB")
                .doesNotContain("dc2");
        assertThat(example.scaled(Demand.DEFAULT).nodeMemoryBytes()).isEqualTo(1L << 30);
        assertThat(example.with(new SpecAdditions(SpecAdditions.Engine.ROCKSDB, List.of(), null, Map.of()))
                        .yaml())
                .contains("engine:\n  rocksdb: {}")
                .doesNotContain("jvm", "roles");
    }

    @Test
    void the_example_runs_in_production_with_options_and_a_role() throws Exception {
        var production = new Demand(2, 3, 256 << 20, 0, Preset.PRODUCTION);
        assertThat(ExampleSpec.of(Files.readString(Path.of("../examples/rides.yaml")))
                        .scaled(production)
                        .with(new SpecAdditions(
                                null,
                                List.of("-Xlog:safepoint", "-Da=b"),
                                "app",
                                Map.of("hinted_handoff_enabled", "false", "max_hint_window", "1h")))
                        .yaml())
                .contains("preset: production", "heap: 256MiB", "-Xlog:safepoint", "-Da=b", "collector: serial")
                .contains("hinted_handoff_enabled: false", "max_hint_window: 1h")
                .containsPattern("roles:\\s+app:\\s+login: true\\s+password: generated\\s+grants:")
                .contains("ALL ON ALL KEYSPACES")
                .doesNotContain("development", "superuser");
    }

    @Test
    void nodes_with_kept_data_keep_their_preset() {
        new PlaygroundState(
                        "rides",
                        new Demand(2, 3, 256 << 20, 0, Preset.PRODUCTION),
                        true,
                        null,
                        List.of(),
                        false,
                        1,
                        true,
                        null)
                .write(home);
        Demand kept = PlaygroundState.read(home).orElseThrow().size();
        assertThat(new SizeOptions().demand(kept)).isEqualTo(kept);
    }

    @Test
    void a_state_of_an_earlier_version_is_of_development() {
        String earlier = "{\"datacenters\":2,\"nodes\":3,\"heapBytes\":268435456,\"spareMachines\":0}";
        assertThat(Json.parse(earlier, Demand.class)).isEqualTo(Demand.DEFAULT);
    }

    @Test
    void a_servers_configuration_names_its_peers_and_machines() throws Exception {
        var files = new ServerFiles(home, 2);
        files.write(
                new Demand(2, 4, 1 << 28),
                new Network.Loopback(new LoopbackBlock(3, false)),
                new ServerAddresses(List.of("127.0.0.1:8080", "127.0.0.1:8085"), false),
                1L << 30,
                Path.of("/dist"));
        assertThat(Files.readString(files.config()))
                .contains("127.0.0.1:8085", "http://127.0.0.1:8080", "127.3.2.4", "machine-4", "rack: r1")
                .contains("hold: 127.3.0.2")
                .contains("backup_locations: " + home.resolve("playground/locations"))
                .doesNotContain("127.3.1.1", "tls", "seed_listen");
    }

    @Test
    void servers_with_tls_are_reached_by_https_alone() throws Exception {
        var files = new ServerFiles(home, 2);
        files.write(
                new Demand(2, 1, 1 << 28),
                new Network.Loopback(new LoopbackBlock(3, false)),
                new ServerAddresses(List.of("127.0.0.1:8080", "127.0.0.1:8081"), true),
                1L << 30,
                Path.of("/dist"));
        assertThat(Files.readString(files.config()))
                .contains("tls: \"on\"", "listen: 127.0.0.1:8081", "url: https://127.0.0.1:8080")
                .doesNotContain("http://", "seed_");
    }

    @Test
    void nodes_with_kept_data_keep_their_tls() throws Exception {
        new PlaygroundState("rides", Demand.DEFAULT, true, null, List.of(), false, 1, true, null).write(home);
        volume();
        assertThatThrownBy(() -> playgrounds().up(d -> d, PLAIN))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("the kept data are of nodes with TLS");
    }

    @Test
    void nobody_trusts_the_authorities_of_a_playground_that_is_deleted() throws Exception {
        Path authority = directory().resolve("dc1/authority/control.dc1.1.pem");
        Path own = home.resolve("trust/dc1-12345678.pem");
        Path other = home.resolve("trust/dc7-87654321.pem");
        Files.createDirectories(authority.getParent());
        Files.createDirectories(own.getParent());
        Files.writeString(authority, "the key\nthe certificate\n");
        Files.writeString(own, "the certificate\n");
        Files.writeString(other, "another certificate\n");
        new Teardown(home).run(true);
        assertThat(own).exists();
        new Teardown(home).run(false);
        assertThat(own).doesNotExist();
        assertThat(other).exists();
    }

    @Test
    void the_start_ends_with_the_next_commands() {
        WebLink page = new WebLink("http://127.0.0.1:8080/login#qUs1bWlG7c0tQfYx3NhK2A", Instant.EPOCH);
        Golden.assertSame("playground-up", up(page));
        assertThat(up(null)).hasSize(up(page).size() - 1).noneMatch(line -> line.plain()
                .contains("login"));
    }

    private static List<Line> up(@Nullable WebLink page) {
        var servers =
                List.of(new PlaygroundState.Server("dc1", "http://127.0.0.1:8080", new ProcessIdentity(1, 1, null)));
        return PlaygroundScreen.up(
                io.ringmaster.cli.screen.Fleet.healthy(),
                servers,
                Path.of("/home/ann/.ringmaster"),
                new PlaygroundOptions(
                        false, false, false, Duration.ofMinutes(5), SpecAdditions.NONE, false, false, null),
                page,
                Duration.ofMillis(18_700));
    }
}
