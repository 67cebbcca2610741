package io.ringmaster.companion.task;

import java.util.ArrayList;
import java.util.List;

/** The tokens in ({@code left}, {@code right}]. It never wraps around the ring, see {@link #unwrapped}. */
record TokenRange(long left, long right) {
    /** No key has this token; as the end of a range it means the end of the ring. */
    private static final long MINIMUM = Long.MIN_VALUE;

    TokenRange {
        if (left >= right) {
            throw new IllegalArgumentException("(" + left + ", " + right + "] is not a token range");
        }
    }

    /**
     * Converts a range of Cassandra: into two if it wraps around the ring, into the whole ring if both ends are equal.
     */
    static List<TokenRange> unwrapped(long left, long right) {
        long end = right == MINIMUM ? Long.MAX_VALUE : right;
        if (left < end && left != right) {
            return List.of(new TokenRange(left, end));
        }
        List<TokenRange> ranges = new ArrayList<>();
        if (left != Long.MAX_VALUE) {
            ranges.add(new TokenRange(left, Long.MAX_VALUE));
        }
        if (end != MINIMUM && left != MINIMUM) {
            ranges.add(new TokenRange(MINIMUM, end));
        }
        return List.copyOf(ranges);
    }

    /** The number of tokens; exact also for very short ranges, which neighbouring tokens of two datacenters create. */
    double length() {
        long unsigned = right - left;
        return (unsigned >>> 1) * 2.0 + (unsigned & 1);
    }

    boolean touches(TokenRange other) {
        return right == other.left || left == other.right;
    }

    boolean overlaps(TokenRange other) {
        return left < other.right && other.left < right;
    }

    TokenRange merge(TokenRange neighbour) {
        return new TokenRange(Math.min(left, neighbour.left), Math.max(right, neighbour.right));
    }

    /** The intersection; the ranges must overlap. */
    TokenRange common(TokenRange other) {
        return new TokenRange(Math.max(left, other.left), Math.min(right, other.right));
    }

    /** The parts of this range outside the other. */
    List<TokenRange> without(TokenRange other) {
        if (!overlaps(other)) {
            return List.of(this);
        }
        List<TokenRange> rest = new ArrayList<>();
        if (left < other.left) {
            rest.add(new TokenRange(left, other.left));
        }
        if (other.right < right) {
            rest.add(new TokenRange(other.right, right));
        }
        return rest;
    }

    /** The start of this range, halved as often: no shorter than one token, which is that of one partition. */
    TokenRange start(int halvings) {
        return halvings == 0 ? this : new TokenRange(left, left + Math.max(1, (right - left) >>> halvings));
    }

    boolean isOneToken() {
        return right == left + 1;
    }

    /** Parts of the same length; fewer than wanted if the range has fewer tokens. */
    List<TokenRange> split(int wanted) {
        List<TokenRange> parts = new ArrayList<>();
        long from = left;
        for (int i = 1; i <= wanted; i++) {
            long to = i == wanted ? right : (long) (left + length() * i / wanted);
            if (to > from && to <= right) {
                parts.add(new TokenRange(from, to));
                from = to;
            }
        }
        return parts;
    }

    /** The format of Cassandra's repair options. */
    String option() {
        return left + ":" + right;
    }

    @Override
    public String toString() {
        return "(" + left + ", " + right + "]";
    }
}
