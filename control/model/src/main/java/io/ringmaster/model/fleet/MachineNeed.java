package io.ringmaster.model.fleet;

/**
 * A number of machines and the share of their CPU, memory and disk that nodes reserve, each from 0 to 1.
 *
 * @param machines the machines with at least one node
 */
public record MachineNeed(int machines, double cpuUsed, double memoryUsed, double diskUsed) {}
