package io.ringmaster.executor.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.spec.Preset;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TransferProgramTest {
    @TempDir
    private Path directory;

    @Test
    void it_starts_from_the_archive_of_its_classes_once_there_is_one() throws Exception {
        var program = new TransferProgram(directory.resolve("java"), directory.resolve("transfer"), null);
        String option = "-XX:SharedArchiveFile=" + directory.resolve("transfer.jsa");
        assertThat(program.command(Preset.PRODUCTION)).contains("-Xmx192m").doesNotContain(option);
        Files.writeString(directory.resolve("transfer.jsa"), "classes");
        assertThat(program.command(Preset.DEVELOPMENT)).contains("-Xmx96m").contains(option);
    }
}
