package io.ringmaster.playground;

import io.ringmaster.cli.process.Programs;
import io.ringmaster.host.ProcessIdentity;
import io.ringmaster.playground.doctor.Demand;
import io.ringmaster.playground.process.Processes;
import io.ringmaster.playground.wan.Subnet;
import io.ringmaster.playground.wan.WanMain;
import io.ringmaster.playground.wan.WanReport;
import io.ringmaster.playground.wan.WanSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Starts the wan process, which carries packets between datacenters, and gives its namespaces their addresses. */
final class WanStart {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Duration POLL = Duration.ofMillis(50);

    private final Path directory;
    private final Programs programs;

    WanStart(Path home, Programs programs) {
        this.directory = directory(home);
        this.programs = programs;
    }

    /** Folder of the process's settings and reports. */
    static Path directory(Path home) {
        return PlaygroundState.directory(home).resolve("wan");
    }

    /**
     * @return the network, with a measured round trip for each link
     * @throws IOException this computer cannot do it; nothing is left behind
     */
    Network.Namespaces start(WanOptions wan, Demand size) throws IOException, InterruptedException {
        Files.createDirectories(directory);
        for (String stale : List.of("report.json", "links.json")) {
            Files.deleteIfExists(directory.resolve(stale));
        }
        List<String> names = IntStream.rangeClosed(1, size.datacenters())
                .mapToObj(n -> "dc" + n)
                .toList();
        ProcessIdentity process = launch(wan, size.datacenters());
        NetworkPlan plan = new NetworkPlan(
                wan.network(), size.datacenters(), size.machines(), NetworkPlan.prefix(directory.getParent()));
        try {
            configure(plan, await(process, r -> true), names);
            WanSettings.mesh(names, l -> l.withRoundTripMicros(wan.link().roundTripMicros())
                            .withBitsPerSecond(wan.link().bitsPerSecond()))
                    .write(directory);
            WanReport measured = await(process, r -> r.links().stream().allMatch(l -> l.measuredMicros() != null));
            return new Network.Namespaces(wan, measured);
        } catch (IOException | InterruptedException e) {
            Processes.kill(List.of(process));
            NetworkDevices.remove(plan.prefix());
            throw e;
        }
    }

    private ProcessIdentity launch(WanOptions wan, int datacenters) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("--directory", directory.toString()));
        IntStream.rangeClosed(1, datacenters)
                .mapToObj(n -> "dc" + n + "=" + new Subnet(wan.network(), n))
                .forEach(arguments::add);
        // JNA unpacks its library into the playground's folder, which is deleted with the playground.
        ProcessBuilder builder = programs.cli(
                List.of("-Xmn16m", "-Djna.tmpdir=" + directory),
                WanMain.class.getName(),
                arguments.toArray(String[]::new));
        // Highest priority: a packet that leaves late looks like a longer line.
        builder.command().addAll(0, List.of("setsid", "nice", "-n", "-10"));
        Process process = builder.redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(log().toFile())
                .start();
        return ProcessIdentity.of(process.pid()).orElseThrow(() -> new IOException("the wan process ended at once"));
    }

    private Path log() {
        return directory.resolve("wan.log");
    }

    private WanReport await(ProcessIdentity process, Predicate<WanReport> wanted)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (System.nanoTime() < deadline) {
            if (!process.isAlive()) {
                List<String> said = LogTail.of(log(), 1);
                throw new IOException(said.isEmpty() ? "the wan process ended" : said.get(0));
            }
            if (Files.exists(directory.resolve("report.json"))) {
                WanReport report = WanReport.read(directory);
                if (wanted.test(report)) {
                    return report;
                }
            }
            Thread.sleep(POLL.toMillis());
        }
        throw new IOException("no packet came through within " + LIMIT.toSeconds() + " s");
    }

    private static void configure(NetworkPlan plan, WanReport report, List<String> datacenters)
            throws IOException, InterruptedException {
        NetworkDevices.remove(plan.prefix());
        for (int n = 1; n <= datacenters.size(); n++) {
            Path namespace = report.namespace(datacenters.get(n - 1));
            ip(List.of(), plan.outside(n, namespace));
            ip(Network.Namespaces.enter(namespace), plan.inside(n));
        }
    }

    /** @param prefix command prefix, which enters a namespace */
    private static void ip(List<String> prefix, List<String> lines) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of("ip", "-batch", "-"));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (var in = process.getOutputStream()) {
            in.write((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (process.waitFor() != 0) {
            throw new IOException("ip: " + said.replace("\n", "; "));
        }
    }
}
