import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import type { components } from "../src/api/schema";
import { operationAnswer, read } from "./played/answers";
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

/** The code and the token that log in. */
export const RIGHT = "right";

/** Serves the built page, answers the API from one scene, and lets a test send events. */
export class Played {
  /** The changes that were carried out. */
  readonly changes: string[] = [];
  readonly lastEventIds: (string | undefined)[] = [];
  away = false;
  private who: string | undefined;
  private readonly streams = new Set<ServerResponse>();
  private readonly server = createServer((request, response) => {
    void (request.url?.startsWith("/api/") ? this.answer(request, response) : file(request, response));
  });

  private constructor(readonly scene: Scene) {
    this.who = scene.who;
  }

  static async start(name: SceneName): Promise<Played> {
    const played = new Played(structuredClone(scenes[name]));
    await new Promise<void>((listening) => played.server.listen(0, "127.0.0.1", listening));
    return played;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  event(event: Schemas["Event"]): void {
    this.streams.forEach((s) => s.write(`id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`));
  }

  /** Ends the streams, as a server does that stops. */
  cut(): void {
    this.streams.forEach((s) => s.end());
    this.streams.clear();
  }

  /** Forgets the sessions, as after another token. */
  forget(): void {
    this.who = undefined;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async answer(request: IncomingMessage, response: ServerResponse) {
    const path = new URL(request.url ?? "/", "http://played").pathname.replace("/api/v1", "");
    if (this.away) {
      response.writeHead(503).end();
    } else if (path === "/events") {
      this.lastEventIds.push(request.headers["last-event-id"]?.toString());
      response.writeHead(200, { "Content-Type": "text/event-stream" }).write(": played\n\n");
      this.streams.add(response);
    } else if (path === "/session") {
      await this.session(request, response);
    } else if (request.method === "GET") {
      const body = read(this.scene, path);
      json(response, body === undefined ? problem(404, "CLUSTER_UNKNOWN", `nothing exists at ${path}`) : body);
    } else if (this.who === undefined) {
      json(response, problem(401, "UNAUTHORIZED", "log in to change the fleet"));
    } else {
      this.changes.push(`${request.method} ${decodeURIComponent(request.url ?? "")} by ${this.who}`);
      json(response, path.includes("/operations/") ? operationAnswer(this.scene, path) : this.scene.machines[0]);
    }
  }

  private async session(request: IncomingMessage, response: ServerResponse) {
    if (request.method === "POST") {
      const asked = (await body(request)) as Schemas["Login"];
      if (asked.code !== RIGHT && asked.token !== RIGHT) {
        return json(response, problem(401, "UNAUTHORIZED", "the code was used, or has expired"));
      }
      this.who = asked.who ?? "anna";
      const session: Schemas["Session"] = { key: "half", who: this.who, expiresAt: new Date().toISOString() };
      return json(response, session);
    }
    if (request.method === "DELETE") {
      this.who = undefined;
      return response.writeHead(204).end();
    }
    const state: Schemas["SessionState"] = { datacenter: "dc1", readsOpen: true };
    return json(response, this.who === undefined ? state : { ...state, who: this.who });
  }
}

async function file(request: IncomingMessage, response: ServerResponse) {
  const { pathname } = new URL(request.url ?? "/", "http://played");
  const path = /^\/(assets\/|favicon)/.test(pathname) ? pathname : "/index.html";
  response.setHeader("Content-Security-Policy", POLICY);
  response.setHeader("Content-Type", TYPES[extname(path)] ?? "application/octet-stream");
  response.end(await readFile(join(DIST, path)));
}

async function body(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
  }
  return JSON.parse(Buffer.concat(chunks).toString());
}

function problem(status: number, code: Schemas["ErrorCode"], detail: string): Schemas["ProblemDetails"] {
  const about = { type: "about:blank", title: code, instance: "/" };
  return { ...about, status, detail, code, problems: [{ code, message: detail }] };
}

function isProblem(of: unknown): of is Schemas["ProblemDetails"] {
  return typeof of === "object" && of !== null && "problems" in of && "instance" in of;
}

function json(response: ServerResponse, of: unknown): void {
  const status = isProblem(of) ? of.status : 200;
  const type = status === 200 ? "application/json" : "application/problem+json";
  response.writeHead(status, { "Content-Type": type }).end(JSON.stringify(of));
}
