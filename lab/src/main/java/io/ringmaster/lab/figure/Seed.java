package io.ringmaster.lab.figure;

/**
 * A figure of the sources that this project grew from.
 *
 * @param key the key of our figure beside it
 * @param source number of the source, and where it stands there: "001, slide 23, CMS"
 */
public record Seed(String key, double value, Unit unit, String source) {}
