package io.ringmaster.server.secret;

/** A password cannot be used. The message says why, and what to do, without the password. */
public final class PasswordException extends Exception {
    private static final long serialVersionUID = 1L;

    PasswordException(String message) {
        super(message);
    }
}
