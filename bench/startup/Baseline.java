import io.ringmaster.lab.machine.MachineFacts;
import io.ringmaster.lab.machine.Processor;
import io.ringmaster.lab.ring.Jvm;
import io.ringmaster.lab.ring.StockNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Starts stock Cassandra with its defaults, one node after another, as Cassandra's documentation recommends. */
final class Baseline {
    private static final int HEAP_MIB = 512;
    static final Map<String, String> SETTINGS = Map.of(
            "cluster_name", "baseline", "num_tokens", "16", "allocate_tokens_for_local_replication_factor", "3");

    private final Path directory;
    private final Path jars;
    private final Fleet fleet = new Fleet(91);

    Baseline(Path directory, Path jars) {
        this.directory = directory;
        this.jars = jars;
    }

    /** @param count number of nodes to start, at most six */
    Round run(int count) throws IOException, InterruptedException {
        List<Process> nodes = new ArrayList<>();
        List<Double> cql = new ArrayList<>();
        List<Fleet.Place> places = fleet.places().subList(0, count);
        double before = MachineFacts.loadAverage();
        try {
            double begin = Processor.uptimeSeconds();
            for (Fleet.Place place : places) {
                nodes.add(start(place));
                Fleet.await(place, 1);
                cql.add(Startup.rounded(Processor.uptimeSeconds() - begin));
                System.out.println("baseline " + place.name() + " serves after " + cql.get(cql.size() - 1) + " s");
            }
            for (Fleet.Place place : places) {
                Fleet.await(place, count);
            }
            double seconds = Processor.uptimeSeconds() - begin;
            List<Double> used = new ArrayList<>();
            for (Process node : nodes) {
                used.add(Processor.seconds(node.pid()));
            }
            return new Round(
                    "defaults, one after another" + (count < Fleet.SIZE ? ", first " + count + " only" : ""),
                    cql,
                    seconds,
                    0,
                    used,
                    List.of(),
                    0,
                    Processor.residentBytes(nodes.get(0).pid()) >> 20,
                    before + " to " + MachineFacts.loadAverage());
        } finally {
            for (Process node : nodes) {
                node.destroyForcibly().waitFor();
            }
        }
    }

    private Process start(Fleet.Place place) throws IOException {
        StockNode node = stock(directory.resolve(place.name()), jars);
        return new ProcessBuilder(node.command(place.stock(fleet.seeds()), SETTINGS, List.of()))
                .redirectErrorStream(true)
                .redirectOutput(node.output().toFile())
                .start();
    }

    /** Cassandra's defaults on the JDK of this process. */
    static StockNode stock(Path home, Path jars) {
        return new StockNode(home, jars, Jvm.ofThisProcess(), HEAP_MIB);
    }
}
