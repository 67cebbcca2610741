package io.ringmaster.pool.mesos.picture;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What the master knows at one moment.
 *
 * @param agents the registered ones by hostname
 * @param expected the hostnames of agents that a new master waits for
 * @param holdings what is reserved for allocations of the role on the registered agents
 * @param tasks the last task of each allocation; none on an agent that came back without its state, as another one
 * @param launched the generation of the last launch that was not refused, by allocation
 */
public record Picture(
        Map<MachineName, Agent> agents,
        Set<MachineName> expected,
        Map<AllocationId, Holding> holdings,
        Map<AllocationId, MesosTask> tasks,
        Map<AllocationId, Long> launched) {

    public static final Picture EMPTY = new Picture(Map.of(), Set.of(), Map.of(), Map.of(), Map.of());

    /** What may run goes before all; the time only orders launches of one generation, because clocks are set back. */
    private static final Comparator<MesosTask> ORDER = Comparator.<MesosTask, Boolean>comparing(
                    t -> t.state().isLive())
            .thenComparing(t -> t.claim().launched())
            .thenComparing(MesosTask::launchedAt);

    /**
     * What is reserved for one allocation.
     *
     * @param claim as the room says, or the disk where there is no room
     * @param room whether CPU, memory and ports are reserved, and not only the disk
     * @param volume whether the volume exists; without it this is left of a change that broke off
     */
    public record Holding(Claim claim, boolean room, boolean volume) {
        /** Whether the volume is all that is left: it was released. */
        public boolean isReleased() {
            return volume && !room;
        }

        /** Whether it can be launched on. */
        public boolean isWhole() {
            return volume && room;
        }
    }

    /**
     * Reads the answers of a master.
     *
     * @param rackAttribute the attribute that names the rack; null for the zone of the fault domain
     */
    public static Picture of(
            JsonNode getAgents,
            JsonNode getTasks,
            String frameworkId,
            DatacenterName datacenter,
            String role,
            @Nullable String rackAttribute) {
        Map<MachineName, Agent> agents = new TreeMap<>();
        for (JsonNode agent : getAgents.path("agents")) {
            Agent.of(agent, role, rackAttribute)
                    .ifPresent(a -> agents.put(a.machine().name(), a));
        }
        Set<MachineName> expected = new HashSet<>();
        for (JsonNode info : getAgents.path("recovered_agents")) {
            Agent.name(info.path("hostname").asText()).ifPresent(expected::add);
        }
        Map<AllocationId, Holding> holdings = new TreeMap<>();
        for (Agent agent : agents.values()) {
            holdings(agent, datacenter)
                    .forEach(h -> holdings.put(h.claim().allocation().id(), h));
        }
        Map<AllocationId, MesosTask> tasks = new TreeMap<>();
        Map<AllocationId, Long> launched = new HashMap<>();
        for (String list : List.of("completed_tasks", "tasks", "unreachable_tasks")) {
            for (JsonNode task : getTasks.path(list)) {
                boolean ours = task.path("framework_id").path("value").asText().equals(frameworkId);
                // what still runs of a former framework is found by its labels, as reservations are
                MesosTask.of(task)
                        .filter(t -> isOf(datacenter, t.claim())
                                && (ours || (t.state().isLive() && isFor(role, task))))
                        .ifPresent(t -> {
                            if (!isLost(t, agents)) {
                                tasks.merge(t.allocation(), t, Picture::later);
                            }
                            if (!t.state().neverRan()) {
                                launched.merge(t.allocation(), t.claim().launched(), Math::max);
                            }
                        });
            }
        }
        return new Picture(agents, expected, holdings, tasks, launched);
    }

    /** Whether a task uses what is reserved for the role. */
    private static boolean isFor(String role, JsonNode task) {
        return MesosResource.all(task.path("resources")).stream()
                .anyMatch(r -> r.reservedFor().equals(Optional.of(role)));
    }

    /** Whether its agent is back as another one: what ran there will not be heard of again. */
    private static boolean isLost(MesosTask task, Map<MachineName, Agent> agents) {
        Agent agent = agents.get(task.claim().allocation().machine());
        return task.state() == MesosTask.State.TASK_UNREACHABLE
                && agent != null
                && !agent.id().equals(task.agent());
    }

    private static boolean isOf(DatacenterName datacenter, Claim claim) {
        return claim.allocation().node().datacenter().equals(datacenter);
    }

    private static MesosTask later(MesosTask a, MesosTask b) {
        return ORDER.compare(a, b) > 0 ? a : b;
    }

    private static List<Holding> holdings(Agent agent, DatacenterName datacenter) {
        List<Holding> holdings = new ArrayList<>();
        ResourceSet resources = agent.resources();
        Set<AllocationId> ids = new TreeSet<>();
        resources.all().forEach(r -> r.label(Claim.CLAIM_LABEL)
                .flatMap(Claim::parse)
                .ifPresent(claim -> ids.add(claim.allocation().id())));
        for (AllocationId id : ids) {
            boolean room = !resources.room(id).isEmpty();
            Optional<MesosResource> volume = resources.volume(id);
            (room ? resources.room(id) : volume.map(List::of).orElseGet(() -> resources.besidesVolume(id)))
                    .stream()
                            .max(Comparator.comparing(MesosResource::name))
                            .flatMap(r -> r.label(Claim.CLAIM_LABEL))
                            .flatMap(Claim::parse)
                            .filter(c -> isOf(datacenter, c))
                            .ifPresent(c -> holdings.add(new Holding(c, room, volume.isPresent())));
        }
        return holdings;
    }

    public Optional<Holding> holding(AllocationId id) {
        return Optional.ofNullable(holdings.get(id));
    }

    public Optional<MesosTask> task(AllocationId id) {
        return Optional.ofNullable(tasks.get(id));
    }

    public Optional<MesosTask> liveTask(AllocationId id) {
        return task(id).filter(t -> t.state().isLive());
    }

    public Optional<Agent> agent(MachineName machine) {
        return Optional.ofNullable(agents.get(machine));
    }

    /** The generation of the last launch; 0 before any. */
    public long launched(AllocationId id) {
        long noted = holding(id).map(h -> h.claim().launched()).orElse(0L);
        return Math.max(noted, launched.getOrDefault(id, 0L));
    }

    /** The claims of all allocations that it shows. */
    public Map<AllocationId, Claim> claims() {
        Map<AllocationId, Claim> claims = new TreeMap<>();
        tasks.values().stream().filter(t -> t.state().isLive()).forEach(t -> claims.put(t.allocation(), t.claim()));
        holdings.forEach((id, holding) -> claims.put(id, holding.claim()));
        return claims;
    }

    /** All allocations that it shows. */
    public Set<AllocationId> allocations() {
        return claims().keySet();
    }
}
