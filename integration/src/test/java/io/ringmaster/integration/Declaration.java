package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.spec.ClusterSpecs;
import io.ringmaster.core.spec.ParsedSpec;
import io.ringmaster.core.spec.SpecText;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.RefusedException;
import io.ringmaster.wire.client.Scope;
import java.time.Duration;
import java.util.stream.Stream;

/** The spec of a playground's cluster, to be applied with some of its datacenters. */
final class Declaration {
    private final Playground playground;
    private final ClusterSpec all;

    private Declaration(Playground playground, ClusterSpec all) {
        this.playground = playground;
        this.all = all;
    }

    static Declaration of(Playground playground) {
        String source = playground.client("dc1").spec(Playground.RIDES).source();
        return new Declaration(playground, ((ParsedSpec.Valid) ClusterSpecs.parse(source)).spec());
    }

    /** The spec with these datacenters, in this order. */
    String in(String... datacenters) {
        return SpecText.write(all.withDatacenters(Stream.of(datacenters)
                .map(name -> all.datacenter(new DatacenterName(name)).orElseThrow())
                .toList()));
    }

    void apply(String... datacenters) {
        playground.client("dc1").apply(Playground.RIDES, in(datacenters), null, ChangeOptions.APPLY);
    }

    /** Why it would be refused now; empty if it would not. */
    String refusal(String... datacenters) {
        try {
            playground.client("dc1").apply(Playground.RIDES, in(datacenters), null, ChangeOptions.DRY_RUN);
            return "";
        } catch (RefusedException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** Deletes the cluster with its data, and declares it in dc1 alone. */
    void beginsInDc1(Duration limit) {
        playground.run("cluster", "delete", "rides", "--destroy-data", "--yes", "--wait");
        assertThat(playground.client("dc2").clusters(Scope.LOCAL).items())
                .as("clusters of dc2 once the delete was waited for")
                .isEmpty();
        Patience.until("the deleted cluster to be gone in dc2 too", limit, () -> refusal("dc1"), why -> {
            assertThat(why).satisfiesAnyOf(w -> assertThat(w).isEmpty(), w -> assertThat(w)
                    .contains("still has nodes in dc2"));
            return why.isEmpty();
        });
        apply("dc1");
    }
}
