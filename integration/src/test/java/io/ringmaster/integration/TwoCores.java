package io.ringmaster.integration;

import java.util.List;

/**
 * The one override of the defaults: six production nodes fit the two cores and the memory of a small computer, and a
 * node starts in seconds. Nothing in it decides what a node does, only how long it takes; the playground's spec adds a
 * heap of 256 MiB with the serial collector.
 */
final class TwoCores {
    static final List<String> OPTIONS = List.of(
            // the second compiler would take half of the processors during every start
            jvm("-XX:TieredStopAtLevel=1"),
            // the wait before a node joins, leaves or is replaced: 30 s by default, for rings of hundreds of nodes
            jvm("-Dcassandra.ring_delay_ms=10000"),
            // the wait until gossip is quiet, at each start: 8 s by default
            jvm("-Dcassandra.gossip_settle_min_wait_ms=1000"),
            jvm("-Dcassandra.gossip_settle_interval_ms=500"),
            // two processor seconds of each start go into the size of a row in a memtable
            jvm("-Dcassandra.memtable_row_overhead_computation_step=1000"),
            // idle workers of the other nodes would take the processors from the one that works
            jvm("-Dringmaster.park_idle_workers=true"));

    private TwoCores() {}

    private static String jvm(String option) {
        return "--jvm-option=" + option;
    }
}
