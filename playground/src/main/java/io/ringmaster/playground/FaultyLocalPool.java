package io.ringmaster.playground;

import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.PoolCapabilities;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.ports.ExecutorAccess;
import io.ringmaster.ports.FactSink;
import io.ringmaster.ports.Pool;
import io.ringmaster.ports.PoolRecords;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A local pool whose machines can be killed. A machine is off while the directory
 * {@code <state directory>/killed/<machine>} exists, which {@code playground kill} makes and
 * {@code playground revive} removes; it holds the machine's volumes meanwhile. A machine that is off is not offered,
 * its executors are ended, and its allocations are reported as FAILED with MACHINE_LOST.
 */
final class FaultyLocalPool implements Pool {
    private static final long LOOK_EVERY_MS = 500;
    /** An end in good order takes a while; kills must not pile up meanwhile. */
    private static final int AGAIN_EVERY_LOOKS = 4;

    private final Pool pool;
    private final LastEpoch epoch;
    private final Path killed;
    private final String datacenter;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "killed-machines");
        thread.setDaemon(true);
        return thread;
    });

    // The wrapped pool reports under its own lock, so it is never called under this one.
    private final Map<AllocationId, AllocationState> states = new TreeMap<>();
    /** Allocations that are reported as lost, and since when. */
    private final Map<AllocationId, Instant> lost = new HashMap<>();

    private List<Machine> machines = List.of();
    private Set<MachineName> off = Set.of();
    private long looks;
    private PoolCapabilities capabilities = PoolCapabilities.OF_MACHINES;
    private @Nullable NumberedFacts facts;

    /** @param stateDirectory of the server; the playground names it after the datacenter */
    FaultyLocalPool(Pool pool, Path stateDirectory) {
        this.pool = pool;
        this.epoch = new LastEpoch(stateDirectory);
        this.killed = killed(stateDirectory);
        this.datacenter = String.valueOf(stateDirectory.getFileName());
    }

    /** Holds a directory for each machine that is off. */
    static Path killed(Path stateDirectory) {
        return stateDirectory.resolve("killed");
    }

    @Override
    public void start(FactSink sink, PoolRecords records) {
        synchronized (this) {
            facts = new NumberedFacts(sink);
        }
        pool.start(this::accept, records);
        var unused = timer.scheduleWithFixedDelay(this::look, LOOK_EVERY_MS, LOOK_EVERY_MS, TimeUnit.MILLISECONDS);
    }

    private void accept(Fact fact) {
        List<AllocationId> running = new ArrayList<>();
        synchronized (this) {
            NumberedFacts out = facts;
            if (out == null) {
                return;
            }
            if (fact instanceof Fact.PoolSeen seen) {
                machines = seen.machines();
                capabilities = seen.capabilities();
                states.clear();
                seen.allocations().forEach(s -> states.put(s.allocation().id(), s));
                refresh(running);
                reportAll(out);
            } else if (fact instanceof Fact.AllocationChanged changed) {
                AllocationState state = changed.state();
                states.put(state.allocation().id(), state);
                if (isOff(state) && state.status() == AllocationState.Status.RUNNING) {
                    running.add(state.allocation().id());
                }
                out.changed(visible(state));
            } else if (fact instanceof Fact.AllocationGone gone) {
                states.remove(gone.allocation());
                lost.remove(gone.allocation());
                out.gone(gone.allocation());
            } else {
                out.unnumbered(fact);
            }
        }
        end(running);
    }

    private void look() {
        List<AllocationId> running = new ArrayList<>();
        synchronized (this) {
            Set<MachineName> before = off;
            NumberedFacts out = facts;
            if (out == null) {
                return;
            }
            if (refresh(running)) {
                reportAll(out);
                states.values().stream()
                        .filter(s -> before.contains(s.allocation().machine()) != isOff(s))
                        .forEach(s -> out.changed(visible(s)));
            }
            if (++looks % AGAIN_EVERY_LOOKS == 0) {
                running.addAll(left());
            }
        }
        end(running);
    }

    /** What should have ended: the pool refuses a kill that crosses a change of leader. */
    private List<AllocationId> left() {
        return states.values().stream()
                .filter(s -> isOff(s)
                        && (s.status() == AllocationState.Status.RUNNING
                                || s.status() == AllocationState.Status.LAUNCHING))
                .map(AllocationState::id)
                .toList();
    }

    /**
     * Finds out which machines are off.
     *
     * @param running receives the allocations on machines that went off
     * @return whether anything changed
     */
    private boolean refresh(List<AllocationId> running) {
        Set<MachineName> now =
                machines.stream().map(Machine::name).filter(this::isKilled).collect(Collectors.toSet());
        Set<MachineName> before = off;
        off = now;
        for (AllocationState state : states.values()) {
            Allocation allocation = state.allocation();
            if (isOff(state)
                    && !before.contains(allocation.machine())
                    && state.status() != AllocationState.Status.RELEASED) {
                lost.put(allocation.id(), Instant.now());
                running.add(allocation.id());
            }
        }
        return !now.equals(before);
    }

    private void end(List<AllocationId> running) {
        long now = epoch.get();
        running.forEach(id -> pool.kill(new Command.Kill(id), now));
    }

    private void reportAll(NumberedFacts out) {
        out.all(
                machines.stream().filter(m -> !off.contains(m.name())).toList(),
                states.values().stream().map(this::visible).toList(),
                capabilities);
    }

    /**
     * A kill that the controller asked for is carried out on a lost machine too, and reported: then nothing runs
     * there.
     */
    private AllocationState visible(AllocationState state) {
        AllocationId id = state.allocation().id();
        if (!isOff(state) || state.status() == AllocationState.Status.RELEASED) {
            lost.remove(id);
            return state;
        }
        if (state.status() == AllocationState.Status.RUNNING
                || state.status() == AllocationState.Status.LAUNCHING
                || state.status() == AllocationState.Status.EXITED) {
            lost.putIfAbsent(id, Instant.now());
        }
        Instant since = lost.get(id);
        return since == null
                ? state
                : lost(state.allocation(), since).at(state.address()).withResources(state.resources());
    }

    private AllocationState lost(Allocation allocation, Instant since) {
        MachineName machine = allocation.machine();
        Advice revive = Advice.command("playground revive " + datacenter + "/" + machine);
        return AllocationState.failed(
                allocation,
                since,
                0,
                Problem.of(
                        ErrorCode.MACHINE_LOST,
                        machine + " was killed, and its processes with it",
                        revive.prefix("revive it: ")));
    }

    private boolean isOff(AllocationState state) {
        return off.contains(state.allocation().machine());
    }

    private boolean isKilled(MachineName machine) {
        return Files.isDirectory(killed.resolve(machine.value()), LinkOption.NOFOLLOW_LINKS);
    }

    @Override
    public void reserve(Command.Reserve command, long newEpoch) {
        if (!refused(command.allocation(), newEpoch)) {
            pool.reserve(command, newEpoch);
        }
    }

    @Override
    public void launch(Command.Launch command, long newEpoch) {
        if (!refused(command.allocation(), newEpoch)) {
            pool.launch(command, newEpoch);
        }
    }

    @Override
    public void relaunch(Command.Relaunch command, long newEpoch) {
        if (!refused(command.allocation(), newEpoch)) {
            pool.relaunch(command, newEpoch);
        }
    }

    /** Looks at the directory itself, so that nothing starts on a machine that was killed a moment ago. */
    private synchronized boolean refused(Allocation allocation, long newEpoch) {
        epoch.takes(newEpoch);
        if (!isKilled(allocation.machine())) {
            return false;
        }
        Instant now = Instant.now();
        lost.put(allocation.id(), now);
        AllocationState known = states.get(allocation.id());
        AllocationState state = lost(allocation, now);
        if (facts != null) {
            facts.changed(known == null ? state : state.at(known.address()).withResources(known.resources()));
        }
        return true;
    }

    @Override
    public void kill(Command.Kill command, long newEpoch) {
        notLost(command.allocation(), newEpoch);
        pool.kill(command, newEpoch);
    }

    @Override
    public void release(Command.Release command, long newEpoch) {
        notLost(command.allocation(), newEpoch);
        pool.release(command, newEpoch);
    }

    private synchronized void notLost(AllocationId id, long newEpoch) {
        epoch.takes(newEpoch);
        lost.remove(id);
    }

    @Override
    public Optional<ExecutorAccess> access(AllocationId allocation) {
        return pool.access(allocation);
    }

    @Override
    public void close() {
        timer.shutdownNow();
        pool.close();
    }
}
