/**
 * Asks for every page, download and answer that only reads, over books of twenty thousand invoices that are all open, and
 * measures how long the daemon's event loop is busy with each in one piece: `node test/security/still.ts [invoices] [part of a path] [unsent]`.
 * Prints each that takes longer than the bound; exit status 1 if there is one.
 */
import { fork, spawnSync } from "node:child_process"
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import Sqlite from "better-sqlite3"
import { ADDRESSES } from "../../cli/page/Routes.ts"
import { config, write } from "../bench/Invoices.ts"
import { copy } from "../bench/Sent.ts"

const INVOICES = Number(process.argv[2] ?? 20_000)
const WANTED = process.argv[3] ?? ""
/** Milliseconds of processor time between two turns of the event loop. */
const BOUND = 50

const TOKEN = "reader-0123456789abcdef"
const PASSWORD = "correct horse battery"
const PORT = 42_000 + (process.pid % 1000)
const url = `http://127.0.0.1:${PORT}`

/** Books of which nothing was sent, with records that cannot be read and attention for every invoice. */
const UNSENT = process.argv[4] === "unsent"

const folder = mkdtempSync(join(tmpdir(), "daybook-still-"))
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
const state = join(folder, "daybook.db")
const csv = UNSENT ? join(folder, "unsent.csv") : (await copy(folder, INVOICES, state)).csv
writeFileSync(
  join(folder, "daybook.config.json"),
  JSON.stringify({
    ...config(csv, "http://127.0.0.1:9"),
    daemon: {
      page: { password: { env: "PAGE_PASSWORD" } },
      api: { tokens: [{ name: "reader", token: { env: "TOKEN" }, scopes: ["read", "plan", "approve", "connect"] }] },
      connect: { url, name: "Acme Pay", return_urls: ["https://pay.example.com"], sources: [{ connector: "files" }] }
    }
  })
)

const environment = {
  ...process.env,
  DAYBOOK_KEY: "sk-still-test",
  DAYBOOK_SEAL: Buffer.alloc(32).toString("base64"),
  TOKEN,
  PAGE_PASSWORD: PASSWORD
}
const command = resolve("dist/daybook.js")
if (UNSENT) {
  await write(csv, INVOICES)
  appendFileSync(
    csv,
    Array.from(
      { length: INVOICES / 4 },
      (_, n) => `BAD-${n},Harbour ${n},GB,2026-02-31,2026-03-01,1.00,1.20,Sent\n`
    ).join("")
  )
  spawnSync(process.execPath, [command, "pull"], { cwd: folder, env: environment, stdio: "ignore" })
  const books = new Sqlite(state)
  books.exec(`INSERT INTO attention (subject, fact, rule, why, todo, since)
    SELECT key, key, 'P' || (id % 7), 'something is to be decided', 'decide it', 1 FROM document`)
  books.close()
}

/** Tells the most processor time between two turns since it was last asked. */
const MEASURED = `data:text/javascript,${encodeURIComponent(
  `import { isMainThread } from "node:worker_threads"
   if (isMainThread && process.channel) {
     let [busy, before] = [0, process.threadCpuUsage()]
     const look = () => {
       const { system, user } = process.threadCpuUsage(before)
       busy = Math.max(busy, system + user)
       before = process.threadCpuUsage()
     }
     setInterval(look, 1).unref()
     process.on("message", () => { look(); process.send(busy / 1e3); busy = 0 })
     process.channel.unref()
   }`
)}`

const daemon = fork(command, ["daemon", "--listen", `127.0.0.1:${PORT}`, "--quiet"], {
  cwd: folder,
  execArgv: ["--import", MEASURED],
  env: environment,
  stdio: ["ignore", "ignore", "inherit", "ipc"]
})
process.on("exit", () => daemon.kill("SIGKILL"))

const busy = async (): Promise<number> => {
  const told = once(daemon, "message")
  daemon.send("busy")
  return Number((await told)[0])
}

for (let n = 0; n < 300; n++) {
  if (
    await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false
    )
  )
    break
  await pause(100)
}
const signedIn = await fetch(`${url}/login`, {
  method: "POST",
  redirect: "manual",
  body: new URLSearchParams({ password: PASSWORD })
})
const cookie = signedIn.headers
  .getSetCookie()
  .map((one) => one.split(";")[0])
  .join("; ")
const headers = { authorization: `Bearer ${TOKEN}` }

