package io.ringmaster.integration;

import io.ringmaster.integration.PlantedSecret.Place;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;

/**
 * Looks for secrets where none belongs. What cannot be read is reported like a place with a secret; only what is gone
 * by the time it is read holds none.
 */
final class SecretSearch {
    private static final int CHUNK = 1 << 20;

    private final List<PlantedSecret> secrets;
    private final TreeSet<String> found = new TreeSet<>();
    private final boolean[] starts = new boolean[1 << 16];
    private final int longest;

    SecretSearch(List<PlantedSecret> secrets) {
        this.secrets = List.copyOf(secrets);
        for (PlantedSecret secret : secrets) {
            starts[start(secret.text().charAt(0), secret.text().charAt(1))] = true;
        }
        longest = secrets.stream().mapToInt(s -> s.text().length()).max().orElseThrow();
    }

    private static int start(int first, int second) {
        return ((first & 0xFF) << 8) | (second & 0xFF);
    }

    /** What was found: a secret and its place, or a place that could not be read and why. */
    List<String> found() {
        return List.copyOf(found);
    }

    /** All files below a folder, also in archives of classes and of programs. */
    SecretSearch files(Path folder) throws IOException {
        TreeWalk.of(folder, this::file, this::unreadable);
        return this;
    }

    /** Whatever a playground writes, keeps, answers and runs. */
    SecretSearch everything(Playground playground, List<String> datacenters) throws Exception {
        for (String datacenter : datacenters) {
            Path state = Playground.HOME.resolve("playground").resolve(datacenter);
            Znodes.read(state.resolve("zookeeper"))
                    .forEach((path, data) -> bytes("znode " + path + " of " + datacenter, data));
            ApiAnswers.of(playground, datacenter)
                    .forEach((path, answer) -> text(path + " of the server of " + datacenter, answer));
        }
        return files(Playground.HOME).processes(Playground.HOME);
    }

    /** Arguments and environments of the processes of a playground. */
    SecretSearch processes(Path home) {
        for (ProcessHandle process : Processes.below(home)) {
            for (String what : List.of("cmdline", "environ")) {
                Path file = Path.of("/proc", Long.toString(process.pid()), what);
                try (InputStream in = Files.newInputStream(file)) {
                    stream(new Place(file.toString(), null), in);
                } catch (IOException e) {
                    if (process.isAlive()) {
                        unreadable(file, e);
                    }
                }
            }
        }
        return this;
    }

    /** Something that is no file. */
    SecretSearch text(String place, String text) {
        return bytes(place, text.getBytes(StandardCharsets.UTF_8));
    }

    SecretSearch bytes(String place, byte[] bytes) {
        look(new Place(place, null), bytes, bytes.length);
        return this;
    }

    private void unreadable(Path place, IOException why) {
        if (!(why instanceof NoSuchFileException)) {
            found.add(place + " cannot be read: " + why);
        }
    }

    private void file(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            stream(new Place(file.toString(), file), in);
        } catch (IOException e) {
            unreadable(file, e);
        }
    }

    private void stream(Place place, InputStream in) throws IOException {
        byte[] chunk = new byte[CHUNK];
        int kept = 0;
        while (true) {
            int read = in.readNBytes(chunk, kept, CHUNK - kept);
            int length = kept + read;
            look(place, chunk, length);
            if (length < CHUNK) {
                return;
            }
            // a secret may begin in one chunk and end in the next
            kept = longest - 1;
            System.arraycopy(chunk, length - kept, chunk, 0, kept);
        }
    }

    private void look(Place place, byte[] bytes, int length) {
        for (int at = 0; at < length - 1; at++) {
            if (starts[start(bytes[at], bytes[at + 1])]) {
                for (PlantedSecret secret : secrets) {
                    if (secret.isAt(bytes, at, length) && !secret.belongsTo(place)) {
                        found.add(secret.name() + " in " + place.name());
                    }
                }
            }
        }
    }
}
