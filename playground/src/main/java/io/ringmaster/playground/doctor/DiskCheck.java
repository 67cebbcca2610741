package io.ringmaster.playground.doctor;

import io.ringmaster.cli.screen.Formats;

/** Disk space for volumes and for Cassandra's jars. */
final class DiskCheck implements Check {
    @Override
    public Result look(Host host, Demand demand) {
        String found = Formats.bytes(host.freeDiskBytes()) + " free in " + host.home() + ", about "
                + Formats.bytes(demand.diskBytes()) + " needed";
        if (!host.homeIsWritable()) {
            return Result.fail(
                    "disk", host.home() + " cannot be written", "set RINGMASTER_HOME to a folder that you can write");
        }
        return host.freeDiskBytes() >= demand.diskBytes()
                ? Result.ok("disk", found)
                : Result.fail("disk", found, "free disk space, or set RINGMASTER_HOME to another disk");
    }
}
