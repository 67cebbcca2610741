package io.ringmaster.executor.volume;

import java.util.Arrays;

/**
 * The files of a volume that have several hard links, by their inodes. A backup links every file of a node, perhaps
 * 100,000, and the heap of an executor has 32 MiB: an open hash table of numbers takes 34 to 68 bytes for each file.
 */
final class LinkedFiles {
    private static final int FIRST = 64;

    /** 0 is no inode of a file. */
    private long[] inodes = new long[FIRST];

    private long[] sizes = new long[FIRST];
    private boolean[] live = new boolean[FIRST];
    private int count;

    boolean contains(long inode) {
        return inodes[place(inode)] == inode;
    }

    /** @param snapshot whether this link is below a snapshot; a file with one link elsewhere is live */
    void add(long inode, long size, boolean snapshot) {
        int place = place(inode);
        if (inodes[place] != inode) {
            if (2 * (count + 1) > inodes.length) {
                grow();
                place = place(inode);
            }
            count++;
        }
        inodes[place] = inode;
        sizes[place] = size;
        live[place] |= !snapshot;
    }

    long bytes() {
        return Arrays.stream(sizes).sum();
    }

    /** The bytes of the files that only snapshots link. */
    long snapshotBytes() {
        long bytes = 0;
        for (int i = 0; i < sizes.length; i++) {
            bytes += live[i] ? 0 : sizes[i];
        }
        return bytes;
    }

    private void grow() {
        long[] formerInodes = inodes;
        long[] formerSizes = sizes;
        boolean[] formerLive = live;
        inodes = new long[2 * formerInodes.length];
        sizes = new long[inodes.length];
        live = new boolean[inodes.length];
        for (int i = 0; i < formerInodes.length; i++) {
            if (formerInodes[i] != 0) {
                int place = place(formerInodes[i]);
                inodes[place] = formerInodes[i];
                sizes[place] = formerSizes[i];
                live[place] = formerLive[i];
            }
        }
    }

    /** Where the inode is, or the free place that it would take. */
    private int place(long inode) {
        int place = Long.hashCode(inode * 0x9E3779B97F4A7C15L) & (inodes.length - 1);
        while (inodes[place] != 0 && inodes[place] != inode) {
            place = (place + 1) & (inodes.length - 1);
        }
        return place;
    }
}
