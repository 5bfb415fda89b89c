/**
 * A flood of webhooks: hundreds of transactions (nightly a thousand), six copies (nightly fifty) of what the service
 * says about each, out of order, and the daemon killed in the middle. Each is answered fast and read once, and nothing that was answered is lost.
 */
import { assert, describe, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import { Agent, request } from "node:http"
import type { Journal } from "../../core/sandbox/index.ts"
import { books, configuration, KEY, service, useCommand } from "../support/Cli.ts"
import { type Running, startDaemon, until } from "../support/Daemon.ts"
import { times } from "../support/Effort.ts"

useCommand()

const INVOICES = Math.min(1000, times(400))
const COPIES = Math.min(50, times(6))
/** Deliveries under way at once. */
const LANES = 48
/** As many hints as the daemon has in hand at most. */
const IN_HAND = 200

const AUTHORIZATION = "agreed-beforehand-77"
const headers = { authorization: `Token ${KEY}`, "content-type": "application/json" }

/** A service that holds so many invoices of these books, each marked as paid there by somebody else. */
const world = async (invoices: number) => {
  const there = await service()
  const rows = Array.from(
    { length: invoices },
    (_, n) => `INV-${n},Tern & Sons,GB,2026-03-01,2026-03-31,100.00,120.00,Sent\n`
  )
  const settings = configuration(there.url)
  const daemon = { webhooks: { authorization: { env: "HOOKS" } } }
  const here = books(there.url, {
    "invoices.csv": `Invoice,Buyer,Country,Issued,Due,Net,Gross,State\n${rows.join("")}`,
    "payments.csv": "Ref,Invoice,Date,Amount,Type,Code\n",
    "daybook.config.json": JSON.stringify({ ...settings, daemon })
  })
  assert.strictEqual((await here.run("sync")).status, 0)
  const bodies: Array<string> = []
  for (let next: string | null = `${there.url}/v1/transactions?limit=500`; next !== null; ) {
    const page = (await (await fetch(next, { headers })).json()) as {
      readonly next: string | null
      readonly results: ReadonlyArray<{ readonly id: string }>
    }
    for (const { id } of page.results) {
      const url = `${there.url}/v1/transactions/${id}/paid`
      const body = JSON.stringify({ paid_date: "2026-03-20", pay_method: "cash" })
      const answer = await fetch(url, { method: "PUT", headers, body })
      assert.strictEqual(answer.status, 200)
      bodies.push(await answer.text())
    }
    next = page.next
  }
  assert.strictEqual(bodies.length, invoices)
  const journal = await there.control<ReadonlyArray<Journal>>("GET", "requests")
  const begun = journal.at(-1)!.n
  /** By transaction, how often it was read since. */
  const reads = async () => {
    const found = new Map<string, number>()
    for (const { method, path } of await there.control<ReadonlyArray<Journal>>("GET", `requests?since=${begun}`)) {
      const id = /^\/v1\/transactions\/(trns-[^/]+)\/?$/.exec(path)?.[1]
      if (method === "GET" && id !== undefined) found.set(id, (found.get(id) ?? 0) + 1)
    }
    return found
  }
  return { there, here, bodies, reads }
}

const paid = (file: string): number => {
  const db = new Sqlite(file, { readonly: true })
  try {
    return db
      .prepare("SELECT count(*) FROM ledger WHERE json_extract(held, '$.status') = 'paid'")
      .pluck()
      .get() as number
  } finally {
    db.close()
  }
}

/** Every body, so many times, in an order that is none. */
const shuffled = (bodies: ReadonlyArray<string>, copies: number): Array<string> => {
  const all = Array.from({ length: copies }, () => bodies).flat()
  let state = 7
  for (let n = all.length - 1; n > 0; n--) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const other = state % (n + 1)
    ;[all[n], all[other]] = [all[other]!, all[n]!]
  }
  return all
}

