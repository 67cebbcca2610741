package io.ringmaster.pool.mesos.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringmaster.pool.mesos.api.FrameworkId;
import io.ringmaster.pool.mesos.api.MasterConnection;
import io.ringmaster.pool.mesos.config.MesosPoolSettings;
import io.ringmaster.pool.mesos.picture.Picture;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * The last picture of the master. Events only say that another one should be taken: a lost or doubled event changes
 * when something is seen, never what.
 */
public final class ClusterWatch {
    private final MasterConnection masters;
    private final MesosPoolSettings settings;
    private final FrameworkId framework;
    private final StoredClaims claims;
    private volatile Picture picture = Picture.EMPTY;
    private volatile boolean touched;
    /** Keeps an older answer from replacing a newer one. */
    private final Object refreshing = new Object();

    public ClusterWatch(
            MasterConnection masters, MesosPoolSettings settings, FrameworkId framework, StoredClaims claims) {
        this.masters = masters;
        this.settings = settings;
        this.framework = framework;
        this.claims = claims;
    }

    public Picture picture() {
        return picture;
    }

    /** Something has changed. */
    public void touch() {
        touched = true;
    }

    /** Whether something has changed since the last picture was asked for. */
    public boolean isTouched() {
        return touched;
    }

    /** Takes another picture, and stores the claims that have changed. */
    public Picture refresh() throws IOException, InterruptedException {
        Picture next;
        synchronized (refreshing) {
            touched = false;
            // tasks first: a task whose agent is lost in between is then seen with it
            JsonNode tasks = masters.ask("GET_TASKS");
            JsonNode agents = masters.ask("GET_AGENTS");
            next = Picture.of(
                    agents,
                    tasks,
                    framework.toString(),
                    settings.datacenter(),
                    settings.role(),
                    settings.rackAttribute());
            claims.store(next); // first: what is reported of an allocation must outlive this server
            picture = next;
        }
        synchronized (this) {
            notifyAll();
        }
        return next;
    }

    /** Waits until a picture shows this; somebody else takes the pictures. False if the limit is reached first. */
    boolean await(Predicate<Picture> holds, Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        synchronized (this) {
            while (!holds.test(picture)) {
                long leftMs = (end - System.nanoTime()) / 1_000_000;
                if (leftMs <= 0) {
                    return false;
                }
                wait(leftMs);
            }
        }
        return true;
    }
}
