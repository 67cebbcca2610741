package io.ringmaster.engine.encoding;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.cassandra.utils.bytecomparable.ByteSource;

/** A growing big-endian byte array that is reused for one record after another. */
final class ByteWriter {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private static final int INITIAL_BYTES = 1024;
    /** A larger record is rare; {@link #clear} frees its array. */
    private static final int MAX_REUSED_BYTES = 1024 * 1024;

    private byte[] bytes = new byte[INITIAL_BYTES];
    private int length;

    private void ensureCapacity(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }

    ByteWriter clear() {
        length = 0;
        if (bytes.length > MAX_REUSED_BYTES) {
            bytes = new byte[INITIAL_BYTES];
        }
        return this;
    }

    int length() {
        return length;
    }

    void u8(int value) {
        ensureCapacity(1);
        bytes[length++] = (byte) value;
    }

    void u16(int value) {
        ensureCapacity(2);
        bytes[length++] = (byte) (value >>> 8);
        bytes[length++] = (byte) value;
    }

    void u32(int value) {
        ensureCapacity(4);
        INT.set(bytes, length, value);
        length += 4;
    }

    void i64(long value) {
        ensureCapacity(8);
        LONG.set(bytes, length, value);
        length += 8;
    }

    void bytes(byte[] value) {
        ensureCapacity(value.length);
        System.arraycopy(value, 0, bytes, length, value.length);
        length += value.length;
    }

    void bytes(ByteBuffer value) {
        int size = value.remaining();
        ensureCapacity(size);
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

    /** The backing array, not a copy: its first {@link #length} bytes are valid until the next {@link #clear}. */
    byte[] array() {
        return bytes;
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }
}
