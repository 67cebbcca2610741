/** Loads on Cassandra: the programs that offer them, and what they measured. */
@NullMarked
package io.ringmaster.lab.load;

import org.jspecify.annotations.NullMarked;
