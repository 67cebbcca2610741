package io.ringmaster.backup.slice;

import io.ringmaster.backup.repository.RepositoryFile;
import io.ringmaster.backup.repository.Sha256;
import java.nio.ByteBuffer;
import java.security.MessageDigest;

/** The memory of one stream, reused for every slice: an array for each slice would fill a small heap. */
public final class SliceBuffer {
    /** Larger steps keep the loop of the hash out of compiled code for too long. */
    static final int STEP = 1 << 16;

    private static final int READ = 1 << 20;
    private static final int LARGEST_BLOCK = 1 << 16;

    private final byte[] bytes;
    private final ByteBuffer read = ByteBuffer.allocateDirect(READ + LARGEST_BLOCK);
    private final MessageDigest digest = Sha256.digest();

    /** Memory for any slice. */
    public SliceBuffer() {
        this(RepositoryFile.SLICE_BYTES);
    }

    /** Memory for slices of files. */
    public SliceBuffer(int bytes) {
        this.bytes = new byte[bytes];
    }

    public byte[] bytes() {
        return bytes;
    }

    /** The SHA-256 of the first {@code length} bytes. */
    public String sha256(int length) {
        digest.reset();
        for (int at = 0; at < length; at += STEP) {
            digest.update(bytes, at, Math.min(STEP, length - at));
        }
        return Sha256.text(digest.digest());
    }

    MessageDigest digest() {
        return digest;
    }

    /** Memory for reads, aligned to blocks of the file system. */
    ByteBuffer aligned(int block) {
        read.clear();
        ByteBuffer aligned = read.alignedSlice(block);
        aligned.limit(Math.min(READ, aligned.capacity()) / block * block);
        return aligned;
    }

    /** @return whether reads can be aligned to blocks of that size */
    static boolean canAlign(long block) {
        return block > 0 && block <= LARGEST_BLOCK && Long.bitCount(block) == 1;
    }
}
