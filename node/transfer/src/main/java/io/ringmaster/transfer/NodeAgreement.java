package io.ringmaster.transfer;

import io.ringmaster.backup.repository.Cut;
import io.ringmaster.backup.repository.NodeManifest;
import io.ringmaster.backup.repository.NodeName;
import io.ringmaster.backup.repository.RingEntry;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Whether the parts of all nodes make one backup: of one ring and one schema, taken at about the same time. */
final class NodeAgreement {
    private static final Duration CUT_MOST = Duration.ofMinutes(10);

    private final Map<String, NodeName> byHostId = new TreeMap<>();
    private @Nullable NodeManifest first;
    private @Nullable Cut cut;
    /** A node whose ring differs from that of the first: the names of its members are known at the end. */
    private @Nullable NodeManifest sawAnother;

    /**
     * Adds a node.
     *
     * @return the node in the ring
     * @throws TransferFailure it does not agree with the nodes before it
     */
    RingEntry add(NodeManifest node) throws TransferFailure {
        NodeManifest other = first == null ? node : first;
        first = other;
        RingEntry self =
                node.self().orElseThrow(() -> new TransferFailure(node.node() + " is not in the ring that it saw"));
        if (!self.datacenter().equals(node.node().datacenter())) {
            throw new TransferFailure(node.node() + " is in the datacenter " + self.datacenter() + " of the ring");
        }
        NodeName twin = byHostId.put(node.hostId(), node.node());
        if (twin != null) {
            throw new TransferFailure(twin + " and " + node.node() + " have one host id, " + node.hostId());
        }
        if (!other.schemaVersion().equals(node.schemaVersion())) {
            throw new TransferFailure("the schema changed while the snapshots were taken: " + other.node() + " has "
                    + other.schemaVersion() + ", " + node.node() + " has " + node.schemaVersion()
                    + " -> run the backup again");
        }
        cut = cut == null ? node.cut() : cut.with(node.cut());
        if (Duration.between(cut.from(), cut.to()).compareTo(CUT_MOST) > 0) {
            throw new TransferFailure("the snapshot of " + node.node() + " is more than " + CUT_MOST.toMinutes()
                    + " min away from others by the clock of the store -> run the backup again");
        }
        if (!other.ring().equals(node.ring())) {
            sawAnother = node;
        }
        return self;
    }

    private void requireMembers(NodeManifest one, NodeManifest other) throws TransferFailure {
        Map<String, RingEntry> seen =
                other.ring().stream().collect(Collectors.toMap(RingEntry::hostId, Function.identity(), (a, b) -> a));
        for (RingEntry member : one.ring()) {
            RingEntry same = seen.get(member.hostId());
            if (same == null) {
                throw new TransferFailure(label(member) + " is not in the ring that " + other.node()
                        + " saw, but in that of " + one.node() + " -> run the backup again");
            }
            if (!same.equals(member)) {
                throw new TransferFailure(one.node() + " and " + other.node() + " saw other tokens or another rack of "
                        + label(member) + " -> run the backup again");
            }
        }
    }

    private String label(RingEntry member) {
        return Optional.ofNullable(byHostId.get(member.hostId()))
                .map(NodeName::toString)
                .orElse("the host " + member.hostId() + " of " + member.datacenter());
    }

    /** @throws TransferFailure the nodes saw different rings, or one with a member that is not in the backup */
    void requireOneRing() throws TransferFailure {
        NodeManifest other = sawAnother;
        if (other != null) {
            requireMembers(first(), other);
            requireMembers(other, first());
        }
        for (RingEntry member : first().ring()) {
            if (!byHostId.containsKey(member.hostId())) {
                throw new TransferFailure("the host " + member.hostId() + " of " + member.datacenter()
                        + " is in the ring, but not in the backup -> run the backup again");
            }
        }
    }

    NodeManifest first() {
        return Objects.requireNonNull(first, "a backup has nodes");
    }

    Cut cut() {
        return Objects.requireNonNull(cut, "a backup has nodes");
    }
}
