package io.ringmaster.playground.doctor;

/** Network namespaces, which only {@code playground --wan} needs. */
final class NamespacesCheck implements Check {
    @Override
    public Result look(Host host, Demand demand) {
        return host.whyNoNetworkNamespaces()
                .map(reason -> Result.ok("namespaces", reason + "; the playground runs, but without --wan"))
                .orElseGet(() -> Result.ok("namespaces", "playground --wan can give each datacenter its own network"));
    }
}
