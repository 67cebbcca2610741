import type { Servers } from "./servers";

/** Applies a cluster of two datacenters, with this number of nodes in dc1, and waits until it is healthy. */
export async function apply(servers: Servers, cluster: string, nodes = 2): Promise<void> {
  const spec = `cluster: ${cluster}
cassandra: 5.0.9
preset: development
datacenters:
  dc1: {nodes: ${nodes}, seeds: 1}
  dc2: {nodes: 1, seeds: 1}
node: {cpus: 1, memory: 1GiB, heap: 256MiB, disk: 4GiB}
`;
  await servers.api("PUT", `clusters/${cluster}`, spec, "application/yaml");
  await idle(servers, cluster);
}

/** Waits until a cluster is healthy and no datacenter has a plan for it that is not complete. */
export async function idle(servers: Servers, cluster: string): Promise<void> {
  await until(`${cluster} is healthy and has no open plan`, async () => {
    const status = (await servers.api("GET", `clusters/${cluster}/status`)) as { condition: string };
    const plans = (await servers.api("GET", `plans?cluster=${cluster}`)) as { items: { status: string }[] };
    return status.condition === "HEALTHY" && plans.items.every((plan) => plan.status === "COMPLETE");
  });
}

/** Restarts a cluster and answers the id of the finished plan in dc1. */
export async function restartPlan(servers: Servers, cluster: string): Promise<string> {
  const answer = (await servers.api("POST", `clusters/${cluster}/operations/restart`, "{}")) as {
    plans: { id: string }[];
  };
  const id = answer.plans[0]?.id;
  if (id === undefined) {
    throw new Error("the restart has no plan");
  }
  await until(`${id} is complete`, async () => {
    const plan = (await servers.api("GET", `plans/${id}`)) as { status: string };
    return plan.status === "COMPLETE";
  });
  return id;
}

export async function until(what: string, condition: () => Promise<boolean>, seconds = 60): Promise<void> {
  const end = Date.now() + seconds * 1000;
  while (!(await condition())) {
    if (Date.now() > end) {
      throw new Error(`not within ${seconds} s: ${what}`);
    }
    await new Promise((done) => setTimeout(done, 100));
  }
}
