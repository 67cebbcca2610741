package io.ringmaster.transfer;

import io.ringmaster.backup.repository.BlobName;
import io.ringmaster.backup.repository.FileEntry;
import io.ringmaster.backup.repository.FileEntry.Part;
import io.ringmaster.backup.repository.FileList;
import io.ringmaster.backup.repository.NodeManifest;
import io.ringmaster.backup.repository.RepositoryFile;
import io.ringmaster.backup.repository.TableEntry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The blobs of one node in a backup.
 *
 * @param file its file list, on disk
 */
record VerifiedList(NodeManifest node, Path file) {
    /** What is done with each blob; one may come several times. */
    @FunctionalInterface
    interface Visitor {
        /**
         * @param size that the blob must have at least, in bytes: the largest of all visits is its size
         * @param of the object that needs it, for people
         */
        void visit(BlobName blob, long size, String of) throws IOException, InterruptedException;
    }

    void blobs(Visitor visitor) throws IOException, InterruptedException {
        visitor.visit(node.schema().blob(), node.schema().size(), "the schema of " + node.node());
        visitor.visit(node.list().blob(), node.list().size(), "the file list of " + node.node());
        try (InputStream in = Files.newInputStream(file)) {
            FileList.read(in, next -> blobs(next, visitor));
        }
    }

    private void blobs(FileEntry file, Visitor visitor) throws IOException, InterruptedException {
        String label = file.name() + " of " + TableEntry.label(file.table()) + " of " + node.node();
        Part part = file.bundle();
        if (part != null) {
            visitor.visit(part.blob(), part.offset() + file.size(), label);
        }
        long left = file.size();
        for (BlobName slice : file.slices()) {
            visitor.visit(slice, Math.min(left, RepositoryFile.SLICE_BYTES), label);
            left -= RepositoryFile.SLICE_BYTES;
        }
    }
}
