package io.ringmaster.pool.local;

import io.ringmaster.host.CgroupMounts;
import io.ringmaster.host.CgroupNames;
import io.ringmaster.host.ProcessIdentity;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.PoolCapabilities;
import io.ringmaster.model.fleet.PoolCapabilities.VolumeScope;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.pool.base.AllocationQueues;
import io.ringmaster.pool.base.EpochFence;
import io.ringmaster.pool.base.PoolReports;
import io.ringmaster.ports.ExecutorAccess;
import io.ringmaster.ports.FactSink;
import io.ringmaster.ports.Pool;
import io.ringmaster.ports.PoolRecords;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This computer as the machines of a datacenter, each with loopback addresses of its own. Commands for one allocation
 * run in the order in which they arrive; different allocations do not wait for each other.
 */
public final class LocalPool implements Pool {
    private static final Logger LOG = LoggerFactory.getLogger(LocalPool.class);
    /** A lost fact is corrected after this time at most. */
    private static final long REPORT_EVERY_S = 10;

    /** Certificates may live for a minute. */
    private static final long DOORS_EVERY_S = 2;

    private static final long CLOSE_LIMIT_S = 5;

    private final LocalPoolSettings settings;
    private final AllocationFolders folders;
    private final EpochFence fence;
    private final LaunchAddresses addresses;
    private final PoolReports reports;
    private final Surroundings surroundings;
    private final ThreadFactory daemons = task -> {
        Thread thread = new Thread(task, "local-pool");
        thread.setDaemon(true);
        return thread;
    };
    private final AllocationQueues queues = new AllocationQueues(daemons);
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(daemons);
    private final Map<AllocationId, LocalAllocation> allocations = new ConcurrentHashMap<>();

