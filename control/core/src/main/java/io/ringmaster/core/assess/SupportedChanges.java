package io.ringmaster.core.assess;

import io.ringmaster.core.safety.ClearTextCheck;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.spec.SpecDiff;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.TlsStatus;
import io.ringmaster.model.record.DatacenterReport.NodePart;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Whether a cluster can be changed to a spec from its actual nodes, which may be fewer than it last declared. */
public final class SupportedChanges {
    private SupportedChanges() {}

    /** The unsupported changes; empty if the spec can be planned. */
    public static List<Problem> problems(View view, ClusterSpec after) {
        List<Problem> elsewhere = elsewhere(view, after);
        if (!elsewhere.isEmpty()) {
            return elsewhere;
        }
        Optional<Problem> incomplete = onlyCompleteElsewhere(view, after);
        if (incomplete.isPresent()) {
            return List.of(incomplete.get());
        }
        List<NodeRecord> nodes = view.nodesOf(after.name());
        boolean created = Seeds.created(view, after.name());
        if (nodes.isEmpty()) {
            return created ? added(view, after) : List.of();
        }
        long version = nodes.stream().mapToLong(NodeRecord::specVersion).max().orElseThrow();
        boolean restoresTls = restoresTls(view, nodes, after);
        return view
                .spec(after.name(), version)
                .map(before -> SpecDiff.between(asPlaced(view, before.spec(), after), after)
                        .unsupported(created ? SpecDiff.Progress.CREATED : SpecDiff.Progress.PLACED))
                .orElse(List.of())
                .stream()
                .filter(p -> !restoresTls || p.field() == null || !p.field().startsWith("tls."))
                .toList();
    }

    /** Whether an earlier release has dropped TLS from the last spec, and this one has what the nodes run with. */
    private static boolean restoresTls(View view, List<NodeRecord> nodes, ClusterSpec after) {
        return nodes.stream().anyMatch(n -> ClearTextCheck.refusedFor(view, n).isPresent())
                && nodes.stream()
                        .flatMap(n -> view.status(n.id()).map(NodeStatus::tls).map(TlsStatus::target).stream())
                        .allMatch(tls -> tls.equals(after.tls()));
    }

    /**
     * A spec must name every datacenter that has nodes of the cluster. One is left out by mistake, or because the user
     * does not know that the cluster is there. Before the cluster is complete none can be removed: its nodes could
     * still join without bootstrap when the others already admit clients.
     */
    private static List<Problem> elsewhere(View view, ClusterSpec after) {
        return view.peers().keySet().stream()
                .filter(d -> after.datacenter(d).isEmpty())
                .filter(d -> !wasNamed(view, after, d) || !Seeds.created(view, after.name()))
                .filter(d -> view.lastPart(d, after.name())
                        .filter(p -> !p.deleting() && !p.nodes().isEmpty() && Seeds.isSame(view, p))
                        .isPresent())
                .map(d -> new Problem(
                        ErrorCode.SPEC_CHANGE_UNSUPPORTED,
                        "datacenters",
                        after.name() + " has nodes in " + d + ", which the spec does not name",
                        "name " + d + " too, or declare a cluster of another name"))
                .toList();
    }

    /**
     * A spec must name a datacenter in which the cluster was complete. Without one, no server knows that the cluster
     * holds data, and the remaining datacenters may lack it.
     */
    private static Optional<Problem> onlyCompleteElsewhere(View view, ClusterSpec after) {
        Set<DatacenterName> complete = Seeds.completeIn(view, after.name());
        if (complete.isEmpty() || after.datacenterNames().stream().anyMatch(complete::contains)) {
            return Optional.empty();
        }
        String names =
                String.join(", ", complete.stream().map(DatacenterName::value).toList());
        return Optional.of(new Problem(
                ErrorCode.SPEC_CHANGE_UNSUPPORTED,
                "datacenters",
                after.name() + " was complete only in " + names + ", which the spec does not name: "
                        + after.datacenterNames() + " may lack its data",
                "name " + names + " too, and take it out when the deploy of another datacenter is complete"));
    }

    /** Whether a version of the spec that is known here names the datacenter: then the new spec removes it. */
    private static boolean wasNamed(View view, ClusterSpec after, DatacenterName datacenter) {
        return view.versions(after.name()).values().stream()
                .anyMatch(s -> s.spec().datacenter(datacenter).isPresent());
    }

    /**
     * Tokens depend on the position of each datacenter in the spec, so the positions of datacenters that hold data must
     * not change.
     */
    private static List<Problem> added(View view, ClusterSpec after) {
        Optional<Problem> otherTls = otherTls(view, after);
        if (otherTls.isPresent()) {
            return List.of(otherTls.get());
        }
        List<DatacenterName> order = after.datacenterNames();
        return order.stream()
                .skip(order.indexOf(view.datacenter()) + 1L)
                .filter(later ->
                        !NewDatacenter.joined(view, after.name(), later).isEmpty())
                .map(later -> new Problem(
                        ErrorCode.SPEC_CHANGE_UNSUPPORTED,
                        "datacenters." + view.datacenter(),
                        "is listed before " + later + ", which the cluster already has",
                        "list it after all datacenters that the cluster has"))
                .toList();
    }

    /**
     * The datacenters that have nodes refuse another TLS for them; here nothing runs yet. A spec that they have
     * received already is theirs to judge.
     */
    private static Optional<Problem> otherTls(View view, ClusterSpec after) {
        return view.peers().keySet().stream()
                .filter(d -> !NewDatacenter.joined(view, after.name(), d).isEmpty())
                .flatMap(d -> view.lastPart(d, after.name()).stream())
                .filter(p -> !p.deleting() && Seeds.isSame(view, p))
                .map(p -> p.spec().spec())
                .filter(s -> !Objects.equals(s.tls(), after.tls()))
                .findFirst()
                .map(s -> new Problem(
                        ErrorCode.SPEC_CHANGE_UNSUPPORTED,
                        "tls",
                        after.name() + " is created in " + s.datacenterNames() + " with "
                                + (s.tls() == null
                                        ? "no tls"
                                        : "tls: " + s.tls().text()),
                        "add " + view.datacenter() + " with the same"));
    }

    /**
     * The older spec with the actual number of nodes: nodes that were declared and never launched do not restrict a
     * change. In another datacenter only nodes that joined count; that server checks the rest itself.
     */
    private static ClusterSpec asPlaced(View view, ClusterSpec before, ClusterSpec after) {
        List<DatacenterSpec> datacenters = before.datacenters().stream()
                .map(d -> new DatacenterSpec(d.name(), placed(view, before, after, d.name()), d.seeds(), d.racks()))
                .toList();
        return before.withDatacenters(datacenters);
    }

    private static int placed(View view, ClusterSpec before, ClusterSpec after, DatacenterName datacenter) {
        int declared = after.datacenter(datacenter).map(DatacenterSpec::nodes).orElse(0);
        if (!datacenter.equals(view.datacenter())) {
            return view.lastPart(datacenter, before.name())
                    .map(p -> p.nodes().stream().filter(NodePart::joined).map(NodePart::node))
                    .map(joined -> atLeast(declared, joined))
                    .orElse(declared);
        }
        return atLeast(
                declared,
                view.nodesOf(before.name()).stream()
                        .filter(NodeRecord::launched)
                        .map(NodeRecord::id));
    }

    private static int atLeast(int declared, Stream<NodeId> there) {
        return there.mapToInt(n -> n.index() + 1).reduce(declared, Math::max);
    }
}
