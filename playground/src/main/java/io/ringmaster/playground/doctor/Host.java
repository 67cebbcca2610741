package io.ringmaster.playground.doctor;

import io.ringmaster.playground.loopback.LoopbackBlock;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Facts about this computer. */
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

    /** Folder of Ringmaster's own files. */
    Path home();

    long freeDiskBytes();

    boolean homeIsWritable();

    /** The loopback addresses of the playground that starts next. */
    LoopbackBlock block();

    /** Whether {@link #block} is that of kept data, whose addresses stay. */
    boolean blockIsKept();

    /** Whether no other program listens in {@link #block}. */
    boolean blockIsFree();

    /** Whether a socket can listen there; {@code port} 0 checks only the address. */
    boolean canListen(String address, int port);

    /** A soft limit of this process as {@code /proc/self/limits} names it; {@link Long#MAX_VALUE} for unlimited. */
    Optional<Long> limit(String name);

    /** {@code vm.max_map_count}. */
    Optional<Long> maxMapCount();

    Cgroups cgroups();

    /** The reason why this user cannot create and link network namespaces; empty when none is known. */
    Optional<String> whyNoNetworkNamespaces();

    /** The path of an executable on the PATH. */
    Optional<Path> executable(String name);

    /** What {@code node --version} prints, such as {@code v20.20.2}; empty without Node. */
    Optional<String> nodeJsVersion();

    Instant now();

    /** Whether the clock is synchronized; null when unknown. */
    @Nullable
    Boolean clockSynchronized();

    /**
     * Control groups.
     *
     * @param version 1, 2, or 0 without control groups
     * @param cpu whether this user may limit CPU
     * @param memory whether this user may limit memory
     * @param detail their folder, or the reason why they cannot be used
     */
    record Cgroups(int version, boolean cpu, boolean memory, String detail) {}
}
