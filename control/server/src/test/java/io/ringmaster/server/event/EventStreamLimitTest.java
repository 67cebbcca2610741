package io.ringmaster.server.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.javalin.Javalin;
import io.javalin.http.sse.SseHandler;
import io.ringmaster.server.refusal.ProblemException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class EventStreamLimitTest {
    @Test
    void a_follower_beyond_the_limit_is_refused_before_its_answer_starts() {
        var stream = new EventStream(EventRing.ofFleet(Instant.EPOCH), () -> true, () -> Instant.EPOCH);
        for (int i = 0; i < 64; i++) {
            stream.admit();
        }
        assertThatThrownBy(stream::admit).isInstanceOf(ProblemException.class).hasMessageContaining("64 followers");
    }

    @Test
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void a_stream_ends_with_the_session_that_opened_it() throws Exception {
        var stream = new EventStream(EventRing.ofFleet(Instant.EPOCH), () -> true, () -> Instant.EPOCH);
        stream.admit();
        Javalin server = Javalin.create(c -> c.routes.get(
                        "/", new SseHandler(0L, client -> stream.follow(client, () -> false, event -> true))))
                .start("127.0.0.1", 0);
        try {
            var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port()))
                    .header("Accept", "text/event-stream")
                    .build();
            HttpResponse<String> ended = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
            assertThat(ended.body()).contains("follows");
        } finally {
            server.stop();
        }
    }
}
