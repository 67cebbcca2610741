package io.ringmaster.core.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The balance of a datacenter that grows and shrinks, with the tokens kept from step to step. The racks take turns, as
 * placement gives them out, and the nodes with the highest indexes leave.
 */
class TokenBalanceTest {
    private static final double BAR = 1.1;

    /**
     * Each step against the least maximum: the best that any tokens could give for the nodes of each rack.
     *
     * @param beyond steps that no tokens can bring within the bar, because those of the other steps are kept
     */
    @ParameterizedTest(name = "RF {0} over {1} racks: {2}")
    @CsvSource({
        "3, 3, 3-4-5-6, -",
        "3, 3, 3-6, -",
        "3, 3, 6-12, -",
        "3, 3, 12-6, -",
        "3, 3, 3-6-12-6-3, -",
        "3, 3, 3-6-9-6, 9",
        "3, 3, 12-9-6, 9",
        "3, 3, 4-5-7-8-10-11, 8 10 11",
        "3, 3, 24-48-24-12, -",
        "3, 3, 3-9, -",
        "2, 2, 2-4-8-4-2, -",
        "2, 2, 6-12-6, -",
        "2, 3, 12-6, -",
        "2, 3, 3-6-12-6-3, -",
        "2, 3, 3-9, -",
        "3, 2, 2-4-8-16, -",
        "3, 2, 3-6-12-6-3, -",
        "3, 2, 5, -",
        "3, 2, 6-9-6, -",
        "3, 4, 4-8-16-8-4, -",
        "3, 4, 3-6, -",
        "3, 4, 6-12, -",
        "3, 4, 7, -",
        "3, 1, 3-6-12-6-3, -",
        "3, 1, 12-9-6, -",
        "2, 1, 3-6-12-6, -",
        "1, 1, 4-8-4, -",
    })
    void shares_are_within_the_bar(int replicas, int racks, String history, String beyond) {
        Set<String> except = Set.of(beyond.split(" ", -1));
        play(replicas, racks, history).forEach(step -> {
            if (!except.contains(step.nodes() + "")) {
                assertThat(step.most()).as(step.text()).isLessThanOrEqualTo(BAR * step.least());
            }
        });
    }

    /**
     * Histories whose last step is beyond the bar, because the tokens of the nodes that stay are kept: a range grows
     * when a node leaves, or no newcomer divides it. The percentage is the largest share.
     */
    @ParameterizedTest(name = "RF {0} over {1} racks: {2} ends at {3} %")
    @CsvSource({
        "3, 3, 9-6, 66.7", // two of three thirds; each rack without any one node is 2/3 and 1/3
        "3, 3, 3-9-6, 66.7",
        "3, 3, 3-6-9, 50.0", // a half that is not divided; 3-9 reaches 33.3
        "3, 2, 3-4, 83.3", // the newcomer divides one third
        "3, 1, 3-4, 83.3",
        "3, 4, 3-4, 83.3",
        "3, 1, 9-6, 55.6", // ninths: three of six ranges are at least five of them
        "3, 1, 3-9-6, 55.6",
        "3, 2, 9-6, 55.6",
        "3, 2, 12-6, 58.3", // twelfths: two racks cannot keep three each with the same sum of any three ranges
        "3, 4, 3-4-5-6, 83.3", // one by one; 3-6 reaches 50.0
        "3, 4, 9-6, 66.7", // two racks lose a node and two do not
        "3, 4, 12-6, 66.7",
        "2, 3, 3-4, 66.7",
        "2, 3, 4-8, 29.2",
        "2, 3, 9-6, 44.4",
        "2, 3, 3-9-6, 44.4",
        "2, 2, 3-6, 50.0", // a rack of two that becomes three
        "2, 2, 9-6, 50.0",
        "2, 4, 12-6, 41.7",
    })
    void the_others_keep_to_their_recorded_bound(int replicas, int racks, String history, double bound) {
        List<Step> steps = play(replicas, racks, history);
        Step last = steps.get(steps.size() - 1);
        assertThat(100 * last.most()).as(last.text()).isLessThan(bound + 0.1);
        assertThat(last.most())
                .as("else it belongs to the other test: " + last.text())
                .isGreaterThan(BAR * last.least());
    }

    private record Step(int nodes, List<Double> shares, double least, String where) {
        double most() {
            return Collections.max(shares);
        }

        String text() {
            return where + ": " + nodes + " nodes: "
                    + shares.stream()
                            .map(s -> String.format(Locale.ROOT, "%.1f", 100 * s))
                            .collect(Collectors.joining(" "))
                    + String.format(Locale.ROOT, " %%, best %.1f %%", 100 * least);
        }
    }

    /** In the first and in the second datacenter of a cluster. */
    private static List<Step> play(int replicas, int racks, String history) {
        ClusterSpec spec = Samples.spec("rides", 3, 2, 3, 2);
        return Stream.of(Samples.DC1, Samples.DC2)
                .flatMap(dc -> play(spec, dc, replicas, racks, history).stream())
                .toList();
    }

    private static List<Step> play(ClusterSpec spec, DatacenterName dc, int replicas, int racks, String history) {
        List<RackToken> ring = new ArrayList<>();
        List<Step> steps = new ArrayList<>();
        for (String count : history.split("-", -1)) {
            int nodes = Integer.parseInt(count);
            List<RackName> newcomers = IntStream.range(ring.size(), Math.max(nodes, ring.size()))
                    .mapToObj(i -> new RackName("r" + i % racks))
                    .toList();
            List<String> tokens = Tokens.forJoining(spec, dc, ring, newcomers, Set.of(replicas));
            for (int i = 0; i < tokens.size(); i++) {
                ring.add(new RackToken(Long.parseLong(tokens.get(i)), newcomers.get(i)));
            }
            ring.subList(nodes, ring.size()).clear();
            List<Integer> counts = List.copyOf(ring.stream()
                    .collect(Collectors.groupingBy(RackToken::rack, Collectors.summingInt(n -> 1)))
                    .values());
            steps.add(new Step(
                    nodes,
                    EffectiveOwnership.shares(ring, replicas),
                    EffectiveOwnership.leastMaximum(counts, replicas),
                    dc + ", " + history));
        }
        return steps;
    }
}
