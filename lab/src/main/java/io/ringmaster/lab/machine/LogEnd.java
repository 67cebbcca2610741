package io.ringmaster.lab.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The ends of logs, for messages. */
public final class LogEnd {
    private LogEnd() {}

    /** The last lines of each file that exists and is not empty, with its name. */
    public static String of(int lines, Path... logs) throws IOException {
        List<String> parts = new ArrayList<>();
        for (Path log : logs) {
            if (Files.exists(log) && Files.size(log) > 0) {
                List<String> all = Files.readString(log, StandardCharsets.ISO_8859_1)
                        .lines()
                        .toList();
                parts.add("the end of " + log + ":\n"
                        + String.join("\n", all.subList(Math.max(0, all.size() - lines), all.size())));
            }
        }
        return parts.isEmpty() ? "it has written no log" : String.join("\n", parts);
    }
}