    /**
     * @throws IllegalArgumentException the machines cannot be offered here; the message names the field
     * @throws UncheckedIOException the state directory is unusable or used by another server
     */
    public LocalPool(LocalPoolSettings settings) {
        List<Problem> problems = MachineChecks.problems(settings.machines(), settings.addresses());
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(
                    problems.stream().map(Problem::line).collect(Collectors.joining("; ")));
        }
        this.settings = settings;
        boolean fixed = settings.addresses() == Addresses.MACHINE;
        addresses = new LaunchAddresses(settings.addresses(), settings.machines());
        reports = new PoolReports(new PoolCapabilities(fixed, fixed, true, true, VolumeScope.MACHINE));
        addresses.reported(settings.machines()).forEach(reports::machineChanged);
        try {
            folders = new AllocationFolders(settings.stateDirectory());
        } catch (IOException e) {
            throw unusable(e);
        }
        try {
            fence = new EpochFence(EpochFile.in(settings.stateDirectory()), reports::unavailable);
            surroundings = new Surroundings(
                    folders,
                    new Cgroups(CgroupMounts.ofThisProcess(), CgroupNames.prefix(settings.stateDirectory())),
                    settings.program(),
                    settings.doors(),
                    addresses,
                    new Reservations(settings.machines(), !fixed),
                    reports,
                    fixed,
                    this::watch);
        } catch (IOException e) {
            closeAll();
            throw unusable(e);
        } catch (RuntimeException e) {
            closeAll();
            throw e;
        }
    }

    private static UncheckedIOException unusable(IOException e) {
        return new UncheckedIOException("state_directory: " + ThrowableText.of(e), e);
    }

    /**
     * @throws IllegalStateException the nodes were launched in another state directory; nothing is open any more
     * @throws UncheckedIOException the state directory cannot be read; nothing is open any more
     */
    @Override
    public void start(FactSink sink, PoolRecords records) {
        Set<String> names = new HashSet<>();
        try {
            new DirectoryId(settings.stateDirectory()).claim(records, settings.acceptDirectory(), fence::forget);
            for (AllocationFolder folder : folders.all()) {
                names.add(folder.path().getFileName().toString());
                adopt(folder);
            }
        } catch (IOException e) {
            close();
            throw new UncheckedIOException("cannot read " + folders.root(), e);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
        // not before: a pool that does not start is opened again every other second
        MachineChecks.warnings(settings.machines(), settings.stateDirectory()).forEach(LOG::warn);
        surroundings.cgroups().removeLeftovers(names);
        reports.open(sink);
        var unused = timer.scheduleWithFixedDelay(reports::all, REPORT_EVERY_S, REPORT_EVERY_S, TimeUnit.SECONDS);
        var unused2 = timer.scheduleWithFixedDelay(this::renewDoors, 0, DOORS_EVERY_S, TimeUnit.SECONDS);
    }

    private void renewDoors() {
        try {
            settings.doors()
                    .due(folders.doors())
                    .forEach(id -> queues.add(id, () -> run(id, null, LocalAllocation::renewDoor)));
        } catch (IOException | RuntimeException e) {
            LOG.warn("the doors of executors are not renewed: {}", e.toString());
        }
    }

    private void adopt(AllocationFolder folder) {
        try {
            AllocationId id = new AllocationId(folder.path().getFileName().toString());
            allocation(id).adopt(folder);
        } catch (IOException | IllegalArgumentException e) {
            LOG.error(
                    "{} cannot be used as an allocation and is left untouched: {}", folder.path(), ThrowableText.of(e));
        }
    }

    private LocalAllocation allocation(AllocationId id) {
        return allocations.computeIfAbsent(id, i -> new LocalAllocation(i, surroundings));
    }

    @Override
    public void reserve(Command.Reserve command, long epoch) {
        if (fence.accepts(epoch, command)) {
            Allocation wanted = command.allocation();
            queues.add(wanted.id(), () -> begin(epoch, command, wanted, a -> a.reserve(wanted)));
        }
    }

    @Override
    public void launch(Command.Launch command, long epoch) {
        if (fence.accepts(epoch, command)) {
            Allocation wanted = command.allocation();
            queues.addLaunch(wanted.id(), () -> begin(epoch, command, wanted, a -> a.launch(command)));
        }
    }

    @Override
    public void relaunch(Command.Relaunch command, long epoch) {
        if (fence.accepts(epoch, command)) {
            Allocation wanted = command.allocation();
            queues.addRelaunch(wanted.id(), () -> begin(epoch, command, wanted, a -> a.relaunch(command)));
        }
    }

    @Override
    public void kill(Command.Kill command, long epoch) {
        if (fence.accepts(epoch, command)) {
            queues.add(command.allocation(), () -> end(epoch, command, command.allocation(), LocalAllocation::kill));
        }
    }

    @Override
    public void release(Command.Release command, long epoch) {
        if (fence.accepts(epoch, command)) {
            AllocationId id = command.allocation();
            queues.add(id, () -> end(epoch, command, id, a -> a.release(command.destroyVolume())));
        }
    }

    private interface Task {
        void on(LocalAllocation allocation) throws IOException, InterruptedException;
    }

    /** Carries out a command that takes room, unless a later leader has sent one since it arrived. */
    private void begin(long epoch, Command command, Allocation wanted, Task task) {
        if (fence.accepts(epoch, command)) {
            run(wanted.id(), wanted, a -> {
                try {
                    fence.store(epoch);
                } catch (IOException e) {
                    a.fail(wanted, e);
                    return;
                }
                task.on(a);
            });
        }
    }

    /** Carries out a command that gives room back; a full disk does not stop it. */
    private void end(long epoch, Command command, AllocationId id, Task task) {
        if (fence.accepts(epoch, command)) {
            run(id, null, a -> {
                try {
                    fence.store(epoch);
                } catch (IOException e) {
                    LOG.warn("the epoch {} cannot be stored: {}", epoch, ThrowableText.of(e));
                }
                task.on(a);
            });
        }
    }

    /** Whatever a task throws, the next ones of its allocation run. */
    private void run(AllocationId id, @Nullable Allocation wanted, Task task) {
        LocalAllocation allocation = allocation(id);
        try {
            task.on(allocation);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            LOG.error("allocation {}: {}", id, ThrowableText.of(e), e);
            allocation.failed(wanted, e);
        }
        if (reports.state(id).isEmpty()) {
            // gone: tasks of one allocation run one at a time, so that none still holds it
            allocations.remove(id);
        }
    }

    /** The allocations that this pool keeps in memory. */
    int known() {
        return allocations.size();
    }

    private void watch(LocalAllocation allocation, ProcessIdentity executor, @Nullable Process child) {
        // A child is asked for its end, not its handle: only then its exit code is known, too.
        CompletableFuture<?> exit = child == null ? end(executor) : child.onExit();
        Task report = a -> a.executorEnded(executor, child == null ? null : child.exitValue());
        var unused = exit.thenRun(() -> queues.add(allocation.id(), () -> run(allocation.id(), null, report)));
    }

    private static CompletableFuture<?> end(ProcessIdentity adopted) {
        Optional<ProcessHandle> handle = ProcessHandle.of(adopted.pid()).filter(h -> adopted.isAlive());
        return handle.map(ProcessHandle::onExit).orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    @Override
    public Optional<ExecutorAccess> access(AllocationId id) {
        return reports.state(id).flatMap(state -> Optional.ofNullable(state.address())
                .flatMap(address ->
                        folders.access(id, address, state.allocation().ports().executor())));
    }

    @Override
    public void close() {
        reports.close();
        closeAll();
    }

    private void closeAll() {
        timer.shutdownNow();
        try {
            queues.close(CLOSE_LIMIT_S);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            folders.close();
        }
    }
}
