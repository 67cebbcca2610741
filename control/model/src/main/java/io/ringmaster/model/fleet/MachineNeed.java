package io.ringmaster.model.fleet;

/**
 * The machines that nodes lie on, and how much of them the nodes claim, each from 0 to 1.
 *
 * @param machines that hold a node or more
 */
public record MachineNeed(int machines, double cpuUsed, double memoryUsed, double diskUsed) {}
