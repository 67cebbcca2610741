import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

/** Ringmaster's executors, all at once, with the targets of a first creation and a seed server that answers as Ringmaster's does. */
final class Deploy {
    private final Path directory;
    private final Path jars;
    private final Path dist;
    private final String java;
    private final Path archive;
    private final Fleet fleet = new Fleet(92);

    Deploy(Path directory, Path jars, Path dist, String java, Path archive) {
        this.directory = directory;
        this.jars = jars;
        this.dist = dist;
        this.java = java;
        this.archive = archive;
    }

    /** Once, before anything is measured, as the local pool does when it fetches the binaries. */
    static void makeArchive(Path out, Path jars, Path dist, String java) throws IOException, InterruptedException {
        Process maker = new ProcessBuilder(
                        java, "-cp", dist + "/executor/*", "io.ringmaster.executor.ArchiveMain",
                        "--jars", jars.toString(), "--companion", companion(dist).toString(), "--java", java,
                        "--out", out.toString(), "--executor-out", executorArchive(out).toString())
                .inheritIO()
                .start();
        if (maker.waitFor() != 0) {
            throw new IOException("no archive");
        }
    }

    private static Path executorArchive(Path archive) {
        return archive.resolveSibling("executor.jsa");
    }

    private static Path companion(Path dist) throws IOException {
        try (var files = Files.list(dist.resolve("companion"))) {
            return files.filter(f -> f.getFileName().toString().matches("companion.*\\.jar")).findFirst().orElseThrow();
        }
    }

    Round run() throws IOException, InterruptedException {
        HttpServer seeds = seedServer();
        List<Process> executors = new ArrayList<>();
        List<Double> cql = new ArrayList<>();
        try {
            for (Fleet.Place place : fleet.places()) {
                prepare(place, seeds.getAddress().getPort());
            }
            long begin = System.nanoTime();
            for (Fleet.Place place : fleet.places()) {
                executors.add(start(place));
            }
            for (Fleet.Place place : fleet.places()) {
                Fleet.await(place, 1);
                cql.add(Startup.secondsSince(begin));
            }
            for (Fleet.Place place : fleet.places()) {
                Fleet.await(place, fleet.places().size());
            }
            double seconds = Startup.secondsSince(begin);
            List<Double> daemons = new ArrayList<>();
            List<Double> beside = new ArrayList<>();
            for (Fleet.Place place : fleet.places()) {
                daemons.add(Processor.seconds(daemon(place)));
            }
            for (Process executor : executors) {
                beside.add(Processor.seconds(executor.pid()));
            }
            long resident = Processor.residentMebibytes(daemon(fleet.places().get(0)));
            return new Round("Ringmaster", cql, seconds, daemons, beside, resident, Processor.loadAverage());
        } finally {
            for (Process executor : executors) {
                executor.destroyForcibly().waitFor();
            }
            for (Fleet.Place place : fleet.places()) {
                end(place);
            }
            seeds.stop(0);
        }
    }

    private Path home(Fleet.Place place) {
        return directory.resolve(place.name());
    }

    private long daemon(Fleet.Place place) throws IOException {
        return Long.parseLong(
                Files.readString(home(place).resolve("volume/daemon.pid")).split(" ")[0]);
    }

    private void end(Fleet.Place place) throws IOException {
        if (Files.exists(home(place).resolve("volume/daemon.pid"))) {
            ProcessHandle.of(daemon(place)).ifPresent(daemon -> {
                daemon.destroyForcibly();
                daemon.onExit().join();
            });
        }
    }

    /** The first two of each datacenter are seeds; each is told those before it, the others all. */
    private HttpServer seedServer() throws IOException {
        List<Fleet.Place> designated =
                fleet.places().stream().filter(place -> place.index() < 2).toList();
        Map<String, String> answers = new TreeMap<>();
        for (Fleet.Place place : fleet.places()) {
            boolean isSeed = designated.contains(place);
            String seeds = (isSeed ? designated.subList(0, designated.indexOf(place)) : designated)
                    .stream().map(seed -> "\"" + seed.address() + ":7000\"").collect(Collectors.joining(","));
            answers.put("bench/" + place.name(), "{\"isSeed\":" + isSeed + ",\"seeds\":[" + seeds + "]}");
        }
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.setExecutor(Executors.newCachedThreadPool(work -> {
            Thread thread = new Thread(work);
            thread.setDaemon(true);
            return thread;
        }));
        server.createContext("/api/v1/seeds", http -> {
            String node = URLDecoder.decode(
                    http.getRequestURI().getRawQuery().substring("node=".length()), StandardCharsets.UTF_8);
            byte[] answer = answers.get(node).getBytes(StandardCharsets.UTF_8);
            http.sendResponseHeaders(200, answer.length);
            http.getResponseBody().write(answer);
            http.close();
        });
        server.start();
        return server;
    }

    private void prepare(Fleet.Place place, int seedsPort) throws IOException {
        Path home = Files.createDirectories(home(place));
        BigInteger step = BigInteger.TWO.pow(64).divide(BigInteger.valueOf(Fleet.NODES_PER_DATACENTER));
        BigInteger token = BigInteger.TWO
                .pow(63)
                .negate()
                .add(step.multiply(BigInteger.valueOf(place.index())))
                .add(BigInteger.valueOf(100L * (place.datacenter() - 1)));
        Files.writeString(home.resolve("token"), "bench");
        Files.writeString(
                home.resolve("target.json"),
                """
                {"node": "bench/%s", "generation": 1, "specVersion": 1, "run": true, "restarts": 0, "firstCreation": true,
                 "cassandraVersion": "5.0.9", "preset": "DEVELOPMENT", "rack": "r%d", "address": "%s",
                 "ports": {"storage": 7000, "sslStorage": 7001, "nativeTransport": 9042, "executor": 7070},
                 "tokens": ["%s"], "jvm": {"collector": "SERIAL", "options": []}, "cassandraYaml": {},
                 "resources": {"cpuMillis": 1000, "memoryBytes": 1073741824, "heapBytes": 268435456, "diskBytes": 4294967296},
                 "seedProviderUrls": ["http://127.0.0.1:%d"]}
                """
                        .formatted(place.name(), place.index() + 1, place.address(), token, seedsPort));
    }

    private Process start(Fleet.Place place) throws IOException {
        Path home = home(place);
        return new ProcessBuilder(
                        java, "-Xms8m", "-Xmx40m", "-Xss256k", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                        "-XX:SharedArchiveFile=" + executorArchive(archive), "-cp", dist + "/executor/*",
                        "io.ringmaster.executor.ExecutorMain", "--directory", home.toString(),
                        "--jars", jars.toString(), "--companion", companion(dist).toString(), "--java", java,
                        "--cds", archive.toString())
                .redirectErrorStream(true)
                .redirectOutput(new File(home.toFile(), "executor.log"))
                .start();
    }
}
