package io.ringmaster.playground.wan;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * A network namespace that this process created and holds by a descriptor. Without a name or mount nothing is left of
 * it, no matter how this process and those inside end. See network_namespaces(7).
 */
final class NetworkNamespace {
    private final int descriptor;

    private NetworkNamespace(int descriptor) {
        this.descriptor = descriptor;
    }

    /** @throws IOException this user may not create namespaces */
    static NetworkNamespace make() throws IOException {
        return new NetworkNamespace(onThread("make-namespace", () -> {
            Kernel.checked("a network namespace cannot be made", Kernel.unshare(Kernel.CLONE_NEWNET));
            return (int) Kernel.checked(
                    "/proc/thread-self/ns/net",
                    Kernel.open("/proc/thread-self/ns/net", Kernel.O_RDONLY | Kernel.O_CLOEXEC));
        }));
    }

    int descriptor() {
        return descriptor;
    }

    /** Runs the work on a new thread inside the namespace; sockets and devices that it opens stay there. */
    <T> T inside(Callable<T> work) throws IOException {
        return onThread("inside-namespace", () -> {
            Kernel.checked("a network namespace cannot be entered", Kernel.setns(descriptor, Kernel.CLONE_NEWNET));
            return work.call();
        });
    }

    private static <T> T onThread(String name, Callable<T> work) throws IOException {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        try {
            return task.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause().getMessage(), e.getCause());
        }
    }
}
