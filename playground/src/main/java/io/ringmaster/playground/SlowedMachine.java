package io.ringmaster.playground;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Gives a machine's nodes only a part of a CPU, with the quota of the control groups of the local pool. */
record SlowedMachine(MachinePlace place) {
    private static final int PERIOD_US = 100_000;
    /** Minimum of the kernel. */
    private static final int QUOTA_MIN_US = 1_000;

    boolean isSlowed() {
        return Files.exists(place.slowed());
    }

    /**
     * @return the slowed nodes
     * @throws Failure no quota can be set
     */
    List<String> slow(int cpuPercent) throws IOException {
        Map<Path, String> before = new LinkedHashMap<>();
        for (Path quota : quotas()) {
            before.put(quota, Files.readString(quota).strip());
        }
        if (before.isEmpty()) {
            throw new Failure(
                    ExitCode.FAILED,
                    "no node on " + place + " has a control group with a CPU quota, so it cannot be slowed down",
                    PROGRAM + " doctor shows whether control groups can be created; run as root where they cannot");
        }
        if (!isSlowed()) {
            Files.createDirectories(place.slowed().getParent());
            List<String> lines = before.entrySet().stream()
                    .map(e -> e.getValue() + "\t" + e.getKey())
                    .toList();
            Files.write(place.slowed(), lines);
        }
        int quotaUs = Math.max(QUOTA_MIN_US, PERIOD_US / 100 * cpuPercent);
        for (Path quota : before.keySet()) {
            boolean unified = quota.endsWith("cpu.max");
            Files.writeString(quota, unified ? quotaUs + " " + PERIOD_US : Integer.toString(quotaUs));
        }
        return place.allocations().stream().map(a -> a.getFileName().toString()).toList();
    }

    /** Skips control groups that no longer exist. */
    void restore() throws IOException {
        for (String line : Files.readAllLines(place.slowed())) {
            int tab = line.indexOf('\t');
            Path quota = Path.of(line.substring(tab + 1));
            if (Files.exists(quota)) {
                Files.writeString(quota, line.substring(0, tab));
            }
        }
        Files.delete(place.slowed());
    }

    /** Quota files of the local pool's {@code Cgroups}, which uses the same period. */
    private List<Path> quotas() throws IOException {
        List<Path> groups = new ArrayList<>();
        for (Path allocation : place.allocations()) {
            Path file = allocation.resolve("cgroups");
            if (Files.exists(file)) {
                Files.readAllLines(file).stream().map(Path::of).forEach(groups::add);
            }
        }
        return groups.stream()
                .flatMap(g -> Stream.of(g.resolve("cpu.cfs_quota_us"), g.resolve("cpu.max")))
                .filter(Files::exists)
                .toList();
    }
}
