package io.ringmaster.engine.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringmaster.engine.encoding.Keys;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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

/** RocksDB's options, chosen for a short tail: bounded bursts of writing, and index and filters that cost no second read. */
final class Tuning {
    private static final long MEBIBYTE = 1 << 20;
    private static final double BLOOM_BITS_PER_KEY = 10;
    /** See {@link Pace}. */
    private static final long SIP_BYTES = MEBIBYTE / 4;

    private static final int MOST_SPACE_PERCENT = 100;
    /** Of runs that are alike: two or three would be rewritten twice as often as Cassandra's tiered compactions do. */
    private static final int FEWEST_MERGED = 4;

    private static final int ALIKE_PERCENT = 20;
    /** Beyond it runs are merged though they are not alike. */
    private static final int MOST_RUNS = 8;

    private static final long DELETED_AT_ONCE_BYTES = MEBIBYTE;
    /** As a multiple of what is in use; beyond it files are deleted at once. */
    private static final double MOST_WAITING_FOR_DELETION = 1;

    private static final long SECONDS_PER_HOUR = 3600;

    private final EngineSettings settings;
    private final Cache cache;
    private final @Nullable NativeFold fold = NativeFold.load();
    private final Pace pace;
    private final Map<String, Purging> purging = new ConcurrentHashMap<>();

    Tuning(EngineSettings settings) {
        this.settings = settings;
        this.pace = new Pace(settings.compactionBytesPerSecond());
        this.cache = new HyperClockCache(settings.blockCacheBytes(), 0, -1, false);
    }

    Pace pace() {
        return pace;
    }

    DBOptions database() throws RocksDBException {
        DBOptions options = new DBOptions()
                .setCreateIfMissing(true)
                .setCreateMissingColumnFamilies(true)
                .setMaxBackgroundJobs(settings.backgroundJobs())
                .setBytesPerSync(SIP_BYTES)
                .setWalBytesPerSync(SIP_BYTES)
                .setWritableFileMaxBufferSize(SIP_BYTES)
                .setMaxTotalWalSize(256 * MEBIBYTE)
                // as Cassandra's commit log: what a crash tore off its end was not acknowledged, all else must be there
                .setWalRecoveryMode(WALRecoveryMode.TolerateCorruptedTailRecords)
                .setMaxLogFileSize(8 * MEBIBYTE)
                .setKeepLogFileNum(4)
                .setInfoLogLevel(InfoLogLevel.INFO_LEVEL)
                .setStatsDumpPeriodSec(0)
                .setAvoidUnnecessaryBlockingIO(true)
                .setUseDirectIoForFlushAndCompaction(settings.isDirect())
                .setSstFileManager(deletions())
                .setWriteBufferManager(new WriteBufferManager(settings.writeBuffersBytes(), cache));
        if (pace.limiter() != null) {
            options.setRateLimiter(pace.limiter());
        }
        return options;
    }

    /** A compaction that ends leaves all of its sources to be deleted; at once, that would hold up reads for as long as the file system takes. */
    private SstFileManager deletions() throws RocksDBException {
        return new SstFileManager(
                Env.getDefault(),
                null,
                2 * settings.compactionBytesPerSecond(),
                MOST_WAITING_FOR_DELETION,
                DELETED_AT_ONCE_BYTES);
    }

    /** All column families that stand in a directory; the default one alone if there is no RocksDB yet. */
    List<ColumnFamilyDescriptor> families(Path directory) throws RocksDBException {
        List<byte[]> names;
        try (Options options = new Options()) {
            names = new ArrayList<>(RocksDB.listColumnFamilies(options, directory.toString()));
        }
        if (names.isEmpty()) {
            names.add(RocksDB.DEFAULT_COLUMN_FAMILY);
        }
        List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
        for (byte[] name : names) {
            descriptors.add(family(new String(name, UTF_8)));
        }
        return descriptors;
    }

    /** Whether compactions fold the operands of a record, and purge. */
    boolean isFolding() {
        return fold != null;
    }

    /** What the compactions of a family may drop; set before or after it is made. */
    Purging purging(String family) {
        return purging.computeIfAbsent(family, name -> new Purging());
    }

    ColumnFamilyDescriptor family(String name) {
        ColumnFamilyOptions options = options();
        if (fold == null) {
            options.setMergeOperator(new StringAppendOperator(""));
        } else {
            options.setMergeOperator(fold.operator());
            if (!name.equals(new String(RocksDB.DEFAULT_COLUMN_FAMILY, UTF_8))) {
                options.setCompactionFilter(fold.filter(purging(name)));
            }
        }
        return new ColumnFamilyDescriptor(name.getBytes(UTF_8), options);
    }

    /** For a file that a family is to take over. */
    Options fileOptions(String name) {
        return new Options(new DBOptions(), family(name).getOptions());
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
                .setTtl(Math.max(SECONDS_PER_HOUR, settings.purgeDelaySeconds() / 2))
                .useFixedLengthPrefixExtractor(Keys.TOKEN_PREFIX_BYTES)
                .setWriteBufferSize(settings.writeBufferBytes())
                .setMaxWriteBufferNumber(4)
                .setMemtablePrefixBloomSizeRatio(0.05)
                .setMemtableWholeKeyFiltering(true)
                // in levels each row would be rewritten about ten times, and the disk never be quiet
                .setCompactionStyle(CompactionStyle.UNIVERSAL)
                .setCompactionOptionsUniversal(new CompactionOptionsUniversal()
                        .setMaxSizeAmplificationPercent(MOST_SPACE_PERCENT)
                        .setMinMergeWidth(FEWEST_MERGED)
                        .setSizeRatio(ALIKE_PERCENT))
                .setTargetFileSizeBase(32 * MEBIBYTE)
                .setLevel0FileNumCompactionTrigger(MOST_RUNS)
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
                .setFilterPolicy(new BloomFilter(BLOOM_BITS_PER_KEY, false))
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
