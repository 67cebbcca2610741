package io.ringmaster.backup.store;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;

/** What a put sends; it is opened once for each attempt. */
public interface Content {
    /** The SHA-256 of no bytes. */
    String EMPTY_SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    /** In bytes. */
    long length();

    /** The SHA-256 in 64 lowercase hex digits, which the store compares if it can. */
    String sha256();

    /** Opens the bytes from the start; the caller closes them. */
    InputStream open() throws IOException;

    /** No bytes: the object is a mark, and its key says everything. */
    static Content empty() {
        return of(new byte[0], 0, EMPTY_SHA256);
    }

    /** The first {@code length} bytes of an array, which must not change until the put is over. */
    static Content of(byte[] bytes, int length, String sha256) {
        return new Content() {
            @Override
            public long length() {
                return length;
            }

            @Override
            public String sha256() {
                return sha256;
            }

            @Override
            public InputStream open() {
                return new ByteArrayInputStream(bytes, 0, length);
            }
        };
    }
}
