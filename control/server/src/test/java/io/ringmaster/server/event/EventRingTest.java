package io.ringmaster.server.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.wire.api.Event;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EventRingTest {
    private static final Instant AT = Instant.parse("2026-01-02T03:04:05Z");

    private final EventRing ring = new EventRing(3, AT, "");

    private void happens(String... texts) {
        for (String text : texts) {
            ring.add(Event.of(AT, Event.Type.NODE, null, "rides/dc1/node-0", text));
        }
    }

    private static List<String> texts(EventRing.Batch batch) {
        return batch.events().stream().map(Event::text).toList();
    }

    @Test
    void a_new_follower_starts_with_the_next_event() throws InterruptedException {
        happens("a");
        var begin = ring.resume(null, AT);
        assertThat(begin.events()).isEmpty();
        happens("b", "c");
        assertThat(texts(ring.after(begin.position(), 0, AT))).containsExactly("b", "c");
    }

    @Test
    void a_follower_that_reconnects_continues_after_the_last_event_it_saw() throws InterruptedException {
        happens("a");
        String seen = ring.tail();
        happens("b", "c");
        var begin = ring.resume(seen, AT);
        assertThat(begin.events()).isEmpty();
        assertThat(texts(ring.after(begin.position(), 0, AT))).containsExactly("b", "c");
    }

    @Test
    void a_follower_that_reconnects_too_late_receives_a_reset() throws InterruptedException {
        happens("a");
        String seen = ring.tail();
        happens("b", "c", "d", "e");
        var begin = ring.resume(seen, AT);
        assertThat(begin.events()).extracting(Event::type).containsExactly(Event.Type.RESET);
        assertThat(begin.events().get(0).id()).isEqualTo(ring.tail());
        assertThat(ring.after(begin.position(), 0, AT).events()).isEmpty();
    }

    @Test
    void an_id_of_another_server_or_of_an_earlier_run_is_a_reset() {
        happens("a", "b");
        var earlier = new EventRing(3, AT.minusSeconds(60), "");
        earlier.add(Event.of(AT, Event.Type.NODE, null, "x", "a"));
        assertThat(ring.resume(earlier.tail(), AT).events()).hasSize(1);
        assertThat(ring.resume("nonsense", AT).events()).hasSize(1);
    }

    @Test
    void a_follower_that_falls_behind_receives_a_reset() throws InterruptedException {
        var begin = ring.resume(null, AT);
        happens("a", "b", "c", "d");
        assertThat(ring.after(begin.position(), 0, AT).events())
                .extracting(Event::type)
                .containsExactly(Event.Type.RESET);
    }

    @Test
    void a_follower_waits_for_the_next_event() throws InterruptedException {
        var begin = ring.resume(null, AT);
        var later = new Thread(() -> {
            try {
                TimeUnit.MILLISECONDS.sleep(50);
                happens("a");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        later.start();
        assertThat(texts(ring.after(begin.position(), 30_000, AT))).containsExactly("a");
        later.join();
    }

    @Test
    void the_newest_events_are_read_with_the_time_from_which_all_are_kept() {
        happens("a", "b");
        assertThat(ring.recent(e -> true, 1).items()).extracting(Event::text).containsExactly("b");
        assertThat(ring.recent(e -> e.text().equals("a"), 9).items())
                .extracting(Event::text)
                .containsExactly("a");
        assertThat(ring.recent(e -> true, 9).since()).isEqualTo(AT);
        ring.add(Event.of(AT.plusSeconds(5), Event.Type.NODE, null, "rides/dc1/node-0", "c"));
        happens("d", "e");
        assertThat(ring.recent(e -> true, 9).items()).extracting(Event::text).containsExactly("c", "d", "e");
        assertThat(ring.recent(e -> true, 9).since()).isEqualTo(AT.plusSeconds(5));
    }

    @Test
    void an_id_of_the_fleet_is_none_of_the_datacenter() {
        var fleet = EventRing.ofFleet(AT);
        assertThat(EventRing.ofDatacenter(AT).resume(fleet.tail(), AT).events()).hasSize(1);
    }
}
