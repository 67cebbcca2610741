package io.ringmaster.pool.local;

import io.ringmaster.host.Ipv4;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.fleet.Machine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Validates the configured machines against this computer. */
public final class MachineChecks {
    private static final long MIB = 1 << 20;

    private MachineChecks() {}

    /** The errors of the configuration; each names its field. */
    public static List<Problem> problems(List<Machine> machines, Addresses addresses) {
        List<Problem> problems = new ArrayList<>();
        if (machines.isEmpty()) {
            problems.add(problem("pool.local.machines", "must hold at least one machine"));
        }
        Map<String, String> taken = new HashMap<>();
        for (int i = 0; i < machines.size(); i++) {
            Machine machine = machines.get(i);
            String field = "pool.local.machines[" + i + "]";
            unique(taken, field + ".name", machine.name().value()).ifPresent(problems::add);
            String address = machine.address() == null ? "" : machine.address();
            unique(taken, field + ".address", address).ifPresent(problems::add);
            address(field + ".address", address).ifPresent(problems::add);
            if (addresses == Addresses.LAUNCH) {
                LaunchAddresses.unmapped(address)
                        .map(form -> problem(field + ".address", "'" + address + "' must be " + form))
                        .ifPresent(problems::add);
            }
            positive(field + ".cpus", machine.cpuMillis()).ifPresent(problems::add);
            positive(field + ".memory", machine.memoryBytes()).ifPresent(problems::add);
            positive(field + ".disk", machine.diskBytes()).ifPresent(problems::add);
        }
        return List.copyOf(problems);
    }

    private static Optional<Problem> unique(Map<String, String> taken, String field, String value) {
        String before = taken.putIfAbsent(field.substring(field.lastIndexOf('.')) + "=" + value, field);
        return before == null
                ? Optional.empty()
                : Optional.of(problem(field, "'" + value + "' is already taken by " + before));
    }

    private static Optional<Problem> positive(String field, long value) {
        return value > 0 ? Optional.empty() : Optional.of(problem(field, value + " must be more than 0"));
    }

    /** Only loopback: other computers could reach any other address, and Cassandra runs without authentication. */
    private static Optional<Problem> address(String field, String address) {
        Optional<InetAddress> literal = Ipv4.parse(address);
        if (literal.isEmpty()) {
            return Optional.of(problem(field, "'" + address + "' must be an IPv4 address, such as 127.1.1.1"));
        }
        try (ServerSocket socket = new ServerSocket()) {
            InetAddress there = literal.get();
            NetworkInterface device = NetworkInterface.getByInetAddress(there);
            if (!there.isLoopbackAddress() && (device == null || !device.isLoopback())) {
                return Optional.of(problem(
                        field,
                        "'" + address
                                + "' must be an address in 127.0.0.0/8, such as 127.1.1.1, or one that was given to the"
                                + " loopback device"));
            }
            socket.bind(new InetSocketAddress(there, 0));
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(problem(field, "nothing can listen on " + address + ": " + ThrowableText.of(e)));
        }
    }

    /** Warnings: the machines together offer more than this computer has. */
    public static List<String> warnings(List<Machine> machines, Path stateDirectory) {
        List<String> warnings = new ArrayList<>();
        long cpuMillis = machines.stream().mapToLong(Machine::cpuMillis).sum();
        long memory = machines.stream().mapToLong(Machine::memoryBytes).sum();
        long disk = machines.stream().mapToLong(Machine::diskBytes).sum();
        long cores = Runtime.getRuntime().availableProcessors();
        if (cpuMillis > cores * 1_000) {
            warnings.add("the machines together offer " + cpuMillis / 1_000.0 + " CPUs, this computer has " + cores);
        }
        long memoryHere = computerMemoryBytes();
        if (memory > memoryHere) {
            warnings.add("the machines together offer " + memory / MIB + " MiB of memory, this computer has "
                    + memoryHere / MIB + " MiB");
        }
        try {
            long free = Files.getFileStore(existing(stateDirectory)).getUsableSpace();
            if (disk > free) {
                warnings.add("the machines together offer " + disk / MIB + " MiB of disk, " + stateDirectory + " has "
                        + free / MIB + " MiB free");
            }
        } catch (IOException e) {
            warnings.add("free disk of " + stateDirectory + " cannot be read: " + ThrowableText.of(e));
        }
        return List.copyOf(warnings);
    }

    private static long computerMemoryBytes() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean os
                ? os.getTotalMemorySize()
                : Long.MAX_VALUE;
    }

    private static Path existing(Path path) {
        return Stream.iterate(path.toAbsolutePath(), Path::getParent)
                .filter(Files::exists)
                .findFirst()
                .orElseThrow();
    }

    private static Problem problem(String field, String message) {
        return Problem.field(ErrorCode.SPEC_INVALID, field, message);
    }
}
