package io.ringmaster.simulator.ledger;

import io.ringmaster.model.name.DatacenterName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Whether the client reads what it was promised: each acknowledged row at QUORUM and at LOCAL_QUORUM of every
 * datacenter of its keyspace, whichever replicas answer, and no row whose deletion was acknowledged. Beyond that, every
 * replica has every acknowledged write: with one copy less the client notices nothing, until the next disk is lost.
 *
 * <p>A replica need not have a write whose hint for it was lost, with the volume of the coordinator or otherwise: hints
 * are no part of the promise. At the level that acknowledged the write, it is checked with all its replicas.
 *
 * <p>A row is excused, and counted, if its last copy was on a volume that a fault destroyed while the volumes of as
 * many of its copies as a quorum has were gone at once. A copy whose place another node has taken over does not count
 * any more: the replacement has it, or Ringmaster had to bring it there.
 *
 * <p>A write whose client received no acknowledgement is not checked: the row may exist or not.
 */
public final class Audit {
    public static final String READABLE = "acknowledged-rows-readable";
    public static final String READ = "acknowledged-rows-read";
    public static final String DELETED = "deleted-rows-stay-deleted";
    public static final String COMPLETE = "replicas-complete";

    private final Function<Row, Map<DatacenterName, Integer>> replication;

    Audit(Function<Row, Map<DatacenterName, Integer>> replication) {
        this.replication = replication;
    }

    /**
     * @param invariant the name of the broken invariant, or null
     * @param what the row and its history, or null
     */
    public record Result(int checked, int excused, @Nullable String invariant, @Nullable String what) {
        /** Names the first broken invariant, or the first one that a client notices. */
        public Result plus(Result other) {
            Result named = invariant == null || (COMPLETE.equals(invariant) && other.invariant != null) ? other : this;
            return new Result(checked + other.checked, excused + other.excused, named.invariant, named.what);
        }
    }

    /** @param local the datacenter of a LOCAL_QUORUM; null for QUORUM */
    private record Read(@Nullable DatacenterName local, List<Replica> replicas, int quorum) {
        String level() {
            return local == null ? "QUORUM" : "LOCAL_QUORUM of " + local;
        }
    }

    /** Checks all rows; the ring must have all its members, and hints must be delivered. */
    Result check(List<Row> rows, RingState ring) {
        Result all = new Result(0, 0, null, null);
        for (Row row : rows) {
            if (row.isAcknowledged()) {
                all = all.plus(check(row, ring));
            }
        }
        return all;
    }

    private Result check(Row row, RingState ring) {
        for (Read read : reads(row, ring)) {
            Predicate<Replica> exempt = isAcknowledgedAt(row, read) ? replica -> false : row::isHintLostFor;
            Optional<String> broken = broken(row, read, exempt);
            if (broken.isPresent()) {
                String where = read.level() + " of replicas " + read.replicas() + " " + broken.get() + ": " + row;
                return result(row, row.last().deleted() ? DELETED : READABLE, where);
            }
        }
        List<Replica> lacking = lacking(row, ring);
        return lacking.isEmpty()
                ? new Result(1, 0, null, null)
                : result(row, COMPLETE, lacking + " lack the last write of " + row);
    }

    private static Result result(Row row, String invariant, String what) {
        return row.isLost() ? new Result(0, 1, null, null) : new Result(1, 0, invariant, what);
    }

    /** A replica without the row needs no tombstone for it. */
    private List<Replica> lacking(Row row, RingState ring) {
        return ring.current().replicas(row.token, replication.apply(row)).stream()
                .filter(r -> !r.has(row, row.last()) && !row.isHintLostFor(r))
                .filter(r -> !row.last().deleted() || r.cell(row).isPresent())
                .toList();
    }

    private static boolean isAcknowledgedAt(Row row, Read read) {
        return Objects.equals(row.local(), read.local());
    }

    private List<Read> reads(Row row, RingState ring) {
        Map<DatacenterName, Integer> replicas = replication.apply(row);
        List<Replica> owners = ring.current().replicas(row.token, replicas);
        List<Read> reads = new ArrayList<>();
        if (!replicas.isEmpty()) {
            reads.add(new Read(null, owners, Client.quorum(replicas, null)));
        }
        replicas.keySet()
                .forEach(d -> reads.add(new Read(
                        d,
                        owners.stream().filter(r -> r.datacenter().equals(d)).toList(),
                        Client.quorum(replicas, d))));
        return reads;
    }

    /** Why a quorum of these replicas may answer wrongly; empty if each answers rightly, or is exempt. */
    private static Optional<String> broken(Row row, Read read, Predicate<Replica> exempt) {
        List<Replica> lacking = read.replicas().stream()
                .filter(r -> !r.has(row, row.last()) && !exempt.test(r))
                .toList();
        boolean found = lacking.size() >= read.quorum();
        if (!row.last().deleted()) {
            return found ? Optional.of("misses a row that " + lacking + " lack") : Optional.empty();
        }
        return found && lacking.stream().anyMatch(r -> r.cell(row).isPresent())
                ? Optional.of("returns a deleted row, as " + lacking + " lack the deletion")
                : Optional.empty();
    }

    /**
     * A row whose last write a client may miss now, at the level that acknowledged it, whichever of the replicas that
     * are up answer. A replica that streamed the range from one that lacked the write may lack it until it is repaired.
     */
    Optional<String> misread(List<Row> rows, RingState ring) {
        return rows.stream()
                .filter(r -> r.isAcknowledged() && !r.isLost())
                .flatMap(r -> misread(r, ring).stream())
                .findFirst();
    }

    private Optional<String> misread(Row row, RingState ring) {
        Map<DatacenterName, Integer> replicas = replication.apply(row);
        DatacenterName local = row.local();
        if (!row.hasReplicasAsWritten(replicas) || (local != null && !replicas.containsKey(local))) {
            return Optional.empty();
        }
        List<Replica> up = ring.current().replicas(row.token, replicas).stream()
                .filter(r -> (local == null || r.datacenter().equals(local)) && ring.isUp(r))
                .toList();
        Read read = new Read(local, up, Client.quorum(replicas, local));
        return broken(row, read, row::wasStreamedWithout)
                .map(what -> read.level() + " of replicas " + up + " " + what + ": " + row);
    }

    /** A row that is on no volume any more, although no fault destroyed its last copy. */
    Optional<String> vanished(List<Row> rows, RingState ring) {
        return rows.stream()
                .filter(r -> r.isAcknowledged() && !r.last().deleted() && !r.isLost())
                .filter(r -> !isAnywhere(r, ring))
                .findFirst()
                .map(r -> "no volume of a member has a row: " + r);
    }

    /** Whether the last write is on a volume of the ring or in a hint there. */
    static boolean isAnywhere(Row row, RingState ring) {
        return ring.members().stream()
                .filter(ring::mayReturn)
                .anyMatch(m -> m.has(row, row.last())
                        || m.hints().stream()
                                .anyMatch(h -> h.row() == row && h.cell().equals(row.last())));
    }
}
