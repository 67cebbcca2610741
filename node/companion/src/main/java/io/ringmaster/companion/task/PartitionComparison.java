package io.ringmaster.companion.task;

import io.ringmaster.companion.cassandra.FailureText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.cassandra.exceptions.RequestExecutionException;

/** Whether each of the replicas of a table that stay has the partitions that this node has. */
final class PartitionComparison {
    /** A read of more partitions than this returns the first ones. */
    static final int PARTITIONS_PER_READ = 200;

    private static final int LOOKS = 10;

    /** Reads the tokens of the first partitions in a range of the table, from one node. */
    interface Read {
        SortedSet<Long> tokens(TokenRange range) throws ExecutionException, InterruptedException, TimeoutException;
    }

    private final String table;
    private final Read here;
    private final Map<String, Read> replicas;
    private final Duration pause;

    /**
     * @param replicas the replicas that stay, by the name that a person knows
     * @param pause the time between two looks
     */
    PartitionComparison(String table, Read here, Map<String, Read> replicas, Duration pause) {
        this.table = table;
        this.here = here;
        this.replicas = Map.copyOf(replicas);
        this.pause = pause;
    }

    /**
     * @param partitions the number of partitions here that each replica has
     * @param end the end of the part of the range that was compared
     */
    record Outcome(int partitions, long end) {}

    /**
     * Compares the start of the range. A partition that is on its way, or deleted meanwhile, is looked at again.
     *
     * @throws IllegalStateException a replica lacks a partition, or cannot be read, at each look
     */
    Outcome compare(TokenRange range, Progress progress) throws InterruptedException {
        String problem = "";
        for (int look = 0; look < LOOKS && !progress.isStopped(); look++) {
            progress.at("looks " + (look == 0 ? "at " : "again at ") + table + problem, () -> 0);
            Thread.sleep(look == 0 ? 0 : pause.toMillis());
            try {
                // what is here is read first: what is written in between is then no difference
                SortedSet<Long> known = here.tokens(range);
                long end = PartitionSample.end(known, PARTITIONS_PER_READ);
                List<String> missing = new ArrayList<>();
                for (Map.Entry<String, Read> replica : replicas.entrySet()) {
                    SortedSet<Long> there = replica.getValue().tokens(range);
                    PartitionSample sample = PartitionSample.of(there, known, PARTITIONS_PER_READ);
                    end = Math.min(end, PartitionSample.end(there, PARTITIONS_PER_READ));
                    if (sample.local() < sample.known()) {
                        missing.add(replica.getKey() + " has only " + sample);
                    }
                }
                if (missing.isEmpty()) {
                    return new Outcome(known.size(), end);
                }
                problem = ": " + String.join(", ", missing);
            } catch (RequestExecutionException | ExecutionException | TimeoutException e) {
                problem = ": cannot be read: " + FailureText.ofRoot(e);
            }
        }
        if (progress.isStopped()) {
            return new Outcome(0, range.right());
        }
        throw new IllegalStateException("table " + table + problem);
    }
}
