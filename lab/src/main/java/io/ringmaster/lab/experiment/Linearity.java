package io.ringmaster.lab.experiment;

/**
 * A size of the ring compared with the smallest: linear is the same held rate a node and the same processor time for a
 * write, both within 10 %.
 *
 * @param rate held rate a node, as a multiple of the smallest ring's
 * @param base cost of the smallest ring
 * @param cost cost of this size
 */
record Linearity(double rate, WriteCost base, WriteCost cost) {
    static final double BAND = 0.10;

    double cpu() {
        return cost.total() / base.total();
    }

    boolean isLinear() {
        return isNear(rate) && isNear(cpu());
    }

    private static boolean isNear(double ratio) {
        return Math.abs(ratio - 1) <= BAND + 1e-9;
    }

    /** "linear", or what makes the difference. */
    String reason() {
        if (isLinear()) {
            return "linear";
        }
        if (isNear(cpu())) {
            return "the rate, not the processor time: a step of the ladder is 15 %";
        }
        double idle = cost.idle() - base.idle();
        double perWrite = cost.perWrite() - base.perWrite();
        String more = cpu() > 1 ? "more" : "less";
        return Math.abs(idle) >= Math.abs(perWrite)
                ? "nodes without load use " + more + " for each write"
                : "each write costs " + more;
    }
}
