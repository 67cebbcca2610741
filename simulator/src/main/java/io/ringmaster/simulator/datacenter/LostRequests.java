package io.ringmaster.simulator.datacenter;

import io.ringmaster.core.policy.AutomaticReplace;
import io.ringmaster.core.policy.ScheduledRepair;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.request.RequestPart;
import io.ringmaster.simulator.history.Participant;
import io.ringmaster.simulator.history.SeededRandom;
import io.ringmaster.simulator.world.World;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Stores that lose the requests of users which are over in all datacenters, as an older store does that is put back.
 * Another server loads what is left.
 */
public final class LostRequests extends Participant {
    private static final Set<String> POLICIES = Set.of(ScheduledRepair.WHO, AutomaticReplace.WHO);

    private static final Set<RequestPart.State> REPORTED_AS_OVER =
            Set.of(RequestPart.State.DONE, RequestPart.State.ENDED);

    private final World world;
    private final Datacenters datacenters;

    public LostRequests(World world, Datacenters datacenters, SeededRandom random) {
        super(world.clock(), random, 5000, 20_000);
        this.world = world;
        this.datacenters = datacenters;
    }

    @Override
    protected void act() {
        DatacenterName datacenter = random.pick(World.DATACENTERS);
        List<Change> lost = world.records(datacenter, RequestRecord.class).stream()
                .filter(this::isOverEverywhere)
                .<Change>map(r -> new Change.Remove(r.key()))
                .toList();
        if (!lost.isEmpty() && datacenters.get(datacenter).hasLeader()) {
            world.trace().add("fault", "the store of " + datacenter + " loses " + lost.size() + " finished requests");
            world.store(datacenter).commit(world.store(datacenter).nextEpoch(), lost);
            datacenters.get(datacenter).loseSession();
        }
    }

    /** Over here, and carried out or ended elsewhere, too: only then does another datacenter report that it is over. */
    private boolean isOverEverywhere(RequestRecord record) {
        List<Optional<RequestPart.State>> parts = World.DATACENTERS.stream()
                .filter(record.request()::concerns)
                .map(d -> find(d, record.request().id()).map(r -> r.part().state()))
                .toList();
        return !POLICIES.contains(record.request().who())
                && parts.size() > 1
                && parts.stream()
                        .allMatch(p -> p.filter(REPORTED_AS_OVER::contains).isPresent());
    }

    private Optional<RequestRecord> find(DatacenterName datacenter, RequestId id) {
        return world.records(datacenter, RequestRecord.class).stream()
                .filter(r -> r.request().id().equals(id))
                .findFirst();
    }
}
