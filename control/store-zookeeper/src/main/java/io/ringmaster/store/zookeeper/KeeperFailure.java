package io.ringmaster.store.zookeeper;

import io.ringmaster.model.error.ThrowableText;
import org.apache.zookeeper.KeeperException;

/** ZooKeeper answered with an error code. */
final class KeeperFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient KeeperException.Code code;
    private final boolean retried;

    KeeperFailure(String doing, KeeperException cause, boolean retried) {
        super(doing + ": " + ThrowableText.of(cause), cause);
        code = cause.code();
        this.retried = retried;
    }

    KeeperException.Code code() {
        return code;
    }

    /** Whether an earlier attempt had no answer and may have succeeded. */
    boolean retried() {
        return retried;
    }
}
