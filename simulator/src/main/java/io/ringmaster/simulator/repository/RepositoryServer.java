package io.ringmaster.simulator.repository;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeTask.Kind;
import io.ringmaster.simulator.history.SeededRandom;
import io.ringmaster.simulator.invariant.Violation;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Asks for backups and collections, one after another, and for restores at any time. It waits so long for each
 * operation as it likes: then it aborts it, and some of its processes run on where no server reaches them. In every
 * other run the operation goes on instead beside later ones, as if there were no lock: the protocol must not need it.
 */
final class RepositoryServer {
    private static final double BACKUPS = 0.6;
    private static final double SAME_SECOND = 0.3;
    private static final int KEPT_AT_LAST = 1;

    private final ActorSchedule schedule;
    private final SeededRandom random;
    private final RepositoryNodes nodes;
    private final BackupContents contents;
    private final Judge judge;
    private final Transfers transfers;
    private final Restores restores;
    private final Path directory;
    private final boolean locked;
    private final Set<BackupId> ids = new HashSet<>();
    private final List<Actor> started = new ArrayList<>();
    private final Map<Path, Actor> uploads = new TreeMap<>();
    private Instant second;
    private int directories;

    RepositoryServer(
            ActorSchedule schedule,
            SeededRandom random,
            RepositoryNodes nodes,
            BackupContents contents,
            Judge judge,
            Transfers transfers,
            Restores restores,
            Path directory) {
        this.schedule = schedule;
        this.random = random;
        this.nodes = nodes;
        this.contents = contents;
        this.judge = judge;
        this.transfers = transfers;
        this.restores = restores;
        this.directory = directory;
        this.locked = random.chance(0.5);
        this.second = schedule.clock().now();
    }

    void run(Actor self) {
        int operations = random.between(3, 6);
        for (int i = 0; i < operations; i++) {
            schedule.sleep(self, schedule.faults().pauseMillis());
            nodes.change(random);
            if (random.chance(0.3)) {
                restores.start();
            }
            operate(self, random.chance(BACKUPS) || judge.complete().isEmpty());
        }
        schedule.await(
                self,
                ActorSchedule.FOREVER_MILLIS,
                () -> started.stream().allMatch(Actor::isOver) && restores.areOver());
        restores.judge();
        schedule.faults().stop();
        schedule.sleep(self, Duration.ofDays(8).toMillis());
        collectQuietly(self);
        collectQuietly(self);
        judge.requireClean(KEPT_AT_LAST);
    }

    private void operate(Actor self, boolean isBackup) {
        List<Actor> works = new ArrayList<>();
        Actor actor = isBackup
                ? schedule.start("backup", me -> backUp(me, works))
                : schedule.start("collect", me -> collect(me, works, expiry()));
        started.add(actor);
        schedule.await(self, schedule.faults().pauseMillis(), actor::isOver);
        if (!actor.isOver() && (locked || random.chance(0.3))) {
            schedule.trace().add(self.name, "aborts " + actor);
            actor.doom();
            works.stream().filter(work -> random.chance(0.5)).forEach(Actor::doom);
        }
    }

    private void backUp(Actor self, List<Actor> works) {
        BackupId id = newId();
        nodes.replace(this::isBusy);
        nodes.takeSnapshots(id, schedule.clock().now(), contents);
        List<Actor> parts = new ArrayList<>();
        for (SimVolume volume : nodes.volumes()) {
            Actor part = start(works, Kind.BACKUP_UPLOAD, volume.node, volume.directory, id, Map.of());
            uploads.put(volume.directory, part);
            parts.add(part);
        }
        schedule.await(self, ActorSchedule.FOREVER_MILLIS, () -> parts.stream().allMatch(Actor::isOver));
        if (parts.stream().allMatch(Actor::hasSucceeded) && commit(self, works, id) && random.chance(0.6)) {
            collect(self, works, keeping(random.between(1, 2)));
        }
    }

    private boolean isBusy(SimVolume volume) {
        Actor upload = uploads.get(volume.directory);
        return upload != null && !upload.isOver();
    }

    /** Another node commits if the first falls silent. */
    private boolean commit(Actor self, List<Actor> works, BackupId id) {
        Map<String, String> arguments = Map.of("nodes", nodes.names(), "datacenters", "dc1", "spec", "name: rides");
        Actor first = start(works, Kind.BACKUP_COMMIT, id, arguments);
        schedule.await(self, schedule.faults().pauseMillis(), first::isOver);
        boolean committed = first.hasSucceeded();
        if (!first.isOver()) {
            Actor second = start(works, Kind.BACKUP_COMMIT, id, arguments);
            schedule.await(self, ActorSchedule.FOREVER_MILLIS, () -> first.isOver() || second.isOver());
            committed = first.hasSucceeded() || second.hasSucceeded();
        }
        if (committed && !judge.everComplete().contains(id)) {
            throw new Violation("committed-is-complete", id + " is said to be committed, and never was");
        }
        return committed;
    }

    private Map<String, String> expiry() {
        return random.chance(0.5)
                ? keeping(random.between(1, 2))
                : Map.of(
                        "delete", random.pick(List.copyOf(judge.everComplete())).value());
    }

    private static Map<String, String> keeping(int last) {
        return Map.of("keep_last", String.valueOf(last), "keep_daily", "0");
    }

    private Actor collect(Actor self, List<Actor> works, Map<String, String> arguments) {
        Actor collection = start(works, Kind.BACKUP_COLLECT, newId(), arguments);
        schedule.await(self, ActorSchedule.FOREVER_MILLIS, collection::isOver);
        return collection;
    }

    /** One that finds no complete backup refuses. */
    private void collectQuietly(Actor self) {
        if (judge.hasRepository()
                && collect(self, new ArrayList<>(), keeping(KEPT_AT_LAST)).hasSucceeded()
                        == judge.complete().isEmpty()) {
            throw new Violation(
                    "garbage-gone",
                    "a collection fails although nothing else runs, or runs although there is no complete backup");
        }
    }

    /** On any node, in a directory of its own. */
    private Actor start(List<Actor> works, Kind kind, BackupId id, Map<String, String> arguments) {
        Path volume = directory.resolve("work-" + directories++);
        return start(works, kind, random.pick(nodes.volumes()).node, volume, id, arguments);
    }

    private Actor start(
            List<Actor> works, Kind kind, NodeId node, Path volume, BackupId id, Map<String, String> arguments) {
        Actor actor = transfers.start(kind, node, volume, id, arguments);
        works.add(actor);
        started.add(actor);
        return actor;
    }

    /** Often of the second of the one before: two users asked at once, and the lock had one wait. */
    private BackupId newId() {
        second = random.chance(SAME_SECOND) ? second : schedule.clock().now();
        BackupId id = BackupId.of(second, random.nextSeed());
        return ids.add(id) ? id : newId();
    }
}
