package io.ringmaster.pool.mesos.api;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** Reads RecordIO: the length of a record in bytes, a line end, and the record. */
final class RecordReader {
    /** An event with all offers of thousands of agents is far below this. */
    private static final int MAX_LENGTH = 256 << 20;

    private final InputStream in;

    RecordReader(InputStream in) {
        this.in = new BufferedInputStream(in, 64 << 10);
    }

    /** @throws EOFException the stream has ended */
    byte[] next() throws IOException {
        int length = length();
        byte[] record = in.readNBytes(length);
        if (record.length < length) {
            throw new EOFException("the stream ended within a record");
        }
        return record;
    }

    private int length() throws IOException {
        long length = 0;
        for (int digits = 0; ; digits++) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("the stream ended");
            }
            if (next == '\n' && digits > 0) {
                return (int) length;
            }
            length = length * 10 + (next - '0');
            if (next < '0' || next > '9' || length > MAX_LENGTH) {
                throw new IOException("not the length of a record");
            }
        }
    }
}
