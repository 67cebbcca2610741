package io.ringmaster.cli.doctor;

/** The management socket of a node is a file in its volume, and the kernel limits such a path to 107 bytes. */
final class PathCheck implements Check {
    private static final int LONGEST = 107;
    private static final String BELOW_HOME = "/playground/dc1/allocations/rides-dc1-node-0/volume/mgmt.sock";

    @Override
    public Result look(Host host, Demand demand) {
        int length = (host.home() + BELOW_HOME).length();
        String found = "socket paths below " + host.home() + " have " + length + " of " + LONGEST + " bytes";
        return length <= LONGEST
                ? Result.ok("paths", found)
                : Result.fail("paths", found, "set RINGMASTER_HOME to a shorter path");
    }
}
