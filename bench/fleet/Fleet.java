import io.ringmaster.controller.Controller;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.store.memory.InMemoryStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Measures the decisions of the real controller for a large simulated fleet; see README.md. */
public final class Fleet {
    private static final int EVENTS = 20_000;
    private static final int CHANGING = 50;

    private final SampleFleet fleet;
    private final InMemoryStore store = new InMemoryStore();
    private final World world = new World();
    private final Map<String, List<Long>> times = new TreeMap<>();
    private final Random random = new Random(1);
    private Instant now = SampleFleet.BEGAN;
    private Controller controller = controller();

    private Fleet(SampleFleet fleet) {
        this.fleet = fleet;
    }

    public static void main(String[] arguments) throws Exception {
        int machines = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10_000;
        int clusters = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 1_000;
        new Fleet(new SampleFleet(machines, clusters)).run();
    }

    private Controller controller() {
        return new Controller(
                SampleFleet.DATACENTER, List.of("http://127.0.0.1:8080"), store, world, world, world, () -> now, 1, e -> {});
    }

    private void run() throws Exception {
        System.out.printf("%d machines, %d clusters of %d nodes%n", fleet.machineCount(), fleet.clusterCount(), fleet.nodesPerCluster());
        List<Change> records = new ArrayList<>();
        List<Machine> machines = fleet.machines();
        for (int i = 0; i < fleet.clusterCount(); i++) {
            records.addAll(cluster(i, machines));
        }
        store.commit(1, records);
        takeOver(1);
        settle();
        change(0, 2);
        times.clear();
        world.commands.clear();
        controller = controller();
        long began = System.nanoTime();
        takeOver(2);
        boolean acts = world.commands.stream().anyMatch(Command.Apply.class::isInstance);
        System.out.printf("a new leader acts after %.2f s%s%n", (System.nanoTime() - began) / 1e9, acts ? "" : " (it did not act)");
        settle();
        times.clear();
        live();
        report();
        System.out.printf("ZooKeeper gives the %d records in %.2f s%n", store.load().size(), Kept.seconds(store.load()));
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        System.out.printf("heap in use: %d MiB%n", (runtime.totalMemory() - runtime.freeMemory()) >> 20);
    }

    private List<Change> cluster(int index, List<Machine> machines) {
        ClusterName name = fleet.cluster(index);
        ClusterSpec spec = fleet.spec(name, 32);
        List<Change> records = new ArrayList<>();
        records.add(new Change.Put(new SpecRecord(name, 1, spec, "", "bench", SampleFleet.DATACENTER, now, "dc1-1")));
        records.add(new Change.Put(new ClusterRecord(name, 1, true, false, false)));
        for (int i = 0; i < fleet.nodesPerCluster(); i++) {
            Machine machine = machines.get(index * fleet.nodesPerCluster() + i);
            records.add(new Change.Put(fleet.node(spec, i, machine)));
        }
        return records;
    }

    private void takeOver(long epoch) {
        controller.elected(epoch);
        controller.accept(fleet.seen(controller.view().nodes().values()));
        for (NodeRecord node : controller.view().nodes().values()) {
            controller.accept(normal(node));
        }
    }

    private Fact.NodeReported normal(NodeRecord node) {
        return SampleFleet.normal(node, controller.view().nodesOf(node.id().cluster()), random.nextInt());
    }

    /** Answers every command of the controller until it sends none for three ticks. */
    private void settle() {
        do {
            world.commands.clear();
            for (int second = 0; second < 3; second++) {
                tick();
            }
        } while (answerAll());
    }

    private boolean answerAll() {
        boolean any = false;
        for (Command command = world.commands.poll(); command != null; command = world.commands.poll()) {
            if (command instanceof Command.Apply apply) {
                any = true;
                answer(apply.target().node());
            }
        }
        return any;
    }

    private void answer(NodeId id) {
        NodeRecord node = controller.view().nodes().get(id);
        timed("node starts", () ->
                controller.accept(SampleFleet.report(node, OperatingMode.STARTING, "opening tables", null)));
        Fact normal = normal(node);
        timed("node is NORMAL again", () -> controller.accept(normal));
    }

    private void tick() {
        now = now.plusSeconds(1);
        timed("tick", controller::tick);
    }

    private void change(int cluster, int reads) {
        ClusterSpec spec = fleet.spec(fleet.cluster(cluster), reads);
        timed("spec declared", () -> controller.requests().applySpec("", spec, null, "bench", false, false));
    }

    /** Replays typical events: changing loads, failing and recovering nodes, changed specs. */
    private void live() {
        List<NodeRecord> nodes = List.copyOf(controller.view().nodes().values());
        for (int event = 0; event < EVENTS; event++) {
            NodeRecord node = controller.view().nodes().get(nodes.get(random.nextInt(nodes.size())).id());
            if (event % 100 == 0) {
                tick();
            }
            if (event % (EVENTS / CHANGING) == 0) {
                change(random.nextInt(fleet.clusterCount()), 40 + event);
            }
            if (event % 10 == 0) {
                timed("node fails", () ->
                        controller.accept(SampleFleet.report(node, OperatingMode.DOWN, "exited", null)));
            }
            Fact normal = normal(node);
            timed("node reports", () -> controller.accept(normal));
            answerAll();
        }
        settle();
    }

    private void timed(String what, Runnable decision) {
        long began = System.nanoTime();
        decision.run();
        times.computeIfAbsent(what, w -> new ArrayList<>()).add(System.nanoTime() - began);
    }

    private void report() {
        System.out.println("| decision | times | median ms | p99 ms | longest ms |\n|---|---|---|---|---|");
        List<Long> all = new ArrayList<>();
        times.values().forEach(all::addAll);
        times.forEach(this::row);
        row("all", all);
    }

    private void row(String what, List<Long> nanos) {
        List<Long> sorted = nanos.stream().sorted().toList();
        System.out.printf(
                "| %s | %d | %.2f | %.2f | %.2f |%n",
                what, sorted.size(), at(sorted, 0.5), at(sorted, 0.99), at(sorted, 1));
    }

    private static double at(List<Long> sorted, double quantile) {
        return sorted.get((int) Math.min(sorted.size() - 1, Math.floor(quantile * sorted.size()))) / 1e6;
    }
}
