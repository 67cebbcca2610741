package io.ringmaster.pool.local;

import io.ringmaster.host.CgroupNames;
import io.ringmaster.host.ProcessIdentity;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.AllocationId;
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
 * This computer as the machines of a datacenter, each with a loopback address of its own. Commands for one allocation
 * run in the order in which they arrive; different allocations do not wait for each other.
 */
public final class LocalPool implements Pool {
    private static final Logger LOG = LoggerFactory.getLogger(LocalPool.class);
    /** A lost fact is corrected after this time at most. */
    private static final long REPORT_EVERY_S = 10;

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

    private final Map<AllocationId, AllocationState> states = new TreeMap<>();
    private final Map<AllocationId, Allocation> reserved = new HashMap<>();
    /** Released allocations, whose volumes are kept. */
    private final Map<AllocationId, Allocation> kept = new HashMap<>();

    private @Nullable FactSink facts;
    private boolean closed;

    /**
     * @throws IllegalArgumentException the machines cannot be offered here; the message names the field
     * @throws UncheckedIOException the state directory is unusable or used by another server
     */
    public LocalPool(LocalPoolSettings settings) {
        List<Problem> problems = MachineChecks.problems(settings.machines());
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(
                    problems.stream().map(Problem::line).collect(Collectors.joining("; ")));
        }
        this.settings = settings;
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
        Set<String> names = new HashSet<>();
        try {
            for (AllocationFolder folder : folders.all()) {
                names.add(folder.path().getFileName().toString());
                adopt(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + folders.root(), e);
        }
        cgroups.removeLeftovers(names);
        synchronized (this) {
            facts = sink;
            reportAll();
        }
        var unused = timer.scheduleWithFixedDelay(this::reportAll, REPORT_EVERY_S, REPORT_EVERY_S, TimeUnit.SECONDS);
    }

    private void adopt(AllocationFolder folder) {
        try {
            AllocationId id = new AllocationId(folder.path().getFileName().toString());
            allocation(id).adopt(folder);
        } catch (IOException | IllegalArgumentException e) {
            LOG.error("{} cannot be used as an allocation and is left untouched: {}", folder.path(), e.getMessage());
        }
    }

    private LocalAllocation allocation(AllocationId id) {
        return allocations.computeIfAbsent(id, i -> new LocalAllocation(i, surroundings));
    }

    private synchronized void reportAll() {
        if (facts != null && !closed) {
            facts.accept(new Fact.PoolSeen(settings.machines(), List.copyOf(states.values())));
        }
    }

    @Override
    public void reserve(Command.Reserve command) {
        Allocation allocation = command.allocation();
        enqueue(allocation.id(), a -> a.reserve(allocation));
    }

    @Override
    public void launch(Command.Launch command) {
        AllocationId id = command.allocation().id();
        // Fetching binaries takes minutes, and the controller repeats the launch meanwhile: one in the queue is enough.
        if (launchesWaiting.add(id)) {
            enqueue(id, a -> {
                launchesWaiting.remove(id);
                a.launch(command);
            });
        }
    }

    @Override
    public void kill(Command.Kill command) {
        enqueue(command.allocation(), LocalAllocation::kill);
    }

    @Override
    public void release(Command.Release command) {
        enqueue(command.allocation(), a -> a.release(command.destroyVolume()));
    }

    @Override
    public Optional<ExecutorAccess> access(AllocationId id) {
        AllocationState state;
        synchronized (this) {
            state = states.get(id);
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

    private interface Task {
        void on(LocalAllocation allocation) throws IOException, InterruptedException;
    }

    private void enqueue(AllocationId id, Task task) {
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

    private synchronized Optional<Problem> tryReserve(Allocation wanted) {
        Machine machine = settings.machines().stream()
                .filter(m -> m.name().equals(wanted.machine()))
                .findFirst()
                .orElse(null);
        if (machine == null) {
            return Optional.of(Problem.of(
                    ErrorCode.POOL_UNAVAILABLE, "there is no machine '" + wanted.machine() + "' in this pool"));
        }
        Optional<String> obstacle =
                MachineCapacity.obstacle(machine, others(reserved, wanted), keptBeside(wanted), wanted);
        if (obstacle.isEmpty()) {
            kept.remove(wanted.id());
            reserved.put(wanted.id(), wanted);
        }
        return obstacle.map(message -> Problem.of(ErrorCode.POOL_UNAVAILABLE, message));
    }

    /** Kept volumes matter to a new volume alone: a volume that is there has its place on the disk. */
    private List<Allocation> keptBeside(Allocation wanted) {
        return reserved.containsKey(wanted.id()) || kept.containsKey(wanted.id()) ? List.of() : others(kept, wanted);
    }

    private static List<Allocation> others(Map<AllocationId, Allocation> all, Allocation wanted) {
        return all.values().stream()
                .filter(a -> a.machine().equals(wanted.machine()) && !a.id().equals(wanted.id()))
                .toList();
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
        public void adopted(Allocation allocation) {
            synchronized (LocalPool.this) {
                reserved.put(allocation.id(), allocation);
            }
        }

        @Override
        public Optional<Problem> tryReserve(Allocation allocation) {
            return LocalPool.this.tryReserve(allocation);
        }

        @Override
        public void keepVolume(Allocation released) {
            synchronized (LocalPool.this) {
                reserved.remove(released.id());
                kept.put(released.id(), released);
            }
        }

        @Override
        public void unreserve(AllocationId id) {
            synchronized (LocalPool.this) {
                reserved.remove(id);
                kept.remove(id);
            }
        }

        @Override
        public void changed(AllocationState state) {
            synchronized (LocalPool.this) {
                states.put(state.allocation().id(), state);
                if (facts != null && !closed) {
                    facts.accept(new Fact.AllocationChanged(state));
                }
            }
        }

        @Override
        public void gone(AllocationId id) {
            synchronized (LocalPool.this) {
                states.remove(id);
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
            var unused = exit.thenRun(() -> enqueue(allocation.id(), a -> {
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
                LOG.warn("work on allocations did not stop within {} s", CLOSE_LIMIT_S);
            }
            folders.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.warn("releasing {}: {}", folders.root(), e.getMessage());
        }
    }
}
