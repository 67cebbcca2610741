package io.ringmaster.model.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.name.ClusterName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterPatternTest {
    @ParameterizedTest
    @CsvSource({
        "*, rides, true",
        "**, rides, true",
        "rides, rides, true",
        "rides, rides2, false",
        "rides, ride, false",
        "team-*, team-a, true",
        "team-*, team-, true",
        "team-*, team, false",
        "team-*, my-team-a, false",
        "*-prod, a-prod, true",
        "*-prod, a-prod-b, false",
        "a*b*c, axxbyyc, true",
        "a*b*c, axxcyyb, false",
        "*aab, aaab, true",
    })
    void a_star_stands_for_any_characters(String pattern, String cluster, boolean matches) {
        assertThat(new ClusterPattern(pattern).matches(new ClusterName(cluster)))
                .isEqualTo(matches);
    }

    @Test
    void many_stars_take_no_more_time_than_one() {
        var hostile = new ClusterPattern("*a".repeat(23) + "b");
        assertThat(hostile.matches(new ClusterName("a".repeat(48)))).isFalse();
    }

    @Test
    void only_stars_extend_to_what_belongs_to_no_cluster() {
        assertThat(new ClusterPattern("*").isAll()).isTrue();
        assertThat(new ClusterPattern("**").isAll()).isTrue();
        assertThat(new ClusterPattern("a*").isAll()).isFalse();
    }

    @Test
    void other_characters_are_refused() {
        for (String wrong : new String[] {"", "Team-*", "a?", "a b", "1*", "-a", "x".repeat(49)}) {
            assertThatThrownBy(() -> new ClusterPattern(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
