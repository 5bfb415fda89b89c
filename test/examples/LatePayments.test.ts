/**
 * The second example on its own rows: every invoice sent, every settlement a payment and then paid, both sides agreed, nothing twice
 * however often it is killed, and what an edit of the file becomes.
 */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { isDeepStrictEqual } from "node:util"
import * as Decimal from "../../core/money/Decimal.ts"
import { EFFORT, times } from "../support/Effort.ts"
import { desk, KEY, ofType, type Ran, type Service, service, useCommand } from "../support/Cli.ts"

useCommand()

const EXAMPLE = new URL("../../examples/2-late-payments/", import.meta.url)
const LEDGER = new URL("late-payments.csv", EXAMPLE)

/** The example as it stands, but for the service's address and how soon it is asked again. */
const example = (url: string, csv: string) => {
  const config = JSON.parse(readFileSync(new URL("daybook.config.json", EXAMPLE), "utf8"))
  config.service = { ...config.service, url, settle_after: "200 millis" }
  return desk({ "daybook.config.json": JSON.stringify(config), "late-payments.csv": csv })
}

const rowsOf = (csv: string) => {
  const [header, ...rows] = csv.trim().split(/\r?\n/)
  const names = header!.replace("\uFEFF", "").split(",")
  return rows.map((row) => Object.fromEntries(row.split(",").map((cell, i) => [names[i]!, cell])))
}

const isoDay = (us: string) => {
  const [month, day, year] = us.split("/")
  return `${year}-${month!.padStart(2, "0")}-${day!.padStart(2, "0")}`
}

const two = (amount: string) => Decimal.format(Decimal.of(amount), 2)

/** What the service must hold in the end, written from the rows alone. */
const expected = (csv: string) =>
  Object.fromEntries(
    rowsOf(csv).map((row) => {
      const id = row["invoiceNumber"]!
      const amount = two(row["InvoiceAmount"]!)
      const settled = row["SettledDate"] === "" ? undefined : isoDay(row["SettledDate"]!)
      return [
        `receivables/invoice/${id}`,
        {
          number: id,
          status: settled === undefined ? "pending" : "paid",
          gross_amount: amount,
          due_date: isoDay(row["DueDate"]!),
          paid_date: settled ?? null,
          payments: settled === undefined ? [] : [`${settled} ${amount} settlement receivables/payment/${id}/settled`]
        }
      ]
    })
  )

/** The same invoices, each the same; a few of those that are not, where some are not. */
const same = (actual: Readonly<Record<string, unknown>>, expected: Readonly<Record<string, unknown>>) => {
  const different = [...new Set([...Object.keys(actual), ...Object.keys(expected)])].filter(
    (key) => !isDeepStrictEqual(actual[key], expected[key])
  )
  const few = (all: Readonly<Record<string, unknown>>) => different.slice(0, 3).map((key) => [key, all[key]])
  assert.deepStrictEqual(few(actual), few(expected), `${different.length} invoices are not as expected`)
}

const agreed = (ran: Ran) => {
  const statements = ofType(ran, "completeness")
  assert.strictEqual(statements.length, 1)
  for (const { books, differences, service, source } of statements) {
    assert.deepStrictEqual([books, service, differences], [source, source, []])
  }
}

const replace = (csv: string, number: string, edit: (row: ReadonlyArray<string>) => ReadonlyArray<string>) =>
  csv
    .split("\n")
    .flatMap((line) => {
      const cells = line.split(",")
      if (cells[3] !== number) return [line]
      const edited = edit(cells)
      return edited.length === 0 ? [] : [edited.join(",")]
    })
    .join("\n")

const AMOUNT = 6
const SETTLED = 8
const set = (at: number, text: string) => (row: ReadonlyArray<string>) => row.with(at, text)

