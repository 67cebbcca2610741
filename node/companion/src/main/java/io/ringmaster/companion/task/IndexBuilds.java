package io.ringmaster.companion.task;

import io.ringmaster.companion.task.RestoreFiles.Element;
import java.util.Map;
import java.util.Optional;
import org.apache.cassandra.index.Index;
import org.apache.cassandra.index.IndexStatusManager;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.service.StorageService;

/** Which nodes have built the indexes and views of the cluster, by what they report to each other. */
final class IndexBuilds {
    private static final String BUILT = "SUCCESS";

    private IndexBuilds() {}

    /**
     * Who has not built the index or view yet: {@code waits for index trips.by_city on 127.0.0.2:7000}.
     *
     * @throws IllegalStateException a node could not build it
     */
    static Optional<String> missing(Element element) {
        return element.isView() ? missingView(element) : missingIndex(element);
    }

    private static Optional<String> missingIndex(Element index) {
        for (InetAddressAndPort node :
                StorageService.instance.getTokenMetadata().getAllEndpoints()) {
            Index.Status status =
                    IndexStatusManager.instance.getIndexStatus(node, index.keyspaceItself(), index.nameItself());
            if (status == Index.Status.BUILD_FAILED) {
                throw new IllegalStateException(node + " could not build " + index.label() + ": its log says why");
            }
            if (status != Index.Status.BUILD_SUCCEEDED) {
                return Optional.of("waits for " + index.label() + " on " + node);
            }
        }
        return Optional.empty();
    }

    private static Optional<String> missingView(Element view) {
        return StorageService.instance
                .getViewBuildStatusesWithPort(view.keyspaceItself(), view.nameItself())
                .entrySet()
                .stream()
                .filter(node -> !node.getValue().equals(BUILT))
                .map(Map.Entry::getKey)
                .sorted()
                .findFirst()
                .map(node -> "waits for " + view.label() + " on " + node);
    }
}
