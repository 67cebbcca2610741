/** YAML by way of JSON values. */
@NullMarked
package io.ringmaster.cli.yaml;

import org.jspecify.annotations.NullMarked;
