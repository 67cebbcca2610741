import java.util.List;
import java.util.Locale;

/**
 * One measured start of a cluster. "Ready" is the moment when every node sees every node NORMAL.
 *
 * @param cql for each node, the seconds from the first exec until it opened CQL
 * @param seconds seconds from the first exec until ready
 * @param command seconds of the whole command with servers and checks; 0 for the baseline
 * @param daemons for each Cassandra daemon, its processor seconds until ready
 * @param executors for each executor, its processor seconds until ready; empty for the baseline
 * @param servers processor seconds of both servers from the first exec until ready; 0 for the baseline
 * @param residentMebibytes resident memory of one Cassandra daemon
 * @param load load average of the machine before the start and when ready
 */
record Round(
        String way,
        List<Double> cql,
        double seconds,
        double command,
        List<Double> daemons,
        List<Double> executors,
        double servers,
        long residentMebibytes,
        String load) {

    double processorSeconds() {
        return sum(daemons) + sum(executors) + servers;
    }

    static double sum(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).sum();
    }

    String json() {
        return String.format(
                Locale.ROOT,
                "{\"way\": \"%s\", \"nodes\": %d, \"cql_s\": %s, \"all_normal_s\": %.1f, \"command_s\": %.1f,"
                        + " \"daemon_cpu_s\": %s, \"executor_cpu_s\": %s, \"servers_cpu_s\": %.1f, \"resident_mib\": %d, \"load\": \"%s\"}",
                way, daemons.size(), cql, seconds, command, daemons, executors, servers, residentMebibytes, load);
    }
}
