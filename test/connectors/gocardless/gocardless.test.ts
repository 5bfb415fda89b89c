/** GoCardless where the kit does not reach: every order in which a debit can succeed, fail, be disputed and tried again. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Effect, Layer, Schema, Stream } from "effect"
import { assert, describe, it } from "vitest"
import * as Document from "../../../connectors/Document.ts"
import * as Json from "../../../connectors/Json.ts"
import * as Mapping from "../../../connectors/gocardless/Mapping.ts"
import { subject } from "../../../connectors/gocardless/Sample.ts"
import { bookmark, copy, fold, run, simulate } from "../../../connectors/testing/index.ts"
import * as Decimal from "../../../core/money/Decimal.ts"

/** Actions of a payment, one a day from 1 February, and the facts they make: `payment PM1 2026-02-03 50`. */
const factsOf = (
  status: string,
  actions: ReadonlyArray<string>,
  refunds: ReadonlyArray<object> = [],
  more: object = {}
) => {
  const record = {
    id: "PM1",
    payment: {
      id: "PM1",
      amount: 5000,
      currency: "GBP",
      charge_date: "2026-02-20",
      status,
      metadata: { invoice: "I1" }
    },
    events: actions.map((action, n) => ({ id: `EV${n + 1}`, action, created_at: `2026-02-0${n + 1}T10:00:00.000Z` })),
    refunds,
    ...more
  }
  const decoded = Mapping.payment("metadata.invoice")(
    new Json.Fields(Json.parse(JSON.stringify(record)) as Json.Members)
  )
  const facts = decoded.documents.map((one) => {
    const amount = Document.isAllocated(one) ? Decimal.format(one.shares[0]!.amount) : ""
    const { date, tried, type = "" } = one as Partial<Document.Payment> & Partial<Document.Reversal>
    return [one.kind, one.id, date, amount, tried ?? type].join(" ").trimEnd()
  })
  return { facts, deleted: (decoded.deleted ?? []).map(({ id, kind }) => `${kind} ${id}`) }
}

const MONEY = "payment PM1 2026-02-20 50"

describe("a debit of GoCardless", () => {
  it("counts from its confirmation, and not before", () => {
    for (const status of ["pending_customer_approval", "cancelled", "customer_approval_denied"])
      assert.deepStrictEqual(factsOf(status, ["created", "submitted"]), { facts: [], deleted: ["payment PM1"] })
    for (const status of ["pending_submission", "submitted"])
      assert.deepStrictEqual(factsOf(status, ["created", "submitted"]).facts, [`${MONEY} pending`])
    assert.deepStrictEqual(factsOf("confirmed", ["submitted", "confirmed"]).facts, [MONEY])
    assert.deepStrictEqual(factsOf("paid_out", ["submitted", "confirmed", "paid_out"]).facts, [MONEY])
    // Its event may come later than its state.
    assert.deepStrictEqual(factsOf("confirmed", ["submitted"]).facts, [MONEY])
  })

  it("that fails before it is confirmed is one that was never received, until it is tried again", () => {
    const failed = factsOf("failed", ["submitted", "failed"])
    assert.deepStrictEqual(failed.facts, [`${MONEY} failed`, "reversal PM1/failed 2026-02-02 50 error"])
    const again = ["submitted", "failed", "resubmission_requested", "submitted"]
    const tried = factsOf("submitted", again)
    assert.deepStrictEqual(tried, { facts: [`${MONEY} pending`], deleted: ["reversal PM1/failed"] })
    const paid = factsOf("paid_out", [...again, "confirmed", "paid_out"])
    assert.deepStrictEqual(paid, { facts: [MONEY], deleted: ["reversal PM1/failed"] })
  })

  it("that fails late is taken back once", () => {
    const back = "reversal EV3 2026-02-03 50 error"
    assert.deepStrictEqual(factsOf("failed", ["confirmed", "paid_out", "failed", "late_failure_settled"]).facts, [
      MONEY,
      back
    ])
  })

  it("that fails late and is tried again is money once more, each on its day", () => {
    const actions = ["confirmed", "failed", "resubmission_requested", "submitted", "confirmed", "paid_out"]
    assert.deepStrictEqual(factsOf("paid_out", actions).facts, [
      "payment PM1 2026-02-01 50",
      "reversal EV2 2026-02-02 50 error",
      "payment EV5 2026-02-20 50"
    ])
    // And is taken back from the second, when that fails as well.
    const twice = [...actions, "failed"]
    assert.deepStrictEqual(factsOf("failed", twice).facts.slice(2), [
      "payment EV5 2026-02-20 50",
      "reversal EV7 2026-02-07 50 error"
    ])
  })

  it("that is charged back, won back and charged back again ends without the money", () => {
    const actions = ["confirmed", "charged_back", "chargeback_cancelled", "charged_back", "chargeback_settled"]
    assert.deepStrictEqual(factsOf("charged_back", actions).facts, [
      MONEY,
      "reversal EV2 2026-02-02 50 chargeback",
      "payment EV3 2026-02-03 50",
      "reversal EV4 2026-02-04 50 chargeback"
    ])
  })

  it("that was charged back was money before, also where its confirmation is not listed", () => {
    assert.deepStrictEqual(factsOf("charged_back", ["charged_back"]).facts, [
      MONEY,
      "reversal EV1 2026-02-01 50 chargeback"
    ])
  })
})

