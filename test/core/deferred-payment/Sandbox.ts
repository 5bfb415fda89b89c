/**
 * A sandbox without a port for properties that ask it thousands of times, with a buyer who may order.
 */
import { Instance, type InstanceOptions } from "../../../core/sandbox/index.ts"

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire has no type yet
export type Json = any

const START = Date.UTC(2024, 2, 1, 9)

export interface Asking {
  readonly ask: (method: string, path: string, body?: unknown) => { readonly status: number; readonly body: Json }
  readonly organisation: string
  readonly user: string
}

export const asking = (options: Partial<InstanceOptions> = {}): Asking => {
  const instance = new Instance({ now: () => START, later: (_, work) => work(), ...options })
  const ask: Asking["ask"] = (method, path, body) => {
    let answered: { readonly status: number; readonly body: Json } | undefined
    instance.respond(
      {
        method,
        url: path,
        base: "http://127.0.0.1",
        authorization: "Token sandbox-key",
        body: body === undefined ? "" : JSON.stringify(body),
        local: true
      },
      (outcome) => {
        if (outcome === "cut") throw new Error("the connection was cut")
        const text = String(outcome.text)
        answered = { status: outcome.status, body: text === "" ? undefined : JSON.parse(text) }
      }
    )
    return answered!
  }
  const registered = "2024-01-05T09:30:00Z"
  const organisation = ask("POST", "/v1/organisations", { unique_id: "buyer", registered, company: "co-1000" }).body.id
  const user = ask("POST", "/v1/users", { email: "ann@example.com", name: "Ann", registered }).body.id
  return { ask, organisation, user }
}
