import io.ringmaster.lab.ring.Jvm;
import io.ringmaster.lab.ring.StockNode;
import io.ringmaster.lab.ring.StockOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Prepares nodes of stock Cassandra for scripts, with Cassandra's defaults. Each node gets a
 * directory with {@code start} (which writes {@code pid}), {@code nodetool} and {@code address}, and a JMX port on the
 * loopback interface, because nodetool needs JMX. Prints the directories.
 */
final class StockCluster {
    private static final int FIRST_JMX_PORT = 7201;
    private static final int HEAP_MIB = 512;
    private static final Map<String, String> SETTINGS = Map.of(
            "cluster_name", "baseline", "num_tokens", "16", "allocate_tokens_for_local_replication_factor", "3");
    private static final Fleet FLEET = new Fleet(91);

    private final Path directory;
    private final Path jars;
    private final List<String> seeds;
    private int port = FIRST_JMX_PORT;

    private StockCluster(Path directory, Path jars, List<String> seeds) {
        this.directory = directory;
        this.jars = jars;
        this.seeds = seeds;
    }

    /**
     * @param args the directory to create, the directory of Cassandra's jars, and the shape: {@code pair} (two
     *     datacenters of three nodes) or {@code ring} (one datacenter of three nodes, a fourth node that joins, and a
     *     fifth that replaces the second)
     */
    public static void main(String[] args) throws IOException {
        boolean pair = args[2].equals("pair");
        List<String> seeds = pair ? FLEET.seeds() : FLEET.seeds().subList(0, 1);
        var cluster = new StockCluster(Path.of(args[0]), Path.of(args[1]), seeds);
        List<Fleet.Place> places = FLEET.places();
        for (Fleet.Place place : pair ? places : places.subList(0, Fleet.NODES_PER_DATACENTER)) {
            cluster.layOut(place, List.of());
        }
        if (!pair) {
            String dead = places.get(1).address();
            cluster.layOut(more(3), List.of());
            cluster.layOut(more(4), List.of("-Dcassandra.replace_address_first_boot=" + dead));
        }
    }

    /** Returns a further node of the first datacenter. */
    private static Fleet.Place more(int index) {
        return new Fleet.Place(1, index, "127." + FLEET.network() + ".1." + (index + 1));
    }

    private void layOut(Fleet.Place place, List<String> options) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Path home = directory.resolve(place.name());
        List<String> more = new ArrayList<>(options);
        more.add("-Dcassandra.jmx.local.port=" + port);
        StockNode node = new StockNode(home, jars, Jvm.ofThisProcess(), HEAP_MIB);
        List<String> start = node.command(place.stock(seeds), SETTINGS, more);
        String log = " >>" + node.output() + " 2>&1";
        script(home.resolve("start"), "echo $$ >" + home.resolve("pid"), start, log);
        List<String> nodetool =
                new ArrayList<>(List.of(java, "-Xmx64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        nodetool.addAll(StockOptions.modules());
        nodetool.add("-Dlogback.configurationFile=" + home.resolve("conf/logback.xml"));
        nodetool.addAll(List.of("-cp", jars + "/*", "org.apache.cassandra.tools.NodeTool", "-p", "" + port));
        script(home.resolve("nodetool"), ":", nodetool, " \"$@\"");
        Files.writeString(home.resolve("address"), place.address());
        System.out.println(home);
        port++;
    }

    private static void script(Path file, String first, List<String> command, String end) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + first + "\nexec '" + String.join("' '", command) + "'" + end + "\n");
        if (!file.toFile().setExecutable(true)) {
            throw new IOException("cannot make " + file + " executable");
        }
    }
}
