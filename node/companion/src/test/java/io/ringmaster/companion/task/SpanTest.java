package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpanTest {
    private static final long MIN = Long.MIN_VALUE;
    private static final long MAX = Long.MAX_VALUE;

    @Test
    void a_range_over_the_end_of_the_ring_becomes_two() {
        assertThat(Span.unwrapped(5, 9)).containsExactly(new Span(5, 9));
        assertThat(Span.unwrapped(5, MIN)).containsExactly(new Span(5, MAX));
        assertThat(Span.unwrapped(9, -3)).containsExactly(new Span(9, MAX), new Span(MIN, -3));
        assertThat(Span.unwrapped(7, 7)).containsExactly(new Span(7, MAX), new Span(MIN, 7));
        assertThat(Span.unwrapped(MIN, MIN)).containsExactly(new Span(MIN, MAX));
    }

    @Test
    void its_pieces_are_together_what_it_was() {
        for (Span span : List.of(new Span(MIN, MAX), new Span(-10, 11), new Span(0, 3), new Span(MAX - 2, MAX))) {
            for (int count : new int[] {1, 2, 7, 1000}) {
                List<Span> pieces = span.split(count);
                assertThat(pieces.get(0).left()).isEqualTo(span.left());
                assertThat(pieces.get(pieces.size() - 1).right()).isEqualTo(span.right());
                for (int i = 1; i < pieces.size(); i++) {
                    assertThat(pieces.get(i).left()).isEqualTo(pieces.get(i - 1).right());
                }
            }
        }
        assertThat(new Span(MIN, MAX).split(1000)).hasSize(1000);
    }

    @Test
    void its_length_is_exact_when_short_and_right_when_it_is_the_ring() {
        assertThat(new Span(MIN + 1, MIN + 2).length()).isEqualTo(1);
        assertThat(new Span(MAX - 3, MAX).length()).isEqualTo(3);
        assertThat(new Span(MIN, MAX).length()).isEqualTo(0x1p64);
    }

    @Test
    void what_is_empty_is_no_span() {
        assertThatThrownBy(() -> new Span(3, 3)).hasMessageContaining("(3, 3]");
    }
}
