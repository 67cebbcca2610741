package io.ringmaster.transfer;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.repository.Epochs;
import io.ringmaster.backup.repository.RepositoryFile;
import io.ringmaster.backup.repository.RepositoryKeys;
import io.ringmaster.backup.slice.BlobTable;
import io.ringmaster.backup.store.BackupStore;
import io.ringmaster.backup.store.Content;
import io.ringmaster.transfer.SnapshotTree.Link;
import io.ringmaster.transfer.UploadJournal.Start;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends a snapshot: first the blobs that the base, the newest complete backup, does not name, then the list of all
 * files, and the manifest of the node last. A full upload has no base.
 *
 * <p>The intent is put first, and epoch and base are read after it. A collection takes its epoch first, and deletes
 * intents after that, so one that did not see this intent has an epoch that the new blobs carry, and one that saw it
 * has voided this backup: either way no committed backup lacks a blob. An intent is therefore not put again once a blob
 * was sent.
 */
final class UploadWork implements Work {
    private static final int PUTS_MOST = 5;
    /** Far less than the time in which all snapshots of a backup must lie. */
    private static final Duration DOUBT_MOST = Duration.ofSeconds(30);

    private final TransferRequest request;
    private final BackupStore store;
    private final TransferProgress progress;
    private final RepositoryKeys keys;
    private final BackupId backup;
    private final UploadFiles files;
    private final TransferMachine machine;

    UploadWork(TransferRequest request, BackupStore store, TransferProgress progress, TransferMachine machine) {
        this.request = request;
        this.store = store;
        this.progress = progress;
        this.machine = machine;
        this.keys = request.keys();
        this.backup = request.backup();
        this.files = new UploadFiles(request.files(), backup);
    }

    @Override
    public String run() throws IOException, InterruptedException {
        try (var journal = new UploadJournal(files.journal())) {
            var there = new BlobTable();
            var before = new UploadState(journal, there);
            String done = before.done();
            return done == null ? upload(journal, before, there) : done;
        }
    }

    private String upload(UploadJournal journal, UploadState before, BlobTable there)
            throws IOException, InterruptedException {
        SnapshotInfo snapshot = SnapshotInfo.read(files.snapshot(), backup);
        Start start = start(journal, before.start(), snapshot);
        readBase(start, snapshot, there);
        var tree = new SnapshotTree(request.files(), backup, snapshot.tables());
        List<String> all = before.snapshot();
        if (all == null) {
            all = tree.paths();
            journal.snapshot(all);
        }
        sendFiles(journal, before, start, tree, there);
        progress.stage("writes its manifest to " + request.location());
        String message = new NodeManifestWriter(request, store, journal, snapshot, start).write(files.list(), all);
        tree.delete();
        files.deleteFormer();
        journal.done(message);
        return message;
    }

    private Start start(UploadJournal journal, @Nullable Start before, SnapshotInfo snapshot)
            throws IOException, InterruptedException {
        String intent = keys.intent(backup, request.name());
        if (before == null) {
            RepositoryFile.require(store, keys);
            StoreClock clock = putIntent(intent);
            long epoch = Epochs.current(store, keys);
            BackupId base = request.isFull()
                    ? null
                    : new UploadBase(request, store).newest().orElse(null);
            var start = new Start(epoch, base, clock.of(snapshot.cut()));
            journal.start(start);
            return start;
        }
        timeOf(intent);
        return before;
    }

    /** Puts it again if that took long, as in an outage: a cut in doubt by minutes would agree with no other. */
    private StoreClock putIntent(String intent) throws IOException, InterruptedException {
        StoreClock clock = putOnce(intent);
        for (int i = 1; i < PUTS_MOST && clock.doubt().compareTo(DOUBT_MOST) > 0; i++) {
            clock = putOnce(intent);
        }
        if (clock.differs()) {
            System.err.println("the clock of " + request.location() + " is " + clock + " that of this machine");
        }
        return clock;
    }

    private StoreClock putOnce(String intent) throws IOException, InterruptedException {
        Instant before = machine.clock().instant();
        store.put(intent, Content.empty());
        Instant after = machine.clock().instant();
        return StoreClock.of(before, timeOf(intent), after);
    }

    private Instant timeOf(String intent) throws IOException, InterruptedException {
        return store.stat(intent)
                .orElseThrow(() -> new TransferFailure(
                        "the backup " + backup + " is void: a collection ended it -> run the backup again"))
                .modified();
    }

    private void readBase(Start start, SnapshotInfo snapshot, BlobTable there)
            throws IOException, InterruptedException {
        BackupId base = start.base();
        if (base != null) {
            progress.stage("reads what " + base + " has in " + request.location());
            new UploadBase(request, store).read(base, snapshot.hostId(), files.baseList(), there);
        }
    }

    private KnownHashes known() throws IOException {
        return request.isFull() ? new KnownHashes() : files.known();
    }

    private void sendFiles(UploadJournal journal, UploadState before, Start start, SnapshotTree tree, BlobTable there)
            throws IOException, InterruptedException {
        List<List<Link>> groups = tree.groups(before::isStored);
        long left = groups.stream().flatMap(List::stream).mapToLong(Link::size).sum();
        progress.total(before.bytes() + left);
        progress.add(before.bytes());
        progress.stage("sends what " + request.location() + " lacks");
        var sender = new FileSender(request, store, journal, start.epoch(), there, known(), progress);
        machine.streams().run(pool -> {
            for (List<Link> group : groups) {
                pool.add(buffer -> sender.send(group, buffer));
            }
        });
    }
}
