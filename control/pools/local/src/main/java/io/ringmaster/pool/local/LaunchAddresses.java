package io.ringmaster.pool.local;

import io.ringmaster.host.Ipv4;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.MachineName;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Gives each launch its address. With {@link Addresses#LAUNCH}, a machine at {@code 127.1.N.M} has the block {@code
 * 127.(64+N).M.1} to {@code .254}: blocks of different machines never overlap. While the pool is open, it gives an
 * address again only after all others of the block, so that a former address does not soon lead to another node.
 */
final class LaunchAddresses {
    private static final int FIRST_BLOCK = 64;
    private static final int LAST_NETWORK = 127;
    private static final int LAST_IN_BLOCK = 254;

    private final Addresses mode;
    private final Map<MachineName, String> configured = new HashMap<>();
    private final Map<MachineName, Integer> lastGiven = new HashMap<>();

    LaunchAddresses(Addresses mode, List<Machine> machines) {
        this.mode = mode;
        for (Machine machine : machines) {
            if (machine.address() != null) {
                configured.put(machine.name(), machine.address());
            }
        }
    }

    /** Why the machine's address cannot be mapped to a block, completing "must be". */
    static Optional<String> unmapped(String address) {
        return block(address).isPresent()
                ? Optional.empty()
                : Optional.of("127.1.N.M with N from 0 to " + LAST_NETWORK + " and M from 0 to 255, so that it has a"
                        + " block of addresses for launches; with addresses: machine it may be any other");
    }

    /** The first three numbers. */
    private static Optional<String> block(String address) {
        return Ipv4.parse(address)
                .map(InetAddress::getAddress)
                .filter(bytes -> bytes[0] == 127 && bytes[1] == 1 && bytes[2] >= 0) // as a byte, 128 is negative
                .map(bytes -> "127." + (FIRST_BLOCK + bytes[2]) + "." + Byte.toUnsignedInt(bytes[3]) + ".");
    }

    /** The address of an allocation before its first launch; null if that decides it. */
    @Nullable
    String beforeLaunch(MachineName machine) {
        return mode == Addresses.MACHINE ? configured.get(machine) : null;
    }

    /**
     * The address of an allocation of an earlier server.
     *
     * @param launched whether an executor was started in it; older versions recorded no address
     */
    synchronized @Nullable String adopted(AllocationFolder.SavedAllocation saved, boolean launched) {
        MachineName machine = saved.allocation().machine();
        String address = saved.address();
        if (address == null) {
            return launched ? configured.get(machine) : beforeLaunch(machine);
        }
        Optional<String> block = Optional.ofNullable(configured.get(machine)).flatMap(LaunchAddresses::block);
        if (block.isPresent() && address.startsWith(block.get())) {
            Ipv4.parse(address)
                    .ifPresent(a -> lastGiven.merge(machine, Byte.toUnsignedInt(a.getAddress()[3]), Math::max));
        }
        return address;
    }

    /**
     * The address of a launch in an allocation in which nothing runs.
     *
     * @param held by other allocations of the machine
     */
    synchronized String next(MachineName machine, Set<String> held) {
        String address = configured.get(machine);
        if (address == null) {
            throw new IllegalStateException("there is no machine '" + machine + "' in this pool");
        }
        if (mode == Addresses.MACHINE) {
            return address;
        }
        String block = block(address)
                .orElseThrow(() -> new IllegalStateException(machine + ": the address " + address + " must be "
                        + unmapped(address).orElse("")));
        int last = lastGiven.getOrDefault(machine, 0);
        for (int step = 1; step <= LAST_IN_BLOCK; step++) {
            int next = (last + step - 1) % LAST_IN_BLOCK + 1;
            if (!held.contains(block + next)) {
                lastGiven.put(machine, next);
                return block + next;
            }
        }
        throw new IllegalStateException("all addresses of " + machine + " are taken");
    }

    /** The machines as the pool reports them. */
    List<Machine> reported(List<Machine> machines) {
        return mode == Addresses.MACHINE
                ? machines
                : machines.stream().map(LaunchAddresses::withoutAddress).toList();
    }

    private static Machine withoutAddress(Machine machine) {
        return new Machine(
                machine.name(),
                machine.rack(),
                null,
                machine.cpuMillis(),
                machine.memoryBytes(),
                machine.diskBytes(),
                machine.ports(),
                machine.cordoned(),
                machine.state());
    }
}
