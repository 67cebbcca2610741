package io.ringmaster.engine.encoding;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import io.ringmaster.engine.store.PurgeRules;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Calls the merge operator and the compaction filter of the native library without RocksDB. */
public final class NativeFold {
    private static final String RESOURCE = "/native/"
            + System.getProperty("os.name").toLowerCase(Locale.ROOT) + "-" + System.getProperty("os.arch")
            + "/libringmaster_fold.so";

    private final NativeLibrary library;

    private NativeFold(NativeLibrary library) {
        this.library = library;
    }

    /** Null if the library was not built. */
    public static @Nullable NativeFold load() {
        if (NativeFold.class.getResource(RESOURCE) == null) {
            return null;
        }
        try {
            return new NativeFold(NativeLibrary.getInstance(
                    Native.extractFromResourcePath(RESOURCE, NativeFold.class.getClassLoader())
                            .toString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Merges consecutive operands of a key, as a compaction does while older ones are in other files. */
    public byte[] partial(List<byte[]> operands) {
        return merge("ringmaster_fold_partial", operands);
    }

    /** Merges all operands of a key behind its stored value. */
    public byte[] full(byte[] existing, List<byte[]> operands) {
        Memory stored = copy(existing);
        return merge("ringmaster_fold_full", operands, stored, (long) existing.length);
    }

    private byte[] merge(String function, List<byte[]> operands, Object... existing) {
        int count = operands.size();
        Memory pointers = new Memory((long) Native.POINTER_SIZE * (count + 1));
        Memory lengths = new Memory((long) Long.BYTES * (count + 1));
        Memory[] copies = new Memory[count];
        for (int i = 0; i < count; i++) {
            copies[i] = copy(operands.get(i));
            pointers.setPointer((long) Native.POINTER_SIZE * i, copies[i]);
            lengths.setLong((long) Long.BYTES * i, operands.get(i).length);
        }
        Memory success = new Memory(1);
        Memory length = new Memory(Long.BYTES);
        Object[] first = {Pointer.NULL, Pointer.NULL, 0L};
        Object[] last = {pointers, lengths, count, success, length};
        Object[] all = new Object[first.length + existing.length + last.length];
        System.arraycopy(first, 0, all, 0, first.length);
        System.arraycopy(existing, 0, all, first.length, existing.length);
        System.arraycopy(last, 0, all, first.length + existing.length, last.length);
        Pointer merged = library.getFunction(function).invokePointer(all);
        byte[] bytes = merged.getByteArray(0, (int) length.getLong(0));
        library.getFunction("ringmaster_fold_free")
                .invokeVoid(new Object[] {Pointer.NULL, merged, (long) bytes.length});
        if (success.getByte(0) != 1) {
            throw new IllegalStateException(function + " of " + copies.length + " operands failed");
        }
        return bytes;
    }

    /**
     * Purges a value as a compaction does.
     *
     * @param keepsAll whether all deletions stay, whatever the rules say
     * @param keepsElements whether the tombstones of elements of collections stay
     * @return null if nothing is left
     */
    public byte @Nullable [] filter(PurgeRules rules, boolean keepsAll, boolean keepsElements, byte[] value) {
        Memory state = new Memory(5L * Long.BYTES);
        state.setLong(0, keepsAll ? -1 : 0);
        state.setLong(Long.BYTES, rules.belowTimestamp());
        state.setLong(2L * Long.BYTES, rules.sweptBefore());
        state.setLong(3L * Long.BYTES, rules.beforeSeconds());
        state.setLong(4L * Long.BYTES, keepsElements ? 1 : 0);
        Memory changed = new Memory(Native.POINTER_SIZE);
        Memory length = new Memory(Long.BYTES);
        Memory isChanged = new Memory(1);
        isChanged.setByte(0, (byte) 0);
        Memory existing = copy(value);
        int isRemoved = library.getFunction("ringmaster_fold_filter").invokeInt(new Object[] {
            state, 0, Pointer.NULL, 0L, existing, (long) value.length, changed, length, isChanged
        });
        if ((isRemoved & 0xff) != 0) {
            return null;
        }
        return isChanged.getByte(0) == 0 ? value : changed.getPointer(0).getByteArray(0, (int) length.getLong(0));
    }

    private static Memory copy(byte[] bytes) {
        Memory copy = new Memory(Math.max(1, bytes.length));
        copy.write(0, bytes, 0, bytes.length);
        return copy;
    }
}
