package io.ringmaster.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.lab.figure.About;
import io.ringmaster.lab.figure.Figure;
import io.ringmaster.lab.figure.Figures;
import io.ringmaster.lab.figure.Form;
import io.ringmaster.lab.figure.Measured;
import io.ringmaster.lab.figure.Unit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResultFilesTest {
    @TempDir
    private Path folder;

    @Test
    void a_result_is_read_as_it_was_written() throws IOException {
        Measured measured = new Figures()
                .put("b.p99.9", Figure.median(List.of(3.0, 1.5, 2.0), Unit.MS))
                .put("a", 1e-7, Unit.DOLLARS)
                .series("line", List.of(new Measured.Point(1, 2.5)))
                .missing("c", "only in the full form")
                .log("c.hlog.gz")
                .measured(new About("startup", Form.FULL, "abc", Instant.EPOCH, 1.5, Map.of("kernel", "6.1"), true));
        ResultFiles files = new ResultFiles(folder.resolve("new"));
        Path logs = Files.createDirectories(folder.resolve("logs"));
        Files.writeString(logs.resolve("c.hlog.gz"), "new");
        Path former = Files.createDirectories(files.beside("startup")).resolve("former.svg");
        Files.writeString(former, "of the last result");
        files.write(measured, logs);
        assertThat(former).doesNotExist();
        assertThat(files.beside("startup").resolve("c.hlog.gz")).hasContent("new");
        assertThat(files.read("startup")).contains(measured);
        assertThat(files.read("startup").orElseThrow().figures().keySet()).containsExactly("b.p99.9", "a");
        assertThat(files.folder()).isDirectoryNotContaining("glob:**.part");
    }

    @Test
    void a_result_that_is_not_there_is_none() throws IOException {
        assertThat(new ResultFiles(folder).read("startup")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "{}", "{\"about\": 7}", "{\"about\": {}, \"figures\": {\"a\": 1}}"})
    void a_corrupt_file_is_named(String content) throws IOException {
        Path file = folder.resolve("startup.json");
        Files.writeString(file, content);
        assertThatThrownBy(() -> new ResultFiles(folder).read("startup"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file + " is not a result of the lab");
    }
}
