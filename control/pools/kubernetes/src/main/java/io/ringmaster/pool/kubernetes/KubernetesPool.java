package io.ringmaster.pool.kubernetes;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.fleet.PoolCapabilities;
import io.ringmaster.model.fleet.PoolCapabilities.VolumeScope;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.pool.base.AllocationQueues;
import io.ringmaster.pool.base.EpochFence;
import io.ringmaster.pool.base.PoolReports;
import io.ringmaster.pool.kubernetes.budget.DisruptionBudgets;
import io.ringmaster.pool.kubernetes.command.AddressNotes;
import io.ringmaster.pool.kubernetes.command.AllocationWork;
import io.ringmaster.pool.kubernetes.command.ApiCalls;
import io.ringmaster.pool.kubernetes.command.PoolMarker;
import io.ringmaster.pool.kubernetes.command.StateReports;
import io.ringmaster.pool.kubernetes.command.VolumeReclaim;
import io.ringmaster.pool.kubernetes.config.KubernetesPoolSettings;
import io.ringmaster.pool.kubernetes.objects.ClaimNotes;
import io.ringmaster.pool.kubernetes.objects.ObjectNames;
import io.ringmaster.pool.kubernetes.objects.PodTemplate;
import io.ringmaster.pool.kubernetes.objects.TokenSecret;
import io.ringmaster.pool.kubernetes.observe.PodStates;
import io.ringmaster.pool.kubernetes.watch.Mirror;
import io.ringmaster.ports.DoorFiles;
import io.ringmaster.ports.ExecutorAccess;
import io.ringmaster.ports.FactSink;
import io.ringmaster.ports.Pool;
import io.ringmaster.ports.PoolRecords;
import io.ringmaster.ports.SecretReader;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Nodes of a Kubernetes as the machines of a datacenter. An allocation is a PersistentVolumeClaim, which owns a
 * Secret and a Pod of the same name; the notes on the claim are all that must be durable. Commands and observations of
 * one allocation run one at a time, so that no state is reported that a command is about to change.
 */
public final class KubernetesPool implements Pool {
    private static final Logger LOG = LoggerFactory.getLogger(KubernetesPool.class);
    private static final Duration START_LIMIT = Duration.ofSeconds(10);
    /** A lost fact is corrected after this time at most. */
    private static final long REPORT_EVERY_S = 10;
    /** Machines change with each pod of others: their reports are batched. */
    private static final long MACHINES_EVERY_MS = 1000;

    private static final long CLOSE_LIMIT_S = 5;
    /** A watch that is made again is not counted as interrupted. */
    private static final Duration WATCH_LIMIT = Duration.ofSeconds(5);

    private final KubernetesPoolSettings settings;
    private final KubernetesClient client;
    private final ApiCalls api;
    private final PoolMarker marker;
    private final PoolReports reports =
            new PoolReports(new PoolCapabilities(false, false, false, true, VolumeScope.MACHINE));
    private final EpochFence fence;
    private final Mirror mirror;
    private final StateReports states;
    private final AddressNotes addresses;
    private final MachineReports machines;
    private final VolumeReclaim volumes;
    private final DisruptionBudgets budgets;
    private final ThreadFactory daemons = task -> {
        Thread thread = new Thread(task, "kubernetes-pool");
        thread.setDaemon(true);
        return thread;
    };
    private final AllocationQueues queues = new AllocationQueues(daemons);
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(daemons);
    /** Allocations whose observation waits in its queue. */
    private final Set<AllocationId> touched = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean machinesTouched = new AtomicBoolean();
    /** A command may have changed which claims are kept. */
    private final AtomicBoolean budgetsTouched = new AtomicBoolean();

    /**
     * @throws IllegalArgumentException the settings cannot be used; the message names the field
     * @throws IllegalStateException the API server does not answer, or has no such namespace
     */
    public KubernetesPool(KubernetesPoolSettings settings) {
        this.settings = settings;
        client = ApiClients.open(settings);
        try {
            requireNamespace();
            api = new ApiCalls(client, settings);
            marker = new PoolMarker(client, settings);
            fence = new EpochFence(marker, reports::unavailable);
            mirror = new Mirror(client, settings, new Touches());
            states = new StateReports(mirror, reports, api);
            addresses = new AddressNotes(settings, api, mirror);
            machines = new MachineReports(settings, mirror, reports);
            volumes = new VolumeReclaim(settings, api, mirror);
            budgets = new DisruptionBudgets(client, settings);
        } catch (IOException | RuntimeException e) {
            closeAll();
            throw e instanceof RuntimeException r ? r : new IllegalStateException(ThrowableText.of(e), e);
        }
    }

