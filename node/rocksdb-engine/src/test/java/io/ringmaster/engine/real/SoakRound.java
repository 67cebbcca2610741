package io.ringmaster.engine.real;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** Creates random tables on both clusters, works on them in random turns, compares all and drops them. */
final class SoakRound {
    private static final int TURNS_BETWEEN = 10;
    private static final int AT_ONCE = 4;

    private final SoakNodes nodes;
    private final Random random;
    private final String prefix;
    private final boolean kills;
    private final List<SoakTable> tables = new ArrayList<>();
    private final SoakBulk bulk;
    private int restores;

    /** @param kills whether the engine's node is killed in this round */
    SoakRound(SoakNodes nodes, Random random, int number, boolean kills) {
        this.nodes = nodes;
        this.random = random;
        this.prefix = "t" + number + "_";
        this.kills = kills;
        bulk = new SoakBulk(nodes, SoakNodes.ALONE + "." + prefix + "bulk", random);
    }

    /** Returns the number of tables whose comparison was given up. */
    int run(int count, Duration length) throws Exception {
        long end = System.nanoTime() + length.toNanos();
        for (int i = 0; i < count; i++) {
            tables.add(new SoakTable(prefix + i, nodes, new Random(random.nextLong()), kills));
        }
        bulk.create();
        do {
            for (Step step : steps()) {
                for (int i = 0; i < TURNS_BETWEEN; i++) {
                    turn();
                }
                step.run();
                checkAll();
            }
        } while (System.nanoTime() < end);
        for (SoakTable table : tables) {
            table.finish();
        }
        checkAll();
        nodes.assertEngineIsWell();
        for (SoakTable table : tables) {
            table.drop();
        }
        bulk.drop();
        nodes.clearSnapshots();
        return (int) tables.stream().filter(SoakTable::isAbandoned).count();
    }

    private interface Step {
        void run() throws Exception;
    }

    /** All that take long, in random order. */
    private List<Step> steps() {
        List<Step> steps = new ArrayList<>(List.of(this::repair, this::restore));
        if (kills) {
            steps.addAll(List.of(this::kill, this::killDuringMigration));
        }
        Collections.shuffle(steps, random);
        return steps;
    }

    private void turn() throws Exception {
        SoakTable table = Schema.pick(tables, random);
        SoakMaintenance maintenance = new SoakMaintenance(nodes, table);
        switch (random.nextInt(24)) {
            case 0, 1 -> table.memtable().migrate(random);
            case 2, 3 -> table.index().toggle(random);
            case 4 -> table.alter();
            case 5, 6, 7 -> maintenance.flush(random.nextBoolean() ? nodes.engine() : nodes.stock());
            case 8 -> maintenance.compact();
            case 9 -> maintenance.cleanup();
            case 10 -> maintenance.rebuildIndex();
            case 11, 12 -> bulk.write();
            case 13 -> {
                if (table.canBeTruncated()) {
                    table.truncate();
                }
            }
            default -> work();
        }
        table.check();
    }

    private void work() throws Exception {
        List<SoakTable> worked = some(table -> true);
        atOnce(worked, table -> table.work(30));
        for (SoakTable table : worked) {
            table.check();
        }
    }

    /** Some tables, in random order. */
    private List<SoakTable> some(Predicate<SoakTable> condition) {
        List<SoakTable> all = new ArrayList<>(tables.stream().filter(condition).toList());
        Collections.shuffle(all, random);
        return List.copyOf(all.subList(0, Math.min(AT_ONCE, all.size())));
    }

    private interface Work {
        void run(SoakTable table) throws Exception;
    }

    private static void atOnce(List<SoakTable> tables, Work work) {
        CompletableFuture<?>[] threads =
                tables.stream().map(table -> started(() -> work.run(table))).toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(threads).join();
    }

    private static CompletableFuture<Void> started(Step step) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                step.run();
                end.complete(null);
            } catch (Throwable e) {
                end.completeExceptionally(e);
            }
        });
        thread.start();
        return end;
    }

    /** Each write that was acknowledged must be there afterwards. The others are sent again. */
    private void kill() throws Exception {
        List<SoakTable> written = some(SoakTable::isRepeatable);
        long millis = random.nextInt(500);
        CompletableFuture<Void> killed = started(() -> {
            Thread.sleep(millis);
            nodes.restartEngine();
        });
        tables.forEach(table -> table.note("-- kill"));
        CompletableFuture<Void> load = started(() -> {
            atOnce(written, table -> table.workRepeatably(100));
            bulk.write();
        });
        CompletableFuture.allOf(killed, load).join();
    }

    private void killDuringMigration() throws Exception {
        List<SoakTable> moved = some(SoakTable::canMoveOut);
        tables.forEach(table -> table.note("-- kill"));
        moved.forEach(table -> table.memtable().startToMoveOut());
        Thread.sleep(random.nextInt(500));
        nodes.restartEngine();
        for (SoakTable table : moved) {
            table.check();
            table.memtable().resumeToMoveOut();
        }
    }

    /** The replica misses writes, and gets them by a full repair. */
    private void repair() throws Exception {
        List<SoakTable> repaired = some(SoakTable::isReplicated);
        if (repaired.isEmpty()) {
            return;
        }
        nodes.replica().kill();
        atOnce(repaired, table -> table.work(30));
        nodes.restartReplica();
        repaired.forEach(table -> table.note("-- repair"));
        Node by = random.nextBoolean() ? nodes.engine() : nodes.replica();
        nodes.repair(by, repaired.stream().map(SoakTable::name).toList());
        for (SoakTable table : repaired) {
            table.checkContents(nodes.replica());
        }
    }

    private void restore() throws Exception {
        for (SoakTable table : some(SoakTable::canBeRestored)) {
            new SoakMaintenance(nodes, table).truncateAndRestore("soak" + restores++ + "_");
        }
    }

    private void checkAll() throws Exception {
        for (SoakTable table : tables) {
            table.check();
        }
        bulk.check();
    }
}
