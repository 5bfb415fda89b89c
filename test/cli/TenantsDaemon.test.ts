/**
 * The daemon over many tenants, as a browser and a program meet it: the list of all, each tenant's own page and HTTP
 * interface below its address, whose tokens are good where, and figures whose number does not grow with the tenants'.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { createHmac } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startSandbox } from "../../core/sandbox/index.ts"
import { tenantsFile } from "../../sync/library/many/TenantsFile.ts"
import { gauges } from "../../cli/tenants/TenantMetrics.ts"
import { tenantsMain } from "../../cli/tenants/TenantsMain.ts"
import type { TenantStatus } from "../../sync/library/many/ManyTenants.ts"
import { NO_FIGURES } from "../../sync/library/many/TenantFigures.ts"
import { configuration, INVOICES, KEY, PAYMENTS, run, useCommand } from "../support/Cli.ts"
import { freePort, until } from "../support/Daemon.ts"

// Before the daemon runs here: building would stop it, and a daemon that stands still for a minute ends its process.
useCommand()

const OWN = "own-token-of-acme-0001"
const ALL = "token-of-all-tenants-1"
const HOOK = "Bearer agreed-with-the-service"
let sandbox: Awaited<ReturnType<typeof startSandbox>>
let daemon: Fiber.Fiber<never, unknown> | undefined
let root = ""
let url = ""

const tenant = (name: string, more: object = {}) => {
  const folder = join(root, name)
  mkdirSync(folder)
  writeFileSync(join(folder, "invoices.csv"), INVOICES)
  writeFileSync(join(folder, "payments.csv"), PAYMENTS)
  const { connections, service } = configuration(sandbox.url)
  const owner = { organisation: { ...connections[0]!.owner.organisation, unique_id: `daemon-${name}` } }
  const config = { service, connections: [{ ...connections[0]!, every: "1 hour", owner }], ...more }
  writeFileSync(join(folder, "daybook.config.json"), JSON.stringify(config))
  writeFileSync(join(folder, ".env"), `SERVICE_KEY=${KEY}\nOWN_TOKEN=${OWN}\nHOOK_WORD=${HOOK}\n`)
}

const stripe = {
  id: "shop",
  source: { connector: "stripe", key: { env: "OWN_TOKEN" } },
  webhook: { secret: { env: "HOOK_WORD" } },
  owner: { organisation: { unique_id: "quiet", name: "Quiet Ltd", registered: "2024-01-01T00:00:00Z" } }
}

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${url}${path}`, { headers, redirect: "manual" })
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const scopes = ["read", "plan", "approve"]

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, keys: [KEY] })
  root = mkdtempSync(join(tmpdir(), "daybook-daemon-"))
  tenant("acme", {
    daemon: {
      api: { tokens: [{ name: "own", token: { env: "OWN_TOKEN" }, scopes }] },
      webhooks: { authorization: { env: "HOOK_WORD" } }
    }
  })
  tenant("globex")
  tenant("quiet", {
    connections: [stripe],
    daemon: { api: { tokens: [{ name: "own", token: { env: "OWN_TOKEN" }, scopes }] } }
  })
  writeFileSync(join(root, "quiet", "daybook.paused"), "{}")
  process.env["ALL_TOKEN"] = ALL
  process.env["PAGE_PASSWORD"] = "a password of all"
  const settings = {
    daemon: {
      api: { tokens: [{ name: "platform", token: { env: "ALL_TOKEN" }, scopes }] },
      page: { password: { env: "PAGE_PASSWORD" } }
    },
    spread: "0 seconds"
  }
  writeFileSync(join(root, "daybook.tenants.json"), JSON.stringify(settings))
  const configuration = await Effect.runPromise(tenantsFile(root))
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  const options = { folder: root, shard: undefined, configuration, host: "127.0.0.1", port, quiet: true }
  daemon = Effect.runFork(Effect.scoped(tenantsMain(options)))
  await until("ready", async () => {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    return answer?.status === 200 ? true : undefined
  })
})
afterAll(async () => {
  if (daemon !== undefined) await Effect.runPromise(Fiber.interrupt(daemon))
  process.exitCode = 0
  await sandbox.close()
  rmSync(root, { recursive: true, force: true })
})

interface Listed {
  readonly tenants: ReadonlyArray<TenantStatus>
}

const listed = async (query = "") => (await (await get(`/api/v1/tenants${query}`, bearer(ALL))).json()) as Listed

const synced = (name: string) =>
  until(`${name} is synced`, async () =>
    (await listed()).tenants.some((one) => one.name === name && one.succeeded !== null && one.state === "waiting")
      ? true
      : undefined
  )

/** What a browser sends once somebody has signed in. */
const signedIn = async (): Promise<Record<string, string>> => {
  const answer = await fetch(`${url}/login`, {
    method: "POST",
    body: new URLSearchParams({ password: "a password of all", to: "/t/acme/attention" }),
    redirect: "manual"
  })
  assert.strictEqual(answer.headers.get("location"), "/t/acme/attention")
  return { cookie: answer.headers.get("set-cookie")!.split(";")[0]! }
}

