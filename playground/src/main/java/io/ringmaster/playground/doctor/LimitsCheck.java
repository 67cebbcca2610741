package io.ringmaster.playground.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Resource limits of this shell, which nodes inherit. */
final class LimitsCheck implements Check {
    private static final long FILES = 4_096;
    private static final long PROCESSES_PER_NODE = 250;

    @Override
    public Result look(Host host, Demand demand) {
        Optional<Long> files = host.limit("Max open files");
        Optional<Long> processes = host.limit("Max processes");
        long processesNeeded = demand.totalNodes() * PROCESSES_PER_NODE;
        List<String> low = new ArrayList<>();
        List<String> advice = new ArrayList<>();
        if (files.orElse(Long.MAX_VALUE) < FILES) {
            low.add("open files " + files.get() + " (wanted " + FILES + ")");
            advice.add("ulimit -n " + FILES);
        }
        if (processes.orElse(Long.MAX_VALUE) < processesNeeded) {
            low.add("processes and threads " + processes.get() + " (wanted " + processesNeeded + ")");
            advice.add("ulimit -u " + processesNeeded);
        }
        String found = "open files " + text(files) + ", processes " + text(processes) + ", locked memory "
                + text(host.limit("Max locked memory"));
        return low.isEmpty()
                ? Result.ok("limits", found)
                : Result.warn("limits", "low: " + String.join(", ", low), String.join("; ", advice));
    }

    private static String text(Optional<Long> limit) {
        return limit.map(l -> l == Long.MAX_VALUE ? "unlimited" : String.valueOf(l))
                .orElse("unknown");
    }
}
