/** Stripe's lists: joined at first, and then asked for no more than an event names. */
import { assert, describe, it } from "vitest"
import { subject } from "../../../connectors/stripe/Sample.ts"
import { bookmark, copy, fold, run } from "../../../connectors/testing/index.ts"

const AT = 1_770_112_800

/** How often each address was asked, beside the account: `refunds 1`. */
const counted = ({ asked }: Awaited<ReturnType<typeof run>>) => {
  const counts = new Map<string, number>()
  for (const { path } of asked.filter(({ path }) => path !== "/v1/account"))
    counts.set(path.split("/")[2]!, (counts.get(path.split("/")[2]!) ?? 0) + 1)
  return Object.fromEntries(counts)
}

describe("Stripe's lists", () => {
  const event = (id: string, type: string, object: object) =>
    copy([{ id, object: "event", type, created: AT + 26 * 86_400, data: { object } }])[0]

  it("are joined to what invoices by themselves come to", async () => {
    const stage = subject.open()
    stage.grow!(40)
    const all = fold((await run(subject, stage, { bend: { size: 7 } })).pages)
    const ids = stage.source!.lists["invoices"]!.records.map(({ id }) => id as string)
    const alone = fold((await run(subject, stage, { reread: ids })).pages)
    assert.isAbove(all.size, 80)
    // Payouts belong to no invoice.
    const ofInvoices = [...all].filter(([name]) => !name.startsWith("payout/"))
    assert.deepStrictEqual(new Map(ofInvoices.sort()), new Map([...alone].sort()))
  })

  it("go on from a bookmark of before they were joined, and nothing is lost", async () => {
    const stage = subject.open()
    const all = await run(subject, stage)
    const since = AT + 25 * 86_400
    // While every invoice was read, and behind that.
    const midway = JSON.stringify({ invoices: "in_4", since, all: false })
    const rest = await run(subject, stage, { after: midway })
    const behind = [...fold(rest.pages).keys()]
    for (const name of ["invoice/in_3", "reversal/dp_2", "payment/inpay_1", "reversal/re_1"])
      assert.include(behind, name)
    const known = fold(all.pages)
    const next = await run(subject, stage, { after: JSON.stringify({ since, all: true }) })
    assert.deepStrictEqual(fold(next.pages, known), known)
    assert.include([...fold(next.pages).keys()], "invoice/in_1")
  })

  it("show a refund by itself, with one reading of what its payment pays", async () => {
    const stage = subject.open()
    const { events, refunds } = stage.source!.lists
    const first = await run(subject, stage)
    const [refund] = copy([{ ...refunds!.records[0], id: "re_9", amount: 300 }])
    refunds!.records.unshift(refund)
    events!.records.unshift(event("evt_9", "refund.created", refund))
    const next = await run(subject, stage, {
      after: bookmark(subject.connector, first.pages.at(-1)!),
      bend: { size: 100 }
    })
    assert.deepStrictEqual(counted(next), { events: 1, refunds: 1, invoice_payments: 1 })
    assert.sameMembers([...fold(next.pages).keys()], ["reversal/re_1", "reversal/re_9"])
    const now = fold([...first.pages, ...next.pages])
    assert.deepStrictEqual(now, fold((await run(subject, stage)).pages, now))
    assert.isTrue(now.has("reversal/re_9"))
  })

  it("show what went back of a payment before it became an invoice's", async () => {
    const stage = subject.open()
    const { events, invoice_payments, refunds } = stage.source!.lists
    const [early] = copy([{ ...refunds!.records[0], id: "re_9", payment_intent: "pi_9" }])
    refunds!.records.push(early)
    const first = await run(subject, stage)
    assert.isFalse(fold(first.pages).has("reversal/re_9"))
    const payment = { ...invoice_payments!.records[0], id: "inpay_9", payment: { payment_intent: "pi_9" } }
    invoice_payments!.records.push(...copy([payment]))
    events!.records.unshift(event("evt_9", "invoice_payment.paid", payment))
    const next = await run(subject, stage, { after: bookmark(subject.connector, first.pages.at(-1)!) })
    const now = fold([...first.pages, ...next.pages])
    assert.isTrue(now.has("payment/inpay_9"))
    assert.isTrue(now.has("reversal/re_9"))
  })

  it("are asked for an event once, although its time is read again", async () => {
    const stage = subject.open()
    const { events } = stage.source!.lists
    const first = await run(subject, stage)
    const fresh = ["in_1", "in_2", "in_3"].map((id) => event(`evt_${id}`, "invoice.updated", { id, object: "invoice" }))
    events!.records.unshift(...fresh)
    const behind = ({ pages }: Awaited<ReturnType<typeof run>>) => bookmark(subject.connector, pages.at(-1)!)
    const bend = { size: 100 }
    const second = await run(subject, stage, { after: behind(first), bend })
    assert.deepStrictEqual(counted(second), { events: 1, invoices: 3 })
    const third = await run(subject, stage, { after: behind(second), bend })
    assert.deepStrictEqual(counted(third), { events: 1 })
    // One that is listed late, of the same time, is seen all the same.
    events!.records.push(event("evt_late", "invoice.updated", { id: "in_4", object: "invoice" }))
    const fourth = await run(subject, stage, { after: behind(third), bend })
    assert.deepStrictEqual(counted(fourth), { events: 1, invoices: 1 })
  })
})
