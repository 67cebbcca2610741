package io.ringmaster.server.backup;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.repository.Catalogue;
import io.ringmaster.backup.repository.ObjectReader;
import io.ringmaster.backup.repository.RepositoryKeys;
import io.ringmaster.backup.store.Content;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.spec.RestoreSource;
import io.ringmaster.server.refusal.ProblemException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps collections away from the backups that new clusters start from. Nodes put marks of their own, but only while
 * they fetch: a plan may wait for days before that. So the leader of each datacenter has a mark from the moment in
 * which it knows of a restore until the cluster is created or deleted. A mark that it cannot delete expires.
 */
public final class RestoreMarks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RestoreMarks.class);
    private static final String FROM = "restore.from";
    private static final long LOOK_S = 15;
    private static final long RENEW_NANOS = TimeUnit.DAYS.toNanos(1);
    /** A spec that is not stored by then was refused. */
    private static final long UNSTORED_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final BackupReader reader;
    private final DatacenterName datacenter;
    private final Supplier<Optional<Restores>> restores;
    private final LongSupplier nanos;
    private final Map<Mark, Held> held = new HashMap<>();
    private final Map<Mark, String> failures = new HashMap<>();
    private boolean leads;
    private final ScheduledExecutorService looks = Executors.newSingleThreadScheduledExecutor(task -> {
        var thread = new Thread(task, "restore-marks");
        thread.setDaemon(true);
        return thread;
    });

    /**
     * @param restores what is known of restores; empty while this server does not lead
     * @param nanos the time, such as {@link System#nanoTime}
     */
    public RestoreMarks(
            BackupReader reader, DatacenterName datacenter, Supplier<Optional<Restores>> restores, LongSupplier nanos) {
        this.reader = reader;
        this.datacenter = datacenter;
        this.restores = restores;
        this.nanos = nanos;
    }

    /**
     * The backups that clusters started from.
     *
     * @param inProgress of the clusters that are not created yet
     * @param over of the clusters that are created: a former leader may have left its mark
     */
    public record Restores(Map<ClusterName, RestoreSource> inProgress, Map<ClusterName, RestoreSource> over) {
        public Restores {
            inProgress = Map.copyOf(inProgress);
            over = Map.copyOf(over);
        }

        private static Set<Mark> marks(Map<ClusterName, RestoreSource> of) {
            return of.entrySet().stream()
                    .map(e -> new Mark(e.getKey(), e.getValue()))
                    .collect(Collectors.toSet());
        }
    }

    private record Mark(ClusterName cluster, RestoreSource source) {
        RepositoryKeys keys() {
            return new RepositoryKeys(source.cluster(), source.incarnation());
        }

        BackupId backup() {
            return new BackupId(source.backup());
        }
    }

    /** @param stored whether the spec of the restore was seen in the store */
    private record Held(long putAt, boolean stored) {}

    /** What is done for a mark at its location; it may throw a {@link ProblemException}. */
    private interface Attempt {
        void run();
    }

    /** Looks every 15 seconds: a deletion may be requested right after a restore. */
    public void start() {
        var unused = looks.scheduleWithFixedDelay(this::look, LOOK_S, LOOK_S, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        looks.shutdownNow();
    }

    /**
     * Puts the mark of a restore whose spec is about to be stored.
     *
     * @throws ProblemException the location does not answer, or the backup is being deleted
     */
    public synchronized void hold(ClusterName cluster, RestoreSource source) {
        Mark mark = new Mark(cluster, source);
        Held before = held.get(mark);
        boolean isLaterVersion = before != null && before.stored;
        String key = key(mark);
        boolean gone = reader.at(FROM, source.from(), store -> {
            store.put(key, Content.empty());
            // in this order, because a collection looks for marks again once the backup is in the trash
            boolean deleted = !isLaterVersion
                    && (new Catalogue(store, mark.keys()).isTrashed(mark.backup())
                            || store.stat(mark.keys().ok(mark.backup())).isEmpty());
            if (deleted) {
                store.delete(List.of(key));
            }
            return deleted;
        });
        if (gone) {
            throw ProblemException.of(new Problem(
                    ErrorCode.BACKUP_UNKNOWN,
                    "restore.backup",
                    source.backup() + " is being deleted, or is deleted",
                    Advice.command("backup list " + source.cluster())));
        }
        held.put(mark, new Held(nanos.getAsLong(), false));
    }

    private String key(Mark mark) {
        return mark.keys().reader(mark.backup(), mark.cluster(), datacenter);
    }

    /** Puts, renews and deletes what is due. A failure is tried again at the next look. */
    synchronized void look() {
        try {
            Optional<Restores> known = restores.get();
            if (known.isEmpty()) {
                held.clear(); // the marks are those of the leader now
                failures.clear();
                leads = false;
                return;
            }
            Set<Mark> needed = Restores.marks(known.get().inProgress());
            if (!leads) {
                Restores.marks(known.get().over()).forEach(mark -> held.put(mark, new Held(nanos.getAsLong(), true)));
                leads = true;
            }
            needed.forEach(mark -> attempt(mark, () -> renew(mark)));
            held.keySet().stream()
                    .filter(mark -> !needed.contains(mark) && isOver(mark))
                    .toList()
                    .forEach(mark -> attempt(mark, () -> delete(mark)));
        } catch (RuntimeException e) {
            LOG.warn("the restores in progress cannot be listed now: {}", ThrowableText.of(e));
        }
    }

    private boolean isOver(Mark mark) {
        Held known = held.get(mark);
        return known != null && (known.stored || nanos.getAsLong() - known.putAt > UNSTORED_NANOS);
    }

    private void renew(Mark mark) {
        Held before = held.get(mark);
        if (before != null && nanos.getAsLong() - before.putAt < RENEW_NANOS) {
            held.put(mark, new Held(before.putAt, true));
            return;
        }
        String key = key(mark);
        reader.at(FROM, mark.source.from(), store -> {
            store.put(key, Content.empty());
            return key;
        });
        held.put(mark, new Held(nanos.getAsLong(), true));
    }

    /** Also those of its nodes: one whose fetch broke off left its mark, because it could have continued. */
    private void delete(Mark mark) {
        String key = key(mark);
        reader.at(FROM, mark.source.from(), store -> {
            List<String> keys = new ArrayList<>(List.of(key));
            new ObjectReader(store).list(key + ".", object -> keys.add(object.key()));
            store.delete(keys);
            return key;
        });
        held.remove(mark);
    }

    private void attempt(Mark mark, Attempt work) {
        try {
            work.run();
            failures.remove(mark);
        } catch (RuntimeException e) {
            String why = ThrowableText.of(e);
            if (!why.equals(failures.put(mark, why))) {
                LOG.warn("the mark of {} at the backup {} cannot be changed now: {}", mark.cluster, mark.source, why);
            }
        }
    }
}
