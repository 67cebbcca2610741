package io.ringmaster.lab.load;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * What metronome sends, and how. There is no way to loosen {@code --max-behind}: a generator that was late has not
 * measured.
 *
 * @param options of the workload and of sending
 */
public record Load(Hosts hosts, List<String> options) {
    public Load {
        options = List.copyOf(options);
    }

    /** @param workload one that is built in: writes, emp, locations or pulse */
    public static Load of(Hosts hosts, String workload) {
        return new Load(hosts, List.of(workload));
    }

    public Load consistency(Consistency level) {
        return with("--consistency", level.name());
    }

    public Load replication(KeyspaceReplication replication) {
        return with("--replication", replication.forMetronome());
    }

    public Load keyspace(String name) {
        return with("--keyspace", name);
    }

    /** The schema is there already. */
    public Load noSchema() {
        return with("--no-schema");
    }

    /** @param percent share of reads, of workloads that have this parameter */
    public Load read(int percent) {
        return with("--read", percent + "%");
    }

    /** Sets a parameter of the workload. */
    public Load set(String name, String value) {
        return with("--set", name + "=" + value);
    }

    public Load rows(long rows) {
        return with("--rows", Long.toString(rows));
    }

    /** Seed of keys and values: another seed writes other rows. */
    public Load seed(long seed) {
        return with("--seed", Long.toString(seed));
    }

    /** Requests whose connection died, or which a server turned away, go to another host. */
    public Load sendAgain() {
        return with("--send-again");
    }

    private Load with(String... more) {
        return new Load(hosts, Stream.concat(options.stream(), Stream.of(more)).toList());
    }

    static String time(Duration time) {
        return time.toMillis() + "ms";
    }

    static String rate(double perSecond) {
        return perSecond == Math.rint(perSecond) ? Long.toString((long) perSecond) : Double.toString(perSecond);
    }
}
