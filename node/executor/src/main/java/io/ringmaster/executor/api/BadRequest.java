package io.ringmaster.executor.api;

/** An invalid parameter; the message says what is allowed. */
final class BadRequest extends RuntimeException {
    private static final long serialVersionUID = 1L;
    final String field;

    BadRequest(String field, String message) {
        super(message);
        this.field = field;
    }
}