const post = (url: string, agent: Agent, body: string) =>
  new Promise<number>((resolve) => {
    const sent = request(`${url}/webhooks/service`, {
      method: "POST",
      agent,
      headers: { authorization: AUTHORIZATION }
    })
    sent.on("response", (answer) => {
      answer.resume().on("end", () => resolve(answer.statusCode ?? 0))
    })
    sent.on("error", () => resolve(0))
    sent.end(body)
  })

/** Delivers as a service does: what is not answered with 200 is sent again a while later. */
const deliver = async (url: () => string, all: ReadonlyArray<string>, onAnswer: (answered: number) => void) => {
  const agent = new Agent({ keepAlive: true, maxSockets: LANES })
  const millis: Array<number> = []
  let at = 0
  let answered = 0
  const lane = async () => {
    while (at < all.length) {
      const body = all[at++]!
      for (;;) {
        const begun = performance.now()
        const status = await post(url(), agent, body)
        if (status === 200) {
          millis.push(performance.now() - begun)
          break
        }
        assert.isTrue(status === 0 || status === 404 || status === 503, `answered ${status}`)
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      onAnswer(++answered)
    }
  }
  const begun = performance.now()
  await Promise.all(Array.from({ length: LANES }, lane))
  agent.destroy()
  millis.sort((a, b) => a - b)
  return { seconds: (performance.now() - begun) / 1000, median: millis[millis.length >> 1]!, slowest: millis.at(-1)! }
}

const env = { HOOKS: AUTHORIZATION }

describe("a flood of webhooks", () => {
  it("each object is read once, whatever the copies and their order", { timeout: 120_000 }, async () => {
    const { bodies, here, reads } = await world(INVOICES)
    const daemon = await startDaemon(here.folder, { env })
    const { median, seconds, slowest } = await deliver(
      () => daemon.url,
      shuffled(bodies, COPIES),
      () => {}
    )
    const rate = Math.round((INVOICES * COPIES) / seconds)
    console.info(
      `${INVOICES * COPIES} webhooks, ${rate} a second, answered in ${median.toFixed(1)} ms (median), ${slowest.toFixed(0)} ms (slowest)`
    )
    await until("all is paid in the ledger", () => (paid(here.path("daybook.db")) === INVOICES ? true : undefined))
    const read = await reads()
    assert.strictEqual(read.size, INVOICES)
    assert.deepStrictEqual([...new Set(read.values())], [1])
    await daemon.stop()
  })

  it("nothing that was answered is lost across a kill -9", { timeout: 120_000 }, async () => {
    const { bodies, here, reads, there } = await world(INVOICES)
    let daemon: Running = await startDaemon(here.folder, { env })
    const { port } = new URL(daemon.url)
    await there.control("POST", "faults", { method: "GET", path: "/v1/transactions", kind: "delay", delay_ms: 60 })
    let kills = 0
    const again = async () => {
      kills++
      assert.deepStrictEqual(await daemon.stop("SIGKILL"), [null, "SIGKILL"])
      daemon = await startDaemon(here.folder, { env, port: Number(port) })
    }
    // Once when all of it was answered and hardly any followed, and once in the middle of following.
    let first: Promise<void> | undefined
    const delivered = deliver(
      () => daemon.url,
      shuffled(bodies, COPIES),
      (answered) => {
        if (answered === INVOICES) first = again()
      }
    )
    await until("the first kill", () => (first === undefined ? undefined : true))
    await first
    await until("some of it was read", async () => ((await reads()).size > INVOICES / 5 ? true : undefined))
    assert.isBelow(paid(here.path("daybook.db")), INVOICES, "it was killed in the middle")
    await again()
    await delivered
    await until("all is paid in the ledger", () => (paid(here.path("daybook.db")) === INVOICES ? true : undefined))
    const read = await reads()
    assert.strictEqual(read.size, INVOICES)
    const total = [...read.values()].reduce((sum, n) => sum + n, 0)
    assert.isAtMost(total, INVOICES + kills * IN_HAND)
    await daemon.stop()
  })
})
