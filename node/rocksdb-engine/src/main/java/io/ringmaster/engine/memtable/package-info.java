/** The memtable itself, and what becomes of it at a switch: handed over, exported or discarded. */
@NullMarked
package io.ringmaster.engine.memtable;

import org.jspecify.annotations.NullMarked;
