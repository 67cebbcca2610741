package io.ringmaster.model.record;

/** One change of the stored records. A list of changes is committed as a whole or not at all. */
public sealed interface Change {
    RecordKey key();

    record Put(StoredRecord record) implements Change {
        @Override
        public RecordKey key() {
            return record.key();
        }
    }

    record Remove(RecordKey key) implements Change {}
}
