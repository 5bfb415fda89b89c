/** Mollie: what its webhooks point to, and what becomes of a payment that is charged back and won again. */
import { assert, describe, it } from "@effect/vitest"
import { createHmac } from "node:crypto"
import type { Connector } from "../../../connectors/Connector.ts"
import * as Json from "../../../connectors/Json.ts"
import * as Mapping from "../../../connectors/mollie/Mapping.ts"
import * as Day from "../../../core/wire/Day.ts"
import { subject } from "../../../connectors/mollie/Sample.ts"
import { settlement } from "../../../connectors/mollie/Settlements.ts"
import { bookmark, copy, digits, fold, run } from "../../../connectors/testing/index.ts"
import { listsOf } from "../../../connectors/testing/Subject.ts"

const webhook = subject.connector.webhook!
const bytes = (body: unknown) => Buffer.from(JSON.stringify(body))
const events = (body: unknown) => webhook.events({ headers: {}, body: bytes(body) }, subject.settings as never)

const reread = (stage: ReturnType<typeof subject.open>, ids: ReadonlyArray<string>) => {
  const connector: Connector = { ...subject.connector, reread: webhook.reread }
  return run({ ...subject, connector }, stage, { reread: ids })
}

const AMOUNT = { value: "75.00", currency: "EUR" }

