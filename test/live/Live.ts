/**
 * What runs of real shops have in common: the vendor's own packages in a folder of their own, the service's sandbox, a
 * folder with a configuration, the real command after each step, and what the service has booked by then.
 */
import assert from "node:assert/strict"
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { builtCommand } from "../support/Built.ts"
import { api, checkout } from "../support/Checkout.ts"
import { desk, KEY, service } from "../support/Cli.ts"
import { GO_ON } from "../support/GoOn.ts"

/** A folder with these packages of npm; what is there from an earlier run is used again. */
export const packages = (folder: string, wanted: Readonly<Record<string, string>>): void => {
  mkdirSync(folder, { recursive: true })
  const at = join(folder, "package.json")
  if (!existsSync(at)) writeFileSync(at, JSON.stringify({ name: "live", private: true }))
  const isThere = ([name, version]: readonly [string, string]) => {
    const own = join(folder, "node_modules", name, "package.json")
    return existsSync(own) && JSON.parse(readFileSync(own, "utf8")).version === version
  }
  const missing = Object.entries(wanted).filter((one) => !isThere(one))
  if (missing.length === 0) return
  const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...missing.map((one) => one.join("@"))]
  console.log(`installing ${missing.map(([name, version]) => `${name} ${version}`).join(", ")}`)
  const { status } = spawnSync("npm", args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] })
  if (status !== 0) throw new Error("npm could not install them")
}

/** So many seconds a server may take to begin. */
const PATIENCE_SECONDS = 240

