package io.ringmaster.transfer;

import io.ringmaster.backup.collect.Collected;
import io.ringmaster.backup.collect.Collector;
import io.ringmaster.backup.collect.Expiry;
import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.repository.KeepRule;
import io.ringmaster.backup.store.BackupStore;
import io.ringmaster.host.DurableFiles;
import io.ringmaster.host.FileTree;
import io.ringmaster.model.spec.Size;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Deletes backups: those that {@code delete} names, or those that {@code keep_last} and {@code keep_daily} do not keep;
 * and all blobs that no backup needs.
 */
final class CollectWork implements Work {
    private static final String DELETE = "delete";

    private final TransferRequest request;
    private final BackupStore store;
    private final TransferProgress progress;
    private final Path started;
    private final Path names;

    CollectWork(TransferRequest request, BackupStore store, TransferProgress progress) {
        this.request = request;
        this.store = store;
        this.progress = progress;
        Path directory = request.files().resolve("collect");
        this.started = directory.resolve("started");
        this.names = directory.resolve("names");
    }

    @Override
    public String run() throws IOException, InterruptedException {
        Expiry expiry = expiry();
        FileTree.delete(names);
        DurableFiles.makeDirectories(names);
        try {
            return message(new Collector(store, request.keys(), names, report()).run(expiry));
        } finally {
            FileTree.delete(names);
        }
    }

    private Expiry expiry() throws IOException {
        Map<String, String> args = request.task().args();
        if (!args.containsKey(DELETE)) {
            var rule = new KeepRule(
                    Integer.parseInt(args.getOrDefault("keep_last", "1")),
                    Integer.parseInt(args.getOrDefault("keep_daily", "0")));
            return Expiry.keeping(rule, args.containsKey("backup") ? request.backup() : null);
        }
        List<BackupId> named = Arrays.stream(request.argument(DELETE).split(",", -1))
                .map(String::strip)
                .map(BackupId::new)
                .toList();
        return isStarted()
                ? Expiry.rest(named)
                : survey -> found(Expiry.named(named).of(survey));
    }

    /** A killed collection is repeated, and the backups that it has deleted then are no mistake of the user. */
    private boolean isStarted() throws IOException {
        return request.isAgain()
                || (Files.exists(started)
                        && Files.readString(started).equals(request.task().id()));
    }

    private Set<BackupId> found(Set<BackupId> backups) throws IOException {
        DurableFiles.write(started, request.task().id());
        return backups;
    }

    private Collector.Progress report() {
        return new Collector.Progress() {
            @Override
            public void stage(String text) {
                progress.stage(text + " in " + request.location());
            }

            @Override
            public void freed(long bytes) {
                progress.add(bytes);
            }
        };
    }

    private static String message(Collected done) {
        return "backups deleted: " + done.backups() + ", left: " + done.kept() + "; blobs deleted: " + done.blobs()
                + ", " + Size.text(done.bytes());
    }
}