describe("a ledger of late payments", () => {
  const csv = () => readFileSync(LEDGER, "utf8").replaceAll("\r\n", "\n")

  it("is sent whole, agrees, and is sent once", { timeout: 120_000 }, async () => {
    const there = await service()
    const { run } = example(there.url, csv())
    const rows = rowsOf(csv())

    const first = await run("sync", "--json")
    assert.strictEqual(first.status, 0, first.stdout.slice(-500) + first.stderr)
    agreed(first)
    const [{ done, quarantined }] = ofType(first, "summary") as [Readonly<Record<string, unknown>>]
    assert.deepStrictEqual([done, quarantined], [1 + 3 * rows.length, 0])
    same(await there.holds(), expected(csv()))

    // A country that is no country is left out, and said.
    const unknown = new Set(rows.map((row) => row["countryCode"]!).filter((code) => !["818", "826"].includes(code)))
    const said = ofType(first, "notice").map(
      ({ what }) => String(what).match(/"(\d+)" is not an ISO 3166-1 country/)?.[1]
    )
    assert.sameMembers(said, [...unknown])

    const before = (await there.control<ReadonlyArray<unknown>>("GET", "requests")).length
    const second = await run("sync", "--json")
    assert.strictEqual(second.status, 0)
    agreed(second)
    assert.deepStrictEqual(ofType(second, "receipt"), [])
    assert.strictEqual((await there.control<ReadonlyArray<unknown>>("GET", "requests")).length, before)
  })

  it("ends the same when it is killed at random, again and again", {
    timeout: 240_000 * Math.max(1, EFFORT / 4)
  }, async ({ annotate }) => {
    const there = await service()
    const { runWith, run } = example(there.url, csv())
    // It is sent too soon to be killed half way, unless the service takes its time.
    await there.control("POST", "faults", { kind: "delay", delay_ms: 50, times: 100_000 })
    const delays: Array<number> = []
    let killed = 0
    for (let i = 0; i < times(3); i++) {
      const delay = 200 + Math.floor(Math.random() * 300)
      delays.push(delay)
      const ran = await runWith({ onStart: (child) => setTimeout(() => child.kill("SIGKILL"), delay) }, "sync")
      if (ran.signal === "SIGKILL") killed++
    }
    await annotate(`killed ${killed} times, after ${delays.join(", ")} ms`)
    assert.isAbove(killed, 0, `none of ${delays.join(", ")} ms came in time`)
    await there.control("DELETE", "faults")
    const last = await run("sync", "--json")
    assert.strictEqual(last.status, 0, `${last.stdout.slice(-800)}${last.stderr} after ${delays.join(", ")} ms`)
    agreed(last)
    same(await there.holds(), expected(csv()))
    assert.deepStrictEqual(ofType(await run("sync", "--json"), "receipt"), [])
  })

  it("follows edits: amended, taken back, deleted, reopened", { timeout: 120_000 }, async () => {
    const there = await service()
    const numbers = rowsOf(csv()).map((row) => row["invoiceNumber"]!)
    const [changed, moved, insuredOne, dropped, reopened, corrected] = numbers as [
      string,
      string,
      string,
      string,
      string,
      string
    ]
    // Four of them are not settled yet.
    let now = csv()
    for (const number of [changed, moved, insuredOne, dropped]) now = replace(now, number, set(SETTLED, ""))
    const { run, write } = example(there.url, now)
    assert.strictEqual((await run("sync")).status, 0)
    same(await there.holds(), expected(now))
    await insure(there, `receivables/invoice/${insuredOne}`)

    now = replace(now, changed, set(AMOUNT, "1000.5"))
    now = replace(now, moved, set(SETTLED, "12/31/2013"))
    now = replace(now, insuredOne, set(AMOUNT, "12.3"))
    now = replace(now, dropped, () => [])
    now = replace(now, reopened, set(SETTLED, ""))
    now = replace(now, corrected, set(SETTLED, "12/30/2013"))
    write("late-payments.csv", now)
    // One is lowered by more than half (G4), and that is meant.
    const ran = await run("sync", "--json", "--allow", "G4")
    // Reopened: a transaction has no way back from paid, so a person must know (T13).
    assert.strictEqual(ran.status, 3, ran.stdout.slice(-500) + ran.stderr)
    assert.deepStrictEqual(
      ofType(ran, "attention").map(({ document, rule }) => [document, rule]),
      [[`receivables/invoice/${reopened}`, "T13"]]
    )
    const receipts = ofType(ran, "receipt")
    const rules = (number: string) =>
      receipts
        .filter(({ document, outcome }) => document === `receivables/invoice/${number}` && outcome === undefined)
        .map(({ rule }) => rule)
    assert.deepStrictEqual(rules(changed), ["T6"])
    assert.deepStrictEqual(rules(moved), ["P1", "T12"])
    assert.deepStrictEqual(rules(insuredOne), ["T7"])
    assert.deepStrictEqual(rules(dropped), ["T9"])
    assert.deepStrictEqual(rules(reopened), ["P5"])
    assert.deepStrictEqual(rules(corrected), ["P6", "P6"])

    const holds = (await there.holds()) as Readonly<Record<string, { readonly payments: ReadonlyArray<string> }>>
    const after: Record<string, unknown> = { ...expected(now) }
    // What went back is there as well, beside what it takes back.
    for (const number of [reopened, corrected]) {
      const key = `receivables/invoice/${number}`
      assert.lengthOf(holds[key]!.payments, number === reopened ? 2 : 3)
      assert.strictEqual(sum(holds[key]!.payments), number === reopened ? 0n : sum(holds[key]!.payments.slice(-1)))
      after[key] = holds[key]
    }
    same(holds, after)
    assert.deepStrictEqual(ofType(await run("sync", "--json"), "receipt"), [])
  })
})

const sum = (payments: ReadonlyArray<string>) =>
  payments.reduce((total, payment) => total + Decimal.of(payment.split(" ")[1]!), 0n)

/** Someone else insures it: matched to a company, quoted, and bought. */
const insure = async ({ url }: Service, key: string) => {
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Token ${KEY}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.status === 204 ? {} : ((await answer.json()) as Record<string, unknown>)
  }
  const listed = (await call("GET", `/v1/transactions?unique_id=${encodeURIComponent(key)}`)) as {
    readonly results: ReadonlyArray<{ readonly id: string; readonly unique_id: string }>
  }
  const { id } = listed.results.find(({ unique_id }) => unique_id === key)!
  await call("PATCH", `/v1/transactions/${id}`, { creditor: "co-1002" })
  await call("PUT", `/v1/transactions/${id}/match_debtor`, { debtor: "co-1001" })
  const { id: quote } = await call("POST", "/v1/quotes", { transaction: id })
  await call("POST", "/v1/policies", { quote, stripe_id: "tok_visa" })
}
