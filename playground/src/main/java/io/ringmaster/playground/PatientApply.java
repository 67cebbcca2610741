package io.ringmaster.playground;

import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.wire.client.RefusedException;
import java.time.Duration;
import java.util.function.LongSupplier;

/** The servers of a busy computer answer each other too late at first. Nothing was changed then: it is asked again. */
final class PatientApply {
    private static final long PAUSE_MILLIS = 500;

    private PatientApply() {}

    /**
     * @param apply returns the version of the spec
     * @param limit after which the refusal counts
     * @throws RefusedException for another reason, or still at the end of the limit
     */
    static long of(LongSupplier apply, Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (true) {
            try {
                return apply.getAsLong();
            } catch (RefusedException e) {
                if (e.problem().code() != ErrorCode.PEER_UNREACHABLE || System.nanoTime() > end) {
                    throw e;
                }
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }
}
