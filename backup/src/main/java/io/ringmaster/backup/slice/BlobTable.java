package io.ringmaster.backup.slice;

import io.ringmaster.backup.repository.BlobName;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Blobs and a number for each, in 48 bytes an entry: 1 TiB has 65,536 slices, and as objects they would fill a small
 * heap. May be used by several threads.
 */
public final class BlobTable {
    /** Four words of the hash, the epoch plus one, the number. */
    private static final int WIDTH = 6;

    private static final int HASH_WORDS = 4;
    private static final int EPOCH = 4;
    private static final int NUMBER = 5;

    /** What is done with each entry. */
    @FunctionalInterface
    public interface Visitor {
        void visit(BlobName blob, long number);
    }

    private long[] cells = new long[1024 * WIDTH];
    private int size;

    /** Adds a blob; one that is there keeps the larger number. */
    public synchronized void add(BlobName blob, long number) {
        if ((size + 1) * WIDTH > cells.length / 3 * 2) {
            grow();
        }
        long[] hash = words(blob.hash());
        int at = find(hash, blob.epoch() + 1);
        if (cells[at + EPOCH] == 0) {
            System.arraycopy(hash, 0, cells, at, HASH_WORDS);
            cells[at + EPOCH] = blob.epoch() + 1;
            cells[at + NUMBER] = number;
            size++;
        }
        cells[at + NUMBER] = Math.max(number, cells[at + NUMBER]);
    }

    /** Replaces the number of a blob that is there. */
    public synchronized void set(BlobName blob, long number) {
        int at = find(words(blob.hash()), blob.epoch() + 1);
        if (cells[at + EPOCH] != 0) {
            cells[at + NUMBER] = number;
        }
    }

    /** A blob with these bytes, of any epoch. */
    public synchronized Optional<BlobName> find(String hash) {
        int at = find(words(hash), 0);
        return cells[at + EPOCH] == 0 ? Optional.empty() : Optional.of(new BlobName(hash, cells[at + EPOCH] - 1));
    }

    /** The number of a blob; -1 if it is not here. */
    public synchronized long number(BlobName blob) {
        int at = find(words(blob.hash()), blob.epoch() + 1);
        return cells[at + EPOCH] == 0 ? -1 : cells[at + NUMBER];
    }

    public synchronized int size() {
        return size;
    }

    /** Visits all blobs, in no order; the visitor must not add any. */
    public synchronized void forEach(Visitor visitor) {
        for (int at = 0; at < cells.length; at += WIDTH) {
            if (cells[at + EPOCH] != 0) {
                visitor.visit(name(at), cells[at + NUMBER]);
            }
        }
    }

    /** @param epoch plus one; 0 for any */
    private int find(long[] hash, long epoch) {
        int entries = cells.length / WIDTH;
        int entry = (int) Long.remainderUnsigned(hash[0], entries);
        while (true) {
            int at = entry * WIDTH;
            boolean free = cells[at + EPOCH] == 0;
            boolean same = Arrays.equals(cells, at, at + HASH_WORDS, hash, 0, HASH_WORDS);
            if (free || (same && (epoch == 0 || cells[at + EPOCH] == epoch))) {
                return at;
            }
            entry = (entry + 1) % entries;
        }
    }

    private void grow() {
        long[] old = cells;
        cells = new long[Math.multiplyExact(old.length, 2)];
        for (int at = 0; at < old.length; at += WIDTH) {
            if (old[at + EPOCH] != 0) {
                int to = find(Arrays.copyOfRange(old, at, at + HASH_WORDS), old[at + EPOCH]);
                System.arraycopy(old, at, cells, to, WIDTH);
            }
        }
    }

    private BlobName name(int at) {
        var hash = new StringBuilder();
        for (int word = 0; word < HASH_WORDS; word++) {
            hash.append(HexFormat.of().toHexDigits(cells[at + word]));
        }
        return new BlobName(hash.toString(), cells[at + EPOCH] - 1);
    }

    private static long[] words(String hash) {
        long[] words = new long[HASH_WORDS];
        for (int word = 0; word < HASH_WORDS; word++) {
            words[word] = HexFormat.fromHexDigitsToLong(hash, word * 16, word * 16 + 16);
        }
        return words;
    }
}
