package io.ringmaster.playground.doctor;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

/** CPU and memory limits of nodes. */
final class CgroupCheck implements Check {
    @Override
    public Result look(Host host, Demand demand) {
        Host.Cgroups c = host.cgroups();
        if (c.cpu() && c.memory()) {
            return Result.ok(
                    "cgroups", "version " + c.version() + ", CPU and memory can be limited (" + c.detail() + ")");
        }
        String missing = c.cpu() ? "memory" : c.memory() ? "CPU" : "CPU and memory";
        return Result.warn(
                "cgroups",
                missing + " cannot be limited: " + c.detail(),
                "nodes run without these limits; they are enforced as root, or in a delegated cgroup (systemd-run"
                        + " --user --scope -p Delegate=yes " + PROGRAM + " playground)");
    }
}
