package io.ringmaster.playground;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.cli.yaml.YamlReader;
import io.ringmaster.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** One machine of a playground, with its files in the folder of its server. */
record MachinePlace(ServerFiles files, String machine) {
    /**
     * @param text {@code dc1/machine-2}; {@code machine-2} means the first datacenter
     * @throws Failure no machine has that name
     */
    static MachinePlace of(String text, Path home, int datacenters) throws IOException {
        int slash = text.indexOf('/');
        String datacenter = slash < 0 ? "dc1" : text.substring(0, slash);
        String machine = text.substring(slash + 1);
        List<ServerFiles> all = IntStream.rangeClosed(1, datacenters)
                .mapToObj(n -> new ServerFiles(home, n))
                .toList();
        ServerFiles files = all.stream()
                .filter(f -> f.datacenter().equals(datacenter))
                .findFirst()
                .orElseThrow(() -> unknown(
                        "no datacenter '" + datacenter + "'",
                        all.stream().map(ServerFiles::datacenter).toList()));
        List<String> machines = machines(files);
        if (!machines.contains(machine)) {
            throw unknown("no machine '" + machine + "' in " + datacenter, machines);
        }
        return new MachinePlace(files, machine);
    }

    private static Failure unknown(String cause, List<String> there) {
        return new Failure(
                ExitCode.USAGE,
                cause,
                "one of " + String.join(", ", there) + ", such as " + PROGRAM + " playground kill dc1/machine-2");
    }

    /** Names of the server's machines; empty when the server was never configured. */
    static List<String> machines(ServerFiles files) throws IOException {
        if (!Files.exists(files.config())) {
            return List.of();
        }
        JsonNode config = YamlReader.read(Files.readString(files.config()));
        if (config == null) {
            return List.of();
        }
        JsonNode machines = config.path("pool").path(PlaygroundPoolFactory.NAME).path("machines");
        List<String> names = new ArrayList<>();
        machines.forEach(m -> names.add(m.path("name").asText()));
        return names;
    }

    /** Allocation folders of the nodes on this machine. */
    List<Path> allocations() throws IOException {
        Path folder = allocationsFolder();
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        List<Path> here = new ArrayList<>();
        try (Stream<Path> all = Files.list(folder)) {
            for (Path allocation : all.sorted().toList()) {
                Path record = record(allocation);
                if (Files.exists(record) && machine.equals(field(record, "machine"))) {
                    here.add(allocation);
                }
            }
        }
        return here;
    }

    Path allocationsFolder() {
        return files.directory().resolve("allocations");
    }

    /** Names of the clusters whose nodes these are, each once. */
    static List<String> clusters(List<Path> allocations) throws IOException {
        TreeSet<String> names = new TreeSet<>();
        for (Path allocation : allocations) {
            if (Files.exists(record(allocation))) {
                names.add(field(record(allocation), "node").split("/", 2)[0]);
            }
        }
        return List.copyOf(names);
    }

    private static Path record(Path allocation) {
        return allocation.resolve("allocation.json");
    }

    private static String field(Path record, String name) throws IOException {
        return Json.mapper()
                .readTree(Files.readAllBytes(record))
                .path("allocation")
                .path(name)
                .asText();
    }

    /** Folder that exists while the machine is killed and holds its volumes; {@link FaultyLocalPool} reads it. */
    Path killed() {
        return FaultyLocalPool.killed(files.directory()).resolve(machine);
    }

    /** File that exists while the machine is slowed down and holds the CPU quotas before. */
    Path slowed() {
        return slowed(files.directory()).resolve(machine);
    }

    static Path slowed(Path serverDirectory) {
        return serverDirectory.resolve("slowed");
    }

    @Override
    public String toString() {
        return files.datacenter() + "/" + machine;
    }
}
