package io.ringmaster.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.decide.Answer;
import io.ringmaster.core.decide.Decision;
import io.ringmaster.core.decide.SubmitOperation;
import io.ringmaster.core.decide.SubmitResult;
import io.ringmaster.core.view.View;
import io.ringmaster.core.view.ViewBuilder;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanDigest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PlanDigestsTest {
    private static final View LIVE = Scene.live(Samples.spec("rides", 3, 2))
            .settled()
            .replicas("trips", 3)
            .view();

    private static Plan draft(View view, String operation, Map<String, String> params, String who) {
        var answer = new SubmitOperation(view, operation, Scene.RIDES, params, who, "").answer();
        var accepted = (Answer.Accepted<Decision<SubmitResult>>) answer;
        return Objects.requireNonNull(accepted.value().result().plan());
    }

    private static PlanDigest digest(View view, String operation, Map<String, String> params) {
        return PlanDigests.of(List.of(draft(view, operation, params, "ada")));
    }

    @Test
    void ids_times_users_and_amounts_of_data_do_not_matter() {
        Plan first = draft(LIVE, "repair", Map.of("max_age", "1d"), "ada");
        View later = ViewBuilder.builder(LIVE)
                .now(LIVE.now().plus(Duration.ofMinutes(3)))
                .build();
        Plan second = draft(later, "repair", Map.of("max_age", "1d"), "bob");
        Plan renamed = new Plan(
                new PlanId(first.id().datacenter(), first.id().number() + 1),
                second.cluster(),
                second.operation(),
                second.params(),
                second.specVersion(),
                second.requestedBy(),
                second.request(),
                second.createdAt(),
                null,
                second.status(),
                second.phases(),
                second.notes().stream().map(n -> n.replace("6 KiB", "7.5 MiB")).toList(),
                null,
                null);
        assertThat(renamed.phases()).isNotEqualTo(first.phases());
        assertThat(renamed.notes()).isNotEqualTo(first.notes());
        assertThat(PlanDigests.of(List.of(renamed))).isEqualTo(PlanDigests.of(List.of(first)));
    }

    @Test
    void what_the_plans_do_matters() {
        PlanDigest all = digest(LIVE, "restart", Map.of());
        assertThat(all).isEqualTo(digest(LIVE, "restart", Map.of()));
        assertThat(digest(LIVE, "restart", Map.of("node", "dc1/node-1"))).isNotEqualTo(all);
        assertThat(digest(LIVE, "restart", Map.of("consistency", "QUORUM"))).isNotEqualTo(all);
        assertThat(digest(LIVE, "flush", Map.of())).isNotEqualTo(all);
        Plan restart = draft(LIVE, "restart", Map.of(), "ada");
        Plan flush = draft(LIVE, "flush", Map.of(), "ada");
        assertThat(PlanDigests.of(List.of())).isNotEqualTo(PlanDigests.of(List.of(restart)));
        assertThat(PlanDigests.of(List.of(restart, flush))).isNotEqualTo(PlanDigests.of(List.of(restart)));
    }
}
