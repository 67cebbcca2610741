package io.ringmaster.companion.task;

import io.ringmaster.companion.cassandra.FailureText;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.cassandra.exceptions.RequestValidationException;
import org.jspecify.annotations.Nullable;

/** Whether nodes have the partitions of a table that all of some other nodes have. */
final class PartitionComparison {
    /** A read of more partitions than this returns the first ones. */
    static final int PARTITIONS_PER_READ = 200;

    private static final int LOOKS = 10;
    private static final int MAX_HALVINGS = 63;

    /** Reads the tokens of the first partitions in a range of the table, from one node. */
    interface Read {
        SortedSet<Long> tokens(TokenRange range) throws ExecutionException, InterruptedException, TimeoutException;
    }

    /** A node lacks partitions, at each look. */
    static final class MissingException extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        MissingException(String message) {
            super(message);
        }
    }

    private final String table;
    private final Map<String, Read> known;
    private final Map<String, Read> checked;
    private final Duration pause;

    /**
     * @param known the nodes that have the partitions, by the name that a person knows; what no majority
     *     of them returns is not compared, as it may be deleted at the others
     * @param checked the nodes that are to have them
     * @param pause the time between two looks
     */
    PartitionComparison(String table, Map<String, Read> known, Map<String, Read> checked, Duration pause) {
        if (known.isEmpty() || checked.isEmpty()) {
            throw new IllegalStateException("table " + table + ": no replica to compare with");
        }
        this.table = table;
        this.known = new TreeMap<>(known);
        this.checked = new TreeMap<>(checked);
        this.pause = pause;
    }

    /**
     * @param partitions the number of partitions that were found at all of the checked nodes
     * @param read the most partitions that one node returned
     * @param end the end of the part of the range that was compared
     * @param halvings how often that part was halved, so that it could be read
     */
    record Outcome(long partitions, long read, long end, int halvings) {}

    /** What one look found. */
    private record Look(long partitions, long read, long end, Map<String, Set<Long>> lacking) {
        /** What was lacking before as well: a partition that is deleted meanwhile lacks at one look alone. */
        Look stillLacking(Look before) {
            Map<String, Set<Long>> still = new TreeMap<>();
            lacking.forEach((node, tokens) -> {
                Set<Long> both = new TreeSet<>(tokens);
                both.retainAll(before.lacking().getOrDefault(node, Set.of()));
                still.put(node, both);
            });
            return new Look(partitions, read, end, still);
        }

        String missing() {
            return lacking.entrySet().stream()
                    .filter(node -> !node.getValue().isEmpty())
                    .map(node -> node.getKey() + " has only "
                            + (partitions - node.getValue().size()) + " of " + partitions + " partitions looked at")
                    .collect(Collectors.joining(", "));
        }
    }

    /**
     * Compares the range from its start on, until a node returned this many partitions. A partition that is on its way,
     * or deleted meanwhile, is looked at again. What cannot be read is read in smaller parts.
     *
     * @throws MissingException a node lacks a partition, at each look
     * @throws IllegalStateException a node cannot be read, at each look; or not even a single partition of it, because
     *     of its tombstones
     */
    Outcome compare(TokenRange range, long most, Progress progress) throws InterruptedException {
        Outcome all = new Outcome(0, 0, range.left(), 0);
        while (all.end() < range.right() && all.read() < most && !progress.isStopped()) {
            TokenRange rest = new TokenRange(all.end(), range.right());
            Outcome next = compareStart(rest, Math.max(0, all.halvings() - 1), progress);
            all = new Outcome(
                    all.partitions() + next.partitions(), all.read() + next.read(), next.end(), next.halvings());
        }
        return all;
    }

    private Outcome compareStart(TokenRange range, int halved, Progress progress) throws InterruptedException {
        int halvings = halved;
        String problem = "";
        boolean missing = false;
        @Nullable Look before = null;
        int look = 0;
        while (look < LOOKS && !progress.isStopped()) {
            progress.at("looks " + (problem.isEmpty() ? "at " : "again at ") + table + problem, () -> 0);
            TokenRange part = range.start(halvings);
            try {
                Look found = look(part);
                before = before == null ? found : found.stillLacking(before);
                missing = !before.missing().isEmpty();
                if (!missing) {
                    return new Outcome(found.partitions(), found.read(), found.end(), halvings);
                }
                problem = ": " + before.missing();
            } catch (RequestValidationException e) {
                throw e; // no failure to read: the table is not there, or is another one
            } catch (RuntimeException | ExecutionException | TimeoutException e) {
                missing = false;
                problem = ": cannot be read: " + FailureText.ofRoot(e);
                boolean tombstones = Tombstones.refused(e);
                if (tombstones && part.isOneToken()) {
                    // without its cause, whose words would be the text of the failure
                    throw new IllegalStateException(
                            "table " + table + problem + ": raise tombstone_failure_threshold, then retry");
                }
                halvings = Math.min(MAX_HALVINGS, halvings + 1);
                if (tombstones) {
                    continue; // the same read would be refused again, however late
                }
            }
            look++;
            Pause.of(look < LOOKS ? pause : Duration.ZERO, progress);
        }
        if (progress.isStopped()) {
            return new Outcome(0, 0, range.right(), 0);
        }
        String text = "table " + table + problem;
        throw missing ? new MissingException(text) : new IllegalStateException(text);
    }

    /** What is known is read first: what is written in between is then no difference. */
    private Look look(TokenRange part) throws ExecutionException, InterruptedException, TimeoutException {
        SortedMap<Long, Integer> nodes = new TreeMap<>();
        long end = part.right();
        long read = 0;
        for (Read node : known.values()) {
            SortedSet<Long> there = node.tokens(part);
            end = Math.min(end, end(there, part));
            read = Math.max(read, there.size());
            there.forEach(token -> nodes.merge(token, 1, Integer::sum));
        }
        nodes.values().removeIf(count -> 2 * count <= known.size());
        Map<String, Set<Long>> lacking = new TreeMap<>();
        for (Map.Entry<String, Read> node : checked.entrySet()) {
            SortedSet<Long> there = node.getValue().tokens(part);
            end = Math.min(end, end(there, part));
            read = Math.max(read, there.size());
            Set<Long> missing = new TreeSet<>(nodes.keySet());
            missing.removeAll(there);
            lacking.put(node.getKey(), missing);
        }
        long upTo = end;
        lacking.values().forEach(missing -> missing.removeIf(token -> token > upTo));
        long partitions = nodes.keySet().stream().filter(token -> token <= upTo).count();
        return new Look(partitions, read, end, lacking);
    }

    /** Up to where the tokens are complete. */
    private static long end(SortedSet<Long> tokens, TokenRange part) {
        return tokens.size() < PARTITIONS_PER_READ ? part.right() : tokens.last();
    }
}
