package io.ringmaster.playground.loopback;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The loopback addresses of one playground. No two blocks share an address at which anything listens.
 *
 * <ul>
 *   <li>Block B of fixed addresses is 127.B.0.0/16, with B from 1 to 63. Machine M of datacenter N is 127.B.N.M.
 *   <li>Block K of moving addresses is 127.(64 + 16(K-1)).0.0/12, with K from 1 to 8. Machine M of datacenter N is
 *       127.1.(16(K-1) + N).M by name only: nothing listens there. The local pool gives its nodes 127.(64 + 16(K-1) +
 *       N).M.1 to .254.
 * </ul>
 *
 * Both use datacenters from 1 on. The addresses of datacenter 0 belong to the sockets that hold the block.
 *
 * @param number from 1, counted separately for each kind
 * @param moving whether each launch of a node gets another address
 */
public record LoopbackBlock(int number, boolean moving) {
    /** The block of a playground that runs alone, 127.1.0.0/16. */
    public static final LoopbackBlock FIRST = new LoopbackBlock(1, false);

    private static final int FIXED_BLOCKS = 63;
    private static final int MOVING_BLOCKS = 8;
    private static final int FIRST_LAUNCH_NETWORK = 64;
    /** More than the datacenters of a playground. */
    private static final int NETWORKS_OF_MOVING = 16;

    private static final int STARTING = 254;

    public LoopbackBlock {
        if (number < 1 || number > (moving ? MOVING_BLOCKS : FIXED_BLOCKS)) {
            throw new IllegalArgumentException("there is no block " + number + " of loopback addresses");
        }
    }

    /** All blocks of one kind, in the order in which playgrounds take them. */
    public static List<LoopbackBlock> all(boolean moving) {
        return IntStream.rangeClosed(1, moving ? MOVING_BLOCKS : FIXED_BLOCKS)
                .mapToObj(number -> new LoopbackBlock(number, moving))
                .toList();
    }

    /** The block of fixed addresses that a playground on this computer takes now; the first one if none is free. */
    public static LoopbackBlock next() {
        return firstFree(false, ListeningSockets.addresses()).orElse(FIRST);
    }

    /**
     * The block of a kind that a playground takes now.
     *
     * @param listening addresses from {@link ListeningSockets}
     */
    static Optional<LoopbackBlock> firstFree(boolean moving, Set<String> listening) {
        return all(moving).stream().filter(block -> block.isFree(listening)).findFirst();
    }

    /** Whether nothing listens at an address of this block. A socket that listens at every address is in no block. */
    boolean isFree(Set<String> listening) {
        return listening.stream().map(address -> address.split("\\.", -1)).noneMatch(this::holds);
    }

    /** Whether nothing listens at an address of this block but the start that holds it. */
    public boolean isFreeForItsHolder(Set<String> listening) {
        Set<String> others = new HashSet<>(listening);
        others.remove(starting());
        return isFree(others);
    }

    private boolean holds(String[] numbers) {
        int network = Integer.parseInt(numbers[1]);
        return numbers[0].equals("127")
                && network >= network(0)
                && network <= network(moving ? NETWORKS_OF_MOVING - 1 : 0);
    }

    /** The second number of the addresses at which nodes of a datacenter listen. */
    private int network(int datacenter) {
        return moving ? FIRST_LAUNCH_NETWORK + NETWORKS_OF_MOVING * (number - 1) + datacenter : number;
    }

    /** The configured address of a machine. */
    public String machine(int datacenter, int machine) {
        return moving
                ? "127.1." + (NETWORKS_OF_MOVING * (number - 1) + datacenter) + "." + machine
                : "127." + number + "." + datacenter + "." + machine;
    }

    /** For each machine, the address at which its first node listens. */
    public List<String> nodeAddresses(int datacenters, int machines) {
        return IntStream.rangeClosed(1, datacenters)
                .boxed()
                .flatMap(dc -> IntStream.rangeClosed(1, machines).mapToObj(m -> nodeAddress(dc, m)))
                .toList();
    }

    private String nodeAddress(int datacenter, int machine) {
        return moving ? "127." + network(datacenter) + "." + machine + ".1" : machine(datacenter, machine);
    }

    /** Where a starting playground listens until its servers hold the block. */
    String starting() {
        return "127." + network(0) + ".0." + STARTING;
    }

    /** Where the server of a datacenter listens to hold the block, also while no node runs. */
    public String server(int datacenter) {
        return "127." + network(0) + ".0." + datacenter;
    }

    @Override
    public String toString() {
        return "127." + network(0) + ".0.0/" + (moving ? 12 : 16);
    }
}