describe("the daemon over many tenants", () => {
  it("shows all of them to who signed in, and each tenant's own page below its address", async () => {
    await synced("acme")
    await synced("globex")
    const away = await get("/t/acme/documents?only=open")
    assert.strictEqual(
      away.headers.get("location"),
      `/login?${new URLSearchParams({ to: "/t/acme/documents?only=open" })}`
    )
    const session = await signedIn()
    const all = await (await get("/t/", session)).text()
    assert.include(all, 'href="/t/acme/"')
    assert.include(all, 'href="/t/globex/attention"')
    const one = await (await get("/t/?q=glob&only=attention", session)).text()
    assert.include(one, "1 tenant of 3")
    assert.notInclude(one, 'href="/t/acme/"')
    const own = await (await get("/t/acme/documents", session)).text()
    assert.include(own, 'href="/t/acme/receivables"')
    assert.include(own, 'href="/t/"')
    assert.include(own, 'href="/style.css"')
    assert.notMatch(own, /(href|action)="\/(?!t\/|style\.css|login|leave)/)
    assert.include(own, "INV-1")
    assert.strictEqual((await get("/t/nobody/", session)).status, 404)
    const attention = await (await get("/t/globex/attention", session)).text()
    const form = /name="form" value="([^"]+)"/.exec(attention)![1]!
    const said = await fetch(`${url}/tenants/globex/pause`, {
      method: "POST",
      headers: session,
      body: new URLSearchParams({ form, name: "Ann" }),
      redirect: "manual"
    })
    assert.strictEqual(said.status, 303)
    assert.include(await (await get(said.headers.get("location")!, session)).text(), "paused by Ann")
  })

  it("has an HTTP interface for each tenant, for its own tokens and those of all, and for nobody else's", async () => {
    await synced("acme")
    const status = async (path: string, token: string) => (await get(path, bearer(token))).status
    assert.strictEqual(await status("/t/acme/api/v1/status", OWN), 200)
    assert.strictEqual(await status("/t/acme/api/v1/status", ALL), 200)
    assert.strictEqual(await status("/t/globex/api/v1/status", ALL), 200)
    assert.strictEqual(await status("/t/globex/api/v1/status", OWN), 401)
    assert.strictEqual(await status("/api/v1/tenants", OWN), 401)
    assert.strictEqual(await status("/t/acme/api/v1/status", ""), 401)
    assert.strictEqual((await get("/t/acme/api/v1/status")).status, 401)
    const document = (await (await get("/t/acme/api/v1/openapi.json", bearer(OWN))).json()) as { servers: unknown }
    assert.deepStrictEqual(document.servers, [{ url: "/t/acme" }])
    const post = (path: string, token: string) => fetch(`${url}${path}`, { method: "POST", headers: bearer(token) })
    assert.strictEqual((await post("/api/v1/tenants/acme/sync", ALL)).status, 202)
    assert.strictEqual((await post("/api/v1/tenants/acme/sync", OWN)).status, 401)
    assert.strictEqual((await post("/api/v1/tenants/nobody/sync", ALL)).status, 404)
    assert.strictEqual((await post("/t/acme/api/v1/connections/books/sync", OWN)).status, 202)
    const { tenants: all } = await listed("?q=acme&limit=1")
    assert.match(String(all[0]?.succeeded), /^\d{4}-\d{2}-\d{2}T.*Z$/)
    assert.strictEqual(await status("/api/v1/tenants?only=sleeping", ALL), 422)
    const { paths } = (await (await get("/api/v1/openapi.json")).json()) as { paths: object }
    assert.deepStrictEqual(
      Object.keys(paths),
      ["", "/{tenant}/sync", "/{tenant}/pause", "/{tenant}/resume", "/{tenant}/remove"].map(
        (path) => `/api/v1/tenants${path}`
      )
    )
    for (const deed of ["pause", "resume"])
      assert.strictEqual((await post(`/api/v1/tenants/acme/${deed}`, ALL)).status, 200)
    // Nobody knows how it is signed but the tenant, and this one takes none.
    assert.strictEqual((await post("/t/acme/webhooks/source/books", "")).status, 401)
    assert.strictEqual((await post("/t/acme/webhooks/service", "agreed-with-the-service")).status, 200)
    assert.strictEqual((await post("/t/acme/webhooks/service", "")).status, 401)
    // It does not say what the service sends.
    assert.strictEqual((await post("/t/globex/webhooks/service", "agreed-with-the-service")).status, 401)
  })

  it("takes what commands ask, and lets one daemon run a folder", async () => {
    await synced("acme")
    const command = (...args: ReadonlyArray<string>) => run(root, ["tenants", ...args, "--tenants", ".", "--json"])
    const asked = await command("sync", "acme")
    assert.include(asked.stdout, '{"type":"asked","tenant":"acme"}')
    tenant("latecomer")
    const second = await run(root, ["daemon", "--tenants", ".", "--listen", "127.0.0.1:0"])
    assert.strictEqual(second.status, 5)
    assert.include(second.stderr, "another daemon runs these tenants")
    const paused = await command("pause", "latecomer", "--why", "not yet")
    assert.strictEqual(paused.status, 0)
    await until("it is known, and paused", async () =>
      (await listed("?q=latecomer")).tenants[0]?.state === "paused" ? true : undefined
    )
    const names = await command("list", "--only", "paused")
    assert.include(names.stdout, '"name":"latecomer"')
    const gone = await command("remove", "latecomer")
    assert.strictEqual(gone.status, 0)
    assert.isFalse(existsSync(join(root, "latecomer")))
    // The daemon has its state file open, and lets it go.
    assert.strictEqual((await get("/t/globex/api/v1/status", bearer(ALL))).status, 200)
    const remove = (name: string, token: string) =>
      fetch(`${url}/api/v1/tenants/${name}/remove`, { method: "POST", headers: bearer(token) })
    assert.strictEqual((await remove("globex", OWN)).status, 401)
    assert.strictEqual((await remove("nobody", ALL)).status, 404)
    assert.deepStrictEqual(await (await remove("globex", ALL)).json(), { tenant: "globex", removed: true })
    assert.isFalse(existsSync(join(root, "globex")))
    assert.strictEqual((await remove("globex", ALL)).status, 404)
    await until("it is forgotten", async () => ((await listed("?q=latecomer")).tenants.length === 0 ? true : undefined))
  })

  it("tells monitoring totals, and of single tenants only those with the most", async () => {
    await synced("acme")
    const figures = await (await get("/metrics")).text()
    assert.match(figures, /^daybook_records_total \d/m)
    assert.match(figures, /^daybook_tenants\{state="waiting"\} \d$/m)
    // Other daemons of this process may have counted runs by connection.
    assert.notMatch(figures, /^daybook_tenant.*connection=/m)
    const many = Array.from(
      { length: 300 },
      (_, n): TenantStatus => ({
        ...NO_FIGURES,
        name: `t${n}`,
        state: "waiting",
        next: null,
        attention: n
      })
    )
    const counts = { tenants: 300, open: 0, mostOpen: 1, looked: 0, due: 0, waiting: 0, running: 0, slow: 0 }
    const text = gauges(many, counts, { elsewhere: 0, now: 0 })
    assert.include(text, "daybook_tenants_attention 44850")
    assert.include(text, 'daybook_tenant_attention{tenant="t299"} 299')
    assert.isBelow(text.split("\n").length, 110)
  })

  it("tells strangers the same of every name, and whoever has a token what is wrong, without secrets", async () => {
    const answers = async (token: string) => {
      const all = new Set<string>()
      for (const name of ["acme", "acne", "nobody"])
        for (const [method, path] of [
          ["GET", "api/v1/status"],
          ["GET", "api/v1/openapi.json"],
          ["POST", "api/v1/connections/books/sync"],
          ["POST", "api/v1/collections/1/documents"]
        ] as const) {
          const answer = await fetch(`${url}/t/${name}/${path}`, { method, headers: bearer(token) })
          all.add(`${answer.status} ${await answer.text()}`)
        }
      return [...all]
    }
    const hooks = async () => {
      const all = new Set<string>()
      const services = ["acme", "globex", "acne"].map((name) => `${name}/webhooks/service`)
      for (const path of ["acme/webhooks/source/books", ...services, "nobody/webhooks/x"]) {
        const answer = await fetch(`${url}/t/${path}`, { method: "POST", body: "{}" })
        all.add(`${answer.status} ${await answer.text()}`)
      }
      return [...all]
    }
    const unauthorised = '401 {"_tag":"Unauthorized","message":"This token is not in daemon.api.tokens."}'
    assert.deepStrictEqual(await answers("a-token-of-nobody-at-all"), [unauthorised])
    assert.deepStrictEqual(await hooks(), ["401 Unauthenticated.\n"])
    const file = join(root, "acme", "daybook.config.json")
    const { connections, ...rest } = JSON.parse(readFileSync(file, "utf8")) as { connections: Array<object> }
    const secret = "sk_live_51abcdefABCDEF0123456789"
    writeFileSync(
      file,
      JSON.stringify({
        ...rest,
        connections: [{ ...connections[0]!, source: { connector: secret, key: { env: secret } } }]
      })
    )
    assert.deepStrictEqual(await answers("a-token-of-nobody-at-all"), [unauthorised])
    assert.deepStrictEqual(await hooks(), ["401 Unauthenticated.\n"])
    const own = await get("/t/acme/api/v1/status", bearer(ALL))
    assert.strictEqual(own.status, 503)
    const why = await own.text()
    assert.include(why, "connections")
    assert.notInclude(why, secret)
    const near = await get("/t/acne/api/v1/status", bearer(ALL))
    assert.strictEqual(near.status, 404)
    assert.include(await near.text(), "did you mean acme?")
  })
})

