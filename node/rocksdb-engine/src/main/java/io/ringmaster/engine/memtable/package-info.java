/** The memtable, its factory, and the handling of its data at a switch: hand over, export or discard. */
@NullMarked
package io.ringmaster.engine.memtable;

import org.jspecify.annotations.NullMarked;
