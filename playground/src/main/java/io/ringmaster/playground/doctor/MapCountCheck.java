package io.ringmaster.playground.doctor;

/** Cassandra maps its files into memory; it wants 1,048,575 maps in production and warns below. */
final class MapCountCheck implements Check {
    private static final long ENOUGH_FOR_SMALL_DATA = 65_530;
    private static final long PRODUCTION = 1_048_575;

    @Override
    public Result look(Host host, Demand demand) {
        long count = host.maxMapCount().orElse(0L);
        if (count >= PRODUCTION) {
            return Result.ok("maps", "vm.max_map_count is " + count);
        }
        return count >= ENOUGH_FOR_SMALL_DATA
                ? Result.ok(
                        "maps",
                        "vm.max_map_count is " + count + ", enough for small data; production wants " + PRODUCTION)
                : Result.warn("maps", "vm.max_map_count is " + count, "sysctl -w vm.max_map_count=" + PRODUCTION);
    }
}
