package io.ringmaster.playground;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.playground.doctor.Demand;
import io.ringmaster.playground.loopback.LoopbackBlock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The block of loopback addresses in the record of a playground. */
class PlaygroundBlockTest {
    @TempDir
    private Path home;

    private PlaygroundState kept(int block, boolean moving) {
        return new PlaygroundState("rides", Demand.DEFAULT, true, null, List.of(), moving, block, null);
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
        assertThat(Playgrounds.nextBlock(home)).isEqualTo(new LoopbackBlock(61, false));
    }
}
