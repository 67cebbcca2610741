package io.ringmaster.engine.store;

/** An operand to add to what is stored under a key. Neither array may change any more. */
public final class Merge {
    final byte[] key;
    final byte[] operand;

    public Merge(byte[] key, byte[] operand) {
        this.key = key;
        this.operand = operand;
    }
}
