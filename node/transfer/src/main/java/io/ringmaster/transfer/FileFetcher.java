package io.ringmaster.transfer;

import io.ringmaster.backup.repository.BlobName;
import io.ringmaster.backup.repository.DamagedException;
import io.ringmaster.backup.repository.FileEntry;
import io.ringmaster.backup.repository.FileEntry.Part;
import io.ringmaster.backup.repository.RepositoryFile;
import io.ringmaster.backup.repository.TableEntry;
import io.ringmaster.backup.slice.SliceBuffer;
import io.ringmaster.backup.slice.Slicer;
import io.ringmaster.backup.store.BackupStore;
import io.ringmaster.host.DurableFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;

/** Fetches files. */
final class FileFetcher {
    private final FetchFiles files;
    private final ReaderMark mark;
    private final TransferProgress progress;
    private final BlobReader blobs;

    FileFetcher(
            TransferRequest request, BackupStore store, FetchFiles files, ReaderMark mark, TransferProgress progress) {
        this.files = files;
        this.mark = mark;
        this.progress = progress;
        this.blobs = new BlobReader(request, store);
    }

    /** Fetches files whose bytes are in one bundle. */
    void fetchBundled(List<FileEntry> together, SliceBuffer buffer) throws IOException, InterruptedException {
        int length = -1;
        for (FileEntry file : together) {
            Part part = Objects.requireNonNull(file.bundle(), "the file is in a bundle");
            if (!files.isThere(file)) {
                if (length < 0) {
                    mark.renew();
                    length = blobs.read(part.blob(), label(file), buffer);
                }
                write(file, part, buffer, length);
            }
            progress.add(file.size());
        }
    }

    private void write(FileEntry file, Part part, SliceBuffer buffer, int length) throws IOException {
        if (part.offset() < 0 || part.offset() + file.size() > length) {
            throw new DamagedException(
                    label(file) + " does not lie in its bundle " + part.blob().brief());
        }
        try (FileChannel out = open(file)) {
            out.truncate(0);
            write(out, buffer, (int) part.offset(), (int) file.size());
            out.force(true);
        }
        DurableFiles.move(files.part(file), files.file(file));
    }

    /** Fetches a file of slices; the slices of an unfinished one are compared, and only the others are fetched. */
    void fetchSlices(FileEntry file, SliceBuffer buffer) throws IOException, InterruptedException {
        if (files.isThere(file)) {
            progress.add(file.size());
            return;
        }
        if (file.slices().size() != Slicer.count(file.size())) {
            throw new DamagedException(
                    label(file) + " has " + file.slices().size() + " slices for " + file.size() + " bytes");
        }
        try (FileChannel out = open(file)) {
            int there = slicesThere(file, buffer);
            for (int i = there; i < file.slices().size(); i++) {
                mark.renew();
                int length = fetchSlice(file, i, buffer);
                out.position((long) i * RepositoryFile.SLICE_BYTES);
                write(out, buffer, 0, length);
                progress.add(length);
            }
            out.truncate(file.size());
            out.force(true);
        }
        DurableFiles.move(files.part(file), files.file(file));
    }

    private int fetchSlice(FileEntry file, int index, SliceBuffer buffer) throws IOException, InterruptedException {
        BlobName blob = file.slices().get(index);
        int length = blobs.read(blob, label(file), buffer);
        long start = (long) index * RepositoryFile.SLICE_BYTES;
        if (length != Math.min(RepositoryFile.SLICE_BYTES, file.size() - start)) {
            throw new DamagedException(
                    "blob " + blob.brief() + " of " + label(file) + " has " + length + " bytes, too few or too many");
        }
        return length;
    }

    private int slicesThere(FileEntry file, SliceBuffer buffer) throws IOException {
        int count = 0;
        try (var slicer = new Slicer(files.part(file), buffer)) {
            while (count < file.slices().size()) {
                int length = slicer.next();
                if (length == 0
                        || !slicer.sha256().equals(file.slices().get(count).hash())) {
                    break;
                }
                progress.add(length);
                count++;
            }
        }
        return count;
    }

    private FileChannel open(FileEntry file) throws IOException {
        Path part = files.part(file);
        DurableFiles.makeDirectories(Objects.requireNonNull(part.getParent(), "a file is in a directory"));
        return FileChannel.open(part, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    private static void write(FileChannel out, SliceBuffer buffer, int offset, int length) throws IOException {
        // small steps: the JDK keeps a direct buffer of the size of the largest one
        int step = 1 << 17;
        for (int at = offset; at < offset + length; at += step) {
            ByteBuffer left = ByteBuffer.wrap(buffer.bytes(), at, Math.min(step, offset + length - at));
            while (left.hasRemaining()) {
                out.write(left);
            }
        }
    }

    private static String label(FileEntry file) {
        return file.name() + " of " + TableEntry.label(file.table());
    }
}