/** Waits until a server answers, and fails with what it said where it ends before that. */
export const ready = async (child: ChildProcess, said: () => string, ask: () => Promise<unknown>): Promise<void> => {
  for (let n = 0; n < PATIENCE_SECONDS; n++) {
    if (child.exitCode !== null) throw new Error(`the server ended: ${said()}`)
    const is = await ask().then(
      () => true,
      () => false
    )
    if (is) return
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
  throw new Error(`the server does not answer: ${said()}`)
}

// biome-ignore lint/suspicious/noExplicitAny: what a question is answered with
export type Data = any

/** Sends questions in JSON to a server; fails with its words where it refuses. */
export const asking =
  (url: string) =>
  async (
    method: string,
    path: string,
    body: object | undefined,
    headers: Readonly<Record<string, string>>
  ): Promise<Data> => {
    const answer = await fetch(url + path, {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }

export interface Posted {
  readonly captured: number
  readonly voided: number
  readonly refunded: number
  readonly open: number
}

/** Calls that change what is captured, voided or refunded. */
const POSTING = /^POST \/v1\/payment\/deferred_payments\/[^/]+\/(capture|void|refund)$/

/** Of a shop: sells, and says what moves the time of an order. */
interface Clerk<Sold> {
  /** Ordered, and paid with what `pay` answers: it is given the order's number and total. */
  readonly sell: (pieces: number, pay: (number: string, total: number) => Promise<string>) => Promise<Sold>
  readonly moved: (order: Sold) => Promise<{ readonly updatedAt: string; readonly state: string }>
}

/** A clock that is so much ahead. */
const ahead = (millis: number): string =>
  `--import=data:text/javascript,${encodeURIComponent(
    `const D = Date; globalThis.Date = class extends D { constructor(...a) { a.length ? super(...a) : super(D.now() + ${millis}) } static now() { return D.now() + ${millis} } }`
  )}`
const LATER = 8 * 24 * 60 * 60 * 1000

/** A sandbox, and a folder that reads this source into it. */
export const books = async (source: object, environment: Readonly<Record<string, string>>) => {
  const there = await service()
  const owner = { organisation: { unique_id: "shop", name: "Shop", registered: "2024-01-01T00:00:00Z" } }
  const configuration = {
    service: { url: there.url, key: { env: "SERVICE_KEY" }, settle_after: "200 millis" },
    connections: [{ id: "shop", source, first_sync: "send", owner }]
  }
  const here = desk({ "daybook.config.json": JSON.stringify(configuration) })
  const program = join(builtCommand(), "dist", "daybook.js")
  const env = { ...process.env, SERVICE_KEY: KEY, ...environment }
  const run = (...args: ReadonlyArray<string>) => spawned([program, ...args], { cwd: here.folder, env })
  /** A week from now. */
  const later = (...args: ReadonlyArray<string>) => spawned([ahead(LATER), program, ...args], { cwd: here.folder, env })
  /** Nobody is asked anything, not even between goods that came back and the money for them. */
  const command = async (...args: ReadonlyArray<string>) => {
    const ran = await run(...args)
    assert.equal(ran.status, 0, `daybook ${args.join(" ")}: ${ran.stdout}${ran.stderr}`)
    return ran
  }
  const posted = async (payment: string): Promise<Posted> => {
    const one = await api(there.url, "GET", `/v1/payment/deferred_payments/${payment}`)
    const n = (name: string) => Number(one[name])
    return {
      captured: n("protected_captures") + n("unprotected_captures"),
      voided: n("voided_authorisation"),
      refunded: n("refunds"),
      open: n("authorisation")
    }
  }
  const postings = async () => {
    const calls = await there.calls()
    return calls.map(({ method, path }) => `${method} ${path}`).filter((one) => POSTING.test(one)).length
  }
  return { there, folder: here.folder, run, later, command, posted, postings }
}

/**
 * A shop that Daybook follows. `sold` has a buyer order so many pieces; `after` has the clerk do something, syncs, compares
 * what is booked by then, and syncs once more, which must send nothing.
 */
export const follow = async <Sold extends { readonly total: number }>(
  source: object,
  environment: Readonly<Record<string, string>>,
  clerk: Clerk<Sold>
) => {
  const { command, later, posted, postings, there } = await books(source, environment)
  const payments = new Map<Sold, string>()
  const sold = async (pieces: number): Promise<Sold> => {
    let payment = ""
    const order = await clerk.sell(
      pieces,
      async (number, total) => (payment = await checkout(there, number, total, "accepted", "EUR"))
    )
    payments.set(order, payment)
    return order
  }
  /** Another deferred payment of an order. Answers the order as what that one is for. */
  const more = async (order: Sold, total: number) => {
    const payment = await checkout(there, `more-${payments.size}`, total, "accepted", "EUR")
    const its = { ...order, total }
    payments.set(its, payment)
    return { payment, its }
  }
  const after = async (
    what: string,
    order: Sold,
    act: () => Promise<unknown>,
    [captured, voided, refunded]: readonly [number, number, number]
  ) => {
    const before = await clerk.moved(order)
    // Times of some databases are seconds.
    await new Promise((resolve) => setTimeout(resolve, 1100))
    await act()
    const now = await clerk.moved(order)
    const sent = await postings()
    await command("sync", ...GO_ON)
    const held = await posted(payments.get(order)!)
    const first = (await postings()) - sent
    await command("sync", ...GO_ON)
    const second = (await postings()) - sent - first
    const moved = before.updatedAt === now.updatedAt ? "its time did not move" : "its time moved"
    console.log(`${what} (${now.state}; ${moved}): ${JSON.stringify(held)}, ${first} sent, then ${second}`)
    assert.deepEqual(held, { captured, voided, refunded, open: order.total - captured - voided }, what)
    assert.equal(second, 0, `${what}: sent twice`)
  }
  /** A week later somebody is asked about this, answers, and that is done. */
  const answered = async (
    about: RegExp,
    answer: string,
    order: Sold,
    [captured, voided, refunded]: readonly [number, number, number]
  ) => {
    assert.equal((await later("sync", ...GO_ON)).status, 3, "nobody is asked")
    const { stdout } = await later("attention", "--json")
    const items: ReadonlyArray<Data> = stdout
      .split("\n")
      .flatMap((line) => (line === "" ? [] : [JSON.parse(line)]))
      .filter(({ type }) => type === "attention")
    assert.equal(items.length, 1, stdout)
    assert.match(items[0].why, about)
    console.log(`a week later: ${items[0].why}: ${answer}`)
    assert.equal((await later("attention", "resolve", items[0].id, "--answer", answer)).status, 0)
    assert.equal((await later("sync", ...GO_ON)).status, 0)
    const held = await posted(payments.get(order)!)
    assert.deepEqual(held, { captured, voided, refunded, open: order.total - captured - voided }, answer)
  }
  /** Everything agrees, and nothing needs attention. */
  const agrees = async () => console.log((await command("status")).stdout)
  return { sold, more, after, answered, agrees }
}

/** This Node with these arguments, until it ends. */
export const spawned = (
  args: ReadonlyArray<string>,
  options: object
): Promise<{ status: number | null; stdout: string; stderr: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { ...options, stdio: ["ignore", "pipe", "pipe"] })
    let [stdout, stderr] = ["", ""]
    child.stdout.setEncoding("utf8").on("data", (text) => void (stdout += text))
    child.stderr.setEncoding("utf8").on("data", (text) => void (stderr += text))
    child.on("error", reject)
    child.on("close", (status) => resolve({ status, stdout, stderr }))
  })
