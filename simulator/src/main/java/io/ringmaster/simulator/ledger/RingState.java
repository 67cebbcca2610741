package io.ringmaster.simulator.ledger;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The ring of a cluster at one moment. */
public final class RingState {
    private final List<Member> members;
    private final @Nullable Replica joining;
    private final boolean partitioned;
    private final List<Replica> all;
    private final TokenRing current;
    private final TokenRing future;

    /** What a member does. */
    public enum Status {
        SERVES,
        /** It serves other nodes, and accepts no clients. */
        CLOSED,
        LEAVES,
        DOWN,
        /** The volume is lost, or its allocation released. */
        GONE
    }

    /** @param downMillis for how long it has been down */
    public record Member(Replica replica, Status status, long downMillis) {}

    /**
     * @param members the owners of ranges, dead ones included
     * @param joining the node that bootstraps or replaces a member, or null
     * @param partitioned whether the datacenters do not reach each other
     */
    public RingState(List<Member> members, @Nullable Replica joining, boolean partitioned) {
        this.members = List.copyOf(members);
        this.joining = joining;
        this.partitioned = partitioned;
        this.all = members.stream().map(Member::replica).toList();
        this.current = new TokenRing(all);
        boolean moves = joining != null || members.stream().anyMatch(m -> m.status == Status.LEAVES);
        this.future = moves ? new TokenRing(staying().toList()) : current;
    }

    private Stream<Replica> staying() {
        Stream<Replica> stay =
                members.stream().filter(m -> m.status != Status.LEAVES).map(Member::replica);
        return Stream.concat(stay, Stream.ofNullable(joining));
    }

    /** The replicas that own ranges now. */
    TokenRing current() {
        return current;
    }

    /** The ring after the node that joins has joined and the one that leaves has left. Writes go to both. */
    TokenRing future() {
        return future;
    }

    TokenRing with(Replica newcomer) {
        return new TokenRing(Stream.concat(all.stream().filter(r -> r != newcomer), Stream.of(newcomer))
                .toList());
    }

    TokenRing without(Replica gone) {
        return new TokenRing(all.stream().filter(r -> r != gone).toList());
    }

    List<Replica> members() {
        return all;
    }

    /** The members that answer clients. */
    List<Replica> coordinators() {
        return all.stream().filter(r -> isUp(r) && status(r) != Status.CLOSED).toList();
    }

    private Optional<Member> member(Replica replica) {
        return members.stream().filter(m -> m.replica == replica).findFirst();
    }

    private Status status(Replica replica) {
        return member(replica).map(Member::status).orElse(Status.GONE);
    }

    boolean isUp(Replica replica) {
        Status status = status(replica);
        return status == Status.SERVES || status == Status.CLOSED || status == Status.LEAVES;
    }

    /** Whether the volume of the member returns with it. */
    boolean mayReturn(Replica replica) {
        return status(replica) != Status.GONE && !replica.isDestroyed();
    }

    boolean takesWrites(Replica replica) {
        return replica == joining || isUp(replica);
    }

    boolean isConnected(Replica one, Replica other) {
        return !partitioned || one.datacenter().equals(other.datacenter());
    }

    /** Whether coordinators keep hints for it. */
    boolean takesHints(Replica replica) {
        return replica == joining
                || member(replica)
                        .filter(m -> m.downMillis <= Hint.WINDOW_MILLIS)
                        .isPresent();
    }

    /** Whether hints for it may still be delivered. */
    boolean isKnown(Replica replica) {
        return replica == joining || all.contains(replica);
    }
}
