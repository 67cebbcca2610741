/** The contracts on the embedded server and on Debian's own, and what is particular to ZooKeeper. */
@NullMarked
package io.ringmaster.store.zookeeper;

import org.jspecify.annotations.NullMarked;
