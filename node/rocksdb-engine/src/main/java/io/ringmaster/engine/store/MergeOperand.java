package io.ringmaster.engine.store;

import java.util.function.BooleanSupplier;

/** An operand to merge into the value of a key. */
public final class MergeOperand {
    final byte[] key;
    final byte[] operand;
    final int length;
    final long maxTimestamp;
    final BooleanSupplier isWhole;

    /** @param maxTimestamp an upper bound of the operand's timestamps, in microseconds */
    public MergeOperand(byte[] key, byte[] operand, long maxTimestamp) {
        this(key, operand, operand.length, maxTimestamp, () -> false);
    }

    /**
     * An operand in the first {@code length} bytes of an array.
     *
     * @param maxTimestamp its only timestamp, if it is whole
     * @param isWhole whether the operand is a full row of the current schema, which hides all older data of its key
     */
    public MergeOperand(byte[] key, byte[] operand, int length, long maxTimestamp, BooleanSupplier isWhole) {
        this.key = key;
        this.operand = operand;
        this.length = length;
        this.maxTimestamp = maxTimestamp;
        this.isWhole = isWhole;
    }
}
