/** Making class data archives, which halve what a start costs: from one throwaway node, run by a real executor. */
@NullMarked
package io.ringmaster.executor.archive;

import org.jspecify.annotations.NullMarked;
