package io.ringmaster.pool.local;

import io.ringmaster.host.DurableFiles;
import io.ringmaster.pool.base.EpochStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The file {@code epoch} of a state directory. */
record EpochFile(Path file) implements EpochStorage {
    static EpochFile in(Path stateDirectory) {
        return new EpochFile(stateDirectory.resolve("epoch"));
    }

    @Override
    public long read() throws IOException {
        try {
            return Long.parseLong(Files.readString(file).trim());
        } catch (NoSuchFileException e) {
            return 0;
        } catch (NumberFormatException e) {
            throw new IOException(file + " holds no number; delete it if no other server of this datacenter runs", e);
        }
    }

    @Override
    public boolean exists() {
        return Files.exists(file);
    }

    @Override
    public void write(long epoch) throws IOException {
        DurableFiles.write(file, Long.toString(epoch));
    }

    @Override
    public void delete() throws IOException {
        DurableFiles.delete(file);
    }

    @Override
    public String place() {
        return file.toString();
    }

    @Override
    public String removal() {
        return "delete this file";
    }
}
