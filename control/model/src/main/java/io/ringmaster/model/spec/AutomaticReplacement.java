package io.ringmaster.model.spec;

/**
 * That a node is replaced without being asked once its machine is lost.
 *
 * @param afterMinutes how long the machine must have been lost without a break
 */
public record AutomaticReplacement(long afterMinutes) {}
