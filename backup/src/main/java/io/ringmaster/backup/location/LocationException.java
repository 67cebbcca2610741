package io.ringmaster.backup.location;

/** A location, or its credentials, cannot be used; the message names the file and the field, and no secret. */
public final class LocationException extends Exception {
    private static final long serialVersionUID = 1L;

    public LocationException(String message) {
        super(message);
    }
}
