package io.ringmaster.executor.configuration;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The memory allocator of a daemon with a native engine. glibc keeps fragmented memory in its arenas, however
 * few; jemalloc, where it is installed, returns it to the system.
 */
final class Allocator {
    /** The paths of Debian for both architectures, then those of other distributions. */
    private static final List<Path> JEMALLOC = List.of(
            Path.of("/usr/lib/x86_64-linux-gnu/libjemalloc.so.2"),
            Path.of("/usr/lib/aarch64-linux-gnu/libjemalloc.so.2"),
            Path.of("/usr/lib64/libjemalloc.so.2"),
            Path.of("/usr/lib/libjemalloc.so.2"));

    private Allocator() {}

    static Map<String, String> environment() {
        return environment(JEMALLOC);
    }

    /** @param libraries the possible paths of jemalloc */
    static Map<String, String> environment(List<Path> libraries) {
        Map<String, String> environment = new TreeMap<>();
        libraries.stream()
                .filter(Files::isReadable)
                .findFirst()
                .ifPresent(library -> environment.put("LD_PRELOAD", library.toString()));
        return environment;
    }
}
