package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class TokenRangeTest {
    private static final long MIN = Long.MIN_VALUE;
    private static final long MAX = Long.MAX_VALUE;

    @Test
    void a_range_that_wraps_around_the_ring_becomes_two() {
        assertThat(TokenRange.unwrapped(5, 9)).containsExactly(new TokenRange(5, 9));
        assertThat(TokenRange.unwrapped(5, MIN)).containsExactly(new TokenRange(5, MAX));
        assertThat(TokenRange.unwrapped(9, -3)).containsExactly(new TokenRange(9, MAX), new TokenRange(MIN, -3));
        assertThat(TokenRange.unwrapped(7, 7)).containsExactly(new TokenRange(7, MAX), new TokenRange(MIN, 7));
        assertThat(TokenRange.unwrapped(MIN, MIN)).containsExactly(new TokenRange(MIN, MAX));
    }

    @Test
    void the_start_of_a_range_halves_down_to_one_token() {
        TokenRange ring = new TokenRange(MIN, MAX);
        assertThat(ring.start(0)).isEqualTo(ring);
        assertThat(ring.start(1)).isEqualTo(new TokenRange(MIN, -1));
        assertThat(ring.start(63)).isEqualTo(new TokenRange(MIN, MIN + 1));
        assertThat(new TokenRange(-10, 11).start(1)).isEqualTo(new TokenRange(-10, 0));
        assertThat(new TokenRange(0, 3).start(2)).isEqualTo(new TokenRange(0, 1));
        assertThat(new TokenRange(0, 3).start(2).isOneToken()).isTrue();
        assertThat(new TokenRange(0, 3).isOneToken()).isFalse();
    }

    @Test
    void the_parts_of_a_split_add_up_to_the_range() {
        for (TokenRange range : List.of(
                new TokenRange(MIN, MAX),
                new TokenRange(-10, 11),
                new TokenRange(0, 3),
                new TokenRange(MAX - 2, MAX))) {
            for (int count : new int[] {1, 2, 7, 1000}) {
                List<TokenRange> parts = range.split(count);
                assertThat(parts.get(0).left()).isEqualTo(range.left());
                assertThat(parts.get(parts.size() - 1).right()).isEqualTo(range.right());
                for (int i = 1; i < parts.size(); i++) {
                    assertThat(parts.get(i).left()).isEqualTo(parts.get(i - 1).right());
                }
            }
        }
        assertThat(new TokenRange(MIN, MAX).split(1000)).hasSize(1000);
    }

    @Test
    void the_length_is_exact_for_short_ranges_and_for_the_whole_ring() {
        assertThat(new TokenRange(MIN + 1, MIN + 2).length()).isEqualTo(1);
        assertThat(new TokenRange(MAX - 3, MAX).length()).isEqualTo(3);
        assertThat(new TokenRange(MIN, MAX).length()).isEqualTo(0x1p64);
    }

    @Test
    void an_empty_range_is_refused() {
        assertThatThrownBy(() -> new TokenRange(3, 3)).hasMessageContaining("(3, 3]");
    }
}
