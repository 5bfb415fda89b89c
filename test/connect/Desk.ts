/**
 * A platform whose customers connect their books by links: its daemon with a source that authorises in the browser, the
 * source itself, and the page that people come back to.
 */
import { createHash } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { atEnd } from "../support/AtEnd.ts"
import { configuration, desk, NOWHERE } from "../support/Cli.ts"
import { freePort, type Running, startDaemon } from "../support/Daemon.ts"

const MAIN = join(import.meta.dirname, "../../cli/main.ts")

/** From its source, so that a connector of a folder finds the library without a build of it. */
const PROGRAM = ["--input-type=module", "-e", `const { main } = await import(${JSON.stringify(MAIN)}); await main("0")`]

export const TOKEN = "platform-0123456789abcdef"

export const ENVIRONMENT = {
  PLATFORM_TOKEN: TOKEN,
  READER_TOKEN: "reader-0123456789abcdef",
  PAGE_PASSWORD: "correct horse battery",
  DAYBOOK_SEAL: "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
  LEDGER_ID: "app-1",
  LEDGER_SECRET: "app-secret-1"
}

/** A source over HTTP with a page on which a person agrees. */
const ledger = (url: string): string => `import { Json, Rest } from "daybook/connectors"
import { Schema } from "effect"

const decode = () => (fields) => ({
  documents: [{
    kind: "invoice", id: fields.text("id"), number: fields.text("id"), status: "open", currency: "GBP",
    party: { name: fields.text("buyer") }, issued: fields.day("issued"), due: fields.day("due"), gross: fields.major("gross", "GBP")
  }]
})

export const connector = Rest.make({
  name: "ledger",
  title: "Ledger & Sons: invoices",
  settings: Schema.Struct({ client_id: Rest.secret("ID"), client_secret: Rest.secret("SECRET") }),
  kinds: ["invoice"],
  deletions: "not at all",
  blindSpots: [],
  limits: { perMinute: 60_000 },
  base: () => "${url}",
  authorise: {
    by: "oauth2", page: "${url}/authorize", tokens: "${url}/token", scopes: ["read"],
    client: ({ client_id, client_secret }) => ({ id: client_id.env, secret: client_secret.env })
  },
  overlapSeconds: 0,
  lists: [{
    name: "invoices", kind: "invoice", path: "/invoices", size: { most: 100 }, pagination: { by: "none" },
    changes: { since: "since", inclusive: true }, decode
  }]
})
`

const INVOICES = [
  { id: "L-1", buyer: "Harbour Lane Bakery Ltd", issued: "2026-03-01", due: "2026-03-31", gross: "120.00" },
  { id: "L-2", buyer: "Tern & <b>Sons</b>", issued: "2026-03-02", due: "2026-04-01", gross: "300.60" }
]

const bodyOf = async (request: IncomingMessage): Promise<URLSearchParams> => {
  let text = ""
  for await (const chunk of request) text += chunk
  return new URLSearchParams(text)
}

/** The source and the platform's page, on one server; what they were asked. */
const elsewhere = async () => {
  /** By code: what its exchange must prove. */
  const challenges = new Map<string, string>()
  const back: Array<URL> = []
  const referrers: Array<string> = []
  let codes = 0
  const app = `Basic ${Buffer.from(`${ENVIRONMENT.LEDGER_ID}:${ENVIRONMENT.LEDGER_SECRET}`).toString("base64")}`
  const tokens = async (request: IncomingMessage) => {
    const form = await bodyOf(request)
    const proof = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url")
    const code = form.get("code") ?? ""
    const isGood =
      request.headers.authorization === app &&
      (form.get("grant_type") === "refresh_token" || (proof === challenges.get(code) && challenges.delete(code)))
    return isGood
      ? { access_token: "access-1", refresh_token: `refresh-${code}`, expires_in: 1800 }
      : { error: "invalid_grant" }
  }
  const page = (asked: URLSearchParams): string => {
    const code = `code-${++codes}`
    challenges.set(code, asked.get("code_challenge") ?? "")
    const to = (more: Readonly<Record<string, string>>) => {
      const url = new URL(asked.get("redirect_uri")!)
      for (const [name, value] of Object.entries({ ...more, state: asked.get("state")! }))
        url.searchParams.set(name, value)
      return url.href.replaceAll("&", "&amp;")
    }
    return `<a id="agree" href="${to({ code })}">Agree</a> <a id="refuse" href="${to({ error: "access_denied" })}">Refuse</a>`
  }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url!, "http://localhost")
    if (request.headers.referer !== undefined) referrers.push(request.headers.referer)
    const say = (type: string, text: string, status = 200) =>
      response.writeHead(status, { "content-type": type, "referrer-policy": "no-referrer" }).end(text)
    if (url.pathname === "/authorize") return say("text/html", page(url.searchParams))
    if (url.pathname === "/books") {
      back.push(url)
      return say("text/html", "<h1>Back at the platform</h1>")
    }
    if (url.pathname === "/token") {
      const found = await tokens(request)
      return say("application/json", JSON.stringify(found), "error" in found ? 400 : 200)
    }
    if (url.pathname === "/invoices" && request.headers.authorization === "Bearer access-1")
      return say("application/json", JSON.stringify(INVOICES))
    return say("text/plain", "no", url.pathname === "/invoices" ? 401 : 404)
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, back, referrers }
}

