package io.ringmaster.core;

import io.ringmaster.core.view.View;
import io.ringmaster.core.view.ViewBuilder;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.PoolCapabilities;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.node.TlsStatus;
import io.ringmaster.model.node.VolumeUse;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.NodeRecordBuilder;
import io.ringmaster.model.spec.ClusterSpec;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The view of dc1 on the cluster {@code rides}, built for a test. Nodes are addressed by their index. */
public final class Scene extends Surroundings<Scene> {
    public static final ClusterName RIDES = new ClusterName("rides");
    public static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    private final PoolScene pool = new PoolScene();
    private final ReportScene reports = new ReportScene(ring);
    private Instant now = NOW;
    private List<String> seedUrls = List.of("http://127.0.0.1:8080");

    /** The spec is declared as version 1; nothing is placed. */
    public static Scene declared(ClusterSpec spec) {
        Scene scene = new Scene();
        for (int m = 1; m <= 3; m++) {
            scene.with(Samples.machine(m, "r" + m));
        }
        return scene.version(spec);
    }

    /** Every node is placed and not launched. */
    public static Scene placed(ClusterSpec spec) {
        Scene scene = declared(spec);
        scene.records.placed(spec);
        return scene;
    }

    /** Every node is launched and NORMAL, sees all, and the cluster is created. */
    public static Scene live(ClusterSpec spec) {
        Scene scene = placed(spec).created();
        for (NodeId id : List.copyOf(scene.records.nodes().keySet())) {
            scene.record(id.index(), r -> r.decide(1)
                            .proven()
                            .knownAs("host-" + id.index(), endpoint(r))
                            .seenUp(NOW, 0))
                    .claim(id.index(), AllocationState.Status.RUNNING)
                    .says(id.index(), OperatingMode.NORMAL);
        }
        return scene;
    }

    /** Where a node here listens: on its machine, which has the same number. */
    public static String endpoint(NodeRecord node) {
        String machine = node.allocation().machine().value();
        return "127.1.1." + machine.substring(machine.indexOf('-') + 1) + ":"
                + node.allocation().ports().storage();
    }

    public static NodeId node(int index) {
        return new NodeId(RIDES, Samples.DC1, index);
    }

    /** One more version of the spec, which is the target from now on. */
    public Scene version(ClusterSpec spec) {
        records.version(spec, now);
        return this;
    }

    public Scene created() {
        records.created();
        return this;
    }

    /** Nodes here were launched before the cluster was created. */
    public Scene founder() {
        records.founder();
        return this;
    }

    public Scene deleting() {
        records.deleting();
        return this;
    }

    public Scene record(int index, UnaryOperator<NodeRecord> change) {
        records.change(index, change);
        return this;
    }

    /** The records as these changes leave them: for the next look after a crash. */
    public Scene after(List<Change> changes) {
        records.after(changes);
        return this;
    }

    public Scene claim(int index, AllocationState.Status status) {
        return claim(index, status, null, NOW);
    }

    public Scene claim(int index, AllocationState.Status status, @Nullable String detail, Instant since) {
        pool.claimed(allocation(index), status, detail, since);
        return this;
    }

    public Scene failed(int index, Problem problem, Instant since) {
        pool.failed(allocation(index), problem, since);
        return this;
    }

    /** The pool could not carry out the last command about it. */
    public Scene refusesAllocation(Allocation allocation, Problem problem) {
        pool.failed(allocation, problem, NOW);
        return this;
    }

    public Scene claimed(Allocation allocation, AllocationState.Status status) {
        pool.claimed(allocation, status);
        return this;
    }

    /** The pool no longer offers it, and its executor cannot be reached. */
    public Scene machineLost(int index) {
        pool.machineLost(allocation(index));
        return silent(index);
    }

    /** Adds a machine. */
    public Scene with(Machine machine) {
        pool.with(machine);
        return this;
    }

    public Scene without(Machine machine) {
        pool.without(machine.name());
        return this;
    }

    public Scene claimedGone(Allocation allocation) {
        pool.gone(allocation);
        return this;
    }

    /** No report of the pool has it, and nobody has said that it is gone. */
    public Scene claimedVanished(Allocation allocation) {
        pool.vanished(allocation);
        return this;
    }

    public Scene claimGone(int index) {
        pool.gone(allocation(index));
        return this;
    }

    /** A released allocation with this much disk on the machine of a node. */
    public Scene keptVolume(String id, int index, long diskBytes) {
        pool.keptVolume(id, allocation(index), diskBytes);
        return this;
    }

