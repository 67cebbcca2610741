package io.ringmaster.lab.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** Facts of this computer that a figure depends on. */
public final class MachineFacts {
    private static final Path PROC = Path.of("/proc");

    private MachineFacts() {}

    /** @return name to value, in the order of a page; what cannot be read is left out */
    public static Map<String, String> read() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("processors", String.valueOf(Runtime.getRuntime().availableProcessors()));
        field("cpuinfo", "model name").ifPresent(model -> facts.put("model", model));
        field("meminfo", "MemTotal")
                .map(kib -> Math.round(Long.parseLong(kib.split(" ", 2)[0]) / 1048576.0) + " GiB")
                .ifPresent(memory -> facts.put("memory", memory));
        facts.put("kernel", System.getProperty("os.version"));
        facts.put("cgroups", Files.exists(Path.of("/sys/fs/cgroup/cgroup.controllers")) ? "v2" : "v1");
        facts.put("Java of the lab", System.getProperty("java.runtime.version"));
        facts.put("load average of the minute before", String.valueOf(loadAverage()));
        return facts;
    }

    /** The load average of the last minute; 0 where the kernel has none. */
    public static double loadAverage() {
        try {
            return Double.parseDouble(Files.readString(PROC.resolve("loadavg")).split(" ", 2)[0]);
        } catch (IOException e) {
            return 0;
        }
    }

    private static java.util.Optional<String> field(String file, String name) {
        try (Stream<String> lines = Files.lines(PROC.resolve(file))) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst();
        } catch (IOException e) {
            return java.util.Optional.empty();
        }
    }
}
