package io.ringmaster.model.record;

/** One change of what is persisted. A list of changes is committed whole or not at all. */
public sealed interface Change {
    String key();

    record Put(StoredRecord record) implements Change {
        @Override
        public String key() {
            return record.key();
        }
    }

    record Remove(String key) implements Change {}
}
