package io.ringmaster.integration;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.ZooKeeper;

/** The content of an embedded ZooKeeper, as docs/store-format.md describes it, without the code of the store. */
final class Znodes {
    private static final int SESSION_MILLIS = 10_000;
    private static final byte GZIP = 0x1f;

    private Znodes() {}

    /**
     * What every znode holds, decompressed, by its path; the parts of a blob are joined under the path without the
     * number.
     *
     * @param directory of the embedded server
     * @throws KeeperException of any znode that cannot be read
     */
    static Map<String, byte[]> read(Path directory) throws Exception {
        String server = "127.0.0.1:" + Files.readString(directory.resolve("client.port"));
        String login =
                "ringmaster:" + Files.readString(directory.resolve("secret")).strip();
        Map<String, byte[]> stored = new TreeMap<>();
        var zookeeper = new ZooKeeper(server, SESSION_MILLIS, event -> {});
        try {
            zookeeper.addAuthInfo("digest", login.getBytes(StandardCharsets.UTF_8));
            read(zookeeper, "/", stored);
        } finally {
            zookeeper.close();
        }
        Map<String, byte[]> decoded = new TreeMap<>();
        for (var each : joined(stored).entrySet()) {
            decoded.put(each.getKey(), decompressed(each.getValue()));
        }
        return decoded;
    }

    private static void read(ZooKeeper zookeeper, String path, Map<String, byte[]> stored) throws Exception {
        try {
            byte[] data = zookeeper.getData(path, false, null);
            stored.put(path, data == null ? new byte[0] : data);
            for (String child : zookeeper.getChildren(path, false)) {
                read(zookeeper, path.equals("/") ? "/" + child : path + "/" + child, stored);
            }
        } catch (NoNodeException deletedMeanwhile) {
            // it holds nothing
        }
    }

    private static Map<String, byte[]> joined(Map<String, byte[]> stored) {
        Map<String, byte[]> joined = new TreeMap<>();
        Map<String, TreeMap<Integer, byte[]>> blobs = new TreeMap<>();
        stored.forEach((path, data) -> {
            if (path.matches(".*/blobs/[^/]+\\.\\d+")) {
                int dot = path.lastIndexOf('.');
                blobs.computeIfAbsent(path.substring(0, dot), p -> new TreeMap<>())
                        .put(Integer.parseInt(path.substring(dot + 1)), data);
            } else {
                joined.put(path, data);
            }
        });
        blobs.forEach((path, parts) -> {
            var all = new ByteArrayOutputStream();
            parts.values().forEach(all::writeBytes);
            joined.put(path, all.toByteArray());
        });
        return joined;
    }

    private static byte[] decompressed(byte[] data) throws IOException {
        if (data.length == 0 || data[0] != GZIP) {
            return data;
        }
        try (var gzip = new GZIPInputStream(new ByteArrayInputStream(data))) {
            return gzip.readAllBytes();
        }
    }
}
