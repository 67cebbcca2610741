/**
 * Records and elections in ZooKeeper. Layout below {@code /ringmaster/<datacenter>}:
 *
 * <pre>
 *   (itself)                  {"format":1}
 *   epoch                     its data version is the newest epoch; each election writes it once
 *   election/                 one ephemeral znode per candidate, holding its URL
 *   records/&lt;type&gt;/&lt;rest&gt;     one per record; the key's other segments joined by %2F
 *   pending                   there while a commit too big for one transaction is decided but not yet spread
 *   blobs/&lt;id&gt;.&lt;part&gt;         values and commits too big for one znode
 * </pre>
 */
@NullMarked
package io.ringmaster.store.zookeeper;

import org.jspecify.annotations.NullMarked;
