package io.ringmaster.store.zookeeper;

import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.ports.StaleEpochException;
import io.ringmaster.ports.StoreUnavailableException;
import org.apache.zookeeper.KeeperException;

/** Repeats a write that checks the epoch of its leader, and names its failure as the port {@code Store} does. */
final class FencedWrite {
    private static final int ATTEMPTS = 3;

    private FencedWrite() {}

    /**
     * @param attempt looks at the znodes and writes them in transactions that check the epoch. It runs once more if the
     *     znodes are not as it saw them, possibly because an attempt succeeded and only its answer was lost
     */
    static void run(ZooKeeperSession session, String doing, long epoch, Runnable attempt) {
        if (epoch < 0) {
            // ZooKeeper would take -1 for any version
            throw new IllegalArgumentException("epoch " + epoch + " must not be negative");
        }
        boolean maybeDone = false;
        for (int number = 1; ; number++) {
            try {
                attempt.run();
                return;
            } catch (KeeperFailure e) {
                maybeDone |= e.retried();
                if (e.code() == KeeperException.Code.BADVERSION) {
                    throw staleOrUnknown(session, doing, epoch, maybeDone, e);
                }
                boolean unexpectedState =
                        e.code() == KeeperException.Code.NODEEXISTS || e.code() == KeeperException.Code.NONODE;
                if (!unexpectedState || number == ATTEMPTS) {
                    throw new StoreUnavailableException(doing + ": " + ThrowableText.of(e), e);
                }
            }
        }
    }

    private static RuntimeException staleOrUnknown(
            ZooKeeperSession session, String doing, long epoch, boolean maybeDone, KeeperFailure e) {
        StaleEpochException stale = new StaleEpochException(epoch, session.newestEpoch());
        if (!maybeDone) {
            return stale;
        }
        stale.addSuppressed(e);
        return new StoreUnavailableException(
                doing + ": an attempt had no answer, and another server leads since", stale);
    }
}
