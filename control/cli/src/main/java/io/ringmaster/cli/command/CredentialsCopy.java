package io.ringmaster.cli.command;

import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Copies a file with credentials to where a server on this computer reads it. Nothing is sent, so that no secret is in
 * a request or in a log.
 *
 * @param thisComputer whether the server runs here
 */
record CredentialsCopy(Path from, Path to, boolean thisComputer) {
    /**
     * Writes the copy, which only its owner may read.
     *
     * @param otherwise the command for a user who copies the file to another computer
     */
    void write(String otherwise) {
        Path directory = to.resolveSibling("");
        if (!thisComputer || !Files.isWritable(directory)) {
            throw new Failure(
                    ExitCode.REFUSED,
                    "this command cannot write " + directory + ", where the server reads its locations",
                    "copy " + from + " to " + to + " on the server's computer, chmod 600, then: " + otherwise);
        }
        try {
            byte[] secret = Files.readAllBytes(from);
            Files.createFile(to, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.write(to, secret);
        } catch (NoSuchFileException e) {
            throw new Failure(ExitCode.USAGE, from + ": there is no such file", null);
        } catch (FileAlreadyExistsException e) {
            throw new Failure(ExitCode.REFUSED, to + " exists already", "remove it, or use it: " + otherwise);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Takes the copy back, because the server refused the location. */
    void remove() {
        try {
            Files.deleteIfExists(to);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
