/** The knowledge of one server at one moment: records, facts, the time and a random seed. */
@NullMarked
package io.ringmaster.core.view;

import org.jspecify.annotations.NullMarked;
