package io.ringmaster.transfer;

import io.ringmaster.backup.repository.BlobName;
import io.ringmaster.backup.repository.BlobReference;
import io.ringmaster.backup.repository.Cut;
import io.ringmaster.backup.repository.FileEntry;
import io.ringmaster.backup.repository.FileList;
import io.ringmaster.backup.repository.NodeManifest;
import io.ringmaster.backup.repository.SSTableEntry;
import io.ringmaster.backup.repository.Sha256;
import io.ringmaster.backup.repository.TableEntry;
import io.ringmaster.backup.store.BackupStore;
import io.ringmaster.backup.store.Content;
import io.ringmaster.json.Json;
import io.ringmaster.model.spec.Size;
import io.ringmaster.transfer.UploadJournal.Line;
import io.ringmaster.transfer.UploadJournal.Sent;
import io.ringmaster.transfer.UploadJournal.Start;
import io.ringmaster.transfer.UploadJournal.Stored;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Writes what remains when all files are sent: schema, file list, and the manifest that names them. */
final class NodeManifestWriter {
    private final TransferRequest request;
    private final BackupStore store;
    private final UploadJournal journal;
    private final SnapshotInfo snapshot;
    private final long epoch;
    private final Cut cut;
    private final Set<String> found = new HashSet<>();
    private long bytes;
    private long files;
    private long newBytes;

    NodeManifestWriter(
            TransferRequest request, BackupStore store, UploadJournal journal, SnapshotInfo snapshot, Start start) {
        this.request = request;
        this.store = store;
        this.journal = journal;
        this.snapshot = snapshot;
        this.epoch = start.epoch();
        this.cut = start.cut() == null ? snapshot.cut() : start.cut();
    }

    /**
     * @param file takes the list
     * @param all the paths of the files of the snapshot, before any was deleted from it
     * @return what was achieved
     * @throws TransferFailure a file is missing that the snapshot had
     */
    String write(Path file, List<String> all) throws IOException, InterruptedException {
        writeList(file);
        for (TableEntry table : snapshot.tables()) {
            requireFiles(table);
        }
        Optional<String> lost =
                all.stream().filter(path -> !found.contains(path)).findFirst();
        if (lost.isPresent()) {
            throw new TransferFailure(
                    "the snapshot lost " + lost.get() + " before it was sent -> run the backup again");
        }
        BlobReference list = put(file);
        BlobReference schema = put(Json.bytes(snapshot.schema()));
        byte[] json = Json.bytes(new NodeManifest(
                request.backup(),
                request.name(),
                snapshot.hostId(),
                snapshot.cassandra(),
                cut,
                snapshot.schemaVersion(),
                request.needsCleanup(),
                snapshot.ring(),
                bytes,
                files,
                newBytes,
                list,
                schema));
        String key = request.keys().nodeManifest(request.backup(), request.name());
        store.put(key, Content.of(json, json.length, Sha256.of(json)));
        return Size.text(bytes) + " in " + files + " files, sent " + Size.text(newBytes);
    }

    private void writeList(Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file);
                var list = new FileList(out)) {
            for (TableEntry table : snapshot.tables()) {
                list.add(table);
            }
            journal.read((line, offset, length) -> add(line, list));
        }
    }

    private void add(Line line, FileList list) throws IOException {
        Sent sent = line.sent();
        newBytes += sent == null ? 0 : sent.size();
        List<Stored> stored = line.files();
        if (stored == null) {
            return;
        }
        for (Stored next : stored) {
            FileEntry file = next.file();
            list.add(file);
            bytes += file.size();
            files++;
            found.add(file.path());
        }
    }

    private void requireFiles(TableEntry table) throws TransferFailure {
        if (table.hasCheckpoint() && !found.contains(table.directory() + "/rocksdb/CURRENT")) {
            throw new TransferFailure("the snapshot of " + table.keyspace() + "." + table.table()
                    + " lacks its checkpoint of RocksDB -> run the backup again");
        }
        for (SSTableEntry sstable : table.sstables()) {
            if (!found.contains(table.directory() + "/" + sstable.prefix() + "-Data.db")) {
                throw new TransferFailure("the snapshot of " + table.keyspace() + "." + table.table() + " lacks "
                        + sstable.prefix() + "-Data.db, which it had -> run the backup again");
            }
        }
    }

    private BlobReference put(byte[] bytes) throws IOException, InterruptedException {
        String hash = Sha256.of(bytes);
        return put(Content.of(bytes, bytes.length, hash));
    }

    private BlobReference put(Path file) throws IOException, InterruptedException {
        String hash;
        try (InputStream in = Files.newInputStream(file)) {
            hash = Sha256.of(in);
        }
        return put(new FileContent(file, Files.size(file), hash));
    }

    private BlobReference put(Content content) throws IOException, InterruptedException {
        var blob = new BlobName(content.sha256(), epoch);
        store.put(request.keys().blob(blob), content);
        return new BlobReference(blob, content.length());
    }

    /** A file that does not change. */
    private record FileContent(Path file, long length, String sha256) implements Content {
        @Override
        public InputStream open() throws IOException {
            return Files.newInputStream(file);
        }
    }
}
