/** The contract tests on the embedded server and on Debian's ZooKeeper, and tests that are specific to ZooKeeper. */
@NullMarked
package io.ringmaster.store.zookeeper;

import org.jspecify.annotations.NullMarked;
