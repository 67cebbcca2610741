package io.ringmaster.backup.location;

import io.ringmaster.backup.location.Location.S3Endpoint;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.name.LocationName;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The locations of a directory, each in a file {@code NAME.yaml} with the fields {@code url}, and for S3 {@code
 * endpoint}, {@code region}, {@code credentials} and {@code ca_file}. Files are read at each call, so that a changed
 * one counts at once.
 */
public final class LocationDirectory {
    private static final Pattern BUCKET = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");
    private static final Pattern PREFIX = Pattern.compile("(?:/(?!\\.{1,2}(?:/|$))[A-Za-z0-9._-]{1,100}){0,3}/?");
    private static final Pattern REGION = Pattern.compile("[A-Za-z0-9-]{1,50}");
    private static final String SUFFIX = ".yaml";
    private static final String[] FIELDS = {"url", "endpoint", "region", "credentials", "ca_file"};

    private final Path directory;

    public LocationDirectory(Path directory) {
        this.directory = directory.toAbsolutePath().normalize();
    }

    /** In order; none without the directory. Files whose names are no names of locations are left out. */
    public List<String> names() throws LocationException {
        var names = new TreeSet<String>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                name = name.substring(0, name.length() - SUFFIX.length());
                if (LocationName.isName(name)) {
                    names.add(name);
                }
            }
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw new LocationException(
                    directory + ": cannot be read (" + e.getClass().getSimpleName() + ")");
        }
        return List.copyOf(names);
    }

    /** @throws LocationException naming the file and the field that is wrong, or the known names */
    public Location location(String name) throws LocationException {
        Path file = directory.resolve(name + SUFFIX);
        if (!LocationName.isName(name) || !Files.exists(file)) {
            String known = String.join(", ", names());
            throw new LocationException(
                    "no location '" + name + "' in " + directory + "; known: " + (known.isEmpty() ? "none" : known));
        }
        Map<String, String> fields = LocationFiles.fields(file, LocationFiles.text(file));
        LocationFiles.refuseOthers(file, fields, FIELDS);
        return new Reader(file, fields).location(name);
    }

    private record Reader(Path file, Map<String, String> fields) {
        Location location(String name) throws LocationException {
            URI url = required("url", Reader::url);
            return new Location(name, url, "s3".equals(url.getScheme()) ? s3() : none());
        }

        private S3Endpoint s3() throws LocationException {
            Path directory = file.resolveSibling("");
            URI endpoint = optional("endpoint", Reader::endpoint);
            return new S3Endpoint(
                    endpoint,
                    // only AWS compares it with that of the bucket
                    endpoint != null && !fields.containsKey("region")
                            ? "us-east-1"
                            : required("region", Reader::region),
                    required("credentials", text -> CredentialsReference.parse(text, directory)),
                    optional("ca_file", text -> LocationFiles.beside(directory, text)));
        }

        private @Nullable S3Endpoint none() throws LocationException {
            for (String field : fields.keySet()) {
                if (!field.equals("url")) {
                    throw new LocationException(file + ": " + field + ": only for a url s3://...");
                }
            }
            return null;
        }

        /** Without a scheme if the text is no URI: the message of its exception quotes the text. */
        private static URI uri(String text) {
            try {
                return new URI(text);
            } catch (URISyntaxException e) {
                return URI.create("");
            }
        }

        private static URI url(String text) {
            URI url = uri(text);
            boolean plain = url.getRawQuery() == null && url.getRawFragment() == null && url.getRawPath() != null;
            boolean folder = "file".equals(url.getScheme())
                    && url.getRawAuthority() == null
                    && url.getRawPath() != null
                    && url.getRawPath().startsWith("/");
            boolean bucket = "s3".equals(url.getScheme())
                    && url.getRawAuthority() != null
                    && BUCKET.matcher(url.getRawAuthority()).matches()
                    && PREFIX.matcher(url.getRawPath()).matches();
            if (!plain || !(folder || bucket)) {
                throw new IllegalArgumentException("must be file:///DIRECTORY or s3://BUCKET/PREFIX");
            }
            return url;
        }

        private static URI endpoint(String text) {
            URI url = uri(text);
            boolean web = "https".equals(url.getScheme()) || "http".equals(url.getScheme());
            if (!web || url.getHost() == null || url.getRawUserInfo() != null || url.getRawQuery() != null) {
                throw new IllegalArgumentException("must be a URL such as https://s3.example.net:9000");
            }
            return url;
        }

        private static String region(String text) {
            if (!REGION.matcher(text).matches()) {
                throw new IllegalArgumentException("must be the name of a region such as eu-central-1");
            }
            return text;
        }

        private <T> T required(String field, Function<String, T> parse) throws LocationException {
            T value = optional(field, parse);
            if (value == null) {
                throw new LocationException(file + ": " + field + ": missing");
            }
            return value;
        }

        private <T> @Nullable T optional(String field, Function<String, T> parse) throws LocationException {
            String text = fields.get(field);
            try {
                return text == null ? null : parse.apply(text);
            } catch (IllegalArgumentException e) {
                throw new LocationException(file + ": " + field + ": " + ThrowableText.of(e));
            }
        }
    }
}
