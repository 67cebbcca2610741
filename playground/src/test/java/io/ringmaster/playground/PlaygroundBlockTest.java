package io.ringmaster.playground;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.cli.process.Programs;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.cli.terminal.Abilities;
import io.ringmaster.cli.terminal.Console;
import io.ringmaster.playground.doctor.Demand;
import io.ringmaster.playground.doctor.LinuxHost;
import io.ringmaster.playground.loopback.HeldSockets;
import io.ringmaster.playground.loopback.LoopbackBlock;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The block of loopback addresses in the record of a playground. */
class PlaygroundBlockTest {
    @TempDir
    private Path home;

    private PlaygroundState kept(int block, boolean moving) {
        return new PlaygroundState("rides", Demand.DEFAULT, true, null, List.of(), moving, block, false, null);
    }

    @Test
    void the_block_is_stored_and_files_of_earlier_versions_mean_the_first() throws Exception {
        kept(5, false).withServers(List.of()).withoutOwner().keeping(true).write(home);
        assertThat(PlaygroundState.read(home).orElseThrow().loopback()).isEqualTo(new LoopbackBlock(5, false));
        Path file = PlaygroundState.directory(home).resolve("playground.json");
        String former = Files.readString(file).replaceFirst(",?\"block\":5", "");
        assertThat(former).doesNotContain("block");
        Files.writeString(file, former);
        assertThat(PlaygroundState.read(home).orElseThrow().loopback()).isEqualTo(LoopbackBlock.FIRST);
    }

    @Test
    void doctor_looks_at_the_block_of_the_kept_data() {
        kept(61, false).write(home);
        assertThat(Playgrounds.keptBlock(home)).contains(new LoopbackBlock(61, false));
        new PlaygroundState("rides", Demand.DEFAULT, false, null, List.of(), false, 61, false, null).write(home);
        assertThat(Playgrounds.keptBlock(home)).isEmpty();
        var wan = new WanOptions(77, new WanOptions.Link(77_800, null));
        new PlaygroundState("rides", Demand.DEFAULT, true, null, List.of(), false, 1, false, wan).write(home);
        assertThat(Playgrounds.keptBlock(home)).as("in network namespaces").isEmpty();
    }

    @Test
    void a_start_says_why_it_has_another_block_than_the_first() throws Exception {
        assertThat(reported(Optional.empty()))
                .contains("127.61.0.0/16, because other programs listen in the blocks before");
        assertThat(reported(Optional.of(kept(61, false)))).contains("127.61.0.0/16, the addresses of the kept data");
    }

    private String reported(Optional<PlaygroundState> kept) throws InterruptedException {
        var out = new ByteArrayOutputStream();
        var print = new PrintStream(out, true, StandardCharsets.UTF_8);
        var console = new Console(print, print, new Abilities(false, false, 100));
        var options = new PlaygroundOptions(
                true, false, false, Duration.ofSeconds(30), SpecAdditions.NONE, false, false, null);
        try (var held = new HeldSockets()) {
            new NetworkStart(home, new Programs(home), console, held)
                    .start(new LinuxHost(home, Map.of()), Demand.DEFAULT, options, new LoopbackBlock(61, false), kept);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void without_a_free_block_the_failure_names_the_port_that_may_be_taken_at_every_address() {
        Failure failure = NetworkStart.noFreeBlock(true);
        assertThat(failure)
                .hasMessageContaining("from 127.64.0.0/12 to 127.176.0.0/12")
                .hasMessageEndingWith("or a program listens at port 6999 of every address");
        assertThat(failure.nextStep()).contains("ss -ltnp 'sport = :6999'");
    }
}
