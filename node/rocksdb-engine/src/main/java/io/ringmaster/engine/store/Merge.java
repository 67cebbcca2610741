package io.ringmaster.engine.store;

/** An operand to add to what is stored under a key. Neither array may change before it is written. */
public final class Merge {
    final byte[] key;
    final byte[] operand;
    final int length;

    public Merge(byte[] key, byte[] operand) {
        this(key, operand, operand.length);
    }

    /** Of an array that holds more after its first {@code length} bytes. */
    public Merge(byte[] key, byte[] operand, int length) {
        this.key = key;
        this.operand = operand;
        this.length = length;
    }
}
