package io.ringmaster.companion;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HintFilesTest {
    private static final String ONE = "5b3ee48f-6a1f-4f0e-8a9c-0d5b6a7c8d01";
    private static final String TWO = "5b3ee48f-6a1f-4f0e-8a9c-0d5b6a7c8d02";

    @TempDir
    Path folder;

    @Test
    void all_files_of_a_target_count_and_nothing_else_does() throws Exception {
        Files.write(folder.resolve(ONE + "-1732999999999-2.hints"), new byte[5]);
        Files.write(folder.resolve(ONE + "-1733000000000-2.hints"), new byte[7]);
        Files.write(folder.resolve(TWO + "-1733000000000-2.hints"), new byte[1]);
        Files.write(folder.resolve(TWO + "-1733000000000-2.crc32"), new byte[8]);
        Files.write(folder.resolve(TWO + "-1733000000000-2.corrupt.hints"), new byte[8]);
        Files.write(folder.resolve("notes"), new byte[9]);
        assertThat(HintFiles.bytes(folder)).containsOnly(Map.entry(ONE, 12L), Map.entry(TWO, 1L));
    }

    @Test
    void an_empty_folder_has_none() throws Exception {
        assertThat(HintFiles.bytes(folder)).isEmpty();
    }
}
