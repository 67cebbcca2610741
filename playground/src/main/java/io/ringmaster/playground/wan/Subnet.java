package io.ringmaster.playground.wan;

/**
 * Addresses of one datacenter: {@code 10.<network>.<number>.0/24}.
 *
 * @param network 0 to 255, the same for all datacenters of a playground
 * @param number number of the datacenter, from 1
 */
public record Subnet(int network, int number) {
    private static final int SERVER = 254;

    public Subnet {
        if (network < 0 || network > 255 || number < 1 || number > 255) {
            throw new IllegalArgumentException("10." + network + "." + number + ".0/24 is no network");
        }
    }

    /** @throws IllegalArgumentException the text is not such as {@code 10.77.1.0/24} */
    static Subnet parse(String text) {
        String[] parts = text.split("\\.", -1);
        if (parts.length != 4 || !parts[0].equals("10") || !parts[3].equals("0/24")) {
            throw new IllegalArgumentException("'" + text + "' is not a network such as 10.77.1.0/24");
        }
        return new Subnet(Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
    }

    /** Address of machine 1 to 253. */
    public String machine(int machine) {
        if (machine < 1 || machine >= SERVER) {
            throw new IllegalArgumentException("machine " + machine + " has no address in " + this);
        }
        return "10." + network + "." + number + "." + machine;
    }

    /** Address of the datacenter itself: of its server, and of everything without its own address. */
    public String server() {
        return "10." + network + "." + number + "." + SERVER;
    }

    /** Whether the IPv4 address at {@code offset} belongs to this subnet. */
    boolean holds(byte[] packet, int offset) {
        return packet[offset] == 10 && (packet[offset + 1] & 0xff) == network && (packet[offset + 2] & 0xff) == number;
    }

    @Override
    public String toString() {
        return "10." + network + "." + number + ".0/24";
    }
}
