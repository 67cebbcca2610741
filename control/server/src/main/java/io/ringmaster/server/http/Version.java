package io.ringmaster.server.http;

/** The version of this program. */
final class Version {
    static final String OWN = of(Version.class.getPackage().getImplementationVersion());

    private Version() {}

    private static String of(@org.jspecify.annotations.Nullable String manifest) {
        return manifest == null ? "development" : manifest;
    }
}
