package io.ringmaster.store.zookeeper;

import io.ringmaster.json.Json;
import io.ringmaster.model.record.StoredRecord;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Encodes a record as JSON, from 8 KiB on as gzip of it. The first byte distinguishes them: a brace or 0x1f. */
final class RecordCodec {
    private static final int COMPRESS_FROM_BYTES = 8 * 1024;
    private static final byte GZIP_MAGIC = 0x1f;

    private RecordCodec() {}

    static byte[] encode(StoredRecord record) {
        byte[] json = Json.bytes(record);
        return json.length < COMPRESS_FROM_BYTES ? json : compress(json);
    }

    /** @throws IllegalArgumentException the bytes are not the record of this key */
    static StoredRecord decode(String key, byte[] bytes) {
        StoredRecord record;
        try {
            byte[] json = bytes.length > 0 && bytes[0] == GZIP_MAGIC ? decompress(bytes) : bytes;
            record = Json.parse(json, RecordPaths.type(key));
        } catch (UncheckedIOException e) {
            throw new IllegalArgumentException("does not hold the record " + key, e);
        }
        if (record == null || !record.key().path().equals(key)) {
            throw new IllegalArgumentException("holds another record than " + key);
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
