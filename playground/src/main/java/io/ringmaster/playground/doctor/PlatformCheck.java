package io.ringmaster.playground.doctor;

import java.util.Set;

/** Operating system and processor. */
final class PlatformCheck implements Check {
    private static final Set<String> KNOWN = Set.of("amd64", "x86_64", "aarch64");

    @Override
    public Result look(Host host, Demand demand) {
        String found = host.system() + " on " + host.architecture();
        if (!host.system().equals("Linux")) {
            return Result.fail("platform", found, "use Linux, or a Linux virtual machine");
        }
        return KNOWN.contains(host.architecture())
                ? Result.ok("platform", found)
                : Result.warn("platform", found + " is untested", "x86-64 and aarch64 are known to work");
    }
}
