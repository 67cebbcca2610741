package io.ringmaster.pool.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.pool.base.EpochFence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EpochFileTest {
    @TempDir
    Path directory;

    @Test
    void keeps_the_epoch_in_a_file() throws IOException {
        EpochFile storage = EpochFile.in(directory);
        assertThat(storage.exists()).isFalse();
        assertThat(storage.read()).isZero();
        storage.write(7);
        assertThat(directory.resolve("epoch")).hasContent("7");
        assertThat(storage.read()).isEqualTo(7);
        storage.delete();
        storage.delete();
        assertThat(storage.exists()).isFalse();
    }

    @Test
    void refuses_a_file_without_a_number() throws IOException {
        Files.writeString(directory.resolve("epoch"), "many");
        assertThatThrownBy(() -> EpochFile.in(directory).read())
                .isInstanceOf(IOException.class)
                .hasMessage(directory.resolve("epoch")
                        + " holds no number; delete it if no other server of this datacenter runs");
    }

    @Test
    void the_fence_names_the_file_that_lets_the_leader_through() throws IOException {
        EpochFile storage = EpochFile.in(directory);
        storage.write(50);
        List<String> reports = new ArrayList<>();
        EpochFence fence = new EpochFence(storage, reports::add);
        assertThat(fence.accepts(3, "launch")).isFalse();
        assertThat(reports)
                .singleElement()
                .asString()
                .contains("but " + directory.resolve("epoch") + " holds 50", "delete this file");
        Files.delete(directory.resolve("epoch"));
        assertThat(fence.accepts(3, "launch")).isTrue();
    }
}
