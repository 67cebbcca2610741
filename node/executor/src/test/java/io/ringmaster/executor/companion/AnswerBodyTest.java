package io.ringmaster.executor.companion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class AnswerBodyTest {
    private final ByteArrayOutputStream passed = new ByteArrayOutputStream();
    private final AnswerBody body = new AnswerBody(passed);

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void the_body_alone_is_passed_on_wherever_the_answer_is_cut() throws IOException {
        byte[] answer = bytes("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nreads 7\r\n\r\nwrites 8\n");
        for (int cut = 0; cut <= answer.length; cut++) {
            ByteArrayOutputStream to = new ByteArrayOutputStream();
            AnswerBody cutBody = new AnswerBody(to);
            cutBody.write(answer, 0, cut);
            cutBody.write(answer, cut, answer.length - cut);
            assertThat(to.toString(StandardCharsets.UTF_8)).as("cut at %s", cut).isEqualTo("reads 7\r\n\r\nwrites 8\n");
            assertThat(cutBody.status()).isEqualTo(200);
        }
    }

    @Test
    void the_body_of_an_error_is_not_passed_on() throws IOException {
        body.write(bytes("HTTP/1.1 500 Error\r\n\r\n{\"error\":\"x\"}"));
        assertThat(passed.size()).isZero();
        assertThat(body.status()).isEqualTo(500);
    }

    @Test
    void what_is_no_answer_has_no_status_and_does_not_fill_the_memory() throws IOException {
        body.write(bytes("HTTP/1.1 200 OK\r\n"));
        assertThat(body.status()).isZero();
        assertThatThrownBy(() -> body.write(bytes("x".repeat(10_000)))).isInstanceOf(IOException.class);
    }
}