describe("a tenant whom nobody but strangers asks for", () => {
  const isOpened = () => existsSync(join(root, "quiet", "daybook.db"))
  const sent = async (authorization: string, signature: string) => {
    const answers = await Promise.all([
      get("/t/quiet/api/v1/status", { authorization }),
      fetch(`${url}/t/quiet/webhooks/service`, { method: "POST", body: "{}", headers: { authorization } }),
      fetch(`${url}/t/quiet/webhooks/source/shop`, {
        method: "POST",
        body: EVENT,
        headers: { "stripe-signature": signature }
      })
    ])
    return answers.map(({ status }) => status)
  }
  const EVENT = JSON.stringify({
    id: "evt_1",
    type: "invoice.paid",
    data: { object: { id: "in_1", object: "invoice" } }
  })
  const signed = (secret: string) => {
    const at = Math.floor(Date.now() / 1000)
    return `t=${at},v1=${createHmac("sha256", secret).update(`${at}.${EVENT}`).digest("hex")}`
  }

  it("is not opened for wrong tokens and signatures, and is for right ones", async () => {
    assert.deepStrictEqual(await sent("Bearer a-token-of-nobody-at-all", signed("another secret")), [401, 401, 401])
    assert.isFalse(isOpened())
    assert.deepStrictEqual(await sent("Bearer a-token-of-nobody-at-all", signed(HOOK)), [401, 401, 200])
    assert.isTrue(isOpened())
    assert.deepStrictEqual(await sent(`Bearer ${OWN}`, signed(HOOK)), [200, 401, 200])
  })
})
