package io.ringmaster.integration;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The one override of the defaults: six production nodes fit the two cores and the memory of a small computer, and a
 * node starts in seconds. Nothing in it decides what a node does, only how long it takes; the playground's spec adds a
 * heap of 256 MiB with the serial collector. {@link EachReplica} adds one more override.
 */
final class TwoCores {
    private static final List<String> JVM = List.of(
            // the second compiler would take half of the processors during every start
            "-XX:TieredStopAtLevel=1",
            // the wait before a node joins, leaves or is replaced: 30 s by default, for rings of hundreds of nodes
            "-Dcassandra.ring_delay_ms=10000",
            // the wait until gossip is quiet, at each start: 8 s by default
            "-Dcassandra.gossip_settle_min_wait_ms=1000",
            "-Dcassandra.gossip_settle_interval_ms=500",
            // two processor seconds of each start go into the size of a row in a memtable
            "-Dcassandra.memtable_row_overhead_computation_step=1000",
            // registering thousands of MBeans, one for each metric of each table, takes half a processor second
            "-Dorg.apache.cassandra.mbean_registration_class=io.ringmaster.companion.MBeansWithoutMetrics",
            // five hundred ticks of a clock per second and node
            "-Dcassandra.approximate_time_precision_ms=20",
            // idle workers of the other nodes would take the processors from the one that works
            "-Dringmaster.park_idle_workers=true");

    /** Options of {@code ringmaster playground}. */
    static final List<String> OPTIONS =
            JVM.stream().map(option -> "--jvm-option=" + option).toList();

    /** The same with the serial collector, as the field {@code jvm} of a spec. */
    static final String SPEC = "jvm: {collector: serial, options: ["
            + JVM.stream().map(option -> '"' + option + '"').collect(Collectors.joining(", ")) + "]}\n";

    private TwoCores() {}
}
