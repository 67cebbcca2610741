@NullMarked
package io.ringmaster.lab.page;

import org.jspecify.annotations.NullMarked;
