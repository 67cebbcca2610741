package io.ringmaster.server.backup;

import io.ringmaster.backup.location.Location;
import io.ringmaster.backup.location.LocationDirectory;
import io.ringmaster.backup.location.LocationException;
import io.ringmaster.backup.store.FolderStore;
import io.ringmaster.backup.store.StoreException;
import io.ringmaster.host.DurableFiles;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.name.LocationName;
import io.ringmaster.server.refusal.ProblemException;
import io.ringmaster.wire.api.LocationAsk;
import io.ringmaster.wire.api.LocationInfo;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The locations of backups that this server and its nodes know: files in one directory. Credentials lie in other files
 * there, or elsewhere; nothing here reads or writes them.
 */
public final class BackupLocations {
    private static final String SUFFIX = ".yaml";
    private static final FileAttribute<?> PRIVATE_DIRECTORY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final FileAttribute<?> PRIVATE_FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path directory;
    private final LocationDirectory locations;

    public BackupLocations(Path directory) {
        this.directory = directory;
        this.locations = new LocationDirectory(directory);
    }

    public LocationInfo.Directory list() {
        List<LocationInfo> items = new ArrayList<>();
        for (String name : names()) {
            try {
                items.add(info(locations.location(name)));
            } catch (LocationException e) {
                items.add(new LocationInfo(name, null, null, ThrowableText.of(e)));
            }
        }
        return new LocationInfo.Directory(directory.toString(), items);
    }

    private List<String> names() {
        try {
            return locations.names();
        } catch (LocationException e) {
            throw ProblemException.of(Problem.of(ErrorCode.LOCATION_UNKNOWN, ThrowableText.of(e)));
        }
    }

    private static LocationInfo info(Location location) {
        URI endpoint = location.s3() == null ? null : location.s3().url();
        return new LocationInfo(
                location.name(), location.url().toString(), endpoint == null ? null : endpoint.toString(), null);
    }

    /**
     * The location of this name.
     *
     * @param field of the request that names it
     * @throws ProblemException there is none, or its file is wrong
     */
    public Location require(String field, String name) {
        List<String> known = names();
        if (!known.contains(name)) {
            throw ProblemException.of(new Problem(
                    ErrorCode.LOCATION_UNKNOWN,
                    field,
                    "no location '" + name + "' on this server; known: "
                            + (known.isEmpty() ? "none" : String.join(", ", known)),
                    Advice.command("backup location add").suffix("; --server names the server of another datacenter")));
        }
        try {
            return locations.location(name);
        } catch (LocationException e) {
            throw ProblemException.of(Problem.field(ErrorCode.LOCATION_UNKNOWN, field, ThrowableText.of(e)));
        }
    }

    /**
     * Adds a location. Its file is read before others see it, so that a wrong one is never there. A folder gets its
     * marker, without which it counts as not mounted.
     *
     * @throws ProblemException a field is wrong, the folder is missing, or there is a location with this name
     */
    public LocationInfo add(String name, LocationAsk ask) {
        requireName(name);
        try {
            Files.createDirectories(directory, PRIVATE_DIRECTORY);
            Path draft = Files.createTempDirectory(directory, ".adding");
            Path file = draft.resolve(name + SUFFIX);
            try {
                Files.writeString(Files.createFile(file, PRIVATE_FILE), yaml(ask));
                Location added = new LocationDirectory(draft).location(name);
                requireFree(name);
                if (added.s3() == null) {
                    FolderStore.mark(Path.of(added.url()));
                }
                Path kept = directory.resolve(name + SUFFIX);
                if (!DurableFiles.create(kept, yaml(ask))) {
                    throw new FileAlreadyExistsException(kept.toString());
                }
                return info(added);
            } catch (StoreException e) {
                throw wrong("url: " + ThrowableText.of(e));
            } catch (LocationException e) {
                throw wrong(ThrowableText.of(e).replace(file.toString(), name).replace(draft + "", name));
            } finally {
                Files.deleteIfExists(file);
                Files.deleteIfExists(draft);
            }
        } catch (FileAlreadyExistsException e) {
            throw ProblemException.of(Problem.of(
                    ErrorCode.REQUEST_INVALID,
                    "there is a location '" + name + "' already",
                    "choose another name, or change " + directory.resolve(name + SUFFIX)));
        } catch (IOException e) {
            throw ProblemException.of(Problem.of(
                    ErrorCode.LOCATION_UNKNOWN,
                    "the server cannot write into its directory of locations: " + e,
                    "put the file " + name + SUFFIX + " into " + directory));
        }
    }

    /** A location that is refused changes nothing, not even the folder that it names. */
    private void requireFree(String name) throws FileAlreadyExistsException {
        Path file = directory.resolve(name + SUFFIX);
        if (Files.exists(file)) {
            throw new FileAlreadyExistsException(file.toString());
        }
    }

    private static void requireName(String name) {
        try {
            new LocationName(name);
        } catch (IllegalArgumentException e) {
            throw wrong(ThrowableText.of(e));
        }
    }

    private static ProblemException wrong(String message) {
        return ProblemException.of(Problem.of(ErrorCode.REQUEST_INVALID, message));
    }

    /** Each value is quoted, so that no value is a second field. */
    private static String yaml(LocationAsk ask) {
        Map<String, @Nullable String> fields = new LinkedHashMap<>();
        fields.put("url", ask.url());
        fields.put("endpoint", ask.endpoint());
        fields.put("region", ask.region());
        fields.put("credentials", ask.credentials());
        return fields.entrySet().stream()
                .filter(f -> f.getValue() != null)
                .map(f -> f.getKey() + ": " + quoted(String.valueOf(f.getValue())) + System.lineSeparator())
                .collect(Collectors.joining());
    }

    private static String quoted(String value) {
        return "'" + value.replaceAll("\\R", " ").replace("'", "''") + "'";
    }
}
