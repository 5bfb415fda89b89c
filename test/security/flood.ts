/**
 * Sends ten thousand hostile bodies and uploads to a daemon, of many senders and of one, while an honest person, program and shop
 * go on: `node test/security/flood.ts [requests]`. Prints the most memory that the daemon had, the longest that its event loop stood
 * still, and what the honest were answered; exit status 1 if any of it is beyond the bounds. It talks to this machine only.
 */
import { spawn } from "node:child_process"
import { createHmac } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { Agent, request } from "node:http"
import { connect } from "node:net"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { FILES } from "./HostileFiles.ts"

const REQUESTS = Number(process.argv[2] ?? 10_000)
/** Bounds: bytes and milliseconds. */
const MEMORY = 400e6
const STILL = 250

const MB = 2 ** 20
const PASSWORD = "correct horse battery"
const TOKEN = "platform-0123456789abcdef"
const SIGNING = "whsec_0123456789abcdef"
const PORT = 41_000 + (process.pid % 1000)
const url = `http://127.0.0.1:${PORT}`

const folder = mkdtempSync(join(tmpdir(), "daybook-flood-"))
const owner = { organisation: { unique_id: "acme", name: "Acme Ltd", registered: "2024-01-01T00:00:00Z" } }
writeFileSync(
  join(folder, "daybook.config.json"),
  JSON.stringify({
    service: { url: "http://127.0.0.1:9", key: { env: "SERVICE_KEY" } },
    connections: [
      {
        id: "shop",
        source: { connector: "stripe", key: { env: "STRIPE" } },
        webhook: { secret: { env: "SIGNING" } },
        owner
      }
    ],
    daemon: {
      page: { password: { env: "PAGE_PASSWORD" } },
      api: { tokens: [{ name: "platform", token: { env: "TOKEN" }, scopes: ["read", "connect"] }] },
      connect: { url, name: "Acme Pay", return_urls: ["https://pay.example.com"], sources: [{ connector: "files" }] }
    }
  })
)

/**
 * The daemon tells, when it ends, the longest time that its event loop stood still, and the most processor time that it took
 * between two turns of it, in milliseconds: on a busy machine it stands still for others, which is not its fault.
 */
