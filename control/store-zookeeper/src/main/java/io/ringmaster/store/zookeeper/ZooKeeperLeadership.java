package io.ringmaster.store.zookeeper;

import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.ports.Leadership;
import io.ringmaster.ports.StoreUnavailableException;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;
import org.apache.zookeeper.KeeperException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Election by Curator's leader latch. The chosen candidate starts a new epoch in a transaction that fails if its latch
 * znode no longer exists. From then on every commit of a former leader is refused.
 */
public final class ZooKeeperLeadership implements Leadership {
    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperLeadership.class);
    private static final long RETRY_EVERY_MS = 200;

    private final ZooKeeperSession session;
    private final String url;
    private final LeaderLatch latch;
    private final ExecutorService elections = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "election");
        thread.setDaemon(true);
        return thread;
    });
    private @Nullable Listener listener;
    private boolean leading;

    /** @param url this server's base URL, announced to the other candidates while it leads */
    public ZooKeeperLeadership(ZooKeeperSession session, String url) {
        this.session = session;
        this.url = url;
        latch = new LeaderLatch(session.client(), session.electionPath(), url);
    }

    @Override
    public synchronized void start(Listener l) {
        listener = l;
        latch.addListener(new LeaderLatchListener() {
            @Override
            public void isLeader() {
                elections.execute(ZooKeeperLeadership.this::startEpoch);
            }

            @Override
            public void notLeader() {
                lose();
            }
        });
        try {
            latch.start();
        } catch (Exception e) {
            throw new StoreUnavailableException("join the election at " + session.electionPath(), e);
        }
    }

    private void startEpoch() {
        while (latch.hasLeadership()) {
            try {
                long epoch = session.nextEpoch(latch.getOurPath());
                win(epoch);
                return;
            } catch (KeeperFailure e) {
                if (e.code() == KeeperException.Code.NONODE) {
                    LOG.warn("elected, but the session ended before the epoch started");
                    return;
                }
                LOG.warn(
                        "elected, but the epoch cannot start, next attempt in {} ms: {}",
                        RETRY_EVERY_MS,
                        ThrowableText.of(e));
            } catch (StoreUnavailableException e) {
                LOG.warn(
                        "elected, but the epoch cannot start, next attempt in {} ms: {}",
                        RETRY_EVERY_MS,
                        ThrowableText.of(e));
            }
            if (!pause()) {
                return;
            }
        }
    }

    private static boolean pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(RETRY_EVERY_MS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private synchronized void win(long epoch) {
        if (latch.hasLeadership() && !leading && listener != null) {
            leading = true;
            LOG.info("leads with epoch {}", epoch);
            listener.onElected(epoch);
        }
    }

    private synchronized void lose() {
        if (leading && listener != null) {
            leading = false;
            LOG.info("no longer leads");
            listener.onLost();
        }
    }

    private synchronized boolean leads() {
        return leading;
    }

    @Override
    public Optional<String> leaderUrl() {
        if (leads()) {
            return Optional.of(url);
        }
        try {
            return Optional.of(latch.getLeader().getId()).filter(id -> !id.isBlank());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (Exception e) {
            LOG.debug("the leader is not known", e);
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        elections.shutdownNow();
        try {
            if (latch.getState() == LeaderLatch.State.STARTED) {
                latch.close();
            }
        } catch (IOException e) {
            LOG.warn("the election could not be left: {}", ThrowableText.of(e));
        }
        lose();
    }
}
