package io.ringmaster.store.zookeeper;

import java.io.File;
import java.io.IOException;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.jspecify.annotations.Nullable;

/**
 * ZooKeeper's files, which take no write after one that failed. ZooKeeper would flush once more when it stops: if there
 * is room by then, the buffer would follow its own first half in the log, and the log could not be read again.
 */
final class FailedWrites extends FileTxnSnapLog {
    private volatile @Nullable IOException first;

    FailedWrites(File directory) throws IOException {
        super(directory, directory);
    }

    /** The first failure of a write, or null. */
    @Nullable
    IOException first() {
        return first;
    }

    @Override
    public boolean append(Request request) throws IOException {
        refuseAfterFailure();
        try {
            return super.append(request);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    public void commit() throws IOException {
        refuseAfterFailure();
        try {
            super.commit();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    public void rollLog() throws IOException {
        refuseAfterFailure();
        try {
            super.rollLog();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** After a failure the files are left to the garbage collector, which closes them without a write. */
    @Override
    public void close() throws IOException {
        if (first == null) {
            super.close();
        }
    }

    private void refuseAfterFailure() throws IOException {
        if (first != null) {
            throw new IOException("a former write to the log failed", first);
        }
    }

    private IOException failed(IOException e) {
        first = e;
        return e;
    }
}
