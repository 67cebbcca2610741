package io.ringmaster.transfer;

import io.ringmaster.backup.repository.BlobName;
import io.ringmaster.backup.repository.FileEntry;
import io.ringmaster.backup.repository.FileEntry.Part;
import io.ringmaster.backup.repository.RepositoryFile;
import io.ringmaster.backup.repository.RepositoryKeys;
import io.ringmaster.backup.slice.BlobTable;
import io.ringmaster.backup.slice.Bundle;
import io.ringmaster.backup.slice.SliceBuffer;
import io.ringmaster.backup.slice.Slicer;
import io.ringmaster.backup.store.BackupStore;
import io.ringmaster.backup.store.Content;
import io.ringmaster.transfer.SnapshotTree.Link;
import io.ringmaster.transfer.UploadJournal.Stored;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Sends files of a snapshot, as far as the store lacks them. A link is deleted once the journal has its file, so that a
 * snapshot holds the room of compacted files no longer than it must. A small file that changed since it was found is
 * read again, and is in the backup as one state of it; a large one never changes, so that it is an error.
 */
final class FileSender {
    private static final int READS_MOST = 10;

    private final BackupStore store;
    private final RepositoryKeys keys;
    private final RateLimit limit;
    private final UploadJournal journal;
    private final long epoch;
    private final BlobTable there;
    private final KnownHashes known;
    private final TransferProgress progress;

    /**
     * @param epoch of the blobs that are sent
     * @param there the blobs that the store has
     */
    FileSender(
            TransferRequest request,
            BackupStore store,
            UploadJournal journal,
            long epoch,
            BlobTable there,
            KnownHashes known,
            TransferProgress progress) {
        this.store = store;
        this.keys = request.keys();
        this.limit = request.limit();
        this.journal = journal;
        this.epoch = epoch;
        this.there = there;
        this.known = known;
        this.progress = progress;
    }

    /** Sends files that belong together; the small ones share blobs. */
    void send(List<Link> group, SliceBuffer buffer) throws IOException, InterruptedException {
        List<Link> unchanged = new ArrayList<>();
        List<FileEntry> entries = new ArrayList<>();
        List<Link> small = new ArrayList<>();
        List<Link> large = new ArrayList<>();
        for (Link link : group) {
            Optional<FileEntry> former = unchanged(link);
            if (former.isPresent()) {
                unchanged.add(link);
                entries.add(former.get());
            } else if (link.size() < RepositoryFile.BUNDLE_BELOW_BYTES) {
                small.add(link);
            } else {
                large.add(link);
            }
        }
        finish(unchanged, entries); // together: each line of the journal is a sync of the disk
        progress.add(unchanged.stream().mapToLong(Link::size).sum());
        sendBundles(small, buffer);
        for (Link link : large) {
            sendSlices(link, buffer);
        }
    }

    /** The entry of a file that a former upload read, if the store still has all its blobs. */
    private Optional<FileEntry> unchanged(Link link) throws IOException {
        if (link.size() == 0) {
            return Optional.of(entry(link, List.of(), null));
        }
        Optional<FileEntry> former = known.find(link.key());
        if (former.isEmpty()) {
            return Optional.empty();
        }
        List<BlobName> slices = new ArrayList<>();
        for (BlobName slice : former.get().slices()) {
            there.find(slice.hash()).ifPresent(slices::add);
        }
        Part part = former.get().bundle();
        if (part != null) {
            return there.find(part.blob().hash()).map(blob -> entry(link, List.of(), new Part(blob, part.offset())));
        }
        return slices.size() == former.get().slices().size()
                ? Optional.of(entry(link, slices, null))
                : Optional.empty();
    }

    private void sendBundles(List<Link> links, SliceBuffer buffer) throws IOException, InterruptedException {
        var bundle = new Bundle(buffer);
        List<Link> inside = new ArrayList<>();
        List<Integer> offsets = new ArrayList<>();
        for (Link link : links) {
            Link next = link;
            OptionalInt start = OptionalInt.empty();
            for (int reads = 0; start.isEmpty(); reads++) {
                if (reads == READS_MOST) {
                    throw changed(link);
                }
                if (!inside.isEmpty() && !bundle.fits(next.size())) {
                    sendBundle(bundle, inside, offsets, buffer);
                }
                start = read(bundle, next);
                next = start.isEmpty() ? next.now() : next;
            }
            offsets.add(start.getAsInt());
            inside.add(next);
        }
        if (!inside.isEmpty()) {
            sendBundle(bundle, inside, offsets, buffer);
        }
    }

    /** @return where it starts in the bundle; empty, and the bundle is as before, if it changed */
    private static OptionalInt read(Bundle bundle, Link link) throws IOException {
        OptionalInt start = bundle.add(link.path(), link.size());
        if (start.isPresent() && !link.now().key().equals(link.key())) {
            bundle.cut(start.getAsInt());
            return OptionalInt.empty();
        }
        return start;
    }

    private static TransferFailure changed(Link link) {
        return new TransferFailure(link.path() + " changes while it is read -> run the backup again");
    }

    private void sendBundle(Bundle bundle, List<Link> inside, List<Integer> offsets, SliceBuffer buffer)
            throws IOException, InterruptedException {
        limit.take(bundle.length());
        BlobName blob = send(bundle.sha256(), bundle.length(), buffer);
        List<FileEntry> entries = new ArrayList<>();
        for (int i = 0; i < inside.size(); i++) {
            entries.add(entry(inside.get(i), List.of(), new Part(blob, offsets.get(i))));
        }
        progress.add(bundle.length());
        finish(inside, entries);
        bundle.clear();
        inside.clear();
        offsets.clear();
    }

    private void sendSlices(Link link, SliceBuffer buffer) throws IOException, InterruptedException {
        List<BlobName> slices = new ArrayList<>();
        try (var slicer = new Slicer(link.path(), buffer)) {
            for (int length = slicer.next(); length > 0; length = slicer.next()) {
                limit.take(length);
                slices.add(send(slicer.sha256(), length, buffer));
                progress.add(length);
            }
        }
        if (!link.now().key().equals(link.key())) {
            throw changed(link);
        }
        finish(List.of(link), List.of(entry(link, slices, null)));
    }

    private BlobName send(String hash, int length, SliceBuffer buffer) throws IOException, InterruptedException {
        Optional<BlobName> found = there.find(hash);
        if (found.isPresent()) {
            return found.get();
        }
        var blob = new BlobName(hash, epoch);
        store.put(keys.blob(blob), Content.of(buffer.bytes(), length, hash));
        journal.sent(blob, length);
        there.add(blob, length);
        return blob;
    }

    private void finish(List<Link> links, List<FileEntry> entries) throws IOException {
        if (links.isEmpty()) {
            return;
        }
        List<Stored> stored = new ArrayList<>();
        for (int i = 0; i < links.size(); i++) {
            stored.add(new Stored(links.get(i).key(), entries.get(i)));
        }
        journal.files(stored);
        for (Link link : links) {
            Files.deleteIfExists(link.path());
        }
    }

    private static FileEntry entry(Link link, List<BlobName> slices, @Nullable Part bundle) {
        return new FileEntry(link.table(), link.name(), link.size(), slices, bundle);
    }
}
