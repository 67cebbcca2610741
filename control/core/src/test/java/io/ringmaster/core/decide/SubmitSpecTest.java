package io.ringmaster.core.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.model.error.Problem;
import java.util.List;
import org.junit.jupiter.api.Test;

class SubmitSpecTest {
    private static List<String> refusals(String cluster) {
        var view = Scene.live(Samples.spec("rides", 3, 2)).view();
        var answer = new SubmitSpec(view, "", Samples.spec(cluster, 3, 2), null, "anna", false).answer();
        return answer instanceof Answer.Refused<Decision<ApplyResult>> refused
                ? refused.problems().stream().map(Problem::line).toList()
                : List.of();
    }

    @Test
    void a_new_cluster_is_not_named_like_a_plan() {
        assertThat(refusals("dc1-3"))
                .contains("cluster: 'dc1-3' is the form of the ids of the plans of dc1: a datacenter and a number"
                        + " -> choose another name");
        assertThat(refusals("shop-3")).noneMatch(line -> line.startsWith("cluster: "));
        assertThat(refusals("dc1-three")).noneMatch(line -> line.startsWith("cluster: "));
    }
}
