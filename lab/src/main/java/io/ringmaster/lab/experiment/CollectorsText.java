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
            "Zing, the source's best, is not free to use; ZGC and Shenandoah are the free collectors of its kind.");

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
                + " generational ZGC; those of G1 and CMS are of the old generation, which minutes hardly fill. A"
                + " collector without cycles or young pauses in its windows shows its barriers, and not its work."
                + " Below 4000/s a window has one young pause or none, so that the rate of G1, CMS and Serial depends on"
                + " whether one fell into it: their passes differ by that.");
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
                + " requests decide on p99.9. The node's processor time is exact; idle cores are those of /proc/stat,"
                + " which counts short work by ticks, so that both can add up to a little more than "
                + measured.about().machine().getOrDefault("processors", "all") + " cores.";
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
        return "Ringmaster's default (`jvm.collector`) follows from a rule: of the collectors of JDK " + JvmRow.PRODUCT
                + ", the highest rate with p99.9 below 10 ms, then with p99 below 5 ms. The default stays where one of"
                + " its passes reaches both rates of that collector. The second sentence was added after a first run of"
                + " this ladder, in which Shenandoah, which was the default, and ZGC both kept the highest rung; an"
                + " earlier rule also asked for at most 1.1 of the least processor time, in which windows of one"
                + " collector differ more than collectors. By these figures the default is "
                + choice.collector().text() + ".";
    }
}