export interface Asked {
  readonly tenant: string
  readonly connectors?: ReadonlyArray<string>
  readonly expires?: string
  readonly return_url?: string
  readonly state?: string
}

export interface Platform {
  readonly here: ReturnType<typeof desk>
  readonly daemon: Running
  readonly there: Awaited<ReturnType<typeof elsewhere>>
  readonly ask: (
    body: object,
    token?: string
  ) => Promise<{ readonly status: number; readonly answer: Readonly<Record<string, unknown>> }>
  /** The address of a new link. */
  readonly link: (asked: Asked) => Promise<string>
}

export const platform = async (): Promise<Platform> => {
  const there = await elsewhere()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const connect = {
    url,
    name: "Acme Pay",
    colour: "#ffd500",
    logo: "logo.svg",
    return_urls: [`${there.url}/books`, `${there.url}/books?from=mail`],
    sources: [
      { connector: "files" },
      { connector: "./ledger", client_id: { env: "LEDGER_ID" }, client_secret: { env: "LEDGER_SECRET" } },
      { connector: "woocommerce" }
    ]
  }
  const { service } = configuration(NOWHERE)
  const tokens = [
    { name: "platform", token: { env: "PLATFORM_TOKEN" }, scopes: ["connect"] },
    { name: "reader", token: { env: "READER_TOKEN" }, scopes: ["read"] }
  ]
  const page = { password: { env: "PAGE_PASSWORD" } }
  const here = desk({
    "daybook.config.json": JSON.stringify({ service, connections: [], daemon: { connect, page, api: { tokens } } }),
    "logo.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><circle cx="5" cy="5" r="5"/></svg>',
    "ledger/Connector.ts": ledger(there.url)
  })
  const daemon = await startDaemon(here.folder, { env: ENVIRONMENT, port, program: [...PROGRAM, "--", "daybook"] })
  const ask: Platform["ask"] = async (body, token = TOKEN) => {
    const response = await fetch(`${url}/api/v1/connect-links`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body)
    })
    return { status: response.status, answer: (await response.json()) as Readonly<Record<string, unknown>> }
  }
  const link = async (asked: Asked) => {
    const { answer, status } = await ask(asked)
    if (status !== 201) throw new Error(JSON.stringify(answer))
    return String(answer["url"])
  }
  return { here, daemon, there, ask, link }
}

/** A browser in which a link was opened. */
export const visitor = async (one: Platform, tenant: string) => {
  const link = await one.link({ tenant })
  const opened = await fetch(`${link}/open`, { method: "POST", redirect: "manual" })
  const cookie = (opened.headers.get("set-cookie") ?? "").split(";")[0]!
  const url = new URL("/connect", link).href
  const page = async () => (await fetch(url, { headers: { cookie } })).text()
  const form = /name="form" value="([^"]+)"/.exec(await page())![1]!
  const post = async (action: string, fields: Readonly<Record<string, string>>, file?: string | File) => {
    const body = file === undefined ? new URLSearchParams({ form, ...fields }) : new FormData()
    if (body instanceof FormData) {
      body.set("form", form)
      body.set("file", typeof file === "string" ? new File([file], "books.csv") : file!)
    }
    return (await fetch(`${url}/${action}`, { method: "POST", headers: { cookie }, body, redirect: "manual" })).status
  }
  return { page, post }
}
