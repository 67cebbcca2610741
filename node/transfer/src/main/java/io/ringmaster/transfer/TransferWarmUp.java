package io.ringmaster.transfer;

import com.sun.net.httpserver.HttpServer;
import io.ringmaster.backup.store.BackupStore;
import io.ringmaster.backup.store.FolderStore;
import io.ringmaster.host.FileTree;
import io.ringmaster.json.Json;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.NodeTask.Kind;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.TreeMap;

/**
 * Makes a backup of one small file to a folder and to an S3 server that accepts all, so that what transfers load stands
 * in the class archive.
 */
final class TransferWarmUp {
    private static final NodeId NODE = NodeId.of("warm/dc1/node-0");
    private static final String HOST = "00000000-0000-0000-0000-000000000000";
    private static final String TABLE_ID = "00000000000000000000000000000000";
    private static final String FIRST = "20261124T040000Z-0000";
    private static final String SECOND = "20261124T050000Z-0000";

    private final Path directory;

    private TransferWarmUp(Path directory) {
        this.directory = directory;
    }

    static void run() throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("ringmaster-warm-up");
        try {
            new TransferWarmUp(directory).transfers();
        } finally {
            FileTree.delete(directory);
        }
    }

    private void transfers() throws IOException, InterruptedException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            byte[] answer = list(exchange.getRequestURI()).getBytes(StandardCharsets.US_ASCII);
            boolean list = exchange.getRequestMethod().equals("GET");
            exchange.sendResponseHeaders(200, list ? answer.length : -1);
            if (list) {
                exchange.getResponseBody().write(answer);
            }
            exchange.close();
        });
        server.start();
        try {
            String url = "http://127.0.0.1:" + server.getAddress().getPort();
            Path key = directory.resolve("s3.key");
            Path folder = Files.createDirectory(directory.resolve("store"));
            FolderStore.mark(folder);
            Files.writeString(directory.resolve("folder.yaml"), "url: " + folder.toUri() + "\n");
            Files.writeString(
                    directory.resolve("s3.yaml"), "url: s3://warm\nendpoint: " + url + "\ncredentials: file:s3.key\n");
            Files.writeString(key, "access_key_id: warm\nsecret_access_key: warm\n");
            Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
            upload("folder", FIRST);
            transfer(Kind.BACKUP_COMMIT, "folder", FIRST);
            upload("folder", SECOND);
            upload("s3", FIRST);
        } finally {
            server.stop(0);
        }
    }

    /** The answer to a list: the intent that the upload has put, where it looks for it, or nothing. */
    private static String list(URI request) {
        String prefix = String.valueOf(request.getQuery()).replaceFirst("(.*&)?prefix=([^&]*).*", "$2");
        String intent = "<Contents><Key>" + prefix + "</Key><Size>0</Size><LastModified>"
                + Instant.now().truncatedTo(ChronoUnit.MILLIS) + "</LastModified></Contents>";
        return "<ListBucketResult><IsTruncated>false</IsTruncated>" + (prefix.contains("/intents/") ? intent : "")
                + "</ListBucketResult>";
    }

    private Path volume(String location) {
        return directory.resolve("volume-" + location);
    }

    private void upload(String location, String backup) throws IOException, InterruptedException {
        Path volume = volume(location);
        Path snapshot = volume.resolve("data/warm/up-" + TABLE_ID + "/snapshots/ringmaster-" + backup);
        Files.createDirectories(snapshot);
        Files.write(snapshot.resolve("nb-1-big-Data.db"), new byte[2 << 20]);
        Files.write(snapshot.resolve("nb-1-big-Filter.db"), new byte[16]);
        Path file = volume.resolve("backup").resolve(backup).resolve("snapshot.json");
        Files.createDirectories(file.resolveSibling(""));
        Files.writeString(
                file,
                """
                {"backup": "%s", "host_id": "%s", "cassandra": "5.0", "from": "2026-11-24T04:00:00Z",
                 "to": "2026-11-24T04:00:01Z", "schema_version": "v1",
                 "ring": [{"host_id": "%s", "datacenter": "dc1", "rack": "r1", "tokens": ["0"]}],
                 "tables": [{"keyspace": "warm", "table": "up", "id": "%s", "engine": "sstable", "sstables": [
                   {"prefix": "nb-1-big", "level": 0, "rows": 1, "first": "0", "last": "1", "min_ts": 0, "max_ts": 1}]}],
                 "schema": [{"keyspace": "warm", "type": "table", "name": "up", "statement": "CREATE TABLE"}]}
                """
                        .formatted(backup, HOST, HOST, TABLE_ID));
        transfer(Kind.BACKUP_UPLOAD, location, backup);
    }

    private void transfer(Kind kind, String location, String backup) throws IOException, InterruptedException {
        Map<String, String> arguments = new TreeMap<>(
                Map.of("to", location, "cluster", "warm", "incarnation", "dc1-1-0000000000000000", "backup", backup));
        arguments.putAll(Map.of("nodes", "dc1.node-0", "datacenters", "dc1", "spec", "cluster: warm"));
        var task = new NodeTask(kind.label(), kind, arguments);
        TransferRequest request = Json.parse(
                Json.text(new TransferRequest(task, NODE, volume(location).toString(), directory.toString())),
                TransferRequest.class);
        var progress = new TransferProgress();
        var output = new PrintStream(new FileOutputStream(FileDescriptor.err), false, StandardCharsets.UTF_8);
        try (BackupStore store = OpenedStores.open(directory, location)) {
            String message =
                    Works.of(request, store, progress, TransferMachine.real()).run();
            new ReportLines(task, progress, output).end(true, message);
        }
    }
}