describe("mollie", () => {
  it("tells of a direct debit that failed as never received; of another payment that failed nothing", () => {
    const record = {
      id: "tr_9",
      status: "failed",
      amount: AMOUNT,
      createdAt: "2026-03-01T10:00:00+00:00",
      failedAt: "2026-03-04T10:00:00+00:00",
      metadata: { invoice: "INV-9" },
      details: { bankReasonCode: "AM04" },
      captures: []
    }
    const read = (method: string) => {
      const fields = new Json.Fields(Json.parse(JSON.stringify({ ...record, method })) as Json.Members)
      return Mapping.payment({ member: "metadata.invoice" })(fields).documents
    }
    const [tried, back, ...more] = read("directdebit")
    assert.deepInclude(tried, { kind: "payment", id: "tr_9", date: Day.of("2026-03-01"), tried: "failed" })
    const its = { payment: "tr_9", date: Day.of("2026-03-04"), providerCode: "AM04" }
    assert.deepInclude(back, { kind: "reversal", id: "tr_9/failed", ...its })
    assert.deepStrictEqual([more, read("creditcard")], [[], []])
  })

  it("reads a settlement on its way to the bank, in each of the words that Mollie has for it", () => {
    const [one] = listsOf(subject.open())["settlements"]!.records
    const read = (status: string) => {
      const record = Json.parse(JSON.stringify({ ...one, status })) as Json.Members
      return settlement({ member: "metadata.invoice" })(new Json.Fields(record))
    }
    for (const status of ["pending", "processing", "processing-at-bank"])
      assert.deepInclude(read(status).documents[0], { kind: "payout", id: "stl_1", status: "pending" })
    assert.throws(() => read("returned"), /returned/)
  })

  it("takes deliveries that it signed, with and without the name of the algorithm", () => {
    const body = bytes({ resource: "event", id: "event_1", type: "payment.paid", entityId: "tr_1" })
    const mac = createHmac("sha256", "secret").update(body).digest("hex")
    const verify = (given: string | undefined) =>
      webhook.verify({ headers: { "x-mollie-signature": given }, body }, "secret", 0)
    for (const given of [mac, `sha256=${mac}`, `sha256=${"0".repeat(64)}, sha256=${mac}`]) assert.isTrue(verify(given))
    for (const given of [undefined, "", mac.slice(1), `sha256=${"0".repeat(64)}`]) assert.isFalse(verify(given))
  })

  it("points to a payment, also where a refund, a capture or a chargeback of it changed", () => {
    const event = (entityId: string, more: object = {}) => ({ resource: "event", id: "event_1", entityId, ...more })
    assert.deepStrictEqual(events(event("tr_1")), [{ about: "tr_1", event: "event_1" }])
    const entity = { _embedded: { entity: { id: "re_1", paymentId: "tr_2" } } }
    assert.deepStrictEqual(events(event("re_1", entity)), [{ about: "tr_2", event: "event_1" }])
    assert.deepStrictEqual(events({ resource: "refund", id: "re_1", status: "failed", paymentId: "tr_3" }), [
      { about: "tr_3", event: "re_1 failed" }
    ])
    assert.deepStrictEqual(events(event("pl_1")), [])
    assert.isUndefined(events({ hello: "there" }))
  })

  it("reads a payment by its id with its captures, refunds and chargebacks: the same facts as its lists", async () => {
    const lists = fold((await run(subject, subject.open())).pages)
    // A settlement is of many payments.
    const all = [...lists].filter(([name]) => !name.startsWith("payout/"))
    const { pages } = await reread(subject.open(), ["tr_1", "tr_3", "tr_4", "tr_5", "tr_none"])
    assert.deepStrictEqual(new Map([...fold(pages)].sort()), new Map([...all].sort()))
    assert.deepInclude(
      pages.flatMap(({ deleted = [] }) => deleted),
      { kind: "payment", id: "tr_none" }
    )
  })

  it("tells a payment, its chargeback and the chargeback's reversal one after the other, each once", async () => {
    const stage = subject.open()
    const { chargebacks, payments } = stage.source!.lists
    const first = await run(subject, stage)
    const mark = (ran: typeof first) => bookmark(subject.connector, ran.pages.at(-1)!)
    payments!.records[1].status = "paid"
    const paid = await run(subject, stage, { after: mark(first) })
    const before = fold(first.pages)
    const news = (ran: typeof first, known: ReadonlyMap<string, string>) =>
      [...fold(ran.pages)].filter(([name, text]) => known.get(name) !== text).map(([name]) => name)
    assert.deepStrictEqual(news(paid, before), ["payment/tr_2"])
    const charged = { id: "chb_7", paymentId: "tr_2", amount: AMOUNT, createdAt: "2026-02-28T10:00:00+00:00" }
    chargebacks!.records.push(...copy([charged]))
    const known = fold(paid.pages, before)
    const back = await run(subject, stage, { after: mark(paid) })
    assert.deepStrictEqual(news(back, known), ["reversal/chb_7"])
    chargebacks!.records.at(-1).reversedAt = "2026-03-20T10:00:00+00:00"
    const won = await run(subject, stage, { after: mark(back) })
    assert.deepStrictEqual(news(won, fold(back.pages, known)), ["payment/chb_7/reversed"])
  })

  it("reads a list again whose cursor Mollie does not take any more", async () => {
    const stage = subject.open()
    const whole = fold((await run(subject, stage)).pages)
    const stale = JSON.stringify({
      marks: {},
      now: { list: "payments", began: 1, page: 2, from: "from=tr_gone&limit=250" }
    })
    const ran = await run(subject, stage, { after: stale })
    assert.isUndefined(ran.error)
    assert.deepStrictEqual(fold(ran.pages), whole)
  })

  it("quarantines an amount that is finer than its currency, a status that is not known, and what could hide captures", async () => {
    const stage = subject.open()
    const { payments, refunds } = stage.source!.lists
    payments!.records[0].amount.value = digits("75.001")
    refunds!.records[0].status = "odd"
    // Its captures cannot be asked for.
    payments!.records[3].id = [""]
    // Whether it has captures cannot be told.
    payments!.records[2].captureMode = false
    const { pages } = await run(subject, stage)
    const why = pages.flatMap(({ quarantined }) => quarantined).map(({ origin, why }) => `${origin}: ${why}`)
    assert.sameMembers(why, [
      "payments/tr_1: 75.001 has more decimal places than EUR allows",
      'refunds/re_1: "odd" is not a known status',
      "payments/#1: is missing; it is required",
      "payments/tr_3: is boolean; text is expected",
      "chargebacks/chb_1: is boolean; text is expected"
    ])
  })
})
