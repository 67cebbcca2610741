package io.ringmaster.engine.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringmaster.engine.encoding.Keys;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompactionOptionsUniversal;
import org.rocksdb.CompactionStyle;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.DataBlockIndexType;
import org.rocksdb.Env;
import org.rocksdb.HyperClockCache;
import org.rocksdb.IndexType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileManager;
import org.rocksdb.StringAppendOperator;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteBufferManager;

/**
 * RocksDB's options, chosen for a low tail latency: small bursts of disk writes, and indexes and filters that a read
 * finds in the cache.
 */
final class RocksDBOptions {
    private static final long MEBIBYTE = 1 << 20;
    private static final double BLOOM_BITS_PER_KEY = 10;
    /** The size of one write to the disk. See {@link CompactionThrottle} for why it is small. */
    private static final long DISK_WRITE_BYTES = MEBIBYTE / 4;

    private static final int MAX_SPACE_AMPLIFICATION_PERCENT = 100;
    /** Merging two or three runs would rewrite data twice as often as Cassandra's tiered compactions do. */
    private static final int MIN_MERGE_WIDTH = 4;

    private static final int SIZE_RATIO_PERCENT = 20;
    /** With more runs, compactions merge runs of different sizes too. */
    private static final int COMPACTION_TRIGGER_RUNS = 8;

    /**
     * The number of tables with few writes that together fill the write buffers. Each of them occupies at least one
     * block of memory. With RocksDB's default of 1 MiB, or with a Bloom filter for each write buffer, some 70 tables
     * would exceed the limit for ever, so that each write would flush a table.
     */
    private static final long MAX_SMALL_TABLES = 2048;

    /**
     * The number of operands of one key in a write buffer that a further write merges, so that reads of a hot row need
     * not. With fewer, large records would be copied too often. See {@link HotKeys}.
     */
    static final int MAX_SUCCESSIVE_MERGES = 256;

    private static final long DELETE_CHUNK_BYTES = MEBIBYTE;
    /** The ratio of files waiting for deletion to live files above which deletions are not throttled. */
    private static final double MAX_TRASH_RATIO = 1;

    /**
     * The age at which a file is rewritten although its table needs no compaction: 30 days. Drops the tombstones of
     * tables with few writes. It must be rare, because universal compaction then rewrites the whole table.
     */
    static final long REWRITE_SECONDS = 30 * 86_400;

    private final EngineSettings settings;
    private final Cache cache;
    private final @Nullable NativeMerge nativeMerge = NativeMerge.load();
    private final StringAppendOperator appendOperator = new StringAppendOperator("");
    private final BloomFilter bloomFilter = new BloomFilter(BLOOM_BITS_PER_KEY, false);
    private final CompactionOptionsUniversal universal = new CompactionOptionsUniversal()
            .setMaxSizeAmplificationPercent(MAX_SPACE_AMPLIFICATION_PERCENT)
            .setMinMergeWidth(MIN_MERGE_WIDTH)
            .setSizeRatio(SIZE_RATIO_PERCENT);
    private final CompactionThrottle throttle;
    private final Map<String, NativePurgeRules> purgeRules = new ConcurrentHashMap<>();

    RocksDBOptions(EngineSettings settings) {
        this.settings = settings;
        this.throttle = new CompactionThrottle(settings.compactionBytesPerSecond());
        this.cache = new HyperClockCache(settings.blockCacheBytes(), 0, -1, false);
    }

    CompactionThrottle throttle() {
        return throttle;
    }

    DBOptions database() throws RocksDBException {
        DBOptions options = new DBOptions()
                .setCreateIfMissing(true)
                .setCreateMissingColumnFamilies(true)
                .setMaxBackgroundJobs(settings.backgroundJobs())
                .setBytesPerSync(DISK_WRITE_BYTES)
                .setWalBytesPerSync(DISK_WRITE_BYTES)
                .setWritableFileMaxBufferSize(DISK_WRITE_BYTES)
                .setMaxTotalWalSize(256 * MEBIBYTE)
                // as in Cassandra's commit log, only the torn end after a crash may be missing: it was not acknowledged
                .setWalRecoveryMode(WALRecoveryMode.TolerateCorruptedTailRecords)
                .setMaxLogFileSize(8 * MEBIBYTE)
                .setKeepLogFileNum(4)
                .setInfoLogLevel(InfoLogLevel.INFO_LEVEL)
                .setStatsDumpPeriodSec(0)
                .setAvoidUnnecessaryBlockingIO(true)
                .setUseDirectIoForFlushAndCompaction(settings.isDirect())
                .setSstFileManager(deletions())
                .setWriteBufferManager(new WriteBufferManager(settings.writeBuffersBytes(), cache));
        if (throttle.limiter() != null) {
            options.setRateLimiter(throttle.limiter());
        }
        return options;
    }

