package io.ringmaster.executor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The {@code --name value} pairs of a command line. */
final class Arguments {
    private final Map<String, String> values = new TreeMap<>();

    /** @throws IllegalArgumentException an argument is unknown, given twice or without a value; the message names it */
    Arguments(String[] arguments, Set<String> known) {
        for (int i = 0; i < arguments.length; i += 2) {
            String name = arguments[i];
            if (!known.contains(name)) {
                throw new IllegalArgumentException("unknown argument '" + name + "'; the arguments are " + known);
            }
            if (i + 1 == arguments.length) {
                throw new IllegalArgumentException(name + " needs a value: " + Arrays.toString(arguments));
            }
            if (values.put(name, arguments[i + 1]) != null) {
                throw new IllegalArgumentException(name + " is given twice");
            }
        }
    }

    String text(String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException(name + " is missing");
        }
        return value;
    }

    @Nullable
    String textOrNull(String name) {
        return values.get(name);
    }

    /** @throws IllegalArgumentException not a port that others can be given; the message names the argument */
    int port(String name) {
        String text = text(name);
        int port = text.matches("\\d{1,5}") ? Integer.parseInt(text) : 0;
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException(
                    name + " '" + text + "' must be a port from 1 to 65535: the servers connect to it");
        }
        return port;
    }

    /** @throws IllegalArgumentException not a count; the message names the argument */
    long countOrZero(String name) {
        String text = values.getOrDefault(name, "0");
        if (!text.matches("\\d{1,18}")) {
            throw new IllegalArgumentException(name + " '" + text + "' must be a number from 0");
        }
        return Long.parseLong(text);
    }

    /** @throws IllegalArgumentException neither yes nor no; the message names the argument */
    boolean yes(String name) {
        String text = values.getOrDefault(name, "no");
        if (!text.equals("yes") && !text.equals("no")) {
            throw new IllegalArgumentException(name + " '" + text + "' must be yes or no");
        }
        return text.equals("yes");
    }

    Path path(String name) {
        return Path.of(text(name)).toAbsolutePath().normalize();
    }

    /** @throws IllegalArgumentException the file or directory does not exist; the message names the argument */
    Path existing(String name) {
        Path path = path(name);
        if (!Files.exists(path)) {
            throw new IllegalArgumentException(name + " " + path + " does not exist");
        }
        return path;
    }
}
