package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class CountedTest {
    private static SortedSet<Long> tokens(Long... tokens) {
        return new TreeSet<>(List.of(tokens));
    }

    @Test
    void what_only_others_have_is_missing_here() {
        assertThat(Counted.of(tokens(1L, 3L), tokens(1L, 2L, 3L, 4L), 10)).isEqualTo(new Counted(4, 2, 0));
    }

    @Test
    void where_a_look_stopped_nothing_is_known_of_what_comes_after() {
        assertThat(Counted.of(tokens(1L, 2L), tokens(1L, 2L, 3L, 4L), 2)).isEqualTo(new Counted(2, 2, 0));
        assertThat(Counted.of(tokens(1L, 5L, 9L), tokens(1L, 2L, 3L), 3)).isEqualTo(new Counted(3, 1, 0));
    }

    @Test
    void a_few_are_written_between_two_looks() {
        assertThat(new Counted(100, 99, 0).lacksSome()).isFalse();
        assertThat(new Counted(100, 98, 0).lacksSome()).isTrue();
        assertThat(new Counted(100, 95, 0).lacksMany()).isFalse();
        assertThat(new Counted(100, 94, 0).lacksMany()).isTrue();
        assertThat(Counted.NONE.lacksMany()).isFalse();
    }

    @Test
    void places_add_up() {
        SortedSet<Long> many = new TreeSet<>(LongStream.range(0, 50).boxed().toList());
        assertThat(Counted.of(tokens(), many, 100).and(new Counted(1, 1, 0)))
                .hasToString("1 of 51 partitions looked at");
        assertThat(Counted.UNREAD.and(Counted.NONE).and(Counted.UNREAD).unread())
                .isEqualTo(2);
    }
}
