package io.ringmaster.server.access;

import io.ringmaster.controller.Controller;
import io.ringmaster.model.access.Principal;
import io.ringmaster.model.record.AuditOrigin;
import io.ringmaster.ports.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps refused changes in the log and the audit: one entry a second for each address, which says how many were left
 * out before it, and at most {@value #PER_SECOND} a second of all addresses, because each is a write to the store.
 */
public final class RefusalLog {
    private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);
    /** The name of a caller that was not authenticated. */
    public static final String UNKNOWN = "unknown";

    private static final int ADDRESSES = 1000;
    private static final int PER_SECOND = 10;

    private final Clock clock;
    private final Consumer<Consumer<Controller>> controller;
    private final Map<String, Count> counts = new LinkedHashMap<>();
    private long second;
    private int written;

    private record Count(long second, long leftOut) {}

    /** @param controller runs an action on the controller's thread, without waiting for it */
    public RefusalLog(Clock clock, Consumer<Consumer<Controller>> controller) {
        this.clock = clock;
        this.controller = controller;
    }

    /**
     * @param principal null if the caller was not authenticated
     * @param what method and path
     */
    public void add(@Nullable Principal principal, String address, String what, int status, String why) {
        long leftOut = admit(address);
        if (leftOut < 0) {
            return;
        }
        String who = principal == null ? UNKNOWN : principal.name();
        String outcome = "refused: " + why + (leftOut == 0 ? "" : "; " + leftOut + " more before it were left out");
        LOG.warn("{} from {} refused with {}: {}: {}", what, address, status, who, outcome);
        AuditOrigin origin = AuditOrigin.refused(principal, address, status);
        controller.accept(c -> {
            if (c.leads()) {
                c.requests().from(origin).noted(who, what, outcome);
            }
        });
    }

    /** @return the number of refusals left out since the last entry of the address; -1 if this one is left out too */
    private synchronized long admit(String address) {
        long now = clock.now().getEpochSecond();
        if (now != second) {
            second = now;
            written = 0;
        }
        Count count = counts.remove(address);
        if (counts.size() >= ADDRESSES) {
            counts.remove(counts.keySet().iterator().next());
        }
        if ((count != null && count.second == now) || written >= PER_SECOND) {
            counts.put(address, new Count(now, count == null ? 1 : count.leftOut + 1));
            return -1;
        }
        written++;
        counts.put(address, new Count(now, 0));
        return count == null ? 0 : count.leftOut;
    }
}
