package io.ringmaster.lab.figure;

/** Units of figures, with the text behind a value. */
public enum Unit {
    MS("ms"),
    SECONDS("s"),
    PER_SECOND("/s"),
    PERCENT("%"),
    COUNT(""),
    /** How many times as much. */
    TIMES("times"),
    /** Seconds of a processor for a million requests. */
    CPU_S_PER_MILLION("CPU-s per million"),
    CPU_S("CPU-s"),
    CORES("cores"),
    MIB("MiB"),
    DOLLARS("$");

    private final String text;

    Unit(String text) {
        this.text = text;
    }

    /** What stands behind a value; empty for counts. */
    public String text() {
        return text;
    }
}
