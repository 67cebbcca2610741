import io.ringmaster.lab.machine.MachineFacts;
import io.ringmaster.lab.machine.Processor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Starts {@code ./ringmaster playground --detach} as a user does: two servers, their plans, the local pool, six
 * executors and six daemons.
 */
final class Deploy {
    private static final long COMMAND_LIMIT_S = 900;

    private final Path repository;
    private final Path home;
    private final Fleet fleet = new Fleet(1);

    /** @param home Ringmaster's home for this benchmark; its cache is kept between rounds */
    Deploy(Path repository, Path home) {
        this.repository = repository;
        this.home = home;
    }

    /** The directory of Cassandra's jars, which exists after the first round. */
    Path jars() throws IOException {
        try (Stream<Path> versions = Files.list(home.resolve("cache/cassandra"))) {
            return versions.map(version -> version.resolve("lib"))
                    .filter(Files::isDirectory)
                    .findFirst()
                    .orElseThrow(() -> new IOException("no Cassandra jars below " + home));
        }
    }

    Round run(String way) throws IOException, InterruptedException {
        end();
        double before = MachineFacts.loadAverage();
        double commanded = Processor.uptimeSeconds();
        Process command = ringmaster("playground", "--detach").start();
        try {
            List<Long> servers = servers(command);
            double serversBefore = Processor.sum(servers);
            double begin = Processor.startedAt(firstExecutor(command));
            List<Double> cql = fleet.awaitServing(begin);
            fleet.awaitAllNormal();
            double end = Processor.uptimeSeconds();
            List<Double> daemons = used("volume/daemon.pid");
            List<Double> executors = used("executor.pid");
            double serverSeconds = Processor.sum(servers) - serversBefore;
            long resident = Processor.residentBytes(pid(allocations().get(0).resolve("volume/daemon.pid"))) >> 20;
            String load = before + " to " + MachineFacts.loadAverage();
            if (!command.waitFor(COMMAND_LIMIT_S, TimeUnit.SECONDS) || command.exitValue() != 0) {
                throw new IOException("the playground did not start; see " + log());
            }
            double up = Processor.uptimeSeconds() - commanded;
            return new Round(way, cql, end - begin, up, daemons, executors, serverSeconds, resident, load);
        } finally {
            command.destroy();
            command.waitFor();
            end();
        }
    }

    private void end() throws IOException, InterruptedException {
        Process down = ringmaster("playground", "down").start();
        if (!down.waitFor(COMMAND_LIMIT_S, TimeUnit.SECONDS) || down.exitValue() != 0) {
            throw new IOException("ringmaster playground down failed; see " + log());
        }
    }

    private Path log() {
        return home.resolve("bench.log");
    }

    private ProcessBuilder ringmaster(String... words) throws IOException {
        Files.createDirectories(home);
        List<String> command = new ArrayList<>(List.of(repository.resolve("ringmaster").toString()));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
        builder.environment().put("RINGMASTER_HOME", home.toString());
        builder.environment().remove("RINGMASTER_SERVER");
        return builder;
    }

    /** Waits for both servers and returns their process ids. */
    private List<Long> servers(Process command) throws IOException, InterruptedException {
        while (true) {
            List<Long> found = Processor.running("io.ringmaster.server.ServerMain", home);
            if (found.size() == Fleet.DATACENTERS) {
                return found;
            }
            pause(command);
        }
    }

    private long firstExecutor(Process command) throws IOException, InterruptedException {
        while (true) {
            List<Long> found = Processor.running("io.ringmaster.executor.ExecutorMain", home.resolve("playground"));
            if (!found.isEmpty()) {
                long first = found.get(0);
                for (long other : found) {
                    first = Processor.startedAt(other) < Processor.startedAt(first) ? other : first;
                }
                return first;
            }
            pause(command);
        }
    }

    private void pause(Process command) throws IOException, InterruptedException {
        if (!command.isAlive()) {
            throw new IOException("the playground ended with exit code " + command.exitValue() + "; see " + log());
        }
        Thread.sleep(50);
    }

    private List<Path> allocations() throws IOException {
        List<Path> allocations = new ArrayList<>();
        for (int datacenter = 1; datacenter <= Fleet.DATACENTERS; datacenter++) {
            try (Stream<Path> entries = Files.list(home.resolve("playground/dc" + datacenter + "/allocations"))) {
                entries.filter(entry -> Files.exists(entry.resolve("volume/daemon.pid")))
                        .sorted()
                        .forEach(allocations::add);
            }
        }
        if (allocations.size() != Fleet.SIZE) {
            throw new IOException("expected " + Fleet.SIZE + " running nodes, found " + allocations);
        }
        return allocations;
    }

    private List<Double> used(String pidFile) throws IOException {
        List<Double> seconds = new ArrayList<>();
        for (Path allocation : allocations()) {
            seconds.add(Processor.seconds(pid(allocation.resolve(pidFile))));
        }
        return seconds;
    }

    private static long pid(Path file) throws IOException {
        return Long.parseLong(Files.readString(file).strip().split("\\s+")[0]);
    }
}
