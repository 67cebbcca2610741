package io.ringmaster.store.zookeeper;

import io.ringmaster.json.Json;
import io.ringmaster.model.record.StoredRecord;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** A record as bytes: JSON, compressed where that pays. JSON begins with a brace and gzip with 0x1f, so they tell themselves apart. */
final class RecordCodec {
    private static final int COMPRESS_FROM_BYTES = 8 * 1024;
    private static final byte GZIP_MAGIC = 0x1f;

    private RecordCodec() {}

    static byte[] encode(StoredRecord record) {
        byte[] json = Json.bytes(record);
        return json.length < COMPRESS_FROM_BYTES ? json : compress(json);
    }

    /** @throws IllegalArgumentException when it is not the record of that key */
    static StoredRecord decode(String key, byte[] bytes) {
        StoredRecord record;
        try {
            byte[] json = bytes.length > 0 && bytes[0] == GZIP_MAGIC ? decompress(bytes) : bytes;
            record = Json.parse(json, RecordPaths.type(key));
        } catch (UncheckedIOException e) {
            throw new IllegalArgumentException("does not hold the record " + key, e);
        }
        if (record == null || !record.key().path().equals(key)) {
            throw new IllegalArgumentException("should hold the record " + key + " but holds another");
        }
        return record;
    }

    static byte[] compress(byte[] bytes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    static byte[] decompress(byte[] bytes) {
        try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return gzip.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
