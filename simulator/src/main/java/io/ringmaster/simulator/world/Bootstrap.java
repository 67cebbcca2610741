package io.ringmaster.simulator.world;

import io.ringmaster.simulator.ledger.Share;
import java.util.Set;
import java.util.TreeSet;

/**
 * The streams of a node that joins. Its rows arrive at the end, or piece by piece where the world moves them so. Then a
 * source that is down breaks the bootstrap. The next one continues with the pieces that the node has not received.
 */
final class Bootstrap {
    private final World world;
    private final SimNode node;

    /** On the volume. */
    private final Set<Integer> received = new TreeSet<>();

    /** What happens at the end. */
    interface End {
        void joined();

        void failed();
    }

    Bootstrap(World world, SimNode node) {
        this.world = world;
        this.node = node;
    }

    void start(long millis, End end) {
        new RowWork(world, node.daemon(), this::receive, complete -> end(complete, end))
                .start(millis, world.brokenWork().join());
    }

    private boolean receive(Share share) {
        if (!world.movesRowsInPieces()) {
            world.ledgers().bootstraps(node, share);
            return true;
        }
        return received.contains(share.first())
                || (world.ledgers().receives(node, share) && received.add(share.first()));
    }

    private void end(boolean complete, End end) {
        if (complete) {
            end.joined();
        } else {
            end.failed();
        }
    }
}
