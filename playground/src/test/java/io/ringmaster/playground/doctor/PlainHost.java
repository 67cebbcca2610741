package io.ringmaster.playground.doctor;

import io.ringmaster.playground.loopback.LoopbackBlock;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A computer that passes every check, until a test changes a field. */
final class PlainHost implements Host {
    private static final long GIB = 1L << 30;
    String version = "17.0.15";
    String architecture = "amd64";
    int cores = 8;
    long memory = 16 * GIB;
    long available = 12 * GIB;
    long disk = 100 * GIB;
    boolean writable = true;
    LoopbackBlock block = LoopbackBlock.FIRST;
    boolean blockIsKept;
    boolean blockIsFree = true;
    Path home = Path.of("/home/ann/.ringmaster");
    final Set<String> absent = new HashSet<>();
    final Set<String> taken = new HashSet<>();
    final Map<String, Long> limits = new HashMap<>(Map.of("Max open files", 65_536L, "Max processes", 60_000L));
    long maps = 1_048_575;
    Cgroups cgroups = new Cgroups(2, true, true, "below /sys/fs/cgroup/user.slice");
    Optional<String> whyNoNamespaces = Optional.empty();

    @Nullable
    Path mvn = Path.of("/usr/bin/mvn");

    @Nullable
    String node = "v20.20.2";

    Instant now = Instant.parse("2026-01-02T03:04:05Z");

    @Nullable
    Boolean synchronizedClock = true;

    @Override
    public Path javaHome() {
        return Path.of("/usr/lib/jvm/java-17");
    }

    @Override
    public String javaVersion() {
        return version;
    }

    @Override
    public String system() {
        return "Linux";
    }

    @Override
    public String architecture() {
        return architecture;
    }

    @Override
    public int cores() {
        return cores;
    }

    @Override
    public long memoryBytes() {
        return memory;
    }

    @Override
    public long availableMemoryBytes() {
        return available;
    }

    @Override
    public Path home() {
        return home;
    }

    @Override
    public long freeDiskBytes() {
        return disk;
    }

    @Override
    public boolean homeIsWritable() {
        return writable;
    }

    @Override
    public LoopbackBlock block() {
        return block;
    }

    @Override
    public boolean blockIsKept() {
        return blockIsKept;
    }

    @Override
    public boolean blockIsFree() {
        return blockIsFree;
    }

    @Override
    public boolean canListen(String address, int port) {
        return !taken.contains(address + ":" + port);
    }

    @Override
    public Optional<Long> limit(String name) {
        return Optional.ofNullable(limits.get(name));
    }

    @Override
    public Optional<Long> maxMapCount() {
        return Optional.of(maps);
    }

    @Override
    public Cgroups cgroups() {
        return cgroups;
    }

    @Override
    public Optional<String> whyNoNetworkNamespaces() {
        return whyNoNamespaces;
    }

    @Override
    public Optional<Path> executable(String name) {
        return name.equals("mvn")
                ? Optional.ofNullable(mvn)
                : Optional.of(Path.of("/usr/bin", name)).filter(p -> !absent.contains(name));
    }

    @Override
    public Optional<String> nodeJsVersion() {
        return Optional.ofNullable(node);
    }

    @Override
    public Instant now() {
        return now;
    }

    @Override
    public @Nullable Boolean clockSynchronized() {
        return synchronizedClock;
    }
}
