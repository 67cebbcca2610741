package io.ringmaster.engine.encoding;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.cassandra.utils.bytecomparable.ByteSource;

/** A growing array of bytes, big-endian, made to be used again for the next record. */
final class ByteWriter {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private static final int LEAST = 1024;
    /** A record as large as that is rare, and does not hold its memory until the next. */
    private static final int MOST_KEPT = 1024 * 1024;

    private byte[] bytes = new byte[LEAST];
    private int length;

    private void need(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }

    ByteWriter clear() {
        length = 0;
        if (bytes.length > MOST_KEPT) {
            bytes = new byte[LEAST];
        }
        return this;
    }

    int length() {
        return length;
    }

    void u8(int value) {
        need(1);
        bytes[length++] = (byte) value;
    }

    void u16(int value) {
        need(2);
        bytes[length++] = (byte) (value >>> 8);
        bytes[length++] = (byte) value;
    }

    void u32(int value) {
        need(4);
        INT.set(bytes, length, value);
        length += 4;
    }

    void i64(long value) {
        need(8);
        LONG.set(bytes, length, value);
        length += 8;
    }

    void bytes(byte[] value) {
        need(value.length);
        System.arraycopy(value, 0, bytes, length, value.length);
        length += value.length;
    }

    void bytes(ByteBuffer value) {
        int size = value.remaining();
        need(size);
        value.get(value.position(), bytes, length, size);
        length += size;
    }

    void all(ByteSource source) {
        for (int b = source.next(); b != ByteSource.END_OF_STREAM; b = source.next()) {
            u8(b);
        }
    }

    void replaceU8(int at, int value) {
        bytes[at] = (byte) value;
    }

    void replaceU32(int at, int value) {
        INT.set(bytes, at, value);
    }

    /** What is written is at its beginning, until this is used again. */
    byte[] array() {
        return bytes;
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }
}
