package io.ringmaster.engine.encoding;

/**
 * The form of a value: one operand for each write, concatenated; a reader and a compaction reconcile them. It needs no schema to be
 * reconciled, only to be understood, so that native code can do it during a compaction.
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
 * <p>What was written is kept beside its byte-comparable form (a clustering in the operand, both bounds in a range) only where that
 * form does not preserve each byte. Cells are sorted by column, then the column's deletion before its cells, then by the unsigned bytes of the path. All numbers are
 * big-endian. Length does not count itself.
 */
final class Operand {
    static final int PARTITION_DELETION = 1;
    static final int RANGES = 2;
    static final int LIVENESS = 4;
    static final int ROW_DELETION = 8;
    /** The row deletion holds only until the row is inserted again (materialized views). */
    static final int SHADOWABLE = 16;
    /** The clustering as it was written, where the key does not preserve each byte of it. */
    static final int CLUSTERING = 32;

    /** The cell has a path: an element of a collection or a field of a type. */
    static final int PATH = 1;
    /** Not a cell but the deletion of a whole collection. */
    static final int COLUMN_DELETION = 2;

    static final int EXPIRING = 4;
    static final int TOMBSTONE = 8;
    static final int COUNTER = 16;
    static final int VALUE = 32;
    /** The timestamp is left out: it is that of the liveness. */
    static final int ROW_TIMESTAMP = 64;
    /** Ttl and local deletion time are left out: they are those of the liveness. */
    static final int ROW_EXPIRATION = 128;

    private Operand() {}
}
