import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import type { components } from "../src/api/schema";
import { operations } from "./played/operations";
import { scenes, type Scene, type SceneName } from "./played/scenes";

type Schemas = components["schemas"];

/** The policy of the real server. */
export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types svelte-trusted-html";

const DIST = join(import.meta.dirname, "../target/dist/web");
const TYPES: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

/** Serves the built page, and answers the API from one scene. */
export async function play(name: SceneName, port = 0): Promise<{ url: string; server: Server }> {
  const scene: Scene = scenes[name];
  const server = createServer((request, response) => {
    void (request.url?.startsWith("/api/") ? answer(scene, request, response) : file(request, response));
  });
  await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

async function file(request: IncomingMessage, response: ServerResponse) {
  const { pathname } = new URL(request.url ?? "/", "http://played");
  const path = /^\/(assets\/|favicon)/.test(pathname) ? pathname : "/index.html";
  response.setHeader("Content-Security-Policy", POLICY);
  response.setHeader("Content-Type", TYPES[extname(path)] ?? "application/octet-stream");
  response.end(await readFile(join(DIST, path)));
}

function answer(scene: Scene, request: IncomingMessage, response: ServerResponse) {
  const path = new URL(request.url ?? "/", "http://played").pathname.replace("/api/v1", "");
  if (path === "/events") {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.write(": played\n\n");
    return;
  }
  const body = request.method === "GET" ? read(scene, path) : undefined;
  if (body === undefined) {
    const detail = request.method === "GET" ? `nothing exists at ${path} in this fleet` : "log in to change the fleet";
    const status = request.method === "GET" ? 404 : 401;
    const code = status === 404 ? "CLUSTER_UNKNOWN" : "UNAUTHORIZED";
    const problem: Schemas["ProblemDetails"] = {
      ...{ type: "about:blank", title: code, status, detail, instance: path, code },
      problems: [{ code, message: detail }],
    };
    response.writeHead(status, { "Content-Type": "application/problem+json" }).end(JSON.stringify(problem));
    return;
  }
  response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}

function read(scene: Scene, path: string): unknown {
  const { unanswered } = scene;
  const [noun, name, part] = path.split("/").filter((p) => p !== "");
  const plans = scene.clusters.flatMap((c) => c.plans.map((p) => ({ ...p, cluster: c.cluster })));
  switch (noun) {
    case "session":
      return {
        datacenter: "dc1",
        readsOpen: true,
        ...(scene.who === undefined ? {} : { who: scene.who }),
      } satisfies Schemas["SessionState"];
    case "datacenters":
      return { items: datacenters(scene), unanswered };
    case "operations":
      return operations;
    case "machines":
      return { items: scene.machines, unanswered };
    case "plans":
      return name === undefined ? { items: plans, unanswered } : plans.find((p) => p.id === name);
    case "clusters":
      return name === undefined
        ? { items: scene.clusters.map(summary), unanswered }
        : part === "ring"
          ? { items: [], unanswered }
          : scene.clusters.find((c) => c.cluster === name);
    case "events":
      return { items: [], since: new Date().toISOString() } satisfies Schemas["RecentEvents"];
    default:
      return undefined;
  }
}

function datacenters(scene: Scene): Schemas["DatacenterInfo"][] {
  const answering = ["dc1", "dc2"].filter((dc) => !scene.unanswered.some((u) => u.datacenter === dc));
  return answering.map((datacenter) => ({
    datacenter,
    servers: [`http://127.0.0.1:808${datacenter === "dc1" ? 0 : 1}`],
    machines: scene.machines.filter((m) => m.datacenter === datacenter).length,
    peers: [],
  }));
}

function summary(status: Schemas["ClusterStatus"]): Schemas["ClusterSummary"] {
  const worst = status.findings[0];
  return {
    cluster: status.cluster,
    condition: status.condition,
    specVersion: status.specVersion,
    cassandraVersion: status.cassandraVersion,
    datacenters: status.datacenters.map((d) => d.datacenter),
    nodes: status.nodes,
    normal: status.normal,
    plans: status.plans.filter((p) => p.endedAt === undefined).map((p) => p.id),
    errors: status.findings.filter((f) => f.severity === "ERROR").length,
    warnings: status.findings.filter((f) => f.severity === "WARNING").length,
    ...(worst === undefined ? {} : { worst }),
  };
}
