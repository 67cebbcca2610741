package io.ringmaster.companion.task;

import java.util.ArrayList;
import java.util.List;

/** Tokens after {@code left} up to and including {@code right}; it never runs over the end of Murmur3's ring, see {@link #unwrapped}. */
record Span(long left, long right) {
    /** No key has this token; as a range's end it means the end of the ring. */
    private static final long MINIMUM = Long.MIN_VALUE;

    Span {
        if (left >= right) {
            throw new IllegalArgumentException("(" + left + ", " + right + "] is no span");
        }
    }

    /** A range of Cassandra's, in two when it runs over the end of the ring; the whole ring when both ends are the same. */
    static List<Span> unwrapped(long left, long right) {
        long end = right == MINIMUM ? Long.MAX_VALUE : right;
        if (left < end && left != right) {
            return List.of(new Span(left, end));
        }
        List<Span> spans = new ArrayList<>();
        if (left != Long.MAX_VALUE) {
            spans.add(new Span(left, Long.MAX_VALUE));
        }
        if (end != MINIMUM && left != MINIMUM) {
            spans.add(new Span(MINIMUM, end));
        }
        return List.copyOf(spans);
    }

    /** In tokens; also of very short ones exact, as neighbouring tokens of two datacenters make them. */
    double length() {
        long unsigned = right - left;
        return (unsigned >>> 1) * 2.0 + (unsigned & 1);
    }

    boolean touches(Span other) {
        return right == other.left || left == other.right;
    }

    boolean overlaps(Span other) {
        return left < other.right && other.left < right;
    }

    Span with(Span neighbour) {
        return new Span(Math.min(left, neighbour.left), Math.max(right, neighbour.right));
    }

    /** What both have; they must overlap. */
    Span common(Span other) {
        return new Span(Math.max(left, other.left), Math.min(right, other.right));
    }

    /** What is left of it without the other. */
    List<Span> without(Span other) {
        if (!overlaps(other)) {
            return List.of(this);
        }
        List<Span> rest = new ArrayList<>();
        if (left < other.left) {
            rest.add(new Span(left, other.left));
        }
        if (other.right < right) {
            rest.add(new Span(other.right, right));
        }
        return rest;
    }

    /** Pieces of the same length, as many as wanted where it has so many tokens. */
    List<Span> split(int pieces) {
        List<Span> parts = new ArrayList<>();
        long from = left;
        for (int i = 1; i <= pieces; i++) {
            long to = i == pieces ? right : (long) (left + length() * i / pieces);
            if (to > from && to <= right) {
                parts.add(new Span(from, to));
                from = to;
            }
        }
        return parts;
    }

    /** As Cassandra's repair options want it. */
    String option() {
        return left + ":" + right;
    }

    @Override
    public String toString() {
        return "(" + left + ", " + right + "]";
    }
}
