/** The spec of docs/spec.md, which fits on the machines of a playground. */
export const EXAMPLE = `cluster: rides
cassandra: 5.0.9
preset: development
datacenters:
  dc1: {nodes: 3, seeds: 2}
  dc2: {nodes: 3, seeds: 2}
node: {cpus: 1, memory: 1GiB, heap: 256MiB, disk: 4GiB}
jvm: {collector: serial, options: []}
cassandra_yaml: {}
placement: {nodes_per_machine: 1}`;
