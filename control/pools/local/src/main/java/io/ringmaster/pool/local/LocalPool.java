package io.ringmaster.pool.local;

import io.ringmaster.host.CgroupNames;
import io.ringmaster.host.ProcessIdentity;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.ports.ExecutorAccess;
import io.ringmaster.ports.FactSink;
import io.ringmaster.ports.Pool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pool of machines that this computer plays. What concerns one allocation is done in the order in which it was asked for;
 * different allocations do not wait for each other.
 */
public final class LocalPool implements Pool {
    private static final Logger LOG = LoggerFactory.getLogger(LocalPool.class);
    private static final long PICTURE_EVERY_S = 10;
    private static final long LOOK_FOR_KILLED_EVERY_MS = 500;
    private static final long CLOSE_LIMIT_S = 5;

    private final LocalPoolSettings settings;
    private final AllocationFolders folders;
    private final Cgroups cgroups;
    private final ThreadFactory daemons = task -> {
        Thread thread = new Thread(task, "local-pool");
        thread.setDaemon(true);
        return thread;
    };
    private final ExecutorService workers = Executors.newCachedThreadPool(daemons);
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(daemons);
    private final Map<AllocationId, LocalAllocation> allocations = new ConcurrentHashMap<>();
    private final Map<AllocationId, CompletableFuture<Void>> lastTasks = new ConcurrentHashMap<>();
    private final Set<AllocationId> launchesWaiting = ConcurrentHashMap.newKeySet();
    private final Surroundings surroundings = new Surroundings();

    private final Map<AllocationId, AllocationState> picture = new TreeMap<>();
    private final Map<AllocationId, Allocation> reserved = new HashMap<>();
    private final KilledMachines killed;
    private Set<MachineName> lost = Set.of();
    private @Nullable FactSink facts;
    private boolean closed;

