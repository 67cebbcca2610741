package io.ringmaster.playground.doctor;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What there is to know of this computer. */
public interface Host {
    Path javaHome();

    /** Such as {@code 17.0.15}. */
    String javaVersion();

    /** {@code Linux} and {@code amd64} or {@code aarch64}. */
    String system();

    String architecture();

    int cores();

    long memoryBytes();

    long availableMemoryBytes();

    /** Where Ringmaster keeps its own things. */
    Path home();

    long freeDiskBytes();

    boolean homeIsWritable();

    /** Whether a socket can listen there: {@code port} 0 asks only for the address. */
    boolean canListen(String address, int port);

    /** A soft limit of this process as {@code /proc/self/limits} names it; {@link Long#MAX_VALUE} for unlimited. */
    Optional<Long> limit(String name);

    /** {@code vm.max_map_count}. */
    Optional<Long> maxMapCount();

    Cgroups cgroups();

    /** Why this user cannot make network namespaces and link them; empty when nothing is known to forbid it. */
    Optional<String> whyNoNetworkNamespaces();

    /** Where an executable stands on the PATH. */
    Optional<Path> executable(String name);

    Instant now();

    /** Whether something keeps the clock right: true, false, or null when it cannot be told. */
    @Nullable
    Boolean clockSynchronized();

    /**
     * Control groups.
     *
     * @param version 1, 2, or 0 when there are none
     * @param cpu whether this user may limit CPU
     * @param memory whether this user may limit memory
     * @param detail where, or why not
     */
    record Cgroups(int version, boolean cpu, boolean memory, String detail) {}
}
