package io.ringmaster.playground.doctor;

import io.ringmaster.cli.screen.Formats;

/** Memory for all nodes without swapping. */
final class MemoryCheck implements Check {
    @Override
    public Result look(Host host, Demand demand) {
        long needed = demand.memoryBytes();
        String found = Formats.bytes(host.availableMemoryBytes()) + " of " + Formats.bytes(host.memoryBytes())
                + " available, about " + Formats.bytes(needed) + " needed for "
                + Formats.count(demand.totalNodes(), "node");
        if (host.availableMemoryBytes() >= needed) {
            return Result.ok("memory", found);
        }
        String advice = "playground --nodes 1, --datacenters 1 or --heap 128MiB, or end other programs";
        return host.memoryBytes() >= needed
                ? Result.warn("memory", found, advice)
                : Result.fail("memory", found, advice);
    }
}