    /**
     * @throws IllegalArgumentException naming the field, when the machines cannot be offered
     * @throws UncheckedIOException the state directory cannot be used, or another server uses it
     */
    public LocalPool(LocalPoolSettings settings) {
        List<Problem> problems = MachineChecks.problems(settings.machines());
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(
                    problems.stream().map(Problem::line).collect(Collectors.joining("; ")));
        }
        this.settings = settings;
        killed = KilledMachines.of(settings.stateDirectory());
        try {
            folders = new AllocationFolders(settings.stateDirectory());
            cgroups = new Cgroups(CgroupMounts.ofThisProcess(), CgroupNames.prefix(settings.stateDirectory()));
        } catch (IOException e) {
            throw new UncheckedIOException("state_directory: " + e.getMessage(), e);
        }
        MachineChecks.warnings(settings.machines(), settings.stateDirectory()).forEach(LOG::warn);
    }

    @Override
    public void start(FactSink sink) {
        lost = killed.among(settings.machines());
        Set<String> kept = new HashSet<>();
        try {
            for (AllocationFolder folder : folders.all()) {
                kept.add(folder.path().getFileName().toString());
                adopt(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + folders.root(), e);
        }
        cgroups.removeLeftovers(kept);
        synchronized (this) {
            facts = sink;
            tellPicture();
        }
        var unusedPicture =
                timer.scheduleWithFixedDelay(this::tellPicture, PICTURE_EVERY_S, PICTURE_EVERY_S, TimeUnit.SECONDS);
        var unusedLook = timer.scheduleWithFixedDelay(
                this::lookForKilled, LOOK_FOR_KILLED_EVERY_MS, LOOK_FOR_KILLED_EVERY_MS, TimeUnit.MILLISECONDS);
    }

    private void adopt(AllocationFolder folder) {
        try {
            AllocationId id = new AllocationId(folder.path().getFileName().toString());
            allocation(id).adopt(folder);
        } catch (IOException | IllegalArgumentException e) {
            LOG.error("{} is not an allocation that can be used and is left alone: {}", folder.path(), e.getMessage());
        }
    }

    private LocalAllocation allocation(AllocationId id) {
        return allocations.computeIfAbsent(id, i -> new LocalAllocation(i, surroundings));
    }

    private synchronized void tellPicture() {
        if (facts != null && !closed) {
            List<Machine> machines = settings.machines().stream()
                    .filter(m -> !lost.contains(m.name()))
                    .toList();
            facts.accept(new Fact.PoolSeen(machines, List.copyOf(picture.values())));
        }
    }

    @Override
    public void reserve(Command.Reserve command) {
        Allocation allocation = command.allocation();
        inTurn(allocation.id(), a -> a.reserve(allocation));
    }

    @Override
    public void launch(Command.Launch command) {
        AllocationId id = command.allocation().id();
        // Bringing binaries takes long, and launches are sent again meanwhile: one that waits its turn is enough.
        if (launchesWaiting.add(id)) {
            inTurn(id, a -> {
                launchesWaiting.remove(id);
                a.launch(command);
            });
        }
    }

    @Override
    public void kill(Command.Kill command) {
        inTurn(command.allocation(), LocalAllocation::kill);
    }

    @Override
    public void release(Command.Release command) {
        inTurn(command.allocation(), a -> a.release(command.destroyVolume()));
    }

    @Override
    public Optional<ExecutorAccess> access(AllocationId id) {
        AllocationState state;
        synchronized (this) {
            state = picture.get(id);
        }
        if (state == null) {
            return Optional.empty();
        }
        Allocation allocation = state.allocation();
        return folders.find(id)
                .flatMap(folder -> token(folder))
                .map(token -> ExecutorAccess.http(
                        allocation.address(), allocation.ports().executor(), token));
    }

    private static Optional<String> token(AllocationFolder folder) {
        try {
            return Optional.of(folder.token());
        } catch (IOException e) {
            LOG.warn("{}: the token cannot be read: {}", folder.path(), e.getMessage());
            return Optional.empty();
        }
    }

    /** What runs on a machine that was killed ends, and it is not offered any more, until it is revived. */
    private synchronized void lookForKilled() {
        Set<MachineName> now = killed.among(settings.machines());
        if (now.equals(lost) || closed) {
            return;
        }
        Set<MachineName> before = lost;
        lost = now;
        tellPicture();
        for (AllocationState state : picture.values()) {
            MachineName machine = state.allocation().machine();
            if (now.contains(machine) && !before.contains(machine)) {
                inTurn(state.allocation().id(), LocalAllocation::loseMachine);
            } else if (before.contains(machine) && !now.contains(machine)) {
                inTurn(state.allocation().id(), LocalAllocation::regainMachine);
            }
        }
    }

    private interface Task {
        void on(LocalAllocation allocation) throws IOException, InterruptedException;
    }

    private void inTurn(AllocationId id, Task task) {
        lastTasks.compute(id, (i, last) -> (last == null ? CompletableFuture.<Void>completedFuture(null) : last)
                .thenRunAsync(() -> run(id, task), workers));
    }

    private void run(AllocationId id, Task task) {
        try {
            task.on(allocation(id));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException e) {
            LOG.error("allocation {}: {}", id, e.getMessage(), e);
        }
    }

    private synchronized Optional<String> tryClaim(Allocation wanted) {
        Machine machine = settings.machines().stream()
                .filter(m -> m.name().equals(wanted.machine()))
                .findFirst()
                .orElse(null);
        if (machine == null) {
            return Optional.of("there is no machine '" + wanted.machine() + "' in this pool");
        }
        if (killed.contains(machine.name())) {
            return Optional.of(LocalAllocation.lost(wanted));
        }
        List<Allocation> others = reserved.values().stream()
                .filter(c -> c.machine().equals(machine.name()) && !c.id().equals(wanted.id()))
                .toList();
        Optional<String> refusal = MachineCapacity.whyNot(machine, others, wanted);
        if (refusal.isEmpty()) {
            reserved.put(wanted.id(), wanted);
        }
        return refusal;
    }

    private final class Surroundings implements LocalAllocation.Surroundings {
        @Override
        public AllocationFolders folders() {
            return folders;
        }

        @Override
        public Cgroups cgroups() {
            return cgroups;
        }

        @Override
        public ExecutorProgram program() {
            return settings.program();
        }

        @Override
        public Optional<String> tryReserve(Allocation allocation) {
            return tryClaim(allocation);
        }

        @Override
        public boolean isLost(Allocation allocation) {
            return killed.contains(allocation.machine());
        }

        @Override
        public void unreserve(AllocationId id) {
            synchronized (LocalPool.this) {
                reserved.remove(id);
            }
        }

        @Override
        public void changed(AllocationState state) {
            synchronized (LocalPool.this) {
                picture.put(state.allocation().id(), state);
                if (facts != null && !closed) {
                    facts.accept(new Fact.AllocationChanged(state));
                }
            }
        }

        @Override
        public void gone(AllocationId id) {
            synchronized (LocalPool.this) {
                picture.remove(id);
                if (facts != null && !closed) {
                    facts.accept(new Fact.AllocationGone(id));
                }
            }
        }

        @Override
        public void watch(LocalAllocation allocation, ProcessIdentity executor, @Nullable Process child) {
            Optional<ProcessHandle> handle = ProcessHandle.of(executor.pid()).filter(h -> executor.isAlive());
            CompletableFuture<ProcessHandle> exit =
                    handle.map(ProcessHandle::onExit).orElseGet(() -> CompletableFuture.completedFuture(null));
            var unused = exit.thenRun(() -> inTurn(allocation.id(), a -> {
                Integer code = child == null || child.isAlive() ? null : child.exitValue();
                a.executorEnded(executor, code);
            }));
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        timer.shutdownNow();
        workers.shutdownNow();
        try {
            if (!workers.awaitTermination(CLOSE_LIMIT_S, TimeUnit.SECONDS)) {
                LOG.warn("work on allocations does not stop");
            }
            folders.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.warn("releasing {}: {}", folders.root(), e.getMessage());
        }
    }
}
