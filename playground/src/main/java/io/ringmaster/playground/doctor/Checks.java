package io.ringmaster.playground.doctor;

import java.util.List;

/** The catalogue of checks: a new check is one file and one line here. */
public final class Checks {
    public static final List<Check> ALL = List.of(
            new JavaCheck(),
            new PlatformCheck(),
            new MemoryCheck(),
            new CoresCheck(),
            new DiskCheck(),
            new AddressesCheck(),
            new PortsCheck(),
            new LimitsCheck(),
            new MapCountCheck(),
            new CgroupCheck(),
            new NamespacesCheck(),
            new MavenCheck(),
            new NodeJsCheck(),
            new ClockCheck());

    private Checks() {}

    public static List<Result> run(Host host, Demand demand) {
        return ALL.stream().map(c -> c.look(host, demand)).toList();
    }
}
