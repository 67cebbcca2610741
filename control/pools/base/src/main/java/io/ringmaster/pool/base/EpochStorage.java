package io.ringmaster.pool.base;

import java.io.IOException;

/**
 * Keeps the highest epoch whose commands a pool carried out: a file, or an object of the engine. It outlives the pool
 * and is shared by all servers of a datacenter. The texts of the exceptions are shown to people.
 */
public interface EpochStorage {
    /**
     * Reads the stored epoch; may block.
     *
     * @return 0 if none is stored
     * @throws IOException it cannot be read; the message says what to do
     */
    long read() throws IOException;

    /** Whether an epoch is stored. Runs with each command, so it must not block on a network. */
    boolean exists();

    /**
     * Makes an epoch durable; may block. {@link EpochFence} calls it only for an epoch that is higher than the stored
     * one that it knows, or when none is stored.
     *
     * @throws IOException it was not stored, also because another server has stored a higher one meanwhile
     */
    void write(long epoch) throws IOException;

    /** Removes the epoch; succeeds if there is none; may block. */
    void delete() throws IOException;

    /** The name of the storage in messages, such as the path of the file. */
    String place();

    /** How a user removes the epoch, as part of a sentence: "delete this file". */
    String removal();
}
