package io.ringmaster.pool.mesos.command;

/** A command waits for something, such as an offer; the pool tries it again. */
final class PostponedException extends Exception {
    private static final long serialVersionUID = 1;

    PostponedException(String message) {
        super(message);
    }
}
