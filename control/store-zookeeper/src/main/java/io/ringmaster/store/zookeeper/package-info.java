/**
 * Records and elections in ZooKeeper. {@code docs/store-format.md} describes the format. Layout below
 * {@code /ringmaster/<datacenter>}:
 *
 * <pre>
 *   (itself)                  {"format":1}
 *   epoch                     its data version is the newest epoch; written once by each election
 *   election/                 one ephemeral znode per candidate, holding its URL
 *   pool/&lt;key&gt;                one per record of the pool, its bytes as they are
 *   records/&lt;type&gt;/&lt;rest&gt;     one per record; the other segments of the key joined by %2F
 *   pending                   exists while a large commit is decided but not completely applied
 *   blobs/&lt;id&gt;.&lt;part&gt;         values and commits that are too large for one znode
 * </pre>
 */
@NullMarked
package io.ringmaster.store.zookeeper;

import org.jspecify.annotations.NullMarked;