    /** Throttles file deletions: deleting all inputs of a compaction at once would block reads in the file system. */
    private SstFileManager deletions() throws RocksDBException {
        return new SstFileManager(
                Env.getDefault(), null, 2 * settings.compactionBytesPerSecond(), MAX_TRASH_RATIO, DELETE_CHUNK_BYTES);
    }

    /** The column families in a directory; only the default one if the directory has no RocksDB yet. */
    List<ColumnFamilyDescriptor> families(Path directory) throws RocksDBException {
        return names(directory).stream().map(this::family).collect(Collectors.toCollection(ArrayList::new));
    }

    /** Like {@link #families}, to be read only. The caller closes their options. */
    List<ColumnFamilyDescriptor> familiesToRead(Path directory) throws RocksDBException {
        return names(directory).stream()
                .map(name -> new ColumnFamilyDescriptor(name.getBytes(UTF_8), mergeOptions()))
                .toList();
    }

    private static List<String> names(Path directory) throws RocksDBException {
        List<byte[]> names;
        try (Options options = new Options()) {
            names = new ArrayList<>(RocksDB.listColumnFamilies(options, directory.toString()));
        }
        if (names.isEmpty()) {
            names.add(RocksDB.DEFAULT_COLUMN_FAMILY);
        }
        return names.stream().map(name -> new String(name, UTF_8)).toList();
    }

    /** Whether compactions merge the operands of a record and purge tombstones. */
    boolean mergesInCompactions() {
        return nativeMerge != null;
    }

    /** The purge rules of a column family, which may be set before the family is created. */
    NativePurgeRules purgeRules(String family) {
        return purgeRules.computeIfAbsent(family, name -> new NativePurgeRules());
    }

    ColumnFamilyDescriptor family(String name) {
        ColumnFamilyOptions options = mergeOptions();
        if (nativeMerge != null && !name.equals(new String(RocksDB.DEFAULT_COLUMN_FAMILY, UTF_8))) {
            options.setCompactionFilter(nativeMerge.filter(purgeRules(name)));
        }
        return new ColumnFamilyDescriptor(name.getBytes(UTF_8), options);
    }

    /** The options of an external file that a column family will ingest. */
    Options fileOptions() {
        try (DBOptions database = new DBOptions();
                ColumnFamilyOptions family = mergeOptions()) {
            return new Options(database, family);
        }
    }

    private ColumnFamilyOptions mergeOptions() {
        return nativeMerge == null
                ? options().setMergeOperator(appendOperator)
                : options().setMergeOperator(nativeMerge.operator()).setMaxSuccessiveMerges(MAX_SUCCESSIVE_MERGES);
    }

    private ColumnFamilyOptions options() {
        CompressionType compression =
                switch (settings.compression()) {
                    case NONE -> CompressionType.NO_COMPRESSION;
                    case LZ4 -> CompressionType.LZ4_COMPRESSION;
                    case ZSTD -> CompressionType.ZSTD_COMPRESSION;
                };
        return new ColumnFamilyOptions()
                .setTableFormatConfig(table())
                .setPeriodicCompactionSeconds(REWRITE_SECONDS)
                .setTtl(0)
                .useFixedLengthPrefixExtractor(Keys.TOKEN_PREFIX_BYTES)
                .setWriteBufferSize(settings.writeBufferBytes())
                .setMaxWriteBufferNumber(4)
                .setArenaBlockSize(settings.writeBuffersBytes() / MAX_SMALL_TABLES)
                // levelled compaction would rewrite each row about ten times, and the disk would never be idle
                .setCompactionStyle(CompactionStyle.UNIVERSAL)
                .setCompactionOptionsUniversal(universal)
                .setTargetFileSizeBase(32 * MEBIBYTE)
                .setLevel0FileNumCompactionTrigger(COMPACTION_TRIGGER_RUNS)
                .setLevel0SlowdownWritesTrigger(20)
                .setLevel0StopWritesTrigger(36)
                .setCompressionType(compression)
                .setBottommostCompressionType(compression);
    }

    private BlockBasedTableConfig table() {
        return new BlockBasedTableConfig()
                .setBlockCache(cache)
                .setBlockSize(settings.blockBytes())
                .setFormatVersion(6)
                .setFilterPolicy(bloomFilter)
                .setWholeKeyFiltering(true)
                .setOptimizeFiltersForMemory(true)
                .setCacheIndexAndFilterBlocks(true)
                .setCacheIndexAndFilterBlocksWithHighPriority(true)
                .setPinL0FilterAndIndexBlocksInCache(true)
                .setPinTopLevelIndexAndFilter(true)
                .setIndexType(IndexType.kTwoLevelIndexSearch)
                .setPartitionFilters(true)
                .setMetadataBlockSize(8192)
                .setDataBlockIndexType(DataBlockIndexType.kDataBlockBinaryAndHash)
                .setDataBlockHashTableUtilRatio(0.75);
    }
}
