package io.ringmaster.playground.wan;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The wan process, which holds the namespaces and carries the packets: {@code WanMain --directory D dc1=10.77.1.0/24
 * dc2=10.77.2.0/24}. It creates namespaces and tunnels, reports them in {@link WanReport} so that its caller configures
 * addresses and routes, and follows {@link WanSettings}.
 */
public final class WanMain {
    private static final long LOOK_MS = 50;
    private static final long MEASURE_EVERY_MS = 5_000;

    private WanMain() {}

    public static void main(String[] args) throws InterruptedException {
        try {
            if (args.length < 4 || !args[0].equals("--directory")) {
                throw new IOException("usage: WanMain --directory D dc1=10.77.1.0/24 dc2=10.77.2.0/24 ...");
            }
            Map<String, Subnet> datacenters = new LinkedHashMap<>();
            for (int i = 2; i < args.length; i++) {
                int equals = args[i].indexOf('=');
                datacenters.put(args[i].substring(0, equals), Subnet.parse(args[i].substring(equals + 1)));
            }
            follow(Path.of(args[1]), new Wan(datacenters));
        } catch (IOException | RuntimeException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    private static void follow(Path directory, Wan wan) throws IOException, InterruptedException {
        report(directory, wan);
        Semaphore changed = new Semaphore(0);
        Thread measuring = new Thread(() -> measure(directory, wan, changed), "measure");
        measuring.setDaemon(true);
        measuring.start();
        FileTime followed = FileTime.fromMillis(0);
        while (true) {
            Path file = WanSettings.file(directory);
            FileTime written = Files.exists(file) ? Files.getLastModifiedTime(file) : followed;
            if (!written.equals(followed)) {
                followed = written;
                wan.apply(WanSettings.read(directory));
                report(directory, wan);
                changed.release();
            }
            Thread.sleep(LOOK_MS);
        }
    }

    private static void report(Path directory, Wan wan) throws IOException {
        synchronized (wan) {
            wan.report().write(directory);
        }
    }

    /** Measures every few seconds, and at once after a change. */
    private static void measure(Path directory, Wan wan, Semaphore changed) {
        while (true) {
            try {
                wan.measure();
                report(directory, wan);
                var unused = changed.tryAcquire(MEASURE_EVERY_MS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException | IOException e) {
                System.err.println("wan: the measurements stopped: " + e.getMessage());
                return;
            }
        }
    }
}
