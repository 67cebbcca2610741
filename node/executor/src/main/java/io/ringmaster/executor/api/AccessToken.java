package io.ringmaster.executor.api;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/** The bearer token of the allocation's API. */
public final class AccessToken {
    /** A mounted Secret has mode 0440: it belongs to root and to the pod's fsGroup. */
    private static final Set<PosixFilePermission> ALLOWED = PosixFilePermissions.fromString("rwxr-----");

    private final String value;

    private AccessToken(String value) {
        this.value = value;
    }

    /**
     * Reads the token that the pool wrote into the allocation's directory.
     *
     * @throws IllegalArgumentException there is none; the message names the file and the next step
     */
    public static AccessToken ofAllocation(Path file) throws IOException {
        return read(file, "token", "write the allocation's token into it");
    }

    /**
     * Reads the token from the file that {@code --token} names.
     *
     * @throws IllegalArgumentException there is none, or others than its owner and group have rights on the file; the
     *     message names the file and the next step
     */
    public static AccessToken mounted(Path file) throws IOException {
        AccessToken token = read(file, "--token", "mount the Secret that holds the allocation's token there");
        Set<PosixFilePermission> excess = EnumSet.noneOf(PosixFilePermission.class);
        excess.addAll(Files.getPosixFilePermissions(file));
        excess.removeAll(ALLOWED);
        if (!excess.isEmpty()) {
            throw new IllegalArgumentException("--token " + file + " has mode "
                    + PosixFilePermissions.toString(Files.getPosixFilePermissions(file))
                    + ", but only its owner may write it, and only its owner and group may read it -> chmod 440 "
                    + file + ", or defaultMode: 0440 on the Secret's volume");
        }
        return token;
    }

    private static AccessToken read(Path file, String name, String nextStep) throws IOException {
        String text;
        try {
            text = Files.readString(file).trim();
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException(name + " " + file + " does not exist -> " + nextStep, e);
        } catch (AccessDeniedException e) {
            throw new IllegalArgumentException(
                    name + " " + file + " may not be read by the user " + System.getProperty("user.name")
                            + " -> chown it, or give the pod an fsGroup and the Secret's volume defaultMode: 0440",
                    e);
        }
        if (text.isEmpty()) {
            throw new IllegalArgumentException(name + " " + file + " is empty -> " + nextStep);
        }
        return new AccessToken(text);
    }

    /** Only for the comparison with what a request carries. */
    String value() {
        return value;
    }

    @Override
    public String toString() {
        return "<token>";
    }
}
