package io.ringmaster.engine.encoding;

/**
 * The form of a stored value: the merge operands of its writes, concatenated. Readers and compactions merge them.
 * Merging needs no schema, so that native code can do it in a compaction; only decoding needs one.
 *
 * <pre>
 * operand  := length:u32 flags:u8 [partition deletion] [ranges] [liveness] [row deletion] [clustering] cell*
 * deletion := timestamp:i64 local deletion time:u32
 * ranges   := count:u32 (deletion start:bytes end:bytes written:bytes)*   start and end in their byte-comparable form
 * liveness := timestamp:i64 ttl:u32 [expiration:u32]               expiration only with a ttl
 * cell     := flags:u8 column:u16 [path:u16 bytes] [timestamp:i64] [ttl:u32] [local deletion time:u32] [value:bytes]
 * bytes    := length:u32 byte*
 * </pre>
 *
 * <p>{@code written} and {@code clustering} hold the original bytes of bounds and clusterings, only where the
 * byte-comparable form does not preserve each byte. Ranges are in the order of their writes; the native library sorts
 * them by start where that changes nothing. Cells are sorted by column number; in a column its deletion comes
 * first, then its cells by the unsigned bytes of the path. All numbers are big-endian. A length does not include
 * itself.
 */
final class OperandFormat {
    static final int PARTITION_DELETION = 1;
    static final int RANGES = 2;
    static final int LIVENESS = 4;
    static final int ROW_DELETION = 8;
    /** The row deletion ends when the row is inserted again (materialized views). */
    static final int SHADOWABLE = 16;
    /** The original clustering is stored, because the key does not preserve each byte. */
    static final int CLUSTERING = 32;

    /** The cell has a path: an element of a collection or a field of a user-defined type. */
    static final int PATH = 1;
    /** The deletion of a whole collection instead of a cell. */
    static final int COLUMN_DELETION = 2;

    static final int EXPIRING = 4;
    static final int TOMBSTONE = 8;
    static final int COUNTER = 16;
    static final int VALUE = 32;
    /** The timestamp is omitted, because it equals that of the liveness. */
    static final int ROW_TIMESTAMP = 64;
    /** TTL and local deletion time are omitted, because they equal those of the liveness. */
    static final int ROW_EXPIRATION = 128;

    private OperandFormat() {}
}
