package io.ringmaster.companion.task;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.DescribeStatement;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.TokenMetadata;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.concurrent.Refs;

/**
 * What a backup needs to know of this node, and only Cassandra knows: the ring, the schema with the ids of tables and
 * the columns that were dropped, and each SSTable of the snapshot.
 */
final class SnapshotFile {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<String, Object> fields = new LinkedHashMap<>();
    private final String schemaVersion;
    private final int tables;
    private final List<String> leftOut;

    private SnapshotFile(String schemaVersion, int tables, List<String> leftOut) {
        this.schemaVersion = schemaVersion;
        this.tables = tables;
        this.leftOut = leftOut;
    }

    /**
     * @param from a time before the first file of the snapshot was linked, and {@code to} one after the last
     * @param schemaVersion the version before the snapshot: the file is worth nothing if it is another one by now
     * @throws IllegalStateException a restore could not make one of the tables
     */
    static SnapshotFile of(
            String backup, String tag, Instant from, Instant to, String schemaVersion, List<Checkpoints.Table> tables)
            throws IOException {
        List<TableMetadata> restored =
                tables.stream().map(t -> t.store().metadata()).toList();
        List<Map<String, String>> schema = schema();
        RestorableSchema.require(restored, schema);
        SnapshotFile file = new SnapshotFile(schemaVersion, tables.size(), RestorableSchema.leftOut(restored));
        file.fields.put("backup", backup);
        file.fields.put("host_id", StorageService.instance.getLocalHostId());
        file.fields.put("tokens", texts(StorageService.instance.getLocalTokens()));
        file.fields.put("cassandra", FBUtilities.getReleaseVersionString());
        file.fields.put("from", from.toString());
        file.fields.put("to", to.toString());
        file.fields.put("schema_version", schemaVersion);
        file.fields.put("ring", ring());
        file.fields.put("tables", tables(tag, tables));
        file.fields.put("schema", schema);
        return file;
    }

    String schemaVersion() {
        return schemaVersion;
    }

    /** {@code a snapshot of 12 tables; a restore does not make trigger log of trips.place}. */
    String summary() {
        return "a snapshot of " + tables + (tables == 1 ? " table" : " tables")
                + (leftOut.isEmpty() ? "" : "; a restore does not make " + String.join(", ", leftOut));
    }

    /** Writes it into the directory, whole and durably, or not at all. */
    void write(Path directory) throws IOException {
        WholeFile.write(directory.resolve("snapshot.json"), JSON.writeValueAsBytes(fields));
    }

    private static List<String> texts(Collection<Token> tokens) {
        return tokens.stream().sorted().map(Token::toString).toList();
    }

    private static List<Map<String, Object>> ring() {
        TokenMetadata metadata = StorageService.instance.getTokenMetadata().cloneOnlyTokenMap();
        IEndpointSnitch snitch = DatabaseDescriptor.getEndpointSnitch();
        List<Map<String, Object>> ring = new ArrayList<>();
        for (InetAddressAndPort endpoint : metadata.getAllMembers()) {
            Map<String, Object> member = new LinkedHashMap<>();
            member.put("host_id", String.valueOf(metadata.getHostId(endpoint)));
            member.put("datacenter", snitch.getDatacenter(endpoint));
            member.put("rack", snitch.getRack(endpoint));
            member.put("tokens", texts(metadata.getTokens(endpoint)));
            ring.add(member);
        }
        return ring;
    }

    private static List<Map<String, Object>> tables(String tag, List<Checkpoints.Table> tables) throws IOException {
        List<Map<String, Object>> all = new ArrayList<>();
        for (Checkpoints.Table table : tables) {
            TableMetadata metadata = table.store().metadata();
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("keyspace", metadata.keyspace);
            one.put("table", metadata.name);
            one.put("id", metadata.id.toHexString());
            one.put("engine", table.inRocksDB() ? "rocksdb" : "sstable");
            one.put("checkpoint", table.checkpoint());
            one.put("sstables", sstables(tag, table.store()));
            all.add(one);
        }
        return all;
    }

    private static List<Map<String, Object>> sstables(String tag, ColumnFamilyStore table) throws IOException {
        List<Map<String, Object>> all = new ArrayList<>();
        try (Refs<SSTableReader> readers = table.getSnapshotSSTableReaders(tag)) {
            for (SSTableReader reader : readers) {
                Map<String, Object> one = new LinkedHashMap<>();
                one.put("prefix", reader.descriptor.baseFile().name());
                one.put("level", reader.getSSTableLevel());
                one.put("rows", reader.getTotalRows());
                one.put("first", reader.getFirst().getToken().toString());
                one.put("last", reader.getLast().getToken().toString());
                one.put("min_ts", reader.getMinTimestamp());
                one.put("max_ts", reader.getMaxTimestamp());
                all.add(one);
            }
        }
        return all;
    }

    /** In the order in which the statements can be executed. */
    private static List<Map<String, String>> schema() {
        DescribeStatement<?> describe = DescribeStatement.schema(false);
        describe.withInternalDetails();
        ResultMessage.Rows rows =
                (ResultMessage.Rows) describe.executeLocally(QueryState.forInternalCalls(), QueryOptions.DEFAULT);
        List<Map<String, String>> schema = new ArrayList<>();
        for (List<ByteBuffer> row : rows.result.rows) {
            Map<String, String> one = new LinkedHashMap<>();
            one.put("keyspace", text(row.get(0)));
            one.put("type", text(row.get(1)));
            one.put("name", text(row.get(2)));
            one.put("statement", text(row.get(3)));
            if (!Tables.OWN_KEYSPACE.equals(one.get("keyspace"))) {
                schema.add(one);
            }
        }
        return schema;
    }

    private static String text(ByteBuffer bytes) {
        try {
            return ByteBufferUtil.string(bytes);
        } catch (CharacterCodingException e) {
            throw new IllegalStateException("a statement is no UTF-8", e);
        }
    }
}
