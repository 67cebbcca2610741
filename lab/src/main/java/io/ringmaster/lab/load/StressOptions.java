package io.ringmaster.lab.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What cassandra-stress does. It never warms up before it measures: an experiment does that where all can see it.
 *
 * @param threads requests in flight, one on each
 */
public record StressOptions(
        Operation operation,
        Amount amount,
        int threads,
        Pace pace,
        Consistency consistency,
        KeyspaceReplication replication) {

    /** Its predefined statements, on its own table. */
    public enum Operation {
        WRITE,
        /** Rows that a run of WRITE has written; a missing one ends the run. */
        READ
    }

    /** When it ends. */
    public sealed interface Amount {
        /** After this many operations: none is left out after a stall. */
        record Operations(long count) implements Amount {}

        /** After this time: what was due then and had no thread is neither made nor reported. */
        record Time(Duration duration) implements Amount {}
    }

    /** When operations start. */
    public sealed interface Pace {
        /** At their intended times, {@code fixed=}: its tables show response times. */
        record Fixed(long perSecond) implements Pace {}

        /** At the same times, {@code throttle=}: its tables show service times. */
        record Throttle(long perSecond) implements Pace {}

        /** As fast as answers come: there are service times only. */
        record Unlimited() implements Pace {}
    }

    static StressOptions write(Amount amount, int threads, Pace pace) {
        return new StressOptions(Operation.WRITE, amount, threads, pace, Consistency.QUORUM, KeyspaceReplication.of(1));
    }

    List<String> arguments(Hosts hosts, String hdrFile) {
        List<String> words = new ArrayList<>();
        words.add(operation == Operation.WRITE ? "write" : "read");
        if (amount instanceof Amount.Operations operations) {
            words.add("n=" + operations.count());
        } else if (amount instanceof Amount.Time time) {
            words.add("duration=" + time.duration().toSeconds() + "s");
        }
        words.addAll(List.of("cl=" + consistency, "no-warmup", "-rate", "threads=" + threads));
        if (pace instanceof Pace.Fixed fixed) {
            words.add("fixed=" + fixed.perSecond() + "/s");
        } else if (pace instanceof Pace.Throttle throttle) {
            words.add("throttle=" + throttle.perSecond() + "/s");
        }
        words.addAll(List.of("-schema", "replication(" + replication.forStress() + ")"));
        words.add("-node");
        if (hosts.datacenter() != null) {
            words.add("datacenter=" + hosts.datacenter());
        }
        words.add(String.join(",", hosts.addresses()));
        words.addAll(List.of("-log", "hdrfile=" + hdrFile));
        return words;
    }

    /** How long it should take at its pace; an hour where that is unknown. */
    Duration expected() {
        if (amount instanceof Amount.Time time) {
            return time.duration();
        }
        long count = ((Amount.Operations) amount).count();
        if (pace instanceof Pace.Fixed fixed) {
            return Duration.ofSeconds(count / fixed.perSecond());
        }
        if (pace instanceof Pace.Throttle throttle) {
            return Duration.ofSeconds(count / throttle.perSecond());
        }
        return Duration.ofHours(1);
    }
}
