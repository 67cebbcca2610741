package io.ringmaster.lab.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The commit that is measured. */
public final class Checkout {
    private static final String DIRTY = "-dirty";
    private static final String UNKNOWN = "unknown";

    private Checkout() {}

    /** @return the commit, "-dirty" behind it when files differ, results of the lab aside; "unknown" without git */
    public static String commit(Path root) throws InterruptedException {
        try {
            String commit = git(root, "rev-parse", "--short=10", "HEAD");
            String changes = git(root, "status", "--porcelain", "--", ".", ":!docs/lab");
            return changes.isEmpty() ? commit : commit + DIRTY;
        } catch (IOException e) {
            return UNKNOWN;
        }
    }

    /** Whether a commit alone says what was measured. */
    public static boolean isClean(String commit) {
        return !commit.endsWith(DIRTY) && !commit.equals(UNKNOWN);
    }

    private static String git(Path root, String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("git", "-C", root.toString()));
        command.addAll(List.of(words));
        Process git = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String out = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (git.waitFor() != 0) {
            throw new IOException("git " + String.join(" ", words) + " failed in " + root);
        }
        return out;
    }
}
