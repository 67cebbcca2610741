package io.ringmaster.lab.experiment;

import static io.ringmaster.lab.figure.Unit.CORES;
import static io.ringmaster.lab.figure.Unit.CPU_S_PER_MILLION;
import static io.ringmaster.lab.figure.Unit.DOLLARS;
import static io.ringmaster.lab.figure.Unit.MS;
import static io.ringmaster.lab.figure.Unit.PERCENT;
import static io.ringmaster.lab.figure.Unit.PER_SECOND;

import io.ringmaster.lab.figure.Figures;

/**
 * The figures of one size at one replication factor.
 *
 * @param size nodes of the ring
 * @param held the step that was held
 * @param hold longer, at a part of that rate
 * @param idleCores what a node uses without load
 */
record MillionRow(String key, int size, NodeWindow held, NodeWindow hold, double idleCores) {
    private static final double PERCENT_OF_ONE = 100;

    WriteCost cost() {
        return WriteCost.of(hold.cpuS(), idleCores * hold.nodes(), hold.seconds(), hold.acknowledged());
    }

    void put(Figures figures) {
        // a highest rate is one of the machine with its generators: its idle processors are shown, and decide nothing
        figures.put(key + ".held.idle", held.idleCores(), CORES);
        judge(key + ".hold", hold, figures);
        if (hold.acknowledged() == 0 || held.acknowledged() == 0) {
            figures.missing(key, "invalid: no write was acknowledged");
            return;
        }
        double used = used(held);
        WriteCost cost = cost();
        figures.put(key + ".writes", held.writes() * size, PER_SECOND)
                .put(key + ".node", held.writes(), PER_SECOND)
                .put(key + ".rung", held.rate(), PER_SECOND)
                .put(key + ".held.p95", held.p95(), MS)
                .put(key + ".held.used", used * PERCENT_OF_ONE, PERCENT)
                .put(key + ".p50", hold.response().p(50), MS)
                .put(key + ".p95", hold.response().p(95), MS)
                .count(key + ".failed", hold.failed())
                .put(key + ".cpu_s_per_million", cost.total(), CPU_S_PER_MILLION)
                .put(key + ".idle_cpu_s_per_million", cost.idle(), CPU_S_PER_MILLION)
                .put(key + ".write_cpu_s_per_million", cost.perWrite(), CPU_S_PER_MILLION)
                .put(key + ".generator_cpu_s_per_million", hold.generator(), CPU_S_PER_MILLION)
                .put(key + ".idle_share", cost.idleShare() * PERCENT_OF_ONE, PERCENT)
                .put(key + ".idle_cores", idleCores, CORES)
                .put(key + ".throttled", hold.throttled() * PERCENT_OF_ONE, PERCENT)
                .put(key + ".cost", dollars(cost, used, WriteCost.PRICE), DOLLARS)
                .put(key + ".text_cost", dollars(cost, used, WriteCost.TEXT_PRICE), DOLLARS);
    }

    private double dollars(WriteCost cost, double used, double price) {
        return WriteCost.dollars(cost.total(), used, hold.generator(), price);
    }

    /** Share of the quota that the nodes use, 0 to 1. */
    static double used(NodeWindow window) {
        return window.cores() / SixNodes.CORES;
    }

    /** A step that missed: how, and whether the nodes were at their quota. */
    static void missed(String key, NodeWindow window, Figures figures) {
        figures.put(key + ".missed.rung", window.rate(), PER_SECOND)
                .put(key + ".missed.used", used(window) * PERCENT_OF_ONE, PERCENT)
                .put(key + ".missed.idle", window.idleCores(), CORES)
                .count(key + ".missed.failed", window.failed());
        if (Double.isNaN(window.p95())) {
            figures.missing(key + ".missed.p95", "no write was answered");
        } else {
            figures.put(key + ".missed.p95", window.p95(), MS);
        }
    }

    private static void judge(String key, NodeWindow window, Figures figures) {
        Fullness.judge(window.idleCores(), key, figures);
        window.invalid().ifPresent(reason -> figures.missing(key, "invalid: " + reason));
    }
}
