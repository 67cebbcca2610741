package io.ringmaster.store.zookeeper;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change in its stored form.
 *
 * @param value the new content of the znode, or null to remove the znode
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; copies of megabytes would be wasteful
record Edit(String key, byte @Nullable [] value) {
    private static final int OVERHEAD_BYTES = 128;

    int sizeBytes() {
        return OVERHEAD_BYTES + 2 * key.length() + (value == null ? 0 : value.length);
    }

    static byte[] write(List<Edit> edits) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(edits.size());
            for (Edit edit : edits) {
                byte[] key = edit.key.getBytes(StandardCharsets.UTF_8);
                out.writeInt(key.length);
                out.write(key);
                out.writeInt(edit.value == null ? -1 : edit.value.length);
                if (edit.value != null) {
                    out.write(edit.value);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return RecordCodec.compress(bytes.toByteArray());
    }

    static List<Edit> read(byte[] compressed) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(RecordCodec.decompress(compressed)))) {
            int count = in.readInt();
            List<Edit> edits = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                String key = new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
                int length = in.readInt();
                edits.add(new Edit(key, length < 0 ? null : in.readNBytes(length)));
            }
            return edits;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
