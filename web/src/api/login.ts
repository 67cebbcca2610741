import { answer, api } from "./client";
import type { components } from "./schema";
import { session } from "./session.svelte";

/** Reads who the caller is. */
export async function loadSession(): Promise<void> {
  session.loaded(await answer(api.GET("/session")));
}

/** Opens a session by the code of a link or by the token. */
export async function login(by: components["schemas"]["Login"]): Promise<void> {
  session.opened(await answer(api.POST("/session", { body: by })));
}

export async function logout(): Promise<void> {
  await answer(api.DELETE("/session"));
  session.closed();
  await loadSession();
}
