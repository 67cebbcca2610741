package io.ringmaster.store.zookeeper;

import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.ports.StoreUnavailableException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.curator.RetryLoop;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.framework.state.SessionConnectionStateErrorPolicy;
import org.apache.curator.retry.RetryUntilElapsed;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/**
 * A server's connection to ZooKeeper for the records and the election of one datacenter. Retries for 8 s automatically.
 */
public final class ZooKeeperSession implements AutoCloseable {
    private static final String FORMAT = "{\"format\":1}";
    private static final int SESSION_TIMEOUT_MS = 10_000;
    private static final int CONNECTION_TIMEOUT_MS = 5_000;
    private static final int RETRY_FOR_MS = 8_000;
    private static final int RETRY_EVERY_MS = 100;
    private static final int READ_TIMEOUT_MS = 30_000;
    /** Answers such as the names of all nodes may exceed ZooKeeper's default of 1 MiB. */
    private static final int ANSWER_LIMIT_BYTES = 64 << 20;

    private final CuratorFramework client;
    private final String connectString;
    private final String root;
    private final List<ACL> acl;

    private ZooKeeperSession(String connectString, DatacenterName datacenter, @Nullable String secret) {
        this.connectString = connectString;
        root = "/ringmaster/" + datacenter;
        acl = secret == null ? ZooDefs.Ids.OPEN_ACL_UNSAFE : ZooDefs.Ids.CREATOR_ALL_ACL;
        ZKClientConfig config = new ZKClientConfig();
        config.setProperty("jute.maxbuffer", Integer.toString(ANSWER_LIMIT_BYTES));
        CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
                .connectString(connectString)
                .sessionTimeoutMs(SESSION_TIMEOUT_MS)
                .connectionTimeoutMs(CONNECTION_TIMEOUT_MS)
                .retryPolicy(new RetryUntilElapsed(RETRY_FOR_MS, RETRY_EVERY_MS))
                // A pause of ZooKeeper shorter than the session does not end the lead: the epoch fences every commit
                // anyway.
                .connectionStateErrorPolicy(new SessionConnectionStateErrorPolicy())
                .ensembleTracker(false)
                .zkClientConfig(config)
                .aclProvider(new ACLProvider() {
                    @Override
                    public List<ACL> getDefaultAcl() {
                        return acl;
                    }

                    @Override
                    public List<ACL> getAclForPath(String path) {
                        return acl;
                    }
                });
        if (secret != null) {
            builder.authorization("digest", ("ringmaster:" + secret).getBytes(StandardCharsets.UTF_8));
        }
        client = builder.build();
    }

    /**
     * Connects and creates the missing parent znodes.
     *
     * @param connectString {@code host:port,host:port}
     * @param secret the secret that all servers of the datacenter share; null leaves the znodes open to everyone who
     *     reaches ZooKeeper
     * @throws StoreUnavailableException ZooKeeper does not answer, or refuses
     */
    public static ZooKeeperSession connect(String connectString, DatacenterName datacenter, @Nullable String secret) {
        ZooKeeperSession session = new ZooKeeperSession(connectString, datacenter, secret);
        try {
            session.client.start();
            session.createParents();
            return session;
        } catch (RuntimeException e) {
            session.close();
            throw e;
        }
    }

    /** As {@link #connect}, and protects the embedded server from every other user of this computer. */
    public static ZooKeeperSession connect(EmbeddedZooKeeper embedded, DatacenterName datacenter) {
        ZooKeeperSession session = connect(embedded.connectString(), datacenter, embedded.secret());
        session.call("protect /", zk -> zk.setACL("/", ZooDefs.Ids.CREATOR_ALL_ACL, -1));
        return session;
    }

    private void createParents() {
        create("/ringmaster", "");
        create(root, FORMAT);
        create(epochPath(), "");
        create(electionPath(), "");
        create(blobsPath(), "");
        create(poolPath(), "");
        create(recordsPath(), "");
        RecordPaths.TYPES.keySet().forEach(type -> create(recordsPath() + "/" + type, ""));
        String format = new String(call("read " + root, zk -> zk.getData(root, false, null)), StandardCharsets.UTF_8);
        if (!format.equals(FORMAT)) {
            throw new IllegalStateException("znode " + root + " holds " + format
                    + ", but this version of Ringmaster reads " + FORMAT + " only; run the version that wrote it");
        }
    }

    private void create(String path, String data) {
        try {
            call("create " + path, zk -> {
                if (zk.exists(path, false) == null) {
                    zk.create(path, data.getBytes(StandardCharsets.UTF_8), acl, CreateMode.PERSISTENT);
                }
                return path;
            });
        } catch (KeeperFailure e) {
            if (e.code() != KeeperException.Code.NODEEXISTS) {
                throw e;
            }
        }
    }

    String recordsPath() {
        return root + "/records";
    }

    String poolPath() {
        return root + "/pool";
    }

    String blobsPath() {
        return root + "/blobs";
    }

    String pendingPath() {
        return root + "/pending";
    }

