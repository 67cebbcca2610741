package io.ringmaster.playground.doctor;

import io.ringmaster.cli.screen.Formats;

/** A start costs CPU time, so fewer cores mean a longer wait. */
final class CoresCheck implements Check {
    @Override
    public Result look(Host host, Demand demand) {
        String found = Formats.count(host.cores(), "core");
        return host.cores() >= 2
                ? Result.ok("cores", found)
                : Result.warn("cores", found, "expect starts to take twice as long as with two");
    }
}
