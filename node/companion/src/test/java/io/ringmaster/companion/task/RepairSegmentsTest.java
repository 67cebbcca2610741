package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RepairSegmentsTest {
    private static final List<TokenRange> SIXTEEN = LongStream.range(0, 16)
            .mapToObj(i -> new TokenRange(i * 1000, i * 1000 + 100))
            .toList();

    @Test
    void short_ranges_with_the_same_replicas_are_one_segment() {
        assertThat(RepairSegments.of(SIXTEEN, 1, s -> "all")).containsExactly(SIXTEEN);
        assertThat(RepairSegments.of(SIXTEEN, 4, s -> "all")).hasSize(4).allMatch(p -> p.size() == 4);
    }

    @Test
    void ranges_with_other_replicas_are_another_segment() {
        assertThat(RepairSegments.of(SIXTEEN, 1, s -> s.left() < 3000))
                .containsExactly(SIXTEEN.subList(0, 3), SIXTEEN.subList(3, 16));
    }

    @Test
    void long_ranges_are_split_into_at_least_the_wanted_number_of_segments_without_a_loss() {
        List<TokenRange> uneven =
                List.of(new TokenRange(0, 1000), new TokenRange(2000, 2010), new TokenRange(3000, 3400));
        for (int wanted : new int[] {1, 2, 5, 40}) {
            List<List<TokenRange>> segments = RepairSegments.of(uneven, wanted, s -> "all");
            assertThat(segments).hasSizeGreaterThanOrEqualTo(wanted);
            assertThat(segments.stream()
                            .flatMap(List::stream)
                            .mapToDouble(TokenRange::length)
                            .sum())
                    .isEqualTo(1410);
        }
    }
}