    /** An allocation that no record names. */
    public Scene stray(String id, AllocationState.Status status) {
        pool.stray(id, status);
        return this;
    }

    /** The executor has the newest target, and the daemon runs with it. */
    public Scene says(int index, OperatingMode mode) {
        reports.says(records.node(index), mode);
        return this;
    }

    public Scene says(int index, OperatingMode mode, long generation, long appliedSpecVersion, int exits) {
        reports.says(node(index), mode, generation, appliedSpecVersion, exits);
        return this;
    }

    /** The executor has the newest target, and reports this problem. */
    public Scene problem(int index, OperatingMode mode, Problem problem) {
        reports.problem(records.node(index), mode, problem);
        return this;
    }

    /** Its companion stops to answer, and the other nodes still see it alive. */
    public Scene pauses(int index, OperatingMode mode) {
        reports.pauses(node(index), mode);
        return this;
    }

    /** Its executor reports this state of the transfer that its record names. */
    public Scene transfer(int index, TaskStatus.State state, long done, long total, String message) {
        NodeTask wanted = records.node(index).transfer();
        reports.transfers(
                node(index),
                new TaskStatus(wanted.id(), wanted.kind(), state, done, total, "bytes", message, NOW, NOW));
        return this;
    }

    /** The daemon serves on with an older version, since it did not take the newest live. */
    public Scene refuses(int index, long runningVersion) {
        reports.refuses(records.node(index), runningVersion);
        return this;
    }

    /** Its machine says that its daemon started then. */
    public Scene starts(int index, Instant at) {
        reports.starts(node(index), at);
        return this;
    }

    /** A daemon that is starting and has read neither schema nor ring yet. */
    public Scene knowsNothingYet(int index) {
        reports.knowsNothingYet(records.node(index));
        return this;
    }

    /** The newest version was applied with --force. */
    public Scene forced() {
        records.forced();
        return this;
    }

    public Scene later(int seconds) {
        now = now.plusSeconds(seconds);
        return this;
    }

    /** The deploy of version 1 is complete. */
    public Scene settled() {
        records.settled();
        return this;
    }

    public static NodeRecord inRack(NodeRecord r, String rack) {
        return NodeRecordBuilder.builder(r).rack(new RackName(rack)).build();
    }

    public Scene silent(int index) {
        reports.silent(node(index));
        return this;
    }

    public Scene unheard(int index) {
        reports.unheard(node(index));
        return this;
    }

    public Scene pool(PoolCapabilities able) {
        pool.able(able);
        return this;
    }

    /** The pool's report on one allocation is another one. */
    public Scene reported(int index, UnaryOperator<AllocationState> change) {
        pool.reported(allocation(index), change);
        return this;
    }

    public Scene machine(int index, UnaryOperator<Machine> change) {
        pool.machine(allocation(index).machine(), change);
        return this;
    }

    public Scene poolUnseen() {
        pool.unseen();
        return this;
    }

    public Scene plan(Plan plan) {
        records.plan(plan);
        return this;
    }

    public static String remoteEndpoint(int index) {
        return "127.1.2." + (index + 1) + ":7000";
    }

    /** The servers have these seed URLs from now on. */
    public Scene seedUrls(String... urls) {
        seedUrls = List.of(urls);
        return this;
    }

    /** A node reports the servers that it asks for its seeds. */
    public Scene asks(int index, String... urls) {
        reports.asks(node(index), List.of(urls));
        return this;
    }

    /** Its executor knows TLS, and uses none yet. */
    public Scene knowsTls(int index) {
        return tls(index, TlsStatus.UNUSED);
    }

    /** Its executor reports these keys and certificates. */
    public Scene tls(int index, TlsStatus tls) {
        reports.tls(node(index), tls);
        return this;
    }

    /** Its executor reports this use of its volume. */
    public Scene volume(int index, VolumeUse use) {
        reports.volume(node(index), use);
        return this;
    }

    public View view() {
        View view = new View(
                now,
                1,
                Samples.DC1,
                List.of("http://127.0.0.1:8080"),
                seedUrls,
                pool.seen(),
                pool.capabilities(),
                pool.machines(),
                pool.allocations(),
                records.clusters(),
                Map.of(RIDES, records.specs()),
                records.nodes(),
                reports.observed(records.nodes().values()),
                peers.sightings(),
                new TreeSet<>(List.of(Samples.DC2)),
                records.plans(),
                Map.of());
        return ViewBuilder.builder(view).allocationsGone(pool.gone()).build();
    }

    @Override
    Scene scene() {
        return this;
    }

    private Allocation allocation(int index) {
        return records.node(index).allocation();
    }
}
