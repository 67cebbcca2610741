import java.util.List;
import java.util.Locale;

/**
 * One measured start of a cluster.
 *
 * @param cql seconds from the first exec until every node opened CQL, by node
 * @param seconds from the first exec until every node saw every node NORMAL
 * @param command seconds of the whole command, servers and checks included; 0 without
 * @param daemons processor seconds of each Cassandra until then
 * @param executors processor seconds of each executor until then; empty without
 * @param servers processor seconds of both servers from the first exec until then; 0 without
 * @param residentMebibytes of one Cassandra
 * @param load the machine's load average before and at the end
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
                "{\"way\": \"%s\", \"nodes\": %d, \"cql_s\": %s, \"all_normal_s\": %.1f, \"command_s\": %.1f, \"daemon_cpu_s\": %s,"
                        + " \"executor_cpu_s\": %s, \"servers_cpu_s\": %.1f, \"resident_mib\": %d, \"load\": \"%s\"}",
                way, daemons.size(), cql, seconds, command, daemons, executors, servers, residentMebibytes, load);
    }
}
