import java.util.List;

/**
 * One measured start of six nodes.
 *
 * @param cql seconds from the first exec until every node opened CQL, by node
 * @param seconds from the first exec until every node saw every node NORMAL
 * @param daemons processor seconds of each Cassandra until then
 * @param executors processor seconds of each executor until then; empty without
 * @param residentMebibytes of one Cassandra
 * @param load the machine's load average at the end
 */
record Round(
        String way,
        List<Double> cql,
        double seconds,
        List<Double> daemons,
        List<Double> executors,
        long residentMebibytes,
        String load) {

    double processorSeconds() {
        return sum(daemons) + sum(executors);
    }

    static double sum(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).sum();
    }

    String json() {
        return String.format(
                java.util.Locale.ROOT,
                "{\"way\": \"%s\", \"cql_s\": %s, \"all_normal_s\": %.1f, \"daemon_cpu_s\": %s, \"executor_cpu_s\": %s, \"resident_mib\": %d, \"load\": %s}",
                way, cql, seconds, daemons, executors, residentMebibytes, load);
    }
}
