/** PayPal: windows of time, what its codes mean, and a payment that is taken back and comes again. */
import { assert, describe, it } from "@effect/vitest"
import { subject } from "../../../connectors/paypal/Sample.ts"
import { bookmark, fold, run } from "../../../connectors/testing/index.ts"

const DAY_MS = 86_400_000
const SINCE = { ...(subject.settings as object), since: "2025-11-01" }

/** The windows that were asked for, in days. */
const windows = ({ asked }: Awaited<ReturnType<typeof run>>) =>
  asked
    .filter(({ path }) => path === "/v1/reporting/transactions")
    .map(({ query }) => [Date.parse(query.get("start_date")!), Date.parse(query.get("end_date")!)] as const)

const tooLarge = () =>
  new Response(
    JSON.stringify({ name: "RESULTSET_TOO_LARGE", message: "Result set size is greater than the maximum" }),
    {
      status: 400
    }
  )

describe("paypal", () => {
  it("asks for all time since a day, 31 days at once, and leaves out none of it", async () => {
    const all = windows(await run({ ...subject, settings: SINCE }, subject.open(), { bend: { size: 100 } }))
    assert.strictEqual(all[0]![0], Date.parse("2025-11-01"))
    assert.isAbove(all.at(-1)![1], Date.parse("2026-03-02T11:00:00Z"))
    for (const [n, [from, until]] of all.entries()) {
      assert.isAtMost(until - from, 31 * DAY_MS)
      if (n > 0) assert.strictEqual(from, all[n - 1]![1])
    }
    assert.strictEqual(all.length, 4)
  })

  it("asks for half as much where that has too many transactions, and loses none", async () => {
    const whole = fold((await run(subject, subject.open())).pages)
    const instead: NonNullable<NonNullable<Parameters<typeof run>[2]>["bend"]>["instead"] = ({ path, query }) => {
      const length = Date.parse(query.get("end_date") ?? "") - Date.parse(query.get("start_date") ?? "")
      return path === "/v1/reporting/transactions" && length > 10 * DAY_MS ? tooLarge() : undefined
    }
    const ran = await run(subject, subject.open(), { bend: { instead } })
    assert.isUndefined(ran.error)
    assert.deepStrictEqual(fold(ran.pages), whole)
    const stuck = await run(subject, subject.open(), {
      bend: { instead: ({ path }) => (path === "/v1/reporting/transactions" ? tooLarge() : undefined) }
    })
    assert.match(stuck.error?.message ?? "", /RESULTSET_TOO_LARGE/)
  })

  it("goes on in the middle of a window, with what is left of it", async () => {
    const stage = subject.open()
    const whole = await run(subject, stage)
    const after = bookmark(subject.connector, whole.pages[0]!)
    assert.include(after, '"window"')
    const rest = await run(subject, stage, { after })
    const ends = (ran: typeof whole) => windows(ran).map(([from]) => from)
    assert.strictEqual(ends(rest)[0], ends(whole)[0])
    assert.deepStrictEqual(fold(rest.pages, fold(whole.pages.slice(0, 1))), fold(whole.pages))
  })

  it("tells a payment, its chargeback and the chargeback's reversal one after the other, each once", async () => {
    const stage = subject.open()
    const { records } = stage.source!.lists["transactions"]!
    const all = records.splice(0)
    const known = new Map<string, string>()
    let after: string | undefined
    const news = async () => {
      const ran = await run(subject, stage, { after })
      after = bookmark(subject.connector, ran.pages.at(-1)!)
      const found = [...fold(ran.pages)].filter(([name, text]) => known.get(name) !== text)
      for (const [name, text] of found) known.set(name, text)
      return found.map(([name]) => name)
    }
    const add = (id: string) => void records.push(all.find(({ transaction_id }) => transaction_id.startsWith(id)))
    add("2A")
    assert.deepStrictEqual(await news(), ["payment/2AB23456CD789012E"])
    add("7A")
    assert.deepStrictEqual(await news(), ["reversal/7AB23456CD789012E"])
    add("8A")
    assert.deepStrictEqual(await news(), ["payment/8AB23456CD789012E"])
    assert.deepStrictEqual(await news(), [])
  })

  it("takes back what is denied later, and quarantines a code and a status that are not known", async () => {
    const stage = subject.open()
    const { records } = stage.source!.lists["transactions"]!
    records[0].transaction_status = "D"
    records[1].transaction_status = "X"
    records[4].transaction_event_code = "T1199"
    records[5].transaction_event_code = "payment"
    const { pages } = await run(subject, stage)
    assert.deepInclude(
      pages.flatMap(({ deleted = [] }) => deleted),
      { kind: "payment", id: "1AB23456CD789012E" }
    )
    assert.sameMembers(
      pages.flatMap(({ quarantined }) => quarantined).map(({ origin, why }) => `${origin}: ${why}`),
      [
        'transactions/2AB23456CD789012E: "X" is not a known status',
        "transactions/5AB23456CD789012E: T1199 is not a known event code",
        "transactions/6AB23456CD789012E: is not an event code like T0006"
      ]
    )
  })

  it("says by what name PayPal refuses, and what to do about a client that it does not know", async () => {
    const denied = () => new Response(JSON.stringify({ name: "NOT_AUTHORIZED", message: "denied" }), { status: 403 })
    const instead = ({ path }: { readonly path: string }) => (path === subject.tokens ? undefined : denied())
    assert.match((await run(subject, subject.open(), { bend: { instead } })).error!.message, /NOT_AUTHORIZED: denied/)
    const environment = { ...subject.environment, PAYPAL_CLIENT_SECRET: "another-secret" }
    const { error } = await run({ ...subject, environment }, subject.open())
    assert.match(error!.message, /issued no token \(401\); check PAYPAL_CLIENT_ID and PAYPAL_CLIENT_SECRET/)
    assert.notInclude(error!.message, "another-secret")
  })
})