const MEASURED = `data:text/javascript,${encodeURIComponent(
  `import { writeSync } from "node:fs"
   import { monitorEventLoopDelay } from "node:perf_hooks"
   let [busy, before] = [0, process.threadCpuUsage()]
   const look = () => {
     const { system, user } = process.threadCpuUsage(before)
     busy = Math.max(busy, system + user)
     before = process.threadCpuUsage()
   }
   import { isMainThread } from "node:worker_threads"
   const delay = monitorEventLoopDelay({ resolution: 5 })
   if (isMainThread) {
     setTimeout(() => { delay.enable(); look(); busy = 0; setInterval(look, 5).unref() }, 5000)
     process.on("exit", () => writeSync(3, \`\${delay.max / 1e6} \${busy / 1e3}\`))
   }`
)}`

const daemon = spawn(
  process.execPath,
  ["--import", MEASURED, resolve("dist/daybook.js"), "daemon", "--listen", `127.0.0.1:${PORT}`, "--quiet"],
  {
    cwd: folder,
    env: {
      ...process.env,
      SERVICE_KEY: "sk-flood-test",
      STRIPE: "sk_test_1234567",
      SIGNING,
      PAGE_PASSWORD: PASSWORD,
      TOKEN,
      DAYBOOK_SEAL: "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
    },
    stdio: ["ignore", "ignore", "inherit", "pipe"]
  }
)
let ended: number | string | undefined
daemon.on("close", (status, signal) => (ended = signal ?? status ?? 0))

const agent = new Agent({ maxSockets: 64 })

interface Sent {
  readonly status: number
  readonly body: string
}

const send = (
  path: string,
  {
    body,
    from,
    headers = {},
    method = "POST"
  }: {
    readonly body?: Buffer | string
    readonly from?: string
    readonly headers?: Record<string, string>
    readonly method?: string
  } = {}
): Promise<Sent> =>
  new Promise((done) => {
    const forwarded = from === undefined ? {} : { "x-forwarded-for": from }
    const sent = request(
      {
        host: "127.0.0.1",
        port: PORT,
        path,
        method,
        agent: from === undefined ? new Agent() : agent,
        headers: { ...forwarded, ...headers }
      },
      (answer) => {
        let text = ""
        answer.setEncoding("utf8").on("data", (more) => void (text += more))
        answer.on("end", () => done({ status: answer.statusCode!, body: text }))
        answer.on("error", () => done({ status: answer.statusCode!, body: text }))
      }
    )
    sent.on("error", () => done({ status: 0, body: "" }))
    sent.setTimeout(60_000, () => sent.destroy())
    sent.end(body)
  })

const form = "application/x-www-form-urlencoded"
const sender = (n: number) => `198.${18 + (n % 2)}.${(n >> 8) % 256}.${n % 256}`

/** What strangers send, each in turn. */
const HOSTILE: ReadonlyArray<(n: number) => Promise<Sent>> = [
  (n) => send("/webhooks/source/shop", { from: sender(n), body: Buffer.alloc(MB - 1, 97) }),
  (n) => send("/webhooks/source/shop", { from: sender(n), body: Buffer.alloc(2 * MB) }),
  (n) => send("/webhooks/source/shop", { from: sender(n), body: `{"a":${"[".repeat(100_000)}` }),
  (n) =>
    send("/setup/files", {
      from: sender(n),
      body: Buffer.alloc(8 * MB),
      headers: { "content-type": "multipart/form-data; boundary=x" }
    }),
  (n) =>
    send("/api/v1/collections/x/documents", {
      from: sender(n),
      body: Buffer.alloc(8 * MB),
      headers: { authorization: "Bearer no" }
    }),
  (n) => send("/login", { from: sender(n % 40), body: `password=${n}`, headers: { "content-type": form } }),
  (n) => send("/login", { from: sender(n), body: `password=${"x".repeat(60_000)}`, headers: { "content-type": form } }),
  (n) => send(`/connect/${"x".repeat(n % 3000)}`, { from: sender(n), method: "GET" }),
  (n) =>
    send("/connect/upload", { from: sender(n), body: Buffer.alloc(MB), headers: { cookie: `daybook-connect=${n}` } }),
  (n) => send("/api/v1/openapi.json", { from: sender(n), method: "GET" }),
  (n) => send(`/${"%41".repeat(n % 2000)}`, { from: sender(n), method: "GET", headers: { cookie: "x=".repeat(2000) } }),
  async (n) => {
    // Says that much will come, sends a little, and stays.
    const socket = connect(PORT, "127.0.0.1")
    socket.on("error", () => {})
    socket.write(
      `POST /webhooks/source/shop HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: ${sender(n)}\r\nContent-Length: 1000000\r\n\r\n`
    )
    socket.write(Buffer.alloc(100_000))
    await pause(n % 7 === 0 ? 12_000 : 20)
    socket.destroy()
    return { status: 408, body: "" }
  }
]

/** Opens a link and uploads hostile files, as somebody who has one may. */
const linked = async (n: number): Promise<void> => {
  const made = await send("/api/v1/connect-links", {
    body: JSON.stringify({ tenant: `t${n}`, connectors: ["files"] }),
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" }
  })
  const path = new URL((JSON.parse(made.body) as { readonly url: string }).url).pathname
  const opened = await fetch(`${url}${path}/open`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ form: "" })
  })
  const cookie = (opened.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
  const page = await (await fetch(`${url}/connect`, { headers: { cookie } })).text()
  const word = /name="form" value="([^"]+)"/.exec(page)?.[1] ?? ""
  const [name, bytes] = FILES[n % FILES.length]!
  const data = new FormData()
  data.set("form", word)
  data.set("connector", "files")
  data.set("file", new Blob([new Uint8Array(bytes)]), name)
  await fetch(`${url}/connect/upload`, { method: "POST", headers: { cookie }, body: data, redirect: "manual" }).then(
    (one) => one.text()
  )
  await fetch(`${url}/connect`, { headers: { cookie }, signal: AbortSignal.timeout(n % 2 === 0 ? 50 : 30_000) }).then(
    (one) => one.text(),
    () => ""
  )
}

const memory = (): number => {
  const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${daemon.pid}/status`, "utf8"))?.[1] ?? "0"
  return Number(kilobytes) * 1024
}

