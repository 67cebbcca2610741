package io.ringmaster.backup.repository;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * All keys of one repository. Every name in a key ends at a separator and is compared whole, so that no backup or node
 * is taken for another whose name it starts with.
 *
 * @param incarnation keeps two clusters of one name apart
 */
public record RepositoryKeys(ClusterName cluster, String incarnation) {
    private static final Pattern INCARNATION = Pattern.compile("[a-z0-9][a-z0-9-]{0,79}");
    private static final Pattern ROOT = Pattern.compile("([^/]+)/([^/]+)/.*");
    private static final Pattern BLOB = Pattern.compile("([0-9a-f]{2})/(([0-9a-f]{2})[^/]+)");
    private static final Pattern PART = Pattern.compile("([^/]+)/([^/]+)\\.json");
    private static final Pattern EPOCH = Pattern.compile("\\d{10}");

    public RepositoryKeys {
        if (!INCARNATION.matcher(incarnation).matches()) {
            throw new IllegalArgumentException("incarnation '" + incarnation + "' must match " + INCARNATION.pattern());
        }
    }

    /** The repository that holds an object; empty if none does. */
    public static Optional<RepositoryKeys> of(String key) {
        Matcher m = ROOT.matcher(key);
        return m.matches()
                ? parsed(key, text -> new RepositoryKeys(new ClusterName(m.group(1)), m.group(2)))
                : Optional.empty();
    }

    /** The start of all keys of this repository. */
    public String root() {
        return cluster + "/" + incarnation + "/";
    }

    /** No key of this repository comes after it, and no repository lies between. */
    String end() {
        return cluster + "/" + incarnation + "0"; // the digit follows the slash
    }

    public String repositoryFile() {
        return root() + "repo.json";
    }

    public String blob(BlobName blob) {
        return blobs("") + blob.hash().substring(0, 2) + "/" + blob;
    }

    /** The start of the keys of blobs whose hash starts with up to two hex digits. */
    public String blobs(String digits) {
        return root() + "blobs/" + digits;
    }

    public Optional<BlobName> blobOf(String key) {
        return rest(key, blobs(""))
                .map(BLOB::matcher)
                .filter(m -> m.matches() && m.group(1).equals(m.group(3)))
                .flatMap(m -> parsed(m.group(2), BlobName::parse));
    }

    public String epochs() {
        return root() + "gc/";
    }

    /** An empty object for each collection. */
    public String epoch(long epoch) {
        return epochs() + String.format("%010d", epoch);
    }

    public OptionalLong epochOf(String key) {
        return rest(key, epochs())
                .filter(text -> EPOCH.matcher(text).matches())
                .map(text -> OptionalLong.of(Long.parseLong(text)))
                .orElse(OptionalLong.empty());
    }

    public String nodeManifest(BackupId backup, NodeName node) {
        return nodeManifests(backup) + node + ".json";
    }

    /** The start of the keys of all node manifests. */
    public String nodeManifests() {
        return root() + "nodes/";
    }

    /** The start of the keys of the node manifests of one backup. */
    public String nodeManifests(BackupId backup) {
        return nodeManifests() + backup + "/";
    }

    /** The backup that a node manifest belongs to. */
    public Optional<BackupId> backupOfNodeManifest(String key) {
        return rest(key, nodeManifests())
                .map(PART::matcher)
                .filter(Matcher::matches)
                .flatMap(m -> parsed(m.group(2), NodeName::parse).flatMap(node -> parsed(m.group(1), BackupId::new)));
    }

    public String backups() {
        return root() + "backups/";
    }

    /** The manifest of the cluster. */
    public String manifest(BackupId backup) {
        return backups() + backup + ".json";
    }

    public Optional<BackupId> manifestOf(String key) {
        return named(key, backups(), ".json");
    }

    /** The mark that commits a backup: the hash of its manifest. */
    public String ok(BackupId backup) {
        return backups() + backup + ".ok";
    }

    public Optional<BackupId> okOf(String key) {
        return named(key, backups(), ".ok");
    }

    /** The start of the keys of the intents of all backups. */
    public String intents() {
        return root() + "intents/";
    }

    /** The backup that an intent belongs to. */
    public Optional<BackupId> backupOfIntent(String key) {
        return rest(key, intents())
                .flatMap(text -> parsed(text.replaceFirst("/.*", ""), BackupId::new))
                .filter(backup -> intentOf(backup, key).isPresent());
    }

    /** The start of the keys of the intents of one backup. */
    public String intents(BackupId backup) {
        return intents() + backup + "/";
    }

    /** An empty object of a node that sends its part of a backup; a collection deletes it, which voids the backup. */
    public String intent(BackupId backup, NodeName node) {
        return intents(backup) + node;
    }

    public Optional<NodeName> intentOf(BackupId backup, String key) {
        return rest(key, intents(backup)).flatMap(text -> parsed(text, NodeName::parse));
    }

    public String readers() {
        return root() + "readers/";
    }

    /** An empty object of a node, of any cluster, that reads a backup; no collection runs while it is fresh. */
    public String reader(BackupId backup, NodeId reader) {
        return readers() + backup + "/" + reader.cluster() + "." + NodeName.of(reader);
    }

    /** The same of a server, whose cluster is being restored from the backup: its nodes read, or are yet to read. */
    public String reader(BackupId backup, ClusterName cluster, DatacenterName datacenter) {
        return readers() + backup + "/" + cluster + "." + datacenter;
    }

    public String trashes() {
        return root() + "trash/";
    }

    /** An empty object: the backup is being deleted. */
    public String trash(BackupId backup) {
        return trashes() + backup;
    }

    public Optional<BackupId> trashOf(String key) {
        return named(key, trashes(), "");
    }

    /** What a check of the location puts, reads and deletes. */
    public String check(NodeName node) {
        return root() + "check/" + node;
    }

    private static Optional<BackupId> named(String key, String start, String end) {
        return rest(key, start)
                .filter(text -> text.endsWith(end))
                .flatMap(text -> parsed(text.substring(0, text.length() - end.length()), BackupId::new));
    }

    private static Optional<String> rest(String key, String start) {
        return key.startsWith(start) ? Optional.of(key.substring(start.length())) : Optional.empty();
    }

    private static <T> Optional<T> parsed(String text, Function<String, T> parse) {
        try {
            return Optional.of(parse.apply(text));
        } catch (IllegalArgumentException foreign) {
            return Optional.empty(); // an object that is not ours
        }
    }
}
