package io.ringmaster.transfer;

import io.ringmaster.backup.slice.SliceBuffer;
import java.io.IOException;

/** Does the jobs of a work, each with a buffer of its own while it runs. */
@FunctionalInterface
public interface TransferStreams {
    /** Moves bytes through a buffer. */
    @FunctionalInterface
    interface Job {
        void run(SliceBuffer buffer) throws IOException, InterruptedException;
    }

    /** Takes jobs. */
    @FunctionalInterface
    interface Queue {
        /** Adds a job; may wait, or do it at once. */
        void add(Job job) throws IOException, InterruptedException;
    }

    /** Adds all jobs. */
    @FunctionalInterface
    interface Jobs {
        void addTo(Queue queue) throws IOException, InterruptedException;
    }

    /** Returns when all jobs are done; throws the first failure. */
    void run(Jobs jobs) throws IOException, InterruptedException;

    /** Threads of their own, each with a buffer. */
    static TransferStreams threads(int count) {
        return jobs -> TransferThreads.run(count, jobs);
    }

    /** The thread of the caller. */
    static TransferStreams oneByOne(SliceBuffer buffer) {
        return jobs -> jobs.addTo(job -> job.run(buffer));
    }
}
