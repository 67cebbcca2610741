package io.ringmaster.backup.store;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.ClosedByInterruptException;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one put, in one or more attempts. Checks their length, stops when the thread is interrupted, and keeps
 * the failures of the content apart from those of the store.
 */
final class ContentReader implements Closeable {
    private final Content content;
    private @Nullable InputStream open;
    private @Nullable IOException failure;

    ContentReader(Content content) {
        this.content = content;
    }

    /** Opens the bytes from the start, and closes those of the former attempt. */
    InputStream open() throws IOException {
        close();
        try {
            InputStream opened = content.open();
            open = opened;
            return new Attempt(opened);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Throws what the content threw last, if it did. */
    void rethrow() throws IOException {
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public void close() throws IOException {
        InputStream former = open;
        open = null;
        if (former != null) {
            former.close();
        }
    }

    private IOException failed(IOException e) {
        if (!(e instanceof ClosedByInterruptException)) {
            failure = e;
        }
        return e;
    }

    private final class Attempt extends InputStream {
        private final InputStream in;
        private long length;

        private Attempt(InputStream in) {
            this.in = in;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int offset, int count) throws IOException {
            if (Thread.currentThread().isInterrupted()) {
                throw new ClosedByInterruptException();
            }
            try {
                int read = in.read(into, offset, count);
                length += Math.max(0, read);
                if (read < 0 ? length < content.length() : length > content.length()) {
                    throw new EOFException("the content has " + (read < 0 ? "only " : "at least ") + length
                            + " bytes, but should have " + content.length());
                }
                return read;
            } catch (IOException e) {
                throw failed(e);
            }
        }
    }
}
