package io.ringmaster.lab.experiment;

import io.ringmaster.lab.load.EnginePlan;
import java.util.List;

/** What a reader of {@link StorageEngines}' page has to know. */
final class StorageEnginesText {
    private StorageEnginesText() {}

    static List<String> text() {
        return List.of(
                "Each storage has a node of its own. One runs at a time, and the others stand still (SIGSTOP) with"
                        + " their data and compiled code, and the order rotates. All nodes have G1 with the JVM's own settings, 768 MB of heap, "
                        + EnginePlan.MEMORY / 1_000_000 + " MB of memory with the page cache, a commit log that is"
                        + " synced each second, and **the same limit for compactions, 64 MiB/s**. Stock storage is"
                        + " Cassandra 5.0's best: trie memtables outside of the heap and BTI sstables. The engine has"
                        + " 256 MiB of block cache. The nodes are on a disk in memory with 500 MB/s and 16,000"
                        + " operations/s, each for reads and writes (`bench/engine/with-disk`).",
                "Times are response times of an open loop from the intended start. Percentiles are those of all valid"
                        + " rounds together, so that one bad round stands in them; a round in which the generator fell"
                        + " behind or the machine was full does not count, for its cause may be the machine as well as"
                        + " the node. The first round of each load is not counted either: in it nodes compile the reads, and caches"
                        + " and files settle.",
                "Young collections are the pauses of that name in the JVM's own log (`-Xlog:gc`), as in the source:"
                        + " *stop-the-world GC (Young Gen GC)*. The table that `bench/engine/run` prints has all"
                        + " collections instead. Stops for any reason stand beside them.",
                "**Rounds of 8 s miss compactions.** Stock storage's tail depends on whether one runs: the megabytes"
                        + " written in each round show it, and the write amplification counts all of them since the"
                        + " start. [The engine's measurements](../engine-measurements.md) have longer rounds, other"
                        + " rates, levelled compaction, and what the engine does not improve. Neither is a load of"
                        + " hours, at which compactions keep up or do not.",
                "**The source compares with Cassandra 3.0**, whose default collector was CMS and whose memtables were by"
                        + " default on the heap. Both are gone here: G1 and memtables outside of the heap leave RocksDB less"
                        + " to remove, so that the source's factors are not to be expected.",
                "256 connections with one request each send at a rate, like NDBench, whose threads share a rate"
                        + " limiter. A connection takes reads and writes in turn, while NDBench has 128 threads for"
                        + " each. At this rate few connections are busy, so that response and service time differ only"
                        + " while the node stands still.");
    }

    static List<String> scale() {
        return List.of(
                "One node for three servers of 32 cores and 244 GB; generator and node share two cores.",
                "240,000 rows of 6 KB (1.4 GB) beside 1.5 GB of memory, half of it the heap, for 500 GB beside"
                        + " 244 GB a server. In both, most of the data is not in memory.",
                "No replicas and no network: a read has one node, and no coordinator waits for another.",
                "The source's 60 and 20 ms, 2.5 and 0.3 % are of a production cluster with a load of its own; only its"
                        + " read-only figures come from NDBench. Its other NDBench results are pictures.",
                "A rate of reads is of this machine with its generator; 30,000 and 300,000/s are of 96 cores.",
                "Minutes for the source's months: an old generation that fills and fragments does not occur.");
    }
}
