package io.ringmaster.cli.playground;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** One machine of a playground, and what its server's folder holds of it. */
record MachinePlace(ServerFiles files, String machine) {
    /**
     * @param text {@code dc1/machine-2}; {@code machine-2} alone is that of the first datacenter
     * @throws Failure there is none of that name
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
                "one of " + String.join(", ", there) + ", such as ringmaster playground kill dc1/machine-2");
    }

    /** None when the server was never configured. */
    static List<String> machines(ServerFiles files) throws IOException {
        if (!Files.exists(files.config())) {
            return List.of();
        }
        JsonNode machines = new YAMLMapper()
                .readTree(Files.readAllBytes(files.config()))
                .path("pool")
                .path(PlaygroundPoolFactory.NAME)
                .path("machines");
        List<String> names = new ArrayList<>();
        machines.forEach(m -> names.add(m.path("name").asText()));
        return names;
    }

    /** The folders of the nodes that are placed there. */
    List<Path> allocations() throws IOException {
        Path folder = allocationsFolder();
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        List<Path> here = new ArrayList<>();
        try (Stream<Path> all = Files.list(folder)) {
            for (Path allocation : all.sorted().toList()) {
                Path claim = allocation.resolve("allocation.json");
                if (Files.exists(claim) && machine.equals(machineOf(claim))) {
                    here.add(allocation);
                }
            }
        }
        return here;
    }

    Path allocationsFolder() {
        return files.directory().resolve("allocations");
    }

    private static String machineOf(Path claim) throws IOException {
        return Json.mapper()
                .readTree(Files.readAllBytes(claim))
                .path("allocation")
                .path("machine")
                .asText();
    }

    /** Exists while the machine is killed, and holds its volumes; {@link FaultyLocalPool} looks for it. */
    Path killed() {
        return FaultyLocalPool.killed(files.directory()).resolve(machine);
    }

    /** Exists while the machine is slowed down, and holds what its nodes were allowed before. */
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
