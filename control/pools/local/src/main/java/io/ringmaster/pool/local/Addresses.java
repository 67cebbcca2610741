package io.ringmaster.pool.local;

/** Which address the processes of an allocation get, from {@code pool.local.addresses}. */
public enum Addresses {
    /** The one of their machine. */
    MACHINE,
    /** Another one at every launch, as on a pool that gives each container an address. */
    LAUNCH
}
