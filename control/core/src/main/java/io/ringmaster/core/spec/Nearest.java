package io.ringmaster.core.spec;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Guesses the known word behind a misspelt one. */
final class Nearest {
    private Nearest() {}

    /** {@code did you mean 'memory'?}, or the list of known words if none is near. */
    static String hint(String word, Collection<String> known) {
        return guess(word, known).orElse("known: " + String.join(", ", known));
    }

    /** {@code did you mean 'memory'?}, if a known word is near. */
    static Optional<String> guess(String word, Collection<String> known) {
        return known.stream()
                .min(Comparator.<String>comparingInt(k -> distance(word, k)).thenComparing(k -> k))
                .filter(k -> distance(word, k) <= Math.max(1, word.length() / 3))
                .map(k -> "did you mean '" + k + "'?");
    }

    /** Edits between two words (Levenshtein 1965). */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
