package io.ringmaster.engine.store;

import java.util.function.BooleanSupplier;

/** An operand for a key. */
public final class Merge {
    final byte[] key;
    final byte[] operand;
    final int length;
    final long newest;
    final BooleanSupplier isWhole;

    /** @param newest the greatest timestamp in it, or a greater one */
    public Merge(byte[] key, byte[] operand, long newest) {
        this(key, operand, operand.length, newest, () -> false);
    }

    /**
     * Of an array that holds more after its first {@code length} bytes.
     *
     * @param newest its only timestamp, if it is whole
     * @param isWhole whether nothing that is older can be seen beside it by now
     */
    public Merge(byte[] key, byte[] operand, int length, long newest, BooleanSupplier isWhole) {
        this.key = key;
        this.operand = operand;
        this.length = length;
        this.newest = newest;
        this.isWhole = isWhole;
    }
}
