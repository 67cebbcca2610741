package io.ringmaster.engine.real;

import com.datastax.oss.driver.api.core.cql.Statement;
import io.ringmaster.engine.management.EngineOperationsMBean;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a node shows of itself: figures of the engine, RocksDB's flushes, compactions, and times of reads. */
record Gauges(Node node) {
    private static final int READS = 200;

    /** A figure of {@link EngineOperationsMBean#getTables}. */
    long ofTable(String table, String name) throws IOException {
        Map<?, ?> tables = (Map<?, ?>) Objects.requireNonNull(node.attribute(EngineOperationsMBean.NAME, "Tables"));
        return number(((Map<?, ?>) Objects.requireNonNull(tables.get(table))).get(name));
    }

    /** A figure of {@link EngineOperationsMBean#getNode}. */
    long ofNode(String name) throws IOException {
        Map<?, ?> figures = (Map<?, ?>) Objects.requireNonNull(node.attribute(EngineOperationsMBean.NAME, "Node"));
        return number(figures.get(name));
    }

    private static long number(@Nullable Object value) {
        return (Long) Objects.requireNonNull(value);
    }

    /** The write buffers that RocksDB has replaced since the start. */
    long flushes() throws IOException {
        try (Stream<String> lines = Files.lines(node.directory().resolve("rocksdb/LOG"))) {
            return lines.filter(line -> line.contains("New memtable created")).count();
        }
    }

    /** The running compactions and ingestions. */
    String compactions() throws IOException {
        return String.valueOf(node.attribute("org.apache.cassandra.db:type=CompactionManager", "Compactions"));
    }

    /** The median time of a read. */
    long medianMicros(Statement<?> read) {
        return LongStream.generate(() -> {
                    long start = System.nanoTime();
                    node.session().execute(read).one();
                    return (System.nanoTime() - start) / 1000;
                })
                .limit(READS)
                .sorted()
                .toArray()[READS / 2];
    }
}
