package io.ringmaster.pool.mesos;

import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.PoolCapabilities;
import io.ringmaster.model.fleet.PoolCapabilities.VolumeScope;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.pool.base.EpochFence;
import io.ringmaster.pool.base.PoolReports;
import io.ringmaster.pool.mesos.api.FrameworkId;
import io.ringmaster.pool.mesos.api.MasterConnection;
import io.ringmaster.pool.mesos.api.SchedulerCalls;
import io.ringmaster.pool.mesos.command.AllocationCommands;
import io.ringmaster.pool.mesos.command.ClusterWatch;
import io.ringmaster.pool.mesos.command.ExecutorTokens;
import io.ringmaster.pool.mesos.command.NodeProgram;
import io.ringmaster.pool.mesos.command.PoolParts;
import io.ringmaster.pool.mesos.command.StoredClaims;
import io.ringmaster.pool.mesos.command.StoredEpoch;
import io.ringmaster.pool.mesos.config.MesosPoolSettings;
import io.ringmaster.pool.mesos.picture.AllocationStates;
import io.ringmaster.pool.mesos.picture.Claim;
import io.ringmaster.pool.mesos.picture.ClaimResources;
import io.ringmaster.pool.mesos.picture.Picture;
import io.ringmaster.ports.ExecutorAccess;
import io.ringmaster.ports.FactSink;
import io.ringmaster.ports.Pool;
import io.ringmaster.ports.PoolRecords;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agents of a Mesos cluster as the machines of a datacenter. An allocation is a reservation with a persistent
 * volume, whose labels are all that must be durable. Commands and observations of one allocation run one at a time, so
 * that no state is reported that a command is about to change.
 */
public final class MesosPool implements Pool {
    private static final Logger LOG = LoggerFactory.getLogger(MesosPool.class);
    private static final Duration START_LIMIT = Duration.ofSeconds(10);
    private static final Duration OFFER_LIMIT = Duration.ofSeconds(20);
    /** A lost fact is corrected after this time at most. */
    private static final long REPORT_EVERY_S = 10;
    /** Events come in bursts, and one picture is enough for each. */
    private static final long FOLLOW_EVERY_MS = 50;

    private static final long CLOSE_LIMIT_S = 5;

    private final MesosPoolSettings settings;
    private final NodeProgram program;
    private final MasterConnection masters;
    private final PoolReports reports =
            new PoolReports(new PoolCapabilities(false, true, false, false, VolumeScope.MACHINE));
    private final ThreadFactory daemons = task -> {
        Thread thread = new Thread(task, "mesos-pool");
        thread.setDaemon(true);
        return thread;
    };
    private final CommandQueues queues = new CommandQueues(daemons, this::isLaunchable);
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(daemons);
    /** Allocations whose observation waits in its queue. */
    private final Set<AllocationId> touched = ConcurrentHashMap.newKeySet();

    private volatile @Nullable Running running;

    /** What exists once the store is known. */
    private record Running(
            EpochFence fence,
            ExecutorTokens tokens,
            Subscription subscription,
            StoredClaims claims,
            ClusterWatch watch,
            PoolParts parts,
            MachineList machines) {}

    public MesosPool(MesosPoolSettings settings, NodeProgram program) {
        this.settings = settings;
        this.program = program;
        masters = new MasterConnection(settings);
    }

