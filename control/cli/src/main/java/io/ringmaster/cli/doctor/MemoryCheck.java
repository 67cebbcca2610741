package io.ringmaster.cli.doctor;

import io.ringmaster.cli.screen.Amounts;

/** Whether the nodes fit without swapping. */
final class MemoryCheck implements Check {
    @Override
    public Result look(Host host, Demand demand) {
        long needed = demand.memoryBytes();
        String found = Amounts.bytes(host.availableMemoryBytes()) + " of " + Amounts.bytes(host.memoryBytes())
                + " available, about " + Amounts.bytes(needed) + " needed for "
                + Amounts.count(demand.totalNodes(), "node");
        if (host.availableMemoryBytes() >= needed) {
            return Result.ok("memory", found);
        }
        String advice = "playground --nodes 1, --datacenters 1 or --heap 128MiB, or end other programs";
        return host.memoryBytes() >= needed
                ? Result.warn("memory", found, advice)
                : Result.fail("memory", found, advice);
    }
}
