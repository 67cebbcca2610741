package io.ringmaster.cli.doctor;

/** Nothing of the playground needs them; experiments with network faults do. */
final class NamespacesCheck implements Check {
    @Override
    public Result look(Host host, Demand demand) {
        return host.userNamespaces()
                ? Result.ok("namespaces", "user namespaces can be made")
                : Result.ok("namespaces", "user namespaces cannot be made; the playground does not need them");
    }
}
