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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Stores that lose the requests of users which are over there and whose end other stores know, as an older store does
 * that is put back. Another server loads what is left.
 */
public final class LostRequests extends Participant {
    private static final Set<String> POLICIES = Set.of(ScheduledRepair.WHO, AutomaticReplace.WHO);
    private static final Set<RequestPart.State> FINISHED = Set.of(RequestPart.State.DONE, RequestPart.State.ENDED);

    /** No report of the time before that is underway: former leaders last 8 s, late messages 5 s. */
    private static final int REPORTS_UNDERWAY_MILLIS = 13_000;

    private final World world;
    private final Datacenters datacenters;
    private final Map<String, Long> knownSinceMillis = new TreeMap<>();

    public LostRequests(World world, Datacenters datacenters, SeededRandom random) {
        super(world.clock(), random, 5000, 20_000);
        this.world = world;
        this.datacenters = datacenters;
    }

    @Override
    protected void act() {
        DatacenterName datacenter = random.pick(World.DATACENTERS);
        List<Change> lost = new ArrayList<>();
        for (DatacenterName here : World.DATACENTERS) {
            for (RequestRecord record : world.records(here, RequestRecord.class)) {
                if (isKnownAsOver(here, record) && isKnownLongEnough(here, record) && here.equals(datacenter)) {
                    lost.add(new Change.Remove(record.key()));
                }
            }
        }
        if (!lost.isEmpty() && datacenters.get(datacenter).hasLeader()) {
            world.trace().add("fault", "the store of " + datacenter + " loses " + lost.size() + " finished requests");
            world.store(datacenter).commit(world.store(datacenter).nextEpoch(), lost);
            datacenters.get(datacenter).loseSession();
        }
    }

    private boolean isKnownLongEnough(DatacenterName here, RequestRecord record) {
        String key = here + " " + record.request().id();
        long since = knownSinceMillis.computeIfAbsent(key, k -> world.nowMillis());
        return world.nowMillis() - since >= REPORTS_UNDERWAY_MILLIS;
    }

    /** Over here, and each other datacenter that it concerns knows that, or has finished it, too. */
    private boolean isKnownAsOver(DatacenterName here, RequestRecord record) {
        List<Optional<RequestPart>> others = World.DATACENTERS.stream()
                .filter(d -> !d.equals(here) && record.request().concerns(d))
                .map(d -> find(d, record.request().id()).map(RequestRecord::part))
                .toList();
        return !POLICIES.contains(record.request().who())
                && FINISHED.contains(record.part().state())
                && !others.isEmpty()
                && others.stream().allMatch(p -> p.filter(
                                o -> FINISHED.contains(o.state()) || o.overIn().contains(here))
                        .isPresent());
    }

    private Optional<RequestRecord> find(DatacenterName datacenter, RequestId id) {
        return world.records(datacenter, RequestRecord.class).stream()
                .filter(r -> r.request().id().equals(id))
                .findFirst();
    }
}
