/** Creates the class data archives that halve the start time, by running a throwaway node with a real executor. */
@NullMarked
package io.ringmaster.executor.archive;

import org.jspecify.annotations.NullMarked;
