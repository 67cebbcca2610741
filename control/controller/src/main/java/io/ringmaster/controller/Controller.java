package io.ringmaster.controller;

import io.ringmaster.core.status.ClusterStatus;
import io.ringmaster.core.view.View;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanVerb;
import io.ringmaster.model.record.AuditRecord;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.ports.Clock;
import io.ringmaster.ports.NodeAgent;
import io.ringmaster.ports.Peers;
import io.ringmaster.ports.Pool;
import io.ringmaster.ports.Store;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides for one datacenter. Not thread-safe, starts no thread, never sleeps: whoever owns it calls it from one thread, feeds
 * it facts and elections and calls {@link #tick} from time to time, because some decisions fall due by time alone. Whoever owns it
 * also starts and closes the adapters.
 *
 * <p>Everything is persisted before it is acted on, so the owner may drop it at any point and make a new one over the same store.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class Controller {

    public Controller(
            DatacenterName datacenter,
            List<String> serverUrls,
            Store store,
            Pool pool,
            NodeAgent agent,
            Peers peers,
            Clock clock,
            long seed,
            Event.Listener listener) {}

    /** This server leads from now on: loads the records, watches every launched node, and waits for the pool's picture before it decides. */
    public void elected(long epoch) {}

    /** This server leads no more; nothing is decided or sent until it is elected again. */
    public void lost() {}

    public boolean leads() {
        return false;
    }

    /** Takes a fact, decides, persists, sends. Facts are dropped while another server leads. */
    public void accept(Fact fact) {}

    /** Decides what falls due by time: sending again, back-off, silence. Once a second is enough. */
    public void tick() {}

    /**
     * Declares a cluster.
     *
     * @param source the YAML as written
     * @param expectedVersion refused with VERSION_CONFLICT unless this is the newest version (0: the cluster must be new); null does not care
     * @param who for the audit
     */
    public Answer<Applied> applySpec(
            String source, ClusterSpec spec, @Nullable Long expectedVersion, String who, boolean dryRun) {
        throw new UnsupportedOperationException();
    }

    /** Runs an operation of the catalogue. {@code deploy} drafts anew for the declared spec; {@code delete} takes the cluster away. */
    public Answer<Plan> run(
            String operation, ClusterName cluster, Map<String, String> params, String who, boolean dryRun) {
        throw new UnsupportedOperationException();
    }

    /** @param step names the step to retry (null: all that failed) or to force; not used by the other verbs */
    public Answer<Plan> control(PlanId plan, PlanVerb verb, @Nullable String step, String who) {
        throw new UnsupportedOperationException();
    }

    /** Places nothing new on the machine from now on; what runs there stays. */
    public Answer<MachineName> cordon(MachineName machine, String reason, String who) {
        throw new UnsupportedOperationException();
    }

    public Answer<MachineName> uncordon(MachineName machine, String who) {
        throw new UnsupportedOperationException();
    }

    /** Everything known now; immutable, safe to hand to other threads. Plans are in {@link View#plans}. */
    public View view() {
        throw new UnsupportedOperationException();
    }

    public Optional<ClusterStatus> clusterStatus(ClusterName cluster) {
        throw new UnsupportedOperationException();
    }

    /** Specs of other datacenters that cannot be planned here now, each with the reason. */
    public List<Unplanned> unplanned() {
        throw new UnsupportedOperationException();
    }

    /** Who asked for what; the oldest first. */
    public List<AuditRecord> audit() {
        throw new UnsupportedOperationException();
    }
}
