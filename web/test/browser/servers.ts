import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { fileURLToPath } from "node:url";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
const SERVER = resolve(ROOT, "control/server");
const MAIN = "io.ringmaster.server.page.PageServers";

interface Start {
  servers: { dc1: string; dc2: string };
  token: string;
}

/** To a line such as `stop dc2`. */
interface Answer {
  ok: boolean;
  error?: string;
  url?: string;
}

/** Two datacenters with real servers and a real ZooKeeper; their machines and nodes are played. */
export class Servers {
  private constructor(
    private readonly process: ChildProcess,
    private readonly answers: AsyncIterator<string>,
    readonly dc1: string,
    readonly dc2: string,
    readonly token: string,
  ) {}

  static async start(): Promise<Servers> {
    const java = process.env.JAVA_HOME === undefined ? "java" : `${process.env.JAVA_HOME}/bin/java`;
    const libraries = readFileSync(`${SERVER}/target/test.classpath`, "utf8").trim();
    const path = `${SERVER}/target/test-classes:${SERVER}/target/classes:${libraries}`;
    const child = spawn(java, ["-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", path, MAIN], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    if (child.stdout === null) {
      throw new Error("no output of " + MAIN);
    }
    const lines: Interface = createInterface({ input: child.stdout });
    const answers = lines[Symbol.asyncIterator]();
    const start = JSON.parse(await Servers.json(answers)) as Start;
    return new Servers(child, answers, start.servers.dc1, start.servers.dc2, start.token);
  }

  /** The next line of JSON; what libraries print is passed over. */
  private static async json(answers: AsyncIterator<string>): Promise<string> {
    for (;;) {
      const next = await answers.next();
      if (next.done === true) {
        throw new Error(MAIN + " has ended");
      }
      if (next.value.startsWith("{")) {
        return next.value;
      }
    }
  }

  /** Sends a line such as `stop dc2` and waits for its answer. */
  async tell(line: string): Promise<Answer> {
    this.process.stdin?.write(line + "\n");
    const answer = JSON.parse(await Servers.json(this.answers)) as Answer;
    if (!answer.ok) {
      throw new Error(`${line}: ${answer.error ?? "no reason"}`);
    }
    return answer;
  }

  /** A request as the command line makes it. */
  async api(method: string, path: string, body?: string, type = "application/json"): Promise<unknown> {
    const answer = await fetch(`${this.dc1}/api/v1/${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.token}`, "Content-Type": type, "Ringmaster-User": "grace" },
      ...(body === undefined ? {} : { body }),
    });
    const text = await answer.text();
    if (!answer.ok) {
      throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    }
    return text === "" ? {} : (JSON.parse(text) as unknown);
  }

  /** A link as `ringmaster web` prints it. */
  async link(to: string): Promise<string> {
    const { code } = (await this.api("POST", "login-codes")) as { code: string };
    return `${this.dc1}/login?to=${encodeURIComponent(to)}#${code}`;
  }

  async stop(): Promise<void> {
    const ended = new Promise((done) => this.process.once("exit", done));
    this.process.stdin?.end();
    await ended;
  }
}