    /** @throws IllegalStateException no master accepts the subscription; nothing is open any more */
    @Override
    public void start(FactSink sink, PoolRecords records) {
        try {
            Running now = open(records);
            running = now;
            picture(now);
            reportAll(now);
        } catch (IOException e) {
            close();
            throw new IllegalStateException(ThrowableText.of(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            close();
            throw new IllegalStateException("interrupted", e);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
        reports.open(sink);
        var unused = timer.scheduleWithFixedDelay(this::heartbeat, REPORT_EVERY_S, REPORT_EVERY_S, TimeUnit.SECONDS);
        var unused2 =
                timer.scheduleWithFixedDelay(this::follow, FOLLOW_EVERY_MS, FOLLOW_EVERY_MS, TimeUnit.MILLISECONDS);
    }

    /** Also what is claimed on agents that the master does not list: it is lost, as if this server had seen them. */
    private void reportAll(Running now) {
        Picture picture = now.watch().picture();
        picture.allocations().forEach(id -> now.parts().reports().reportChange(id));
        now.claims().all().stream()
                .map(Claim::allocation)
                .filter(allocation -> picture.agent(allocation.machine()).isEmpty())
                .filter(allocation -> reports.state(allocation.id()).isEmpty())
                .forEach(allocation -> AllocationStates.state(picture, allocation, Instant.now())
                        .ifPresent(reports::changed));
    }

    /** Subscribes, and waits for the master's answer. */
    private Running open(PoolRecords records) throws IOException, InterruptedException {
        StoredClaims claims = new StoredClaims(records);
        FrameworkId id = new FrameworkId(records, settings.datacenter());
        ClusterWatch watch = new ClusterWatch(masters, settings, id, claims);
        Subscription subscription = new Subscription(masters, settings, id, watch);
        ExecutorTokens tokens = new ExecutorTokens(records, settings.programs().tokenFile());
        PoolParts parts = new PoolParts(
                new PoolParts.Channel(masters, subscription, subscription.offers(), subscription.feedback()),
                watch,
                new ClaimResources(settings.role(), settings.principal()),
                new PoolParts.Programs(program, settings.user(), tokens),
                reports,
                OFFER_LIMIT);
        EpochFence fence = new EpochFence(new StoredEpoch(records), reports::unavailable);
        Running opened = new Running(fence, tokens, subscription, claims, watch, parts, new MachineList(reports));
        running = opened;
        subscription.open(START_LIMIT);
        subscription.call(SchedulerCalls.reconcile());
        return opened;
    }

    private void heartbeat() {
        Running now = running;
        if (now == null) {
            return;
        }
        try {
            String ended = now.subscription().ended();
            if (!ended.isEmpty()) {
                reports.unavailable(ended);
                return;
            }
            now.subscription().call(SchedulerCalls.reconcile());
            picture(now);
            observeAll(now);
            reports.all();
            queues.retry();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException e) {
            LOG.warn("no picture of the master", e);
            reports.unavailable(ThrowableText.of(e));
        }
    }

    private void follow() {
        Running now = running;
        if (now == null || !now.watch().isTouched()) {
            return;
        }
        try {
            picture(now);
            observeAll(now);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException e) {
            LOG.debug("no picture of the master; the next one is taken soon", e);
        }
    }

    private static void picture(Running now) throws IOException, InterruptedException {
        now.machines().report(now.watch().refresh(), now.claims().all());
    }

    private void observeAll(Running now) {
        Set<AllocationId> all = new HashSet<>(now.watch().picture().allocations());
        reports.states().stream().map(AllocationState::id).forEach(all::add);
        all.forEach(id -> observe(now, id));
    }

    /** Reports a change of the allocation after the commands that wait. */
    private void observe(Running now, AllocationId id) {
        if (touched.add(id)) {
            try {
                queues.observe(id, () -> {
                    touched.remove(id);
                    now.parts().reports().reportChange(id);
                });
            } catch (RejectedExecutionException e) {
                LOG.debug("the pool is being closed", e);
            }
        }
    }

    private boolean isLaunchable(AllocationId id) {
        Running now = running;
        return now != null
                && now.watch()
                        .picture()
                        .holding(id)
                        .filter(Picture.Holding::isWhole)
                        .isPresent();
    }

    @Override
    public void reserve(Command.Reserve command, long epoch) {
        AllocationId id = command.allocation().id();
        accept(epoch, command, id, queues::addReservation, work -> work.reserve(command.allocation()));
    }

    @Override
    public void launch(Command.Launch command, long epoch) {
        AllocationId id = command.allocation().id();
        accept(epoch, command, id, queues::addLaunch, work -> work.launch(command));
    }

    @Override
    public void relaunch(Command.Relaunch command, long epoch) {
        AllocationId id = command.allocation().id();
        accept(epoch, command, id, queues::addRelaunch, work -> work.relaunch(command));
    }

    @Override
    public void kill(Command.Kill command, long epoch) {
        accept(epoch, command, command.allocation(), queues::addEnd, AllocationCommands::kill);
    }

    @Override
    public void release(Command.Release command, long epoch) {
        accept(epoch, command, command.allocation(), queues::addEnd, work -> work.release(command.destroyVolume()));
    }

    private interface Task {
        /** @return why the command must be tried again; empty if it is done with */
        Optional<String> on(AllocationCommands work) throws IOException, InterruptedException;
    }

    private void accept(
            long epoch,
            Command command,
            AllocationId id,
            BiConsumer<AllocationId, CommandQueues.Try> queue,
            Task task) {
        Running now = running;
        if (now != null && now.fence().accepts(epoch, command)) {
            queue.accept(id, () -> waits(epoch, command, id, task));
        }
    }

    /**
     * Carries out a command, unless a later leader has sent one since it arrived.
     *
     * @return whether it must be tried again
     */
    private boolean waits(long epoch, Command command, AllocationId id, Task task) {
        Running now = running;
        if (now == null || !now.fence().accepts(epoch, command)) {
            return false;
        }
        try {
            now.fence().store(epoch);
            Optional<String> waits = task.on(new AllocationCommands(id, now.parts()));
            waits.ifPresent(reason -> LOG.info("{}: {}", id, reason));
            return waits.isPresent();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.warn("{} is not carried out: {}", command, ThrowableText.of(e));
            reports.unavailable(ThrowableText.of(e)); // the controller sends it again
        } catch (RuntimeException e) {
            LOG.error("{} failed", command, e);
        }
        return false;
    }

    @Override
    public Optional<ExecutorAccess> access(AllocationId id) {
        Running now = running;
        return now == null
                ? Optional.empty()
                : reports.state(id).flatMap(state -> Optional.ofNullable(state.address())
                        .map(address -> ExecutorAccess.http(
                                address,
                                state.allocation().ports().executor(),
                                now.tokens().token(id))));
    }

    @Override
    public void close() {
        reports.close();
        Running now = running;
        if (now != null) {
            now.subscription().close();
        }
        timer.shutdownNow();
        try {
            queues.close(CLOSE_LIMIT_S);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
