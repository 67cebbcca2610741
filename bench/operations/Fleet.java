import io.ringmaster.lab.ring.StockNode;
import java.util.ArrayList;
import java.util.List;

/**
 * The addresses of six nodes: two datacenters of three nodes, each node on its own loopback address with CQL on port
 * 9042.
 *
 * @param network second byte of the addresses
 */
record Fleet(int network) {
    static final int DATACENTERS = 2;
    static final int NODES_PER_DATACENTER = 3;

    record Place(int datacenter, int index, String address) {
        String name() {
            return "dc" + datacenter + "/node-" + index;
        }

        StockNode.Place stock(List<String> seeds) {
            String rack = "r" + (index % NODES_PER_DATACENTER + 1);
            return new StockNode.Place(address, "dc" + datacenter, rack, seeds);
        }
    }

    List<Place> places() {
        List<Place> places = new ArrayList<>();
        for (int datacenter = 1; datacenter <= DATACENTERS; datacenter++) {
            for (int index = 0; index < NODES_PER_DATACENTER; index++) {
                places.add(new Place(datacenter, index, "127." + network + "." + datacenter + "." + (index + 1)));
            }
        }
        return places;
    }

    /** Returns the address of the first node of each datacenter. */
    List<String> seeds() {
        return places().stream().filter(p -> p.index() == 0).map(Place::address).toList();
    }
}
