package io.ringmaster.store.zookeeper;

import io.ringmaster.ports.PoolRecords;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;

/**
 * The records of a pool: one znode each, which holds the bytes as they are. A write is one transaction that also checks
 * the epoch.
 */
final class ZooKeeperPoolRecords implements PoolRecords {
    private static final byte[] NO_VALUE = {};

    private final ZooKeeperSession session;
    private final long epoch;

    ZooKeeperPoolRecords(ZooKeeperSession session, long epoch) {
        this.session = session;
        this.epoch = epoch;
    }

    @Override
    public Optional<byte[]> get(String key) {
        PoolRecords.check(key, NO_VALUE);
        session.sync();
        return Optional.ofNullable(session.readAll(List.of(path(key))).get(0));
    }

    @Override
    public void put(String key, byte[] value) {
        PoolRecords.check(key, value);
        String path = path(key);
        write(
                "put " + path,
                () -> List.of(
                        session.checkEpoch(epoch),
                        session.exists(path)
                                ? Op.setData(path, value, -1)
                                : Op.create(path, value, session.acl(), CreateMode.PERSISTENT)));
    }

    @Override
    public void remove(String key) {
        PoolRecords.check(key, NO_VALUE);
        String path = path(key);
        write(
                "remove " + path,
                () -> session.exists(path)
                        ? List.of(session.checkEpoch(epoch), Op.delete(path, -1))
                        : List.of(session.checkEpoch(epoch)));
    }

    private void write(String doing, Supplier<List<Op>> transaction) {
        FencedWrite.run(session, doing, epoch, () -> {
            // a read without it may miss the last write of the former leader
            session.sync();
            session.multi(doing, transaction.get());
        });
    }

    private String path(String key) {
        return session.poolPath() + "/" + key;
    }
}
