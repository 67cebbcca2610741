package io.ringmaster.transfer;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.repository.Catalogue;
import io.ringmaster.backup.repository.ClusterManifest;
import io.ringmaster.backup.repository.ClusterManifest.Member;
import io.ringmaster.backup.repository.Cut;
import io.ringmaster.backup.repository.NodeManifest;
import io.ringmaster.backup.repository.NodeName;
import io.ringmaster.backup.repository.ObjectReader;
import io.ringmaster.backup.repository.RepositoryFile;
import io.ringmaster.backup.repository.RepositoryKeys;
import io.ringmaster.backup.repository.Sha256;
import io.ringmaster.backup.store.BackupStore;
import io.ringmaster.backup.store.Content;
import io.ringmaster.json.Json;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.spec.Size;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Makes the parts of all nodes a backup. The manifest of the cluster is written first, then the intents are looked for,
 * and the mark is written last: a collection deletes the intents before it reads the manifests, so if all are still
 * there, it will find this one. The manifest has the same bytes from whichever node, so that another node can commit if
 * this one falls silent.
 */
final class CommitWork implements Work {
    private final TransferRequest request;
    private final BackupStore store;
    private final TransferProgress progress;
    private final RepositoryKeys keys;
    private final BackupId backup;
    private final ObjectReader objects;
    private final ListReader lists;

    CommitWork(TransferRequest request, BackupStore store, TransferProgress progress) {
        this.request = request;
        this.store = store;
        this.progress = progress;
        this.keys = request.keys();
        this.backup = request.backup();
        this.objects = new ObjectReader(store);
        this.lists = new ListReader(store, keys);
    }

    @Override
    public String run() throws IOException, InterruptedException {
        if (store.stat(keys.ok(backup)).isPresent()) {
            return message(new Catalogue(store, keys).read(backup));
        }
        Set<NodeName> nodes = new TreeSet<>();
        names("nodes").forEach(name -> nodes.add(NodeName.parse(name)));
        progress.stage("reads the manifests of " + nodes.size() + " nodes");
        ClusterManifest manifest = manifest(nodes);
        byte[] json = Json.bytes(manifest);
        put(keys.manifest(backup), json);
        Set<NodeName> intents = new TreeSet<>();
        objects.list(keys.intents(backup), object -> keys.intentOf(backup, object.key())
                .ifPresent(intents::add));
        if (!intents.containsAll(nodes)) {
            return committedElsewhere();
        }
        put(keys.ok(backup), Sha256.of(json).getBytes(StandardCharsets.US_ASCII));
        // a collection deletes the manifest before it deletes its mark of the deletion
        if (new Catalogue(store, keys).isTrashed(backup)
                || store.stat(keys.manifest(backup)).isEmpty()) {
            throw new TransferFailure("the backup " + backup + " is being deleted -> run the backup again");
        }
        store.delete(nodes.stream().map(node -> keys.intent(backup, node)).toList());
        return message(manifest);
    }

    /** The intents are deleted after the mark is put, and by collections. */
    private String committedElsewhere() throws IOException, InterruptedException {
        if (store.stat(keys.ok(backup)).isEmpty()) {
            throw ended();
        }
        return message(new Catalogue(store, keys).read(backup));
    }

    private TransferFailure ended() {
        return new TransferFailure("the backup " + backup + " is void: a collection ended it -> run the backup again");
    }

    private ClusterManifest manifest(Set<NodeName> nodes) throws IOException, InterruptedException {
        List<Member> members = new ArrayList<>();
        var agreement = new NodeAgreement();
        for (NodeName name : nodes) {
            String key = keys.nodeManifest(backup, name);
            if (store.stat(key).isEmpty()) {
                throw store.stat(keys.intent(backup, name)).isEmpty()
                        ? ended()
                        : new TransferFailure(
                                "the manifest of " + name + " is missing: " + key + " -> run the backup again");
            }
            byte[] json = objects.bytes(key);
            NodeManifest node = ObjectReader.parse(key, json, NodeManifest.class);
            if (!node.node().equals(name) || !node.backup().equals(backup)) {
                throw new TransferFailure(key + " belongs to " + node.node() + " of the backup " + node.backup());
            }
            members.add(Member.of(node, agreement.add(node), Sha256.of(json)));
            lists.copy(node, OutputStream.nullOutputStream());
            progress.add(node.list().size());
        }
        agreement.requireOneRing();
        NodeManifest first = agreement.first();
        return new ClusterManifest(
                RepositoryFile.FORMAT,
                backup,
                keys.cluster(),
                keys.incarnation(),
                agreement.cut(),
                names("datacenters").stream().map(DatacenterName::new).toList(),
                members,
                request.argument("spec"),
                first.schema(),
                members.stream().mapToLong(Member::bytes).sum(),
                members.stream().mapToLong(Member::newBytes).sum());
    }

    private void put(String key, byte[] bytes) throws IOException, InterruptedException {
        store.put(key, Content.of(bytes, bytes.length, Sha256.of(bytes)));
    }

    private List<String> names(String argument) {
        return Arrays.stream(request.argument(argument).split(",", -1))
                .map(String::strip)
                .toList();
    }

    private static String message(ClusterManifest manifest) {
        Cut cut = manifest.cut();
        return manifest.id() + ", " + manifest.nodes().size() + " nodes, " + Size.text(manifest.bytes())
                + ", snapshots within " + Duration.between(cut.from(), cut.to()).toMillis() / 1000.0 + " s";
    }
}
