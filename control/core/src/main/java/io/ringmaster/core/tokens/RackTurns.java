package io.ringmaster.core.tokens;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Gives the free slots of a ring to racks so that neighbours are in different racks, as far as replicas reach: then
 * each node holds just the ranges before it.
 */
final class RackTurns {
    private static final int MAX_ATTEMPTS = 20_000;
    private static final int FREE = -1;

    /** The rack of each slot in the order of the ring. */
    private final int[] slots;

    private final int[] left;
    private final int reach;
    private int attempts;

    private RackTurns(int[] slots, int[] left, int reach) {
        this.slots = slots;
        this.left = left;
        this.reach = reach;
    }

    /**
     * @param racks the racks of the taken tokens
     * @param left the number of newcomers of each rack, as many as there are free tokens
     * @param reach the number of neighbours that must be in different racks
     * @return the racks of all tokens; empty if none is found
     */
    static Optional<Map<Long, Integer>> of(Map<Long, Integer> racks, List<Long> free, int[] left, int reach) {
        TreeMap<Long, Integer> ring = new TreeMap<>(racks);
        free.forEach(token -> ring.put(token, FREE));
        int[] slots = ring.values().stream().mapToInt(Integer::intValue).toArray();
        if (slots.length < reach || !new RackTurns(slots, left.clone(), reach).fill(0)) {
            return Optional.empty();
        }
        int i = 0;
        for (var entry : ring.entrySet()) {
            entry.setValue(slots[i++]);
        }
        return Optional.of(ring);
    }

    private boolean fill(int from) {
        int slot = from;
        while (slot < slots.length && slots[slot] != FREE) {
            slot++;
        }
        if (slot == slots.length) {
            return true;
        }
        for (int rack = 0; rack < left.length; rack++) {
            if (left[rack] > 0 && attempts++ < MAX_ATTEMPTS && isFree(slot, rack)) {
                slots[slot] = rack;
                left[rack]--;
                if (fill(slot + 1)) {
                    return true;
                }
                left[rack]++;
                slots[slot] = FREE;
            }
        }
        return false;
    }

    private boolean isFree(int slot, int rack) {
        for (int i = 1; i < reach; i++) {
            if (slots[(slot + i) % slots.length] == rack || slots[(slot + slots.length - i) % slots.length] == rack) {
                return false;
            }
        }
        return true;
    }
}
