package io.ringmaster.lab.experiment;

import static io.ringmaster.lab.figure.Unit.PERCENT;

import io.ringmaster.lab.bench.Bench;
import io.ringmaster.lab.figure.Figures;
import io.ringmaster.lab.figure.Measured;
import io.ringmaster.lab.page.Cells;
import java.io.IOException;

/**
 * Load without a limit, until the compilers take less than 5 % of the nodes' processor time: what they have not done by
 * then they do under the quota, and the nodes stand still for it. After each window they get the processors for
 * themselves until their queues are empty.
 */
record MillionWarmUp(Bench bench, SixNodes nodes, MillionPlan plan, Figures figures) {
    /** Share of the nodes' processor time that compilers take at the end of a warm-up. */
    private static final double COMPILERS = 0.05;

    /** Writes/s a node, all replicas together, while code compiles: more than a ladder reaches. */
    private static final double RATE = 750;

    /** Wait for the compilers after a window, in seconds. */
    private static final int LONGEST_QUEUE_S = 30;
    /** Processor time of the compilers in one second below which their queues are empty. */
    private static final double QUIET_S = 0.05;

    /** @return processor time of a write, in seconds */
    double run(NodeLoad load, String key, int factor) throws IOException, InterruptedException {
        bench.say(key + ": warming up without limits");
        for (int window = 1; ; window++) {
            NodeLoad.Warmth warmth = load.warm(RATE / factor, MillionPlan.WINDOW);
            if (warmth.compilers() < COMPILERS || !plan.warmsOn(window, bench.seconds())) {
                judge(key, window, warmth.compilers(), plan.compilers(), figures);
                return warmth.cpuS();
            }
            bench.say(key + ": " + Cells.value(warmth.compilers() * 100, "%") + " of the processor time compiles");
            awaitCompilers();
        }
    }

    /**
     * Stores how the warm-up ended, and that what follows is invalid where the compilers were not done.
     *
     * @param compilers share of the nodes' processor time in the last window, 0 to 1
     * @param most share up to which they count as done
     */
    static void judge(String key, int windows, double compilers, double most, Figures figures) {
        figures.count(key + ".warm.windows", windows).put(key + ".warm.compilers", compilers * 100, PERCENT);
        if (compilers > most) {
            figures.missing(
                    key,
                    Measured.INVALID + ": compilers still took " + Cells.value(compilers * 100, "%")
                            + " of the processor time");
        }
    }

    private void awaitCompilers() throws IOException, InterruptedException {
        double before = nodes.compilerS();
        for (int second = 0; second < LONGEST_QUEUE_S; second++) {
            Thread.sleep(1000);
            double now = nodes.compilerS();
            if (now - before < QUIET_S) {
                return;
            }
            before = now;
        }
    }
}
