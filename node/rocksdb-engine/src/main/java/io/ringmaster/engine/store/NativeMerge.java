package io.ringmaster.engine.store;

import com.sun.jna.Function;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractCompactionFilter;
import org.rocksdb.MergeOperator;
import org.rocksdb.RocksDB;
import org.rocksdb.Slice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The merge operator and compaction filter of {@code node/rocksdb-engine/native}. The library of rocksdbjni exports
 * RocksDB's C interface; the objects that this interface creates are the ones that rocksdbjni's Java classes point to.
 */
final class NativeMerge {
    private static final Logger LOG = LoggerFactory.getLogger(NativeMerge.class);
    private static final String RESOURCE =
            "/native/" + System.getProperty("os.name").toLowerCase(java.util.Locale.ROOT) + "-"
                    + System.getProperty("os.arch") + "/libringmaster_fold.so";

    private static final boolean IS_WANTED =
            Boolean.parseBoolean(System.getProperty("ringmaster.engine.native", "true"));

    private static boolean isTried;
    private static @Nullable NativeMerge loaded;

    private final NativeLibrary rocksDB;
    private final NativeLibrary merge;
    private final MergeOperator operator;

    private NativeMerge(NativeLibrary rocksDB, NativeLibrary merge) {
        this.rocksDB = rocksDB;
        this.merge = merge;
        this.operator = new NativeMergeOperator(
                shared(rocksDB.getFunction("rocksdb_mergeoperator_create").invokePointer(new Object[] {
                    Pointer.NULL,
                    function("destroy"),
                    function("full"),
                    function("partial"),
                    function("free"),
                    function("name")
                })));
    }

    /** Loads the library. Logs a reason and returns null if this platform has none, or if it is disabled. */
    static synchronized @Nullable NativeMerge load() {
        if (!isTried) {
            isTried = true;
            RocksDB.loadLibrary();
            try {
                Path rocksDB = loadedRocksDB();
                loaded = load(rocksDB);
                deleteUnpacked(rocksDB);
            } catch (IOException | UnsatisfiedLinkError e) {
                LOG.warn("the RocksDB engine runs without its native library, because it cannot be loaded", e);
            }
        }
        return loaded;
    }

    private static @Nullable NativeMerge load(Path rocksDB) throws IOException {
        if (!IS_WANTED) {
            LOG.info("the RocksDB engine runs without its native library, because ringmaster.engine.native=false");
            return null;
        }
        try (InputStream library = NativeMerge.class.getResourceAsStream(RESOURCE)) {
            if (library == null) {
                LOG.warn(
                        "the RocksDB engine runs without its native library, because its jar has no {}: overwritten and"
                                + " deleted data is removed by periodic passes over each table, not by compactions ->"
                                + " build the engine with Rust on this kind of machine",
                        RESOURCE);
                return null;
            }
            Path copy = Files.createTempFile("libringmaster_fold", ".so");
            try {
                Files.copy(library, copy, StandardCopyOption.REPLACE_EXISTING);
                return new NativeMerge(
                        NativeLibrary.getInstance(rocksDB.toString()), NativeLibrary.getInstance(copy.toString()));
            } finally {
                Files.delete(copy);
            }
        }
    }

    /** The file that rocksdbjni unpacked and loaded. Opening it again returns the same library. */
    private static Path loadedRocksDB() throws IOException {
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
            return maps.filter(line -> line.contains("/librocksdbjni"))
                    .map(line -> Path.of(line.substring(line.indexOf('/'))))
                    .findFirst()
                    .orElseThrow(() -> new IOException("rocksdbjni's library is not loaded"));
        }
    }

    /**
     * Deletes rocksdbjni's copy of its library, which stays loaded. The JVM would delete it at its end, but not when it
     * is killed, and each crash would leave 17 MB.
     */
    private static void deleteUnpacked(Path library) throws IOException {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir")).toRealPath();
        if (temporary.equals(library.getParent())
                && library.getFileName().toString().matches("librocksdbjni[0-9]+\\.so")) {
            Files.deleteIfExists(library);
        }
    }

    private Function function(String name) {
        return merge.getFunction("ringmaster_fold_" + name);
    }

    /** A C++ {@code shared_ptr} without a reference count, because the object lives until the process ends. */
    private static long shared(Pointer object) {
        Memory pointer = PermanentMemory.allocate(2L * Native.POINTER_SIZE);
        pointer.setPointer(0, object);
        pointer.setPointer(Native.POINTER_SIZE, Pointer.NULL);
        return Pointer.nativeValue(pointer);
    }

    MergeOperator operator() {
        return operator;
    }

    AbstractCompactionFilter<Slice> filter(NativePurgeRules rules) {
        return new PurgeFilter(Pointer.nativeValue(rocksDB.getFunction("rocksdb_compactionfilter_create")
                .invokePointer(
                        new Object[] {rules.address(), function("destroy"), function("filter"), function("name")})));
    }

    private static final class NativeMergeOperator extends MergeOperator {
        NativeMergeOperator(long handle) {
            super(handle);
        }

        @Override
        protected void disposeInternal(long handle) {
            // the operator lives until the process ends
        }
    }

    private static final class PurgeFilter extends AbstractCompactionFilter<Slice> {
        PurgeFilter(long handle) {
            super(handle);
        }
    }
}
