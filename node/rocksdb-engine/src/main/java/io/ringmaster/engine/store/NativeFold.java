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
import org.rocksdb.Slice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The native library of {@code node/rocksdb-engine/native}, plugged into the RocksDB that rocksdbjni brings: its library exports RocksDB's C
 * interface, and what that makes is what rocksdbjni's own classes hold a pointer to.
 */
final class NativeFold {
    private static final Logger LOG = LoggerFactory.getLogger(NativeFold.class);
    private static final String RESOURCE =
            "/native/" + System.getProperty("os.name").toLowerCase(java.util.Locale.ROOT) + "-"
                    + System.getProperty("os.arch") + "/libringmaster_fold.so";

    private static final boolean IS_WANTED =
            Boolean.parseBoolean(System.getProperty("ringmaster.engine.native", "true"));

    private final NativeLibrary rocksDB;
    private final NativeLibrary fold;
    private final MergeOperator operator;

    private NativeFold(NativeLibrary rocksDB, NativeLibrary fold) {
        this.rocksDB = rocksDB;
        this.fold = fold;
        this.operator = new FoldOperator(
                shared(rocksDB.getFunction("rocksdb_mergeoperator_create").invokePointer(new Object[] {
                    Pointer.NULL,
                    function("destroy"),
                    function("full"),
                    function("partial"),
                    function("free"),
                    function("name")
                })));
    }

    /** Null, and logged, where there is no library for this kind of machine, or it is not wanted. */
    static @Nullable NativeFold load() {
        if (!IS_WANTED) {
            LOG.info("the engine's native library is not used: ringmaster.engine.native=false");
            return null;
        }
        try (InputStream library = NativeFold.class.getResourceAsStream(RESOURCE)) {
            if (library == null) {
                LOG.warn(
                        "no native library {} in the engine's jar: what is overwritten or deleted goes when a pass over the whole table"
                                + " finds it, not with each compaction",
                        RESOURCE);
                return null;
            }
            Path copy = Files.createTempFile("libringmaster_fold", ".so");
            Files.copy(library, copy, StandardCopyOption.REPLACE_EXISTING);
            copy.toFile().deleteOnExit();
            return new NativeFold(
                    NativeLibrary.getInstance(loadedRocksDB().toString()), NativeLibrary.getInstance(copy.toString()));
        } catch (IOException | UnsatisfiedLinkError e) {
            LOG.warn("the engine's native library cannot be used", e);
            return null;
        }
    }

    /** The file that rocksdbjni unpacked and loaded; opened again, it is the same library. */
    private static Path loadedRocksDB() throws IOException {
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
            return maps.filter(line -> line.contains("/librocksdbjni"))
                    .map(line -> Path.of(line.substring(line.indexOf('/'))))
                    .findFirst()
                    .orElseThrow(() -> new IOException("rocksdbjni's library is not loaded"));
        }
    }

    private Function function(String name) {
        return fold.getFunction("ringmaster_fold_" + name);
    }

    /** A C++ {@code shared_ptr} that does not count: what it points to lives as long as the process. */
    private static long shared(Pointer object) {
        Memory pointer = KeptMemory.of(2L * Native.POINTER_SIZE);
        pointer.setPointer(0, object);
        pointer.setPointer(Native.POINTER_SIZE, Pointer.NULL);
        return Pointer.nativeValue(pointer);
    }

    MergeOperator operator() {
        return operator;
    }

    AbstractCompactionFilter<Slice> filter(Purging purging) {
        return new PurgeFilter(Pointer.nativeValue(rocksDB.getFunction("rocksdb_compactionfilter_create")
                .invokePointer(
                        new Object[] {purging.address(), function("destroy"), function("filter"), function("name")})));
    }

    private static final class FoldOperator extends MergeOperator {
        FoldOperator(long handle) {
            super(handle);
        }

        @Override
        protected void disposeInternal(long handle) {
            // it lives as long as the process
        }
    }

    private static final class PurgeFilter extends AbstractCompactionFilter<Slice> {
        PurgeFilter(long handle) {
            super(handle);
        }
    }
}
