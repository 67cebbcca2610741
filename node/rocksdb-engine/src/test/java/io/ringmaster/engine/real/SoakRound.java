package io.ringmaster.engine.real;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;

/** A part of the soak test: creates random tables, works on them in random turns, compares all and drops them. */
final class SoakRound {
    private static final int LEAST_TURNS = 100;
    private static final int AT_ONCE = 5;

    private final SoakPair nodes;
    private final Random random;
    private final String prefix;
    private final boolean kills;
    private final List<SoakTable> tables = new ArrayList<>();

    SoakRound(SoakPair nodes, Random random, int number, boolean kills) {
        this.nodes = nodes;
        this.random = random;
        this.prefix = "t" + number + "_";
        this.kills = kills;
    }

    void run(int count, Duration length) throws Exception {
        long end = System.nanoTime() + length.toNanos();
        for (int i = 0; i < count; i++) {
            tables.add(new SoakTable(prefix + i, nodes, random));
        }
        Ring.create(nodes.engine(), bulk(), "on_first");
        for (int turns = 0; turns < LEAST_TURNS || System.nanoTime() < end; turns++) {
            turn();
        }
        for (SoakTable table : tables) {
            table.check();
        }
        checkBulk();
        nodes.assertEngineIsWell();
        tables.forEach(SoakTable::drop);
        nodes.engine().session().execute("DROP TABLE " + bulk());
        nodes.clearSnapshots();
    }

    private void turn() throws Exception {
        SoakTable table = Schema.pick(tables, random);
        switch (random.nextInt(200)) {
            case 0 -> kill();
            case 1 -> killDuringMigration(table);
            case 2, 3 -> repair();
            case 4, 5 -> restore();
            case 6, 7, 8, 9, 10 -> table.migrate();
            case 11, 12, 13 -> table.toggleIndex();
            case 14, 15, 16, 17, 18, 19 -> table.alter();
            case 20, 21, 22, 23, 24, 25, 26, 27 -> table.flush();
            case 28, 29, 30 -> table.compact();
            case 31, 32, 33, 34, 35, 36, 37, 38 -> writeBulk();
            default -> table.work(10 + random.nextInt(30));
        }
        table.check();
    }

    /** Some tables, in random order. */
    private List<SoakTable> some(Predicate<SoakTable> condition) {
        List<SoakTable> all = new ArrayList<>(tables.stream().filter(condition).toList());
        Collections.shuffle(all, random);
        return all.subList(0, Math.min(AT_ONCE, all.size()));
    }

    /** Kills the engine's node under load. Hints deliver what it misses, or a repair because the hints are lost. */
    private void kill() throws Exception {
        if (!kills) {
            return;
        }
        List<SoakTable> written = some(SoakTable::canMissWrites);
        boolean losesHints = random.nextBoolean();
        tables.forEach(SoakTable::killed);
        if (losesHints) {
            nodes.hints("pauseDispatch");
        }
        Thread killer = nodes.killLater(random.nextInt(200));
        for (SoakTable table : written) {
            table.workAtStock(30);
        }
        killer.join();
        nodes.restartEngine();
        for (SoakTable table : tables) {
            if (!written.contains(table)) {
                table.check();
            }
        }
        if (losesHints) {
            nodes.repair(written);
            nodes.hints("deleteAllHints");
            nodes.hints("resumeDispatch");
        } else {
            nodes.awaitHints();
        }
        for (SoakTable table : written) {
            table.check();
        }
    }

    private void killDuringMigration(SoakTable table) throws Exception {
        if (!kills) {
            return;
        }
        Thread killer = nodes.killLater(random.nextInt(300));
        table.startMigration();
        tables.forEach(SoakTable::killed);
        killer.join();
        nodes.restartEngine();
        for (SoakTable other : tables) {
            other.check();
        }
    }

    private void repair() throws Exception {
        List<SoakTable> repaired = some(table -> true);
        repaired.forEach(table -> table.note("-- repair"));
        nodes.repair(repaired);
        for (SoakTable table : repaired) {
            table.check();
        }
    }

    private void restore() throws Exception {
        List<SoakTable> possible = some(SoakTable::canBeRestored);
        if (!possible.isEmpty()) {
            possible.get(0).restore();
        }
    }

    private String bulk() {
        return "ks." + prefix + "bulk";
    }

    private void writeBulk() throws Exception {
        Ring.fillIncompressible(nodes.either(), bulk(), random, 1 + random.nextInt(20), 20);
        checkBulk();
    }

    private void checkBulk() throws Exception {
        new SoakComparison(nodes, "SELECT * FROM " + bulk(), 100, false).assertSame(() -> "writes of large rows");
    }
}
