package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PiecesTest {
    private static final List<Span> SIXTEEN = LongStream.range(0, 16)
            .mapToObj(i -> new Span(i * 1000, i * 1000 + 100))
            .toList();

    @Test
    void short_spans_with_the_same_replicas_are_one_piece() {
        assertThat(Pieces.of(SIXTEEN, 1, s -> "all")).containsExactly(SIXTEEN);
        assertThat(Pieces.of(SIXTEEN, 4, s -> "all")).hasSize(4).allMatch(p -> p.size() == 4);
    }

    @Test
    void spans_with_other_replicas_are_another_piece() {
        assertThat(Pieces.of(SIXTEEN, 1, s -> s.left() < 3000))
                .containsExactly(SIXTEEN.subList(0, 3), SIXTEEN.subList(3, 16));
    }

    @Test
    void long_spans_are_cut_so_that_there_are_as_many_pieces_as_wanted_and_nothing_is_lost() {
        List<Span> uneven = List.of(new Span(0, 1000), new Span(2000, 2010), new Span(3000, 3400));
        for (int wanted : new int[] {1, 2, 5, 40}) {
            List<List<Span>> pieces = Pieces.of(uneven, wanted, s -> "all");
            assertThat(pieces).hasSizeGreaterThanOrEqualTo(wanted);
            assertThat(pieces.stream()
                            .flatMap(List::stream)
                            .mapToDouble(Span::length)
                            .sum())
                    .isEqualTo(1410);
        }
    }
}
