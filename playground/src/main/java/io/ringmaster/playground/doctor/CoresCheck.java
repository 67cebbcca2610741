package io.ringmaster.playground.doctor;

import io.ringmaster.cli.screen.Formats;

/** A start costs CPU time: fewer cores mean a longer wait. */
final class CoresCheck implements Check {
    @Override
    public Result look(Host host, Demand demand) {
        String found = Formats.count(host.cores(), "core");
        return host.cores() >= 2
                ? Result.ok("cores", found)
                : Result.warn("cores", found, "starts take twice as long as with two cores");
    }
}
