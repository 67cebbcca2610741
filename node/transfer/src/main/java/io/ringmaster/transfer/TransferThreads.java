package io.ringmaster.transfer;

import io.ringmaster.backup.slice.SliceBuffer;
import io.ringmaster.transfer.TransferStreams.Job;
import io.ringmaster.transfer.TransferStreams.Jobs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Some threads, each with a buffer of its own, that do jobs. After the first failure they do no more. */
final class TransferThreads {
    private static final long BASE_BYTES = 64 << 20;
    private static final long STREAM_BYTES = 24 << 20;
    private static final int MOST = 4;

    private final BlockingQueue<Optional<Job>> queue;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    private TransferThreads(int count) {
        queue = new ArrayBlockingQueue<>(count);
        for (int i = 0; i < count; i++) {
            var thread = new Thread(this::work, "transfer-" + i);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    /**
     * Starts the threads, lets {@code jobs} add jobs, waits until they are done, and throws the first failure.
     *
     * @param count of threads
     */
    static void run(int count, Jobs jobs) throws IOException, InterruptedException {
        var threads = new TransferThreads(count);
        try {
            jobs.addTo(threads::add);
        } finally {
            threads.stop();
        }
        threads.rethrow();
    }

    /** One stream in the heap of a development node, four in that of a production node. */
    static int count() {
        return countFor(Runtime.getRuntime().maxMemory());
    }

    static int countFor(long heapBytes) {
        return (int) Math.max(1, Math.min(MOST, (heapBytes - BASE_BYTES) / STREAM_BYTES));
    }

    /** Adds a job; waits while all threads are busy. */
    private void add(Job job) throws IOException, InterruptedException {
        rethrow();
        queue.put(Optional.of(job));
    }

    private void stop() throws InterruptedException {
        for (int i = 0; i < threads.size(); i++) {
            queue.put(Optional.empty()); // each thread takes one, and none ends without it
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void work() {
        SliceBuffer buffer = buffer();
        try {
            for (Optional<Job> job = queue.take(); job.isPresent(); job = queue.take()) {
                if (buffer != null && failure.get() == null) {
                    run(job.get(), buffer);
                }
            }
        } catch (InterruptedException e) {
            failure.compareAndSet(null, e);
        }
    }

    /** Null if the heap has no room for it, which is a failure. */
    private @Nullable SliceBuffer buffer() {
        try {
            return new SliceBuffer();
        } catch (OutOfMemoryError e) {
            failure.compareAndSet(null, e);
            return null;
        }
    }

    private void run(Job job, SliceBuffer buffer) {
        try {
            job.run(buffer);
        } catch (Throwable e) { // also an exhausted heap must end the program with its reason
            failure.compareAndSet(null, e);
        }
    }

    private void rethrow() throws IOException, InterruptedException {
        Throwable first = failure.get();
        if (first instanceof IOException e) {
            throw e;
        } else if (first instanceof InterruptedException e) {
            throw e;
        } else if (first instanceof RuntimeException e) {
            throw e;
        } else if (first instanceof Error e) {
            throw e;
        }
    }
}
