package io.ringmaster.backup.store;

import java.util.regex.Pattern;

/** The keys of objects: none leads out of a folder, and no store or URL needs any of their characters quoted. */
final class ObjectKeys {
    /** A file system allows 255 bytes in a name; a store allows 1,024 in a key, with the prefix of its location. */
    private static final Pattern KEY = Pattern.compile(
            "(?=.{1,800}$)(?!.*\\.\\.)NAME(?:/NAME)*".replace("NAME", "(?!\\.(?:/|$))[A-Za-z0-9._-]{1,200}"));

    private ObjectKeys() {}

    static boolean isKey(String text) {
        return KEY.matcher(text).matches();
    }

    /** @throws IllegalArgumentException if the text is no key */
    static String key(String text) {
        if (!isKey(text)) {
            throw new IllegalArgumentException("'" + text + "' is no key of an object");
        }
        return text;
    }

    /** @throws IllegalArgumentException if no key starts with the text */
    static String prefix(String text) {
        if (!text.isEmpty() && !isKey(text + "x")) {
            throw new IllegalArgumentException("'" + text + "' is no prefix of keys of objects");
        }
        return text;
    }
}
