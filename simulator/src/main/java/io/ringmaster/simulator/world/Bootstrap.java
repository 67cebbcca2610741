package io.ringmaster.simulator.world;

import io.ringmaster.simulator.ledger.Share;
import io.ringmaster.simulator.mutation.Mutation;

/**
 * The streams of a node that joins. Its rows arrive at the end, or piece by piece where the world moves them so. Then a
 * source that is down breaks the bootstrap, and the next one starts from the beginning.
 */
final class Bootstrap {
    private final World world;
    private final SimNode node;

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
        return world.ledgers().receives(node, share);
    }

    private void end(boolean complete, End end) {
        if (complete || world.planted() == Mutation.BROKEN_BOOTSTRAP_SERVES) {
            end.joined();
        } else {
            end.failed();
        }
    }
}