    private void requireNamespace() {
        try {
            if (client.namespaces().withName(settings.namespace()).get() == null) {
                throw new IllegalStateException("pool.kubernetes.namespace: there is no namespace '"
                        + settings.namespace() + "' -> kubectl create namespace " + settings.namespace());
            }
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_FORBIDDEN) { // one can do without this right
                throw new IllegalStateException(client.getMasterUrl() + ": " + ApiCalls.reason(e), e);
            }
        }
    }

    private final class Touches implements Mirror.Listener {
        @Override
        public void allocationTouched(AllocationId id) {
            observe(id);
        }

        @Override
        public void nodeTouched(String node) {
            mirror.claims().stream()
                    .filter(c -> ClaimNotes.of(c)
                            .filter(n -> n.allocation().machine().value().equals(node))
                            .isPresent())
                    .forEach(c ->
                            ObjectNames.allocation(c, settings.datacenter()).ifPresent(this::allocationTouched));
            machinesTouched.set(true);
        }

        @Override
        public void machinesTouched() {
            machinesTouched.set(true);
        }
    }

    @Override
    public void start(FactSink sink, PoolRecords records) {
        try {
            marker.takeOwnership(records);
            if (!mirror.start(START_LIMIT)) {
                throw new IllegalStateException(client.getMasterUrl() + ": not all objects could be read within "
                        + START_LIMIT.toSeconds() + " s" + interruption());
            }
        } catch (KubernetesClientException e) {
            close();
            throw new IllegalStateException(client.getMasterUrl() + ": " + ApiCalls.reason(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            close();
            throw new IllegalStateException("interrupted", e);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
        mirror.claims().forEach(claim -> ObjectNames.allocation(claim, settings.datacenter())
                .ifPresent(states::reportChange));
        machines.report();
        reports.open(sink);
        var unused = timer.scheduleWithFixedDelay(this::heartbeat, REPORT_EVERY_S, REPORT_EVERY_S, TimeUnit.SECONDS);
        var unused2 = timer.scheduleWithFixedDelay(
                this::followChanges, MACHINES_EVERY_MS, MACHINES_EVERY_MS, TimeUnit.MILLISECONDS);
    }

    private void heartbeat() {
        try {
            fence.observe(marker.read());
            if (mirror.await(mirror::isLive, WATCH_LIMIT)) {
                observeAll();
                machines.report();
                reports.all();
                renewDoors();
                volumes.makeAvailable();
                budgetsTouched.set(true);
                return;
            }
            reports.unavailable(
                    "the watches of Kubernetes at " + client.getMasterUrl() + " are interrupted" + interruption());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException e) {
            reports.unavailable(client.getMasterUrl() + ": " + ThrowableText.of(e));
        }
    }

    private void renewDoors() {
        Map<AllocationId, DoorFiles> doors = new HashMap<>();
        for (PersistentVolumeClaim claim : mirror.claims()) {
            ObjectNames.allocation(claim, settings.datacenter()).ifPresent(id -> mirror.secret(id)
                    .filter(s -> TokenSecret.belongsTo(s, claim))
                    .flatMap(TokenSecret::door)
                    .ifPresent(door -> doors.put(id, door)));
        }
        settings.doors().due(doors).forEach(id -> queues.add(id, () -> renewDoor(id)));
    }

    private void renewDoor(AllocationId id) {
        try {
            new AllocationWork(id, settings, api, mirror, states).renewDoor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String interruption() {
        return mirror.interruption(ApiCalls::reason).map(words -> ": " + words).orElse("");
    }

    private void followChanges() {
        try {
            if (machinesTouched.getAndSet(false)) {
                machines.report();
            }
            if (budgetsTouched.getAndSet(false)) {
                reports.warn(budgets.fit(mirror.claims()));
            }
        } catch (RuntimeException e) {
            LOG.error("the machines cannot be reported, or the disruption budgets not kept", e);
        }
    }

    /** Corrects a state that two threads reported in the wrong order, or that a failed command left behind. */
    private void observeAll() {
        mirror.claims().forEach(claim -> ObjectNames.allocation(claim, settings.datacenter())
                .ifPresent(this::observe));
    }

    /** Reports a change of the allocation, and notes its address, after the commands that wait. */
    private void observe(AllocationId id) {
        if (touched.add(id)) {
            try {
                queues.add(id, () -> {
                    touched.remove(id);
                    states.reportChange(id);
                    noteAddress(id);
                });
            } catch (RejectedExecutionException e) {
                LOG.debug("the pool is being closed", e);
            }
        }
    }

    private void noteAddress(AllocationId id) {
        try {
            addresses.update(id);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void reserve(Command.Reserve command, long epoch) {
        AllocationId id = command.allocation().id();
        if (fence.accepts(epoch, command)) {
            queues.add(id, () -> run(epoch, command, id, w -> w.reserve(command.allocation())));
        }
    }

    @Override
    public void launch(Command.Launch command, long epoch) {
        AllocationId id = command.allocation().id();
        if (fence.accepts(epoch, command)) {
            queues.addLaunch(id, () -> run(epoch, command, id, w -> w.launch(command)));
        }
    }

    @Override
    public void relaunch(Command.Relaunch command, long epoch) {
        AllocationId id = command.allocation().id();
        if (fence.accepts(epoch, command)) {
            queues.addRelaunch(id, () -> run(epoch, command, id, w -> w.relaunch(command)));
        }
    }

    @Override
    public void kill(Command.Kill command, long epoch) {
        AllocationId id = command.allocation();
        if (fence.accepts(epoch, command)) {
            queues.add(id, () -> run(epoch, command, id, AllocationWork::kill));
        }
    }

    @Override
    public void release(Command.Release command, long epoch) {
        AllocationId id = command.allocation();
        if (fence.accepts(epoch, command)) {
            queues.add(id, () -> run(epoch, command, id, w -> w.release(command.destroyVolume())));
        }
    }

    private interface Task {
        void on(AllocationWork work) throws InterruptedException;
    }

    /** Carries out a command, unless a later leader has sent one since it arrived. */
    private void run(long epoch, Command command, AllocationId id, Task task) {
        try {
            fence.observe(marker.read()); // a leader that slept may have a later one
            if (!fence.accepts(epoch, command)) {
                return;
            }
            fence.store(epoch);
            task.on(new AllocationWork(id, settings, api, mirror, states));
            budgetsTouched.set(true);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.warn("{} is not carried out: {}", command, ThrowableText.of(e));
            reports.unavailable(client.getMasterUrl() + ": " + ThrowableText.of(e)); // the controller sends it again
        } catch (RuntimeException e) {
            LOG.error("{} failed", command, e);
        }
    }

    @Override
    public Optional<ExecutorAccess> access(AllocationId id) {
        return mirror.pod(id).filter(pod -> !PodStates.isOver(pod)).flatMap(pod -> Optional.ofNullable(
                        PodStates.address(pod))
                .flatMap(address -> access(id, address, PodTemplate.hasDoor(pod))));
    }

    private Optional<ExecutorAccess> access(AllocationId id, String address, boolean door) {
        Optional<Integer> port = mirror.claim(id)
                .flatMap(ClaimNotes::of)
                .map(notes -> notes.allocation().ports().executor());
        Optional<String> token = mirror.secret(id).flatMap(TokenSecret::token);
        return port.flatMap(p ->
                token.map(t -> door ? ExecutorAccess.https(address, p, t, id) : ExecutorAccess.http(address, p, t)));
    }

    @Override
    public Optional<SecretReader> secrets() {
        return Optional.of(new PasswordSecrets(client, settings.namespace()));
    }

    @Override
    public void close() {
        reports.close();
        mirror.close();
        closeAll();
    }

    private void closeAll() {
        timer.shutdownNow();
        try {
            queues.close(CLOSE_LIMIT_S);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            client.close();
        }
    }
}
