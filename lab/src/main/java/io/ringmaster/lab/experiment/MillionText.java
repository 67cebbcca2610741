package io.ringmaster.lab.experiment;

import java.util.List;

/** The prose on the page of {@link Million}. */
final class MillionText {
    private MillionText() {}

    static List<String> text() {
        return List.of(
                "**The machine is equally full at every size.** There are always six nodes with 0.25"
                        + " cores each, and only their grouping changes: at RF 3 two rings of 3, a ring of 4 beside"
                        + " one of 2, and one of 6; at RF 1 six rings of 1, three of 2, two of 3, and one of 6. Each"
                        + " ring has a generator of its own; all offer one rate a node and start together, their"
                        + " writes between those of the others: at one moment, small rings would get bursts."
                        + " A small ring thus gets no idle processor, cache or clock. The ring of 2 beside that of 4"
                        + " is not measured; at RF 3 it has two replicas in place of three, and works less than the"
                        + " others.",
                "RF 3 has no QUORUM on one node and costs less on two, so RF 1 shows 1 to 6 nodes, and RF"
                        + " 3 shows 3, 4 and 6. At RF 1 QUORUM is one node.",
                "The ladder goes up by 15 % a step until p95 of the slowest ring of that size exceeds 23"
                        + " ms or a write fails, twice in a row. A difference of one step is the resolution of a held rate, so"
                        + " *within 10 %* means the same step. The first ladder of each RF starts where the"
                        + " processor time of the warm-up allows, the others at the rate that was held before. A"
                        + " step counts only if every generator kept its schedule; one that did not is repeated"
                        + " twice, then the ladder ends.",
                "A held rate is one of windows of 10 s. Where p95 of the longer load at 0.7 of it is above 23 ms, the nodes"
                        + " stood still at their quota for work that those windows did not have (*throttled*): what a"
                        + " quarter of a core holds for minutes is lower there.",
                "At RF 1, the rings of 3 and 6 nodes are measured on nodes that had the loads at RF 3 before; those of"
                        + " 1 and 2 nodes are new. Code that is compiled better is part of what a write costs less in"
                        + " the larger rings: only what becomes dearer with the size would speak against linear.",
                "Code compiles without a limit, until the compilers take less than 5 % of the nodes' time:"
                        + " under 0.25 cores it would take minutes, and the figures would be those of the compiler."
                        + " The table of conditions has the share that they still took; with more than 10 % a row is"
                        + " invalid.",
                "Processor time is user and system time of the nodes, from the second second of the load"
                        + " to its end, for the writes acknowledged in it. What the same nodes use without load,"
                        + " measured after the first ladder under the same quota, is taken as the idle part. The"
                        + " generator's time is that of its whole process. Throttled is the time that a node stood"
                        + " still at its quota, in percent of the time, on both processors together: 200 % at most.",
                "metronome knows the tokens: the coordinator of a write is always one of its replicas, on"
                        + " 3 nodes as on 6. A client without this knowledge costs a ring of 6 at RF 3 a further"
                        + " message for half of its writes, and a ring of 3 none.",
                "Cost is (time of the nodes / used share of the quota at the held rate + time of the"
                        + " generator) x price. The source's $330 for 70 minutes are $0.079 for each million of its"
                        + " writes, where its text says $0.07: with 300 data nodes of 8 processors, $0.0000327 and"
                        + " $0.0000292 for a processor's second, disks and loaders included. The 8 is from the"
                        + " author's instructions, not from the source. The dollars are our processor seconds at"
                        + " their price, and **not comparable** with theirs: their processor is of 2014, and here is"
                        + " no network card, no zone, and no encrypted disk.");
    }

    static List<String> scale() {
        return List.of(
                "One to six nodes of a quarter of a core, where the source had 300 of eight: the rates"
                        + " here are those of 1.5 cores for six nodes, and say nothing of what a large cluster"
                        + " reaches. Only the processor time of a write and its growth with the ring are looked at.",
                "Six nodes do not show what hundreds cost: gossip, token lists and connections grow with"
                        + " the ring.",
                "One generator for each ring, where the source had 30 machines with 15,000 clients; its"
                        + " text has p50 10.5 ms, and 8.3 ms with 12,000 clients. ONE at RF 3 is not measured here.",
                "The quota is counted in periods of 10 ms. At the kernel's 100 ms a node that has used"
                        + " its 25 ms stands still for up to 75, and p95 is the quota's. For the run, the kernel"
                        + " hands the quota out in slices of 0.5 ms in place of 5 (`sched_cfs_bandwidth_slice_us`): a"
                        + " slice of 5 ms is two periods of a node, and one processor would keep what the other"
                        + " needs.",
                "Loopback in place of a network, one rack in place of zones (three racks would be uneven"
                        + " with four nodes), one disk for all, and data that fits in memory.",
                "Heaps of 512 MiB and `-XX:ActiveProcessorCount=1`; the page cache and the machine are"
                        + " shared by all six nodes at every size.");
    }
}
