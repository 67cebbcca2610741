package io.ringmaster.simulator.datacenter;

import io.ringmaster.core.lock.OperationLock;
import io.ringmaster.core.policy.AutomaticReplace;
import io.ringmaster.core.policy.ScheduledRepair;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.request.RequestPart;
import io.ringmaster.simulator.history.Participant;
import io.ringmaster.simulator.history.SeededRandom;
import io.ringmaster.simulator.world.World;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Stores that lose the requests of users which are over there and have started or ended in all datacenters, as an older
 * store does that is put back. Another server loads what is left.
 */
public final class LostRequests extends Participant {
    private static final Set<String> POLICIES = Set.of(ScheduledRepair.WHO, AutomaticReplace.WHO);
    private static final Set<RequestPart.State> OVER = Set.of(RequestPart.State.DONE, RequestPart.State.ENDED);

    private final World world;
    private final Datacenters datacenters;

    /**
     * The requests that had started or ended everywhere at the last look. Reports of the time before that have arrived
     * until the next one.
     */
    private Set<RequestId> reported = Set.of();

    public LostRequests(World world, Datacenters datacenters, SeededRandom random) {
        super(world.clock(), random, 5000, 20_000);
        this.world = world;
        this.datacenters = datacenters;
    }

    @Override
    protected void act() {
        DatacenterName datacenter = random.pick(World.DATACENTERS);
        List<RequestRecord> known = world.records(datacenter, RequestRecord.class).stream()
                .filter(this::isReportedEverywhere)
                .toList();
        List<Change> lost = known.stream()
                .filter(r -> OVER.contains(r.part().state())
                        && reported.contains(r.request().id()))
                .<Change>map(r -> new Change.Remove(r.key()))
                .toList();
        reported = known.stream().map(r -> r.request().id()).collect(Collectors.toSet());
        if (!lost.isEmpty() && datacenters.get(datacenter).hasLeader()) {
            world.trace().add("fault", "the store of " + datacenter + " loses " + lost.size() + " finished requests");
            world.store(datacenter).commit(world.store(datacenter).nextEpoch(), lost);
            datacenters.get(datacenter).loseSession();
        }
    }

    /** Whether each datacenter reports that it is over or has started there, which proves that the other knew it. */
    private boolean isReportedEverywhere(RequestRecord record) {
        Request request = record.request();
        List<Optional<RequestPart>> parts = World.DATACENTERS.stream()
                .filter(request::concerns)
                .map(d -> find(d, request.id()).map(RequestRecord::part))
                .toList();
        boolean silentAllowed = OperationLock.allowsSilentPeers(request.params());
        return !POLICIES.contains(request.who())
                && parts.size() > 1
                && parts.stream()
                        .allMatch(p -> p.filter(r -> OVER.contains(r.state()) || (r.started() && !silentAllowed))
                                .isPresent());
    }

    private Optional<RequestRecord> find(DatacenterName datacenter, RequestId id) {
        return world.records(datacenter, RequestRecord.class).stream()
                .filter(r -> r.request().id().equals(id))
                .findFirst();
    }
}