    String electionPath() {
        return root + "/election";
    }

    String epochPath() {
        return root + "/epoch";
    }

    List<ACL> acl() {
        return acl;
    }

    CuratorFramework client() {
        return client;
    }

    /** An operation that fails unless the epoch is the newest. */
    Op checkEpoch(long epoch) {
        return Op.check(epochPath(), Math.toIntExact(epoch));
    }

    long newestEpoch() {
        return call("read " + epochPath(), zk -> {
            var stat = zk.exists(epochPath(), false);
            if (stat == null) {
                throw new KeeperException.NoNodeException(epochPath());
            }
            return (long) stat.getVersion();
        });
    }

    /**
     * Makes a new epoch the newest.
     *
     * @param required a znode that must exist: the candidate's own, so that a candidate whose session has ended cannot
     *     shut out its successor
     * @throws KeeperFailure with NONODE if that znode does not exist
     */
    long nextEpoch(String required) {
        return call("start an epoch", zk -> {
            var results = zk.multi(List.of(Op.check(required, -1), Op.setData(epochPath(), new byte[0], -1)));
            return (long) ((OpResult.SetDataResult) results.get(1)).getStat().getVersion();
        });
    }

    /** One transaction. */
    void multi(String doing, List<Op> ops) {
        call(doing, zk -> zk.multi(ops));
    }

    /**
     * The content of each znode, in the same order; null for a znode that does not exist. Sends all requests at once.
     */
    List<byte @Nullable []> readAll(List<String> paths) {
        return call("read " + paths.size() + " znodes", zk -> {
            List<CompletableFuture<byte @Nullable []>> answers = new ArrayList<>();
            for (String path : paths) {
                CompletableFuture<byte @Nullable []> answer = new CompletableFuture<>();
                answers.add(answer);
                zk.getData(
                        path,
                        false,
                        (code, p, context, data, stat) -> {
                            if (code == 0 || code == KeeperException.Code.NONODE.intValue()) {
                                answer.complete(code == 0 ? data : null);
                            } else {
                                answer.completeExceptionally(KeeperException.create(KeeperException.Code.get(code), p));
                            }
                        },
                        null);
            }
            List<byte @Nullable []> values = new ArrayList<>();
            for (CompletableFuture<byte @Nullable []> answer : answers) {
                values.add(keeper(answer));
            }
            return values;
        });
    }

    boolean exists(String path) {
        return call("look for " + path, zk -> zk.exists(path, false) != null);
    }

    List<String> children(String path) {
        return call("list " + path, zk -> zk.getChildren(path, false));
    }

    /** Every later read is at least as new as every commit before this call. */
    void sync() {
        call("sync", zk -> {
            CompletableFuture<String> done = new CompletableFuture<>();
            zk.sync(
                    root,
                    (code, path, context) -> {
                        if (code == 0) {
                            done.complete(path);
                        } else {
                            done.completeExceptionally(KeeperException.create(KeeperException.Code.get(code), path));
                        }
                    },
                    null);
            return keeper(done);
        });
    }

    private static <T> T keeper(CompletableFuture<T> answer) throws Exception {
        try {
            return answer.get(READ_TIMEOUT_MS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KeeperException keeper ? keeper : e;
        } catch (TimeoutException e) {
            throw KeeperException.create(KeeperException.Code.OPERATIONTIMEOUT);
        }
    }

    /** A call on the connection. */
    interface Work<T> {
        T on(ZooKeeper zk) throws Exception;
    }

    /**
     * Calls ZooKeeper; retries for 8 s while it does not answer.
     *
     * @throws KeeperFailure ZooKeeper answered with an error
     * @throws StoreUnavailableException ZooKeeper did not answer
     */
    <T> T call(String doing, Work<T> work) {
        int[] attempts = {0};
        Callable<T> attempt = () -> {
            attempts[0]++;
            return work.on(client.getZookeeperClient().getZooKeeper());
        };
        try {
            return RetryLoop.callWithRetry(client.getZookeeperClient(), attempt);
        } catch (KeeperException e) {
            switch (e.code()) {
                case CONNECTIONLOSS, SESSIONEXPIRED, SESSIONMOVED, OPERATIONTIMEOUT, SESSIONCLOSEDREQUIRESASLAUTH -> {
                    throw unavailable(doing, e);
                }
                case NOAUTH, AUTHFAILED, INVALIDACL -> {
                    throw new StoreUnavailableException(
                            doing + ": ZooKeeper at " + connectString
                                    + " does not accept this server's secret; all servers of a datacenter"
                                    + " need the same one",
                            e);
                }
                default -> throw new KeeperFailure(doing, e, attempts[0] > 1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable(doing, e);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw unavailable(doing, e);
        }
    }

    private StoreUnavailableException unavailable(String doing, Exception cause) {
        return new StoreUnavailableException(
                doing + ": ZooKeeper at " + connectString + " did not answer (" + ThrowableText.of(cause) + ")", cause);
    }

    @Override
    public void close() {
        client.close();
    }
}
