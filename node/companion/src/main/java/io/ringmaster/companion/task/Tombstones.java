package io.ringmaster.companion.task;

import org.apache.cassandra.db.filter.TombstoneOverwhelmingException;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.net.MessagingService.FailureResponseException;
import org.jspecify.annotations.Nullable;

/** The reads that Cassandra refuses because they meet more tombstones than {@code tombstone_failure_threshold}. */
final class Tombstones {
    private Tombstones() {}

    /** Whether a read of this node, or the answer of another one, failed because of them. */
    static boolean refused(Throwable thrown) {
        for (@Nullable Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof TombstoneOverwhelmingException
                    || (cause instanceof FailureResponseException answer
                            && answer.failureReason() == RequestFailureReason.READ_TOO_MANY_TOMBSTONES)) {
                return true;
            }
        }
        return false;
    }
}
