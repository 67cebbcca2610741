package io.ringmaster.lab.figure;

/**
 * What came out, in plain words.
 *
 * @param sentence one sentence for a reader who reads nothing else
 */
public record Conclusion(Kind kind, String sentence) {

    /** What a comparison gives. */
    public enum Kind {
        REACHED("reached"),
        MISSED("missed"),
        /** A ratio between the two figures would mislead. */
        NOT_COMPARABLE("not comparable"),
        /** The run did not hold what it promised, for example because the machine was full. */
        INVALID("invalid");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }
}
