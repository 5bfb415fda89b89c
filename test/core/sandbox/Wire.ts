/**
 * How the sandbox's tests speak to it: plain `fetch` against a port of this machine, JSON in and out, and nothing of
 * our own client, so that a mistake made on both sides cannot hide.
 */
import { afterAll, beforeAll } from "vitest"
import { type Sandbox, type SandboxOptions, startSandbox } from "../../../core/sandbox/index.ts"

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire has no type yet
export type Json = any

export interface Answered {
  readonly status: number
  readonly headers: Headers
  /** The body as JSON; undefined when there was none. */
  readonly body: Json
}

export interface Wire {
  url: string
  readonly get: (path: string) => Promise<Answered>
  readonly post: (path: string, body?: unknown) => Promise<Answered>
  readonly put: (path: string, body?: unknown) => Promise<Answered>
  readonly patch: (path: string, body?: unknown) => Promise<Answered>
  readonly remove: (path: string) => Promise<Answered>
}

export const KEY = "sandbox-key"

/** One request. A body that is text goes as it is; anything else goes as JSON. Throws when the connection is cut. */
export const call = async (
  url: string,
  method: string,
  body?: unknown,
  authorization: string | null = `Token ${KEY}`
): Promise<Answered> => {
  const answer = await fetch(url, {
    method,
    headers: { "content-type": "application/json", ...(authorization === null ? {} : { authorization }) },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(8000)
  })
  const text = await answer.text()
  return {
    status: answer.status,
    headers: answer.headers,
    body: text === "" || !isJson(answer) ? undefined : JSON.parse(text)
  }
}

const isJson = ({ headers }: Response): boolean => headers.get("content-type")?.startsWith("application/json") ?? false

/** The methods against `base()`, with one key. */
export const wire = (base: () => string, key: string = KEY): Wire => {
  const send = (method: string) => (path: string, body?: unknown) => call(base() + path, method, body, `Token ${key}`)
  return {
    get url() {
      return base()
    },
    get: send("GET"),
    post: send("POST"),
    put: send("PUT"),
    patch: send("PATCH"),
    remove: send("DELETE")
  }
}

/** A sandbox for the tests of one file, closed after them. */
export const sandbox = (options: SandboxOptions = {}): Wire => {
  let started: Sandbox & { readonly close: () => Promise<void> }
  beforeAll(async () => {
    started = await startSandbox({ port: 0, ...options })
  })
  afterAll(() => started.close())
  return wire(() => started.url, options.keys?.[0])
}

let count = 0
/** A name that no other test of this file uses. */
export const fresh = (what: string): string => `${what}-${++count}`

export const organisation = async (api: Wire): Promise<string> =>
  (await api.post("/v1/organisations", { unique_id: fresh("organisation"), registered: "2024-01-05T09:30:00Z" })).body
    .id

export const user = async (api: Wire): Promise<string> =>
  (
    await api.post("/v1/users", {
      email: `${fresh("someone")}@example.com`,
      name: "Some One",
      registered: "2024-01-05T09:30:00Z"
    })
  ).body.id

/** Companies of the built-in directory, by what is decided about them. */
export const companies = async (api: Wire) => {
  const all: ReadonlyArray<Json> = (await api.get("/sandbox/companies")).body
  const good = all.filter(({ decision }) => decision === null)
  return { all, good, seller: good[0], buyer: good[1], other: good[2] }
}

/** A transaction with everything that a quote needs (II 2.5). */
export const invoice = async (api: Wire, more: Readonly<Record<string, unknown>> = {}): Promise<Json> => {
  const { buyer, seller } = await companies(api)
  const answer = await api.post("/v1/transactions", {
    owner: more["owner"] ?? (await organisation(api)),
    creditor: seller.id,
    debtor: buyer.id,
    net_amount: "1000.00",
    gross_amount: "1200.00",
    currency: "GBP",
    issue_date: "2024-03-01",
    due_date: "2024-03-31",
    ...more
  })
  if (answer.status !== 201) throw new Error(`the invoice was refused: ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** An insured transaction: quoted, accepted and paid (II 1). */
export const insured = async (api: Wire, more: Readonly<Record<string, unknown>> = {}) => {
  const transaction = await invoice(api, more)
  const quote = (await api.post("/v1/quotes", { transaction: transaction.id })).body
  const policy = (await api.post("/v1/policies", { quote: quote.id, stripe_id: "tok_visa" })).body
  if (policy.id === undefined) throw new Error(`not insured: ${JSON.stringify({ quote, policy })}`)
  return { transaction, quote, policy }
}
