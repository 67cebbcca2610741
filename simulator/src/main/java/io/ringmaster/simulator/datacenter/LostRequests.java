package io.ringmaster.simulator.datacenter;

import io.ringmaster.core.policy.AutomaticReplace;
import io.ringmaster.core.policy.ScheduledRepair;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.request.RequestPart;
import io.ringmaster.simulator.history.Participant;
import io.ringmaster.simulator.history.SeededRandom;
import io.ringmaster.simulator.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Stores that lose the requests of users which are over there, once every other datacenter has finished them too or has
 * heard of that. Another server loads what is left.
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
                boolean known = isKnownAsOver(here, record);
                if (isKnownLongEnough(here, record, known) && here.equals(datacenter)) {
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

    private boolean isKnownLongEnough(DatacenterName here, RequestRecord record, boolean known) {
        String key = here + " " + record.request().id();
        if (!known) {
            knownSinceMillis.remove(key);
            return false;
        }
        long since = knownSinceMillis.computeIfAbsent(key, k -> world.nowMillis());
        return world.nowMillis() - since >= REPORTS_UNDERWAY_MILLIS;
    }

    /** Over here, and each other datacenter that it concerns has finished it too, or has heard of that. */
    private boolean isKnownAsOver(DatacenterName here, RequestRecord record) {
        List<DatacenterName> others = World.DATACENTERS.stream()
                .filter(d -> !d.equals(here) && record.request().concerns(d))
                .toList();
        return !POLICIES.contains(record.request().who())
                && FINISHED.contains(record.part().state())
                && !others.isEmpty()
                && others.stream()
                        .allMatch(d -> hasFinished(d, record.request()) || hasHeard(d, here, record.request()));
    }

    private boolean hasFinished(DatacenterName datacenter, Request request) {
        return world.records(datacenter, RequestRecord.class).stream()
                .anyMatch(r -> r.request().id().equals(request.id())
                        && FINISHED.contains(r.part().state()));
    }

    /** Whether the leader there has a report that it is over here; what it stores of that is its own affair. */
    private boolean hasHeard(DatacenterName datacenter, DatacenterName here, Request request) {
        return datacenters
                .get(datacenter)
                .leaderView()
                .flatMap(v -> v.lastPart(here, request.cluster()))
                .flatMap(p -> p.request(request.id()))
                .filter(r -> FINISHED.contains(r.part().state()))
                .isPresent();
    }
}
