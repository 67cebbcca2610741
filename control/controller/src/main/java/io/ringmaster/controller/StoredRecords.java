package io.ringmaster.controller;

import io.ringmaster.core.view.View;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.Change;
import io.ringmaster.ports.StaleEpochException;
import io.ringmaster.ports.Store;
import io.ringmaster.ports.StoreUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The records in the store, and how far this server may change them. */
final class StoredRecords {
    private static final Logger LOG = LoggerFactory.getLogger(StoredRecords.class);
    private static final Duration RELOAD_PAUSE = Duration.ofSeconds(1);

    private final Store store;
    private final DatacenterName datacenter;
    private final Records records;
    private Lead lead = Lead.NONE;
    private boolean loadedOnce;
    private long epoch;
    private Instant reloadAt = Instant.MIN;

    private enum Lead {
        NONE,
        /** This server leads, and must load the records before it decides. */
        UNLOADED,
        LOADED
    }

    /** What is known of a commit once it returns. */
    enum Commit {
        DONE,
        /** The store did not answer: the records are loaded again before anything is decided. */
        UNKNOWN,
        /** Another server leads. */
        DEPOSED
    }

    StoredRecords(Store store, DatacenterName datacenter, View none) {
        this.store = store;
        this.datacenter = datacenter;
        this.records = new Records(none);
    }

    void elected(long newEpoch) {
        epoch = newEpoch;
        lead = Lead.UNLOADED;
        loadedOnce = false;
        reloadAt = Instant.MIN;
        records.replaceAll(List.of());
    }

    void lost() {
        lead = Lead.NONE;
    }

    /** The epoch of the last election. */
    long epoch() {
        return epoch;
    }

    boolean leads() {
        return lead != Lead.NONE;
    }

    /** Whether the records were loaded since the election, so that they can be shown. */
    boolean loadedSinceElection() {
        return leads() && loadedOnce;
    }

    Records records() {
        return records;
    }

    /** Why nothing can be changed now; empty when it can. */
    Optional<Problem> whyClosed() {
        return switch (lead) {
            case NONE ->
                Optional.of(
                        Problem.of(ErrorCode.NOT_LEADER, "this server does not lead " + datacenter, "ask the leader"));
            case UNLOADED ->
                Optional.of(Problem.of(
                        ErrorCode.STORE_UNAVAILABLE,
                        "the store of " + datacenter + " does not answer; nothing was changed",
                        "try again in a few seconds"));
            case LOADED -> Optional.empty();
        };
    }

    boolean mustLoad() {
        return lead == Lead.UNLOADED;
    }

    /** @return false when the store does not answer, or the pause after its last failure is not over */
    boolean load(Instant now) {
        if (now.isBefore(reloadAt)) {
            return false;
        }
        reloadAt = now.plus(RELOAD_PAUSE);
        try {
            records.replaceAll(store.load());
        } catch (StoreUnavailableException e) {
            LOG.warn("the store cannot be read; tries again: {}: {}", ThrowableText.of(e), e.getCause());
            return false;
        }
        lead = Lead.LOADED;
        loadedOnce = true;
        return true;
    }

    /** Commits the changes, even an empty list: the store then still checks the epoch. */
    Commit commit(List<Change> changes, Instant now) {
        try {
            store.commit(epoch, changes);
            records.apply(changes);
            return Commit.DONE;
        } catch (StaleEpochException e) {
            LOG.warn("steps down: {}", ThrowableText.of(e));
            return Commit.DEPOSED;
        } catch (StoreUnavailableException e) {
            LOG.warn(
                    "the store did not answer; loads again before it goes on: {}: {}",
                    ThrowableText.of(e),
                    e.getCause());
            lead = Lead.UNLOADED;
            reloadAt = now.plus(RELOAD_PAUSE);
            return Commit.UNKNOWN;
        }
    }
}