const until = async (ready: () => Promise<boolean>): Promise<void> => {
  for (let n = 0; n < 200; n++) {
    if (await ready().catch(() => false)) return
    await pause(100)
  }
  throw new Error("the daemon did not get ready")
}

await until(async () => (await fetch(`${url}/readyz`)).ok)
const signedIn = await fetch(`${url}/login`, {
  method: "POST",
  redirect: "manual",
  body: new URLSearchParams({ password: PASSWORD })
})
const cookie = signedIn.headers
  .getSetCookie()
  .map((one) => one.split(";")[0])
  .join("; ")

let over = false
let [most, honest] = [0, 0]
const failed: Array<string> = []

const watching = (async () => {
  while (!over && ended === undefined) {
    most = Math.max(most, memory())
    await pause(20)
  }
})()

const honestly = (async () => {
  for (let n = 0; !over && ended === undefined; n++) {
    const body = JSON.stringify({
      id: `evt_${n}`,
      object: "event",
      type: "invoice.paid",
      data: { object: { id: `in_${n}`, object: "invoice" } }
    })
    const time = Math.floor(Date.now() / 1000)
    const signature = `t=${time},v1=${createHmac("sha256", SIGNING).update(`${time}.${body}`).digest("hex")}`
    const answers = [
      ["page", 200, await send("/customers", { method: "GET", from: "203.0.113.1", headers: { cookie } })],
      [
        "status",
        200,
        await send("/api/v1/status", {
          method: "GET",
          from: "203.0.113.2",
          headers: { authorization: `Bearer ${TOKEN}` }
        })
      ],
      [
        "webhook",
        200,
        await send("/webhooks/source/shop", { from: "203.0.113.3", body, headers: { "stripe-signature": signature } })
      ],
      [
        "sign in",
        303,
        await send("/login", {
          from: "203.0.113.4",
          body: `password=${encodeURIComponent(PASSWORD)}`,
          headers: { "content-type": form }
        })
      ]
    ] as const
    for (const [what, wanted, { status }] of answers) {
      honest++
      if (status !== wanted) failed.push(`${what} ${status}`)
    }
    await pause(50)
  }
})()

const before = memory()
const began = performance.now()
let next = 0
const counts = new Map<number, number>()
const lanes = Array.from({ length: 48 }, async () => {
  while (next < REQUESTS && ended === undefined) {
    const n = next++
    if (n % 250 === 0) await linked(n / 250).catch((error: Error) => failed.push(`link ${error.message}`))
    const { status } = await HOSTILE[n % HOSTILE.length]!(n)
    counts.set(status, (counts.get(status) ?? 0) + 1)
  }
})
await Promise.all(lanes)
over = true
const died = ended
await Promise.all([watching, honestly])
const told = once(daemon.stdio[3]!, "data")
daemon.kill()
const [still = 0, busy = 0] = String((await told)[0])
  .split(" ")
  .map(Number)
const seconds = ((performance.now() - began) / 1000).toFixed(0)
console.log(
  `${next} hostile requests in ${seconds} s: ${[...counts].map(([status, n]) => `${n} × ${status}`).join(", ")}`
)
console.log(
  `memory: ${(before / 1e6).toFixed(0)} MB before, ${(most / 1e6).toFixed(0)} MB at most (bound ${MEMORY / 1e6})`
)
console.log(
  `event loop: busy for at most ${busy.toFixed(0)} ms (bound ${STILL}), still for at most ${still.toFixed(0)} ms`
)
console.log(
  `honest requests: ${honest}, of which failed: ${failed.length === 0 ? "none" : [...new Set(failed)].join(", ")}`
)
if (died !== undefined) console.log(`the daemon ended: ${died}`)
await pause(1500)
rmSync(folder, { recursive: true, force: true })
process.exit(died === undefined && most < MEMORY && busy < STILL && failed.length === 0 ? 0 : 1)
