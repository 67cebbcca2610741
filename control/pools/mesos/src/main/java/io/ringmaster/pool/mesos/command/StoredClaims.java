package io.ringmaster.pool.mesos.command;

import io.ringmaster.json.Json;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.pool.mesos.picture.Claim;
import io.ringmaster.pool.mesos.picture.Picture;
import io.ringmaster.ports.PoolRecords;
import io.ringmaster.ports.StaleEpochException;
import io.ringmaster.ports.StoreUnavailableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The claims, in the store. An agent that the master does not list keeps its claims, and only they say so to a server
 * that has just started. A claim is dropped when the master lists its agent without it.
 *
 * <p>A record of a pool is small, so that the claims are spread over several; one is written when a claim in it has
 * changed. Not safe for concurrent use, but for {@link #all}.
 */
public final class StoredClaims {
    private static final Logger LOG = LoggerFactory.getLogger(StoredClaims.class);
    private static final String RECORD = "mesos.claims.";
    /** Each holds more than a hundred claims. */
    private static final int SHARDS = 32;

    private record Shard(List<Claim> claims) {
        Shard {
            claims = List.copyOf(claims);
        }
    }

    private final PoolRecords records;
    private final List<Shard> stored = new ArrayList<>();
    private volatile Map<AllocationId, Claim> claims = Map.of();

    /** @throws IOException the store does not answer, or a record holds something else */
    public StoredClaims(PoolRecords records) throws IOException {
        this.records = records;
        Map<AllocationId, Claim> read = new TreeMap<>();
        for (int i = 0; i < SHARDS; i++) {
            Shard shard = read(RECORD + i);
            stored.add(shard);
            shard.claims().forEach(claim -> read.put(claim.allocation().id(), claim));
        }
        claims = read;
    }

    private Shard read(String key) throws IOException {
        try {
            return records.get(key).map(json -> Json.parse(json, Shard.class)).orElseGet(() -> new Shard(List.of()));
        } catch (UncheckedIOException e) {
            throw new IOException("the record " + key + " of the store holds no claims; remove this record", e);
        } catch (StoreUnavailableException e) {
            throw new IOException(ThrowableText.of(e), e);
        }
    }

    /** What is claimed, also on agents that the master does not list. */
    public Collection<Claim> all() {
        return claims.values();
    }

    /** Stores what the picture has changed. */
    void store(Picture picture) throws IOException {
        Map<AllocationId, Claim> next = new TreeMap<>(picture.claims());
        claims.forEach((id, claim) -> {
            if (picture.agent(claim.allocation().machine()).isEmpty()) {
                next.putIfAbsent(id, claim);
            }
        });
        if (next.equals(claims)) {
            return;
        }
        for (int i = 0; i < SHARDS; i++) {
            int number = i;
            Shard shard = new Shard(next.values().stream()
                    .filter(claim -> number(claim.allocation().id()) == number)
                    .toList());
            if (!shard.equals(stored.get(i))) {
                write(RECORD + i, shard);
                stored.set(i, shard);
            }
        }
        claims = next;
    }

    private static int number(AllocationId id) {
        return Math.floorMod(id.value().hashCode(), SHARDS);
    }

    private void write(String key, Shard shard) throws IOException {
        byte[] json = Json.bytes(shard);
        if (json.length > PoolRecords.MAX_BYTES) {
            LOG.error("{} does not fit: what is claimed now on agents is not known after a restart", key);
            return;
        }
        try {
            records.put(key, json);
        } catch (StaleEpochException | StoreUnavailableException e) {
            throw new IOException(ThrowableText.of(e), e);
        }
    }
}
