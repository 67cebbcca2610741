import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts stock Cassandra with its defaults, one node after another, as Cassandra's documentation recommends. */
final class Baseline {
    private final Path directory;
    private final Path jars;
    private final String java;
    private final Fleet fleet = new Fleet(91);

    Baseline(Path directory, Path jars, String java) {
        this.directory = directory;
        this.jars = jars;
        this.java = java;
    }

    /** @param count number of nodes to start, at most six */
    Round run(int count) throws IOException, InterruptedException {
        List<Process> nodes = new ArrayList<>();
        List<Double> cql = new ArrayList<>();
        List<Fleet.Place> places = fleet.places().subList(0, count);
        String before = Processor.loadAverage();
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
                    Processor.residentMebibytes(nodes.get(0).pid()),
                    before + " to " + Processor.loadAverage());
        } finally {
            for (Process node : nodes) {
                node.destroyForcibly().waitFor();
            }
        }
    }

    private Process start(Fleet.Place place) throws IOException {
        Path home = directory.resolve(place.name());
        return new ProcessBuilder(new StockNode(home, jars, java, fleet.seeds()).command(place, List.of()))
                .redirectErrorStream(true)
                .redirectOutput(new File(home.toFile(), "stdout.log"))
                .start();
    }
}
