package io.ringmaster.pool.local.binaries;

import eu.maveniverse.maven.mima.context.Context;
import eu.maveniverse.maven.mima.context.ContextOverrides;
import eu.maveniverse.maven.mima.context.Runtimes;
import io.ringmaster.model.error.ThrowableText;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.collection.CollectRequest;
import org.eclipse.aether.graph.Dependency;
import org.eclipse.aether.resolution.ArtifactResult;
import org.eclipse.aether.resolution.DependencyRequest;
import org.eclipse.aether.resolution.DependencyResolutionException;
import org.eclipse.aether.resolution.DependencyResult;
import org.eclipse.aether.transfer.AbstractTransferListener;
import org.eclipse.aether.transfer.TransferEvent;
import org.eclipse.aether.util.artifact.JavaScopes;
import org.eclipse.aether.util.filter.DependencyFilterUtils;

/**
 * {@code org.apache.cassandra:cassandra-all} and its runtime dependencies, through Maven's own resolver: the user's
 * settings.xml, mirrors, proxies and local repository apply, checksums are verified, and downloaded jars are not
 * downloaded again.
 */
final class MavenJars implements JarSource {
    private static final long MIB = 1 << 20;

    @Override
    public List<Path> fetch(String cassandraVersion, Path workspace, Consumer<String> progress)
            throws BinariesUnavailableException {
        String coordinates = "org.apache.cassandra:cassandra-all:" + cassandraVersion;
        ContextOverrides overrides = ContextOverrides.create()
                .withUserSettings(true)
                .checksumPolicy(ContextOverrides.ChecksumPolicy.FAIL)
                .transferListener(new Progress("Cassandra " + cassandraVersion, progress))
                .build();
        progress.accept("resolves " + coordinates);
        try (Context maven = Runtimes.INSTANCE.getRuntime().create(overrides)) {
            CollectRequest collect = new CollectRequest()
                    .setRoot(new Dependency(new DefaultArtifact(coordinates), JavaScopes.RUNTIME))
                    .setRepositories(maven.remoteRepositories());
            DependencyRequest request =
                    new DependencyRequest(collect, DependencyFilterUtils.classpathFilter(JavaScopes.RUNTIME));
            DependencyResult result =
                    maven.repositorySystem().resolveDependencies(maven.repositorySystemSession(), request);
            return result.getArtifactResults().stream()
                    .map(ArtifactResult::getArtifact)
                    .filter(a -> a.getExtension().equals("jar"))
                    .map(a -> a.getFile().toPath())
                    .toList();
        } catch (DependencyResolutionException e) {
            throw new BinariesUnavailableException(
                    coordinates + " cannot be fetched from Maven: " + rootCause(e)
                            + "; check the version and the network (proxies and mirrors are set in ~/.m2/settings.xml), or set"
                            + " 'binaries' to a directory or tarball of Cassandra",
                    e);
        }
    }

    private static String rootCause(Throwable e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return ThrowableText.of(cause);
    }

    private static final class Progress extends AbstractTransferListener {
        private final String what;
        private final Consumer<String> progress;
        private final AtomicInteger jars = new AtomicInteger();
        private final AtomicLong bytes = new AtomicLong();

        Progress(String what, Consumer<String> progress) {
            this.what = what;
            this.progress = progress;
        }

        @Override
        public void transferSucceeded(TransferEvent event) {
            if (event.getResource().getResourceName().endsWith(".jar")) {
                int count = jars.incrementAndGet();
                long mib = bytes.addAndGet(event.getTransferredBytes()) / MIB;
                progress.accept("fetches " + what + ": " + count + " jars, " + mib + " MiB");
            }
        }
    }
}