describe("a refund of GoCardless", () => {
  const refund = (status: string, events: ReadonlyArray<object> = [], currency = "GBP") =>
    factsOf(
      "paid_out",
      ["confirmed"],
      [{ id: "RF1", amount: 2000, currency, created_at: "2026-03-01T10:00:00Z", status }],
      { refund_events: events }
    )

  it("goes out when it is made, and never did when it is cancelled", () => {
    for (const status of ["created", "pending_submission", "submitted", "paid"]) {
      assert.deepStrictEqual(refund(status).facts, [MONEY, "reversal RF1 2026-03-01 20 refund"])
      assert.deepStrictEqual(refund(status).deleted, ["payment RF1/returned"])
    }
    assert.deepStrictEqual(refund("cancelled").facts, [MONEY])
    assert.include(refund("cancelled").deleted, "reversal RF1")
  })

  it("is in the currency of its payment", () => {
    assert.throws(() => refund("paid", [], "EUR"), /of refund RF1 is EUR; the payment's is GBP/)
  })

  it("that comes back is money again, on the day on which it came", () => {
    const events = [
      { id: "EV9", action: "paid", created_at: "2026-03-02T10:00:00Z", links: { refund: "RF1" } },
      { id: "EV10", action: "bounced", created_at: "2026-03-04T10:00:00Z", links: { refund: "RF1" } }
    ]
    for (const status of ["bounced", "funds_returned"]) {
      assert.deepStrictEqual(refund(status, events).facts.slice(2), ["payment RF1/returned 2026-03-04 20"])
      assert.deepStrictEqual(refund(status).facts.slice(2), ["payment RF1/returned 2026-03-01 20"])
    }
  })
})

describe("who pays", () => {
  const payer = (customer: object | undefined, links: object = { mandate: "MD1" }) => {
    const payment = { id: "PM1", amount: 5000, currency: "GBP", charge_date: "2026-02-20", status: "confirmed", links }
    const record = { id: "PM1", payment, events: [], refunds: [], ...(customer === undefined ? {} : { customer }) }
    const [document] = Mapping.payment("metadata.invoice")(
      new Json.Fields(Json.parse(JSON.stringify(record)) as Json.Members)
    ).documents
    return (document as Document.Payment).party
  }

  it("goes by the company, or else the person; by the mandate where no more is known", () => {
    const person = { given_name: "Ada", family_name: "Byron" }
    assert.deepStrictEqual(payer({ id: "CU1", company_name: "Harbour Lane Bakery", ...person }), {
      id: "CU1",
      name: "Harbour Lane Bakery"
    })
    assert.deepStrictEqual(payer({ id: "CU1", company_name: null, ...person }), { id: "CU1", name: "Ada Byron" })
    assert.deepStrictEqual(payer({ id: "CU1", company_name: null, given_name: null, family_name: null }), { id: "CU1" })
    assert.deepStrictEqual(payer(undefined), { id: "MD1" })
    assert.isUndefined(payer(undefined, {}))
  })

  it("is listed at first, and only the name of it is kept", async () => {
    const { asked, error, pages } = await run(subject, subject.open(), { bend: { size: 500 } })
    assert.isUndefined(error)
    const paths = asked.map(({ path }) => path).filter((path) => /mandates|customers/.test(path))
    assert.deepStrictEqual(paths.toSorted(), ["/customers", "/mandates"])
    assert.notInclude(
      JSON.stringify(
        pages.map(({ read }) => read),
        (_, value: unknown) => (typeof value === "bigint" ? `${value}` : value)
      ),
      "@"
    )
  })

  it("is looked up once for each mandate of a payment that changed, and listed where many did", async () => {
    const stage = subject.open()
    const { events, payments } = stage.source!.lists
    const first = await run(subject, stage)
    const after = bookmark(subject.connector, first.pages.at(-1)!)
    const counted = async (changed: ReadonlyArray<string>) => {
      const stamped = "2026-03-01T12:01:00.000Z"
      for (const id of changed)
        events!.records.push(
          ...copy([{ ...events!.records[0], id: `EV-${id}`, created_at: stamped, links: { payment: id } }])
        )
      const { asked } = await run(subject, stage, { after, bend: { size: 500, most: 5000 } })
      return asked
        .map(({ path }) => path)
        .filter((path) => /mandates|customers/.test(path))
        .toSorted()
    }
    // The second is of the same mandate, and the third has no money yet.
    assert.deepStrictEqual(await counted(["PM1", "PM1", "PM4"]), ["/customers/CU1", "/mandates/MD1"])
    stage.grow!(400)
    const many = payments!.records.slice(-300).map(({ id }) => id as string)
    assert.deepStrictEqual(
      (await counted(many)).filter((path) => !path.endsWith("1")),
      ["/customers", "/mandates"]
    )
  })
})

describe("GoCardless's lists", () => {
  it("are joined to what payments by themselves come to", async () => {
    const stage = subject.open()
    stage.grow!(60)
    const all = await run(subject, stage, { bend: { size: 7 } })
    const { webhook } = subject.connector
    const alone = webhook!.reread(
      Schema.decodeUnknownSync(subject.connector.settings as Schema.Codec<unknown>)(subject.settings),
      (["payment", "payout"] as const).flatMap((of) =>
        stage.source!.lists[`${of}s`]!.records.map(({ id }) => `${of}:${id}`)
      ),
      { folder: ".", environment: subject.environment ?? {} }
    )
    const { layer } = simulate(stage.source!, { size: 100 })
    const pages = await Effect.runPromise(
      Stream.runCollect(Stream.provide(alone, Layer.merge(NodeFileSystem.layer, layer)))
    )
    const one = fold(pages.map((page) => ({ ...page, bookmark: undefined })))
    assert.isAbove(one.size, 60)
    assert.deepStrictEqual(new Map([...fold(all.pages)].sort()), new Map([...one].sort()))
  })

  it("go on from a bookmark of before they were joined, and nothing is lost", async () => {
    const stage = subject.open()
    const all = fold((await run(subject, stage)).pages)
    const since = Date.parse("2026-02-28T09:00:00.000Z")
    const midway = await run(subject, stage, { after: JSON.stringify({ payments: "PM2", since, all: false }) })
    const rest = [...fold(midway.pages).keys()]
    for (const name of ["payment/PM3", "reversal/EV07", "payment/EV09", "reversal/RF1"]) assert.include(rest, name)
    const behind = await run(subject, stage, { after: JSON.stringify({ since, all: true }) })
    assert.sameMembers([...fold(behind.pages).keys()], ["reversal/RF1", "reversal/RF2", "payment/RF2/returned"])
    assert.deepStrictEqual(fold(behind.pages, all), all)
  })

  it("are asked for an event once, although its time is read again", async () => {
    const stage = subject.open()
    const first = await run(subject, stage)
    const { events } = stage.source!.lists
    const created_at = "2026-03-01T12:01:00.000Z"
    events!.records.push(...copy([{ ...events!.records[0], id: "EV50", created_at, links: { payment: "PM1" } }]))
    const next = async (before: Awaited<ReturnType<typeof run>>) => {
      const after = bookmark(subject.connector, before.pages.at(-1)!)
      const ran = await run(subject, stage, { after, bend: { size: 500 } })
      return { ran, paths: ran.asked.map(({ path, query }) => `${path} ${query.get("payment") ?? ""}`.trimEnd()) }
    }
    const second = await next(first)
    assert.deepStrictEqual(second.paths, [
      "/events",
      "/events",
      "/events",
      "/events PM1",
      "/mandates/MD1",
      "/customers/CU1"
    ])
    assert.deepStrictEqual((await next(second.ran)).paths, ["/events", "/events", "/events"])
  })
})
