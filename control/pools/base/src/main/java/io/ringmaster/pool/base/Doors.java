package io.ringmaster.pool.base;

import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.ports.Authorities;
import io.ringmaster.ports.Clock;
import io.ringmaster.ports.DoorFiles;
import io.ringmaster.ports.UnusableAuthorityException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which executors of a pool listen by TLS, and when their certificates are replaced. A pool lays the files down where
 * the executor finds them, at each launch and whenever they are due, and the executor reads them again. So a door that
 * has ended while everything was off needs no door to be renewed. Safe for concurrent use.
 */
public final class Doors {
    private static final Logger LOG = LoggerFactory.getLogger(Doors.class);

    private static final String NOT_RENEWED = "{}: the door of its executor is not renewed: {}";

    private final Authorities authorities;
    private final boolean forAll;
    private final Clock clock;
    private final Map<AllocationId, Judged> judged = new ConcurrentHashMap<>();

    /** To read a certificate takes a millisecond, and nearly all are as they were. */
    private record Judged(DoorFiles door, Instant renewal) {}

    /** @param forAll whether each launch gives a door; otherwise only executors that have one keep it */
    public Doors(Authorities authorities, boolean forAll, Clock clock) {
        this.authorities = authorities;
        this.forAll = forAll;
        this.clock = clock;
    }

    /**
     * The door of an executor that is about to be launched.
     *
     * @param had whether the executor before had one: TLS is never taken away
     * @throws UnusableAuthorityException there is none to be had, so nothing may be launched
     */
    public Optional<DoorFiles> forLaunch(AllocationId id, boolean had) {
        return forAll || had ? Optional.of(authorities.door(id)) : Optional.empty();
    }

    /**
     * The doors that are to be replaced now.
     *
     * @param present all doors of the pool
     */
    public Set<AllocationId> due(Map<AllocationId, DoorFiles> present) {
        judged.keySet().retainAll(present.keySet());
        return present.entrySet().stream()
                .filter(each -> isDue(each.getKey(), each.getValue()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
    }

    private boolean isDue(AllocationId id, DoorFiles door) {
        Judged known = judged.get(id);
        try {
            if (known == null || !known.door().equals(door)) {
                known = new Judged(door, authorities.renewal(id, door));
                judged.put(id, known);
            }
            return !clock.now().isBefore(known.renewal());
        } catch (UnusableAuthorityException e) {
            LOG.warn(NOT_RENEWED, id, ThrowableText.of(e));
            return false;
        }
    }

    /** The next door of an executor; empty if this one is not due any more, or if there is none to be had now. */
    public Optional<DoorFiles> renewed(AllocationId id, DoorFiles present) {
        try {
            return isDue(id, present) ? Optional.of(authorities.door(id)) : Optional.empty();
        } catch (UnusableAuthorityException e) {
            LOG.warn(NOT_RENEWED, id, ThrowableText.of(e));
            return Optional.empty();
        }
    }
}
