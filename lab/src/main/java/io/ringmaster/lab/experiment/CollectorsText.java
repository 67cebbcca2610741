package io.ringmaster.lab.experiment;

import io.ringmaster.lab.figure.Measured;
import io.ringmaster.lab.page.Cells;
import java.util.ArrayList;
import java.util.List;

/** The prose on the page of {@link Collectors}. */
record CollectorsText(Measured measured, CollectorsPlan plan) {
    /** What the scale changes. */
    static final List<String> SCALE = List.of(
            "1 GiB of heap for the source's 32, so that a collection has less to do.",
            "Two cores for generator and node: concurrent collectors take the requests' cores.",
            "Minutes, not days: CMS shows no fragmentation of its old generation here.",
            "CMS ended with JDK 13, so that it runs on 11, beside G1 on 11.",
            "Zing, the source's best, is not free to use; generational ZGC on 21 stands in its row.");

    /** CMS needs them in the windows, or nothing of its old generation was measured. */
    private static final int CMS_CYCLES = 3;

    List<String> text() {
        List<String> text = new ArrayList<>(List.of(ladder(), figures(), load()));
        text.add("Slide 23's operations a second are no capacity. 1951/s at a mean of 3.6 ms keep 7 of the 32 threads"
                + " of cassandra-stress busy, 13765/s at 0.4 ms 5.5 (Little's law): the client was the limit.");
        text.add("Each collector has the options that Cassandra ships for it. G1 has those of Cassandra 5.0: it aims"
                + " at pauses of 300 ms and gives the young generation at least half of the heap. Here it is judged at"
                + " 10 ms, on a heap of 1 GiB and two cores that the generator shares; larger heaps are not measured."
                + " CMS has the options of 4.0-alpha2 with the young generation of its cassandra-env.sh; the others"
                + " have none. All JDKs are builds of one maker (lab/jdks.txt), and the facts below have their"
                + " versions. Memtables are on the heap, Cassandra's default.");
        text.add("Concurrent cycles are those that started in the windows, of the young generation too for"
                + " generational ZGC. A collector without cycles in them shows its barriers, and not its work.");
        if (measured.value(JvmRow.CMS_11.key() + CollectorRounds.KEY + JvmEvent.CYCLE.end()) < CMS_CYCLES) {
            text.add("CMS collected its old generation fewer than " + CMS_CYCLES + " times in the windows, so that its"
                    + " row says little of it.");
        }
        text.add(choice());
        return text;
    }

    private String ladder() {
        String rates = String.join(
                ", ", plan.rates().stream().map(rate -> Cells.number(rate)).toList());
        return "The ladder of rates is fixed and the same for all: " + rates + " requests/s. A rung is a window of "
                + plan.measured().toSeconds() + " s behind " + plan.warmUp().toSeconds()
                + " s of load without record, and both levels are judged by the same window. A rung that misses a level"
                + " is offered once more, and counts as missed only if both windows miss. A failed request is a miss,"
                + " and so is a generator that fell behind: the node or the machine was full. A level's rate is the"
                + " highest rung below its first missed one; a pass ends when both levels have missed, or behind the"
                + " highest rung. Two passes go over all JVMs, the second in reverse order; JVMs of the second pass for"
                + " which no time is left are left out, and their cells say so.";
    }

    private String figures() {
        long beyond = Math.round(plan.lowest() * plan.measured().toSeconds() / 1000.0);
        return "*At least* means that the highest rung was kept in both passes, *below* that the lowest was missed,"
                + " and *machine full* that less than " + Fullness.ROOM_CORES + " cores were idle in the windows that"
                + " missed: the rate is then one of the machine with its generator. Two rates that are one rung apart"
                + " may hardly differ, and at " + plan.lowest() + "/s no more than " + beyond
                + " requests decide on p99.9.";
    }

    private String load() {
        return "Times are response times of an open loop, half of the requests reads, each of a row of 1 KB. One node"
                + " runs, the others stand still (SIGSTOP) with their data and compiled code. Before it stands still"
                + " for the first time, a node has load until its compilers take less than "
                + Math.round(CollectorsPlan.COMPILERS * 100) + " % of its processor time, for "
                + plan.warmings() * CollectorsPlan.WARMING.toSeconds() + " s at most; before each pass it has "
                + plan.resumed().toSeconds() + " s of load without record. The lowest rung is offered twice in each"
                + " pass: its windows are the rounds at " + plan.lowest()
                + "/s. Stops are those of all threads in the log of the JVM, whatever the reason.";
    }

    private String choice() {
        JvmRow choice = new CollectorChoice(measured).ofProduct();
        return "Ringmaster's default (`jvm.collector`) follows from a rule that was in the source code before these"
                + " figures were measured: the highest rate with p99.9 below 10 ms among the collectors of JDK "
                + JvmRow.PRODUCT + ". Where the passes of another reach that rate too, the higher rate with p99 below 5"
                + " ms decides, then G1 stays. A collector that keeps no rung has the rate 0. An earlier rule also asked"
                + " for at most 1.1 of the least processor time. It was given up after a first measurement (November"
                + " 2026, by searches in place of a ladder), in which windows of one collector differed more than"
                + " collectors. By these figures the default is "
                + choice.collector().text() + ".";
    }
}
