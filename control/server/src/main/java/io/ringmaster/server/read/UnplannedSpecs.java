package io.ringmaster.server.read;

import io.ringmaster.controller.Controller;
import io.ringmaster.controller.ControllerLoop;
import io.ringmaster.core.decide.UnplannableSpec;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Why specs from other datacenters cannot be planned here. A read waits at most 500 ms for it. */
public final class UnplannedSpecs {
    private static final long PATIENCE_MS = 500;

    private final ControllerLoop loop;
    private final LeadershipState lead;
    private volatile List<UnplannableSpec> last = List.of();

    public UnplannedSpecs(ControllerLoop loop, LeadershipState lead) {
        this.loop = loop;
        this.lead = lead;
    }

    List<Problem> of(ClusterName cluster) {
        return now().stream()
                .filter(u -> u.cluster().equals(cluster))
                .flatMap(u -> u.problems().stream())
                .toList();
    }

    private List<UnplannableSpec> now() {
        if (!lead.leads()) {
            return List.of();
        }
        try {
            last = loop.ask(Controller::unplannable).get(PATIENCE_MS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the controller failed", e.getCause());
        } catch (TimeoutException busy) {
            return last;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return last;
    }
}
