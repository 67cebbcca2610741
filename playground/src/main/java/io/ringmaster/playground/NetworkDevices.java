package io.ringmaster.playground;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The network devices that lead into a playground's namespaces. The kernel removes them with the namespaces, but a
 * moment later.
 */
final class NetworkDevices {
    /**
     * Devices of this process's own namespace, one line "name: counts" for each. A mount at /sys may show another
     * namespace.
     */
    private static final Path ALL = Path.of("/proc/self/net/dev");

    private NetworkDevices() {}

    static List<String> named(String prefix) throws IOException {
        if (!Files.exists(ALL)) {
            return List.of();
        }
        try (Stream<String> lines = Files.lines(ALL)) {
            return lines.filter(line -> line.contains(":"))
                    .map(line -> line.substring(0, line.indexOf(':')).strip())
                    .filter(device -> device.startsWith(prefix))
                    .sorted()
                    .toList();
        }
    }

    static void remove(String prefix) throws IOException, InterruptedException {
        for (String device : named(prefix)) {
            new ProcessBuilder("ip", "link", "del", device)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        }
        List<String> left = named(prefix);
        if (!left.isEmpty()) {
            throw new IOException("network devices stay: " + left + "; remove them with ip link del");
        }
    }
}
