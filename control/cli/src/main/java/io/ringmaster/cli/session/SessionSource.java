package io.ringmaster.cli.session;

/** The root command, as its sub-commands see it. */
public interface SessionSource {
    Session session();
}
