package io.ringmaster.companion.task;

/** How much of the tables was compared so far, for the answer of a task. */
final class ComparedTables {
    /** The lengths of ranges are sums of fractions, which need not add up to the whole exactly. */
    private static final double WHOLE = 1 - 1e-9;

    private long partitions;
    private int inPart;
    private double leastShare = 1;
    private String least = "";

    /** @param share of the tokens of the table, 0 to 1 */
    void add(String table, long partitionsOfTable, double share) {
        partitions += partitionsOfTable;
        if (share < WHOLE) {
            inPart++;
            if (share < leastShare) {
                leastShare = share;
                least = table;
            }
        }
    }

    long partitions() {
        return partitions;
    }

    /** What was left out; empty if nothing was. */
    String leftOut() {
        if (inPart == 0) {
            return "";
        }
        long percent = (long) (leastShare * 100);
        return "; of " + inPart + (inPart == 1 ? " large table" : " large tables")
                + " only the start of each range, the least of " + least + ": "
                + (percent == 0 ? "less than 1" : percent) + " % of its tokens";
    }
}
