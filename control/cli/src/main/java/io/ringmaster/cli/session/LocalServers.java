package io.ringmaster.cli.session;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import java.net.URI;
import java.util.List;

/** Servers that another part of the program starts on this computer; asked when the user names no server. */
public interface LocalServers {
    /** No part of the program starts servers. */
    LocalServers NONE = new LocalServers() {
        @Override
        public String origin() {
            return "none";
        }

        @Override
        public List<URI> urls(Environment environment) {
            return List.of();
        }

        @Override
        public List<String> start() {
            return List.of();
        }

        @Override
        public List<String> status() {
            return List.of();
        }
    };

    /** {@code ringmaster playground status, or ...}; only the latter where there is no such command. */
    static String advice(List<String> command, String otherwise) {
        return command.isEmpty() ? otherwise : PROGRAM + " " + String.join(" ", command) + ", or " + otherwise;
    }

    /** Name in messages, such as {@code the playground}. */
    String origin();

    /** Base URLs, best first; empty when none runs. */
    List<URI> urls(Environment environment);

    /** Arguments of the command that starts them; empty when there is none. */
    List<String> start();

    /** Arguments of the command that shows whether they run; empty when there is none. */
    List<String> status();
}
