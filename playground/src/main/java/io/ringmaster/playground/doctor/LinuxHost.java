package io.ringmaster.playground.doctor;

import io.ringmaster.playground.loopback.ListeningSockets;
import io.ringmaster.playground.loopback.LoopbackBlock;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads this computer from /proc and /sys, and tries addresses with sockets that it closes at once. */
public final class LinuxHost implements Host {
    private static final Path PROC = Path.of("/proc");
    private static final long CAP_NET_ADMIN = 1L << 12;
    private static final long CAP_SYS_ADMIN = 1L << 21;

    private final Path home;
    private final Map<String, String> environment;
    private final LoopbackBlock block;
    private final boolean kept;

    /** For a playground that takes the first free block of fixed addresses. */
    public LinuxHost(Path home, Map<String, String> environment) {
        this(home, environment, LoopbackBlock.next(), false);
    }

    /** @param kept whether the block is that of kept data */
    public LinuxHost(Path home, Map<String, String> environment, LoopbackBlock block, boolean kept) {
        this.home = home;
        this.environment = Map.copyOf(environment);
        this.block = block;
        this.kept = kept;
    }

    @Override
    public Path javaHome() {
        return Path.of(System.getProperty("java.home"));
    }

    @Override
    public String javaVersion() {
        return System.getProperty("java.version");
    }

    @Override
    public String system() {
        return System.getProperty("os.name");
    }

    @Override
    public String architecture() {
        return System.getProperty("os.arch");
    }

    @Override
    public int cores() {
        return Runtime.getRuntime().availableProcessors();
    }

    @Override
    public long memoryBytes() {
        return memory("MemTotal:");
    }

    @Override
    public long availableMemoryBytes() {
        return memory("MemAvailable:");
    }

    @Override
    public Path home() {
        return home;
    }

    @Override
    public long freeDiskBytes() {
        return nearestExisting().toFile().getUsableSpace();
    }

    @Override
    public boolean homeIsWritable() {
        return Files.isWritable(nearestExisting());
    }

    @Override
    public LoopbackBlock block() {
        return block;
    }

    @Override
    public boolean blockIsKept() {
        return kept;
    }

    @Override
    public boolean blockIsFree() {
        return block.isFreeForItsHolder(ListeningSockets.addresses());
    }

    @Override
    public boolean canListen(String address, int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getByName(address), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public Optional<Long> limit(String name) {
        return lines(PROC.resolve("self/limits"))
                .filter(l -> l.startsWith(name + " "))
                .findFirst()
                .map(l -> l.substring(name.length()).strip().split("\\s+", -1)[0])
                .map(v -> v.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(v));
    }

    @Override
    public Optional<Long> maxMapCount() {
        return lines(PROC.resolve("sys/vm/max_map_count"))
                .findFirst()
                .map(String::strip)
                .map(Long::valueOf);
    }

    @Override
    public Cgroups cgroups() {
        return CgroupReader.read(
                Path.of("/sys/fs/cgroup"), lines(PROC.resolve("self/cgroup")).toList());
    }

    @Override
    public Optional<String> whyNoNetworkNamespaces() {
        long capabilities = lines(PROC.resolve("self/status"))
                .filter(l -> l.startsWith("CapEff:"))
                .findFirst()
                .map(l -> Long.parseUnsignedLong(l.substring(7).strip(), 16))
                .orElse(0L);
        if ((capabilities & CAP_NET_ADMIN) == 0 || (capabilities & CAP_SYS_ADMIN) == 0) {
            return Optional.of("this user may not make network namespaces (root may)");
        }
        if (!Files.exists(Path.of("/dev/net/tun"))) {
            return Optional.of("this kernel offers no /dev/net/tun");
        }
        return Stream.of("ip", "nsenter")
                .filter(program -> executable(program).isEmpty())
                .findFirst()
                .map(program -> "the program " + program + " is not installed");
    }

    @Override
    public Optional<Path> executable(String name) {
        return Stream.of(environment.getOrDefault("PATH", "").split(":", -1))
                .filter(d -> !d.isEmpty())
                .map(d -> Path.of(d, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    @Override
    public Optional<String> nodeJsVersion() {
        return executable("node").flatMap(node -> firstLine(node.toString(), "--version"));
    }

    private static Optional<String> firstLine(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return Optional.empty();
            }
            try (BufferedReader output = process.inputReader()) {
                return Optional.ofNullable(output.readLine());
            }
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public @Nullable Boolean clockSynchronized() {
        return Files.isDirectory(Path.of("/run/systemd/timesync"))
                ? Boolean.valueOf(Files.exists(Path.of("/run/systemd/timesync/synchronized")))
                : null;
    }

    private static long memory(String field) {
        return lines(PROC.resolve("meminfo"))
                .filter(l -> l.startsWith(field))
                .findFirst()
                .map(l -> Long.parseLong(l.replaceAll("\\D", "")) * 1024)
                .orElse(0L);
    }

    private Path nearestExisting() {
        Path path = home;
        while (!Files.exists(path) && path.getParent() != null) {
            path = path.getParent();
        }
        return path;
    }

    /** Empty when the file does not exist or is not readable. */
    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            List<String> none = List.of();
            return none.stream();
        }
    }
}