const openapi = (await (await fetch(`${url}/api/v1/openapi.json`, { headers })).json()) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}
const operations = Object.entries(openapi.paths).flatMap(([path, item]) => ("get" in item ? [path] : []))
const db = new Sqlite(state, { readonly: true })
const document = encodeURIComponent(String(db.prepare("SELECT key FROM document LIMIT 1").pluck().get()))
const customer = String(db.prepare("SELECT max(customer) FROM customer_invoice").pluck().get())
db.close()

const filled = (path: string): string =>
  path
    .replace(/customers\/(:which|\{customer\})/, `customers/${customer}`)
    .replace("{connection}", "books")
    .replace("{invoice}", document)
    .replace("{sheet}", "invoices.csv")
    .replace("documents/:which", `documents/${document}`)
    .replace(":which", "books")

const paths = [
  ...ADDRESSES.flatMap(([method, path]) => (method === "GET" ? [path] : [])),
  "/receivables?sort=customer",
  "/receivables?q=Bakery",
  "/documents?q=Bakery",
  "/documents?only=open",
  "/customers?sort=name",
  "/customers?q=Bakery",
  "/changes?since=2020-01-01T00:00",
  "/changes.csv?since=2020-01-01T00:00",
  ...operations.filter((path) => !path.endsWith("/events")),
  "/documents?q=nothing-is-called-so",
  "/activity?q=nothing-is-called-so",
  "/receivables?q=nothing",
  `/customers/${customer}/statement.pdf?currency=GBP`,
  `/api/v1/customers/${customer}/statement.pdf?currency=GBP`,
  `/api/v1/explain?document=${document}`,
  "/api/v1/documents?text=nothing-is-called-so",
  "/api/v1/quarantine?text=nothing",
  "/api/v1/plan?connection=books",
  "/api/v1/connections/books/preview",
  "/api/v1/close?month=2025-03",
  "/plans.csv?connection=books",
  "/plans.xlsx?connection=books",
  "/metrics",
  "/readyz"
]
  .map(filled)
  .filter((path) => path.includes(WANTED))

type Answer = Awaited<ReturnType<typeof fetch>>

let worst = 0
const measure = async (what: string, ask: () => Promise<Answer>): Promise<string> => {
  await pause(50)
  await busy()
  const began = performance.now()
  const answer = await ask()
  const body = Buffer.from(await answer.arrayBuffer())
  const took = performance.now() - began
  await pause(20)
  const most = await busy()
  worst = Math.max(worst, most)
  if (most > BOUND || process.env.ALL)
    console.log(
      `${most.toFixed(0).padStart(5)} ms  ${String(answer.status)}  ${what}  (${took.toFixed(0)} ms, ${body.length} bytes)`
    )
  return body.toString()
}

for (const path of paths)
  await measure(path, () =>
    fetch(url + path, { headers: path.startsWith("/api") ? headers : { cookie }, redirect: "manual" })
  )

const wordIn = (page: string): string => /name="form" value="([^"]+)"/.exec(page)?.[1] ?? ""

/** Uploads a file as a form does, and looks at what comes of it. */
const upload = async (place: string, session: string, page: string, at: string, bytes: number): Promise<void> => {
  const data = new FormData()
  data.set("form", wordIn(await measure(`${place}: before`, () => fetch(url + page, { headers: { cookie: session } }))))
  data.set("connector", "files")
  data.set("file", new Blob([new Uint8Array(readFileSync(csv).subarray(0, bytes))]), "invoices.csv")
  const post = { method: "POST", headers: { cookie: session }, body: data, redirect: "manual" } as const
  await measure(`${place}: upload of ${bytes >> 20} MB`, () => fetch(url + at, post))
  for (const n of [1, 2])
    await measure(`${place}: look ${n}`, () => fetch(url + page, { headers: { cookie: session } }))
}

if ("uploads".includes(WANTED)) {
  await upload("the page", cookie, "/connections/new", "/setup/files", 7 << 20)
  const made = await fetch(`${url}/api/v1/connect-links`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ tenant: "acme", connectors: ["files"] })
  })
  const { pathname } = new URL(((await made.json()) as { readonly url: string }).url)
  const opened = await fetch(`${url}${pathname}/open`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ form: "" })
  })
  const session = (opened.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
  await upload("a link", session, "/connect", "/connect/upload", 7 << 20)
}

daemon.kill()
console.log(
  `${paths.length} addresses over ${INVOICES} invoices: busy for at most ${worst.toFixed(0)} ms in one piece (bound ${BOUND})`
)
process.exit(worst > BOUND ? 1 : 0)
