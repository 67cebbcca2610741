package io.ringmaster.transfer;

import io.ringmaster.backup.store.BackupStore;
import io.ringmaster.backup.store.RetryingStore;
import io.ringmaster.backup.store.StoreException;
import io.ringmaster.json.Json;
import io.ringmaster.model.error.ThrowableText;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * Does one piece of work and ends. The first line of the standard input is the {@link TransferRequest}; the input stays
 * open, and its end means that the executor died: the program halts, and the next executor starts it again. The
 * standard output is one status a second. The exit code is 0 whether the work succeeded or failed, as the last status
 * says.
 */
public final class TransferMain {
    private static final int ORPHANED = 3;

    /** The texts of strerror(3). */
    private static final List<String> FULL = List.of("No space left on device", "Disk quota exceeded");

    private TransferMain() {}

    /** How a location is opened; tests put faults in between. */
    @FunctionalInterface
    interface Stores {
        BackupStore open(Path locations, String name) throws IOException;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length == 1 && arguments[0].equals("--warm-up")) {
            TransferWarmUp.run();
        } else {
            run(OpenedStores::open);
        }
    }

    static void run(Stores stores) throws IOException {
        var output = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        System.setOut(System.err); // a library that prints must not write between the statuses
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String line = input.readLine();
        if (line == null) {
            throw new IOException("the request is missing: the executor starts this program, and writes it");
        }
        haltAtEndOf(input);
        TransferRequest request = Json.parse(line, TransferRequest.class);
        var progress = new TransferProgress();
        var lines = new ReportLines(request.task(), progress, output);
        lines.start();
        boolean done = false;
        String message;
        try (BackupStore store = stores.open(Path.of(request.locations()), request.location())) {
            progress.outage(() -> outage(request.location(), store));
            message = Works.of(request, store, progress, TransferMachine.real()).run();
            done = true;
        } catch (IOException | RuntimeException e) {
            message = message(e, request);
            e.printStackTrace();
        } catch (InterruptedException e) {
            message = "interrupted";
        }
        lines.end(done, message);
        Runtime.getRuntime().halt(0); // threads of libraries must not keep the program
    }

    private static Optional<String> outage(String location, BackupStore store) {
        return store instanceof RetryingStore retrying
                ? retrying.outage()
                        .map(outage -> location + " does not answer since " + minute(outage.since()) + " ("
                                + ThrowableText.of(outage.last()) + "); tries until " + minute(outage.until()))
                : Optional.empty();
    }

    private static Instant minute(Instant time) {
        return time.truncatedTo(ChronoUnit.MINUTES);
    }

    /** Exceptions of the JDK about a disk name neither the disk nor the node. */
    static String message(Exception failure, TransferRequest request) {
        String text = failure.getMessage();
        if (text == null || failure instanceof NullPointerException) {
            return text == null ? ThrowableText.of(failure) : failure.toString();
        }
        boolean full = !(failure instanceof StoreException) && FULL.stream().anyMatch(text::endsWith);
        return full ? "the volume of " + request.node() + " has no room left: " + text : text;
    }

    private static void haltAtEndOf(BufferedReader input) {
        var watcher = new Thread(
                () -> {
                    try {
                        while (input.readLine() != null) {
                            // nothing more is asked
                        }
                    } catch (IOException e) {
                        // as its end
                    }
                    Runtime.getRuntime().halt(ORPHANED);
                },
                "input");
        watcher.setDaemon(true);
        watcher.start();
    }
}
