package io.ringmaster.simulator.ledger;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.RackName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A node with its volume: the tokens and the rack with which its daemon joined, its rows and its hints. */
public final class Replica {
    private final String name;
    private final DatacenterName datacenter;
    private List<Long> tokens = List.of();
    private @Nullable RackName rack;
    private boolean destroyed;
    private final Map<Row, Cell> cells = new LinkedHashMap<>();
    private final List<Hint> hints = new ArrayList<>();
    private final RepairRecords repairs = new RepairRecords();

    public Replica(String name, DatacenterName datacenter) {
        this.name = name;
        this.datacenter = datacenter;
    }

    /** The daemon starts to join with these. */
    public void startsWith(List<Long> initialTokens, RackName initialRack) {
        tokens = List.copyOf(initialTokens);
        rack = initialRack;
    }

    public DatacenterName datacenter() {
        return datacenter;
    }

    List<Long> tokens() {
        return tokens;
    }

    @Nullable
    RackName rack() {
        return rack;
    }

    Optional<Cell> cell(Row row) {
        return Optional.ofNullable(cells.get(row));
    }

    boolean has(Row row, Cell cell) {
        return cell.equals(cells.get(row));
    }

    void apply(Row row, Cell cell) {
        if (!destroyed) {
            cells.merge(row, cell, Cell::newer);
        }
    }

    void remove(Row row) {
        cells.remove(row);
    }

    void drop(Predicate<Row> which) {
        cells.keySet().removeIf(which);
        hints.removeIf(h -> which.test(h.row()));
    }

    /** A compaction drops tombstones that are older than gc_grace. */
    void compact(long nowMillis) {
        cells.values().removeIf(c -> c.isPurgeable(nowMillis));
    }

    public boolean keepsHints() {
        return !hints.isEmpty();
    }

    List<Hint> hints() {
        return hints;
    }

    public boolean isDestroyed() {
        return destroyed;
    }

    RepairRecords repairs() {
        return repairs;
    }

    /** The volume is gone. */
    public void destroy() {
        destroyed = true;
        cells.clear();
        hints.clear();
    }

    @Override
    public String toString() {
        return name;
    }
}
