package io.ringmaster.pool.mesos.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RecordReaderTest {
    private static RecordReader reader(String text) {
        return new RecordReader(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void records_are_read_one_after_the_other_by_their_length_in_bytes() throws IOException {
        RecordReader reader = reader("2\n{}4\n\"ü\"0\n");
        assertThat(reader.next()).asString(StandardCharsets.UTF_8).isEqualTo("{}");
        assertThat(reader.next()).asString(StandardCharsets.UTF_8).isEqualTo("\"ü\"");
        assertThat(reader.next()).isEmpty();
        assertThatThrownBy(reader::next).isInstanceOf(EOFException.class);
    }

    @Test
    void a_stream_that_ends_within_a_record_is_no_record() {
        assertThatThrownBy(() -> reader("10\n{}").next()).isInstanceOf(EOFException.class);
    }

    @Test
    void what_is_no_length_is_refused() {
        assertThatThrownBy(() -> reader("{}\n").next()).hasMessageContaining("length");
        assertThatThrownBy(() -> reader("99999999999\n").next()).hasMessageContaining("length");
    }
}
