package io.ringmaster.store.zookeeper;

import org.apache.zookeeper.KeeperException;

/** ZooKeeper answered no. */
final class KeeperFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient KeeperException.Code code;
    private final boolean retried;

    KeeperFailure(String doing, KeeperException cause, boolean retried) {
        super(doing + ": " + cause.getMessage(), cause);
        code = cause.code();
        this.retried = retried;
    }

    KeeperException.Code code() {
        return code;
    }

    /** An attempt before had no answer, so that it may have been done. */
    boolean retried() {
        return retried;
    }
}
