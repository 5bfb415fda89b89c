/** Zoho Books: what is applied to an invoice, what that costs, and where it is asked for. */
import { assert, describe, it } from "@effect/vitest"
import type * as Document from "../../../connectors/Document.ts"
import { subject } from "../../../connectors/zohobooks/Sample.ts"
import { bookmark, fold, run } from "../../../connectors/testing/index.ts"

const LATER = { last_modified_time: "2026-03-01T12:30:00+0000" }

const withSettings = (more: object) => ({ ...subject, settings: { ...(subject.settings as object), ...more } })

/** The paths below the invoices, in order. */
const asked = ({ asked: all }: Awaited<ReturnType<typeof run>>) =>
  all.flatMap(({ path }) => /\/invoices\/(.+)$/.exec(path)?.[1] ?? []).sort()

/** Changes the fixtures after a first pull, and returns what the books hold after the next one. */
const later = async (change: (lists: Record<"invoices" | "payments" | "credits", ReadonlyArray<object>>) => void) => {
  const stage = subject.open()
  const first = await run(subject, stage)
  const { credits, invoices, payments } = stage.source!.lists
  change({ invoices: invoices!.records, payments: payments!.records, credits: credits!.records })
  const next = await run(subject, stage, { after: bookmark(subject.connector, first.pages.at(-1)!) })
  return { held: fold([...first.pages, ...next.pages]), before: fold(first.pages), next }
}

const quarantined = ({ pages }: Awaited<ReturnType<typeof run>>) =>
  pages.flatMap((page) => page.quarantined.map(({ field, origin, why }) => `${origin}: ${field} ${why}`))

describe("zohobooks", () => {
  it("asks for payments only where something is settled, and for credit notes only where payments leave something", async () => {
    const first = await run(subject, subject.open())
    assert.deepStrictEqual(asked(first), [...["501/creditsapplied", "501/payments", "505/payments"]])
  })

  it("reads the same from the list of all payments as from each invoice's own", async () => {
    const { before, held, next } = await later(({ invoices }) => {
      for (const one of invoices) Object.assign(one, LATER)
    })
    assert.deepStrictEqual(held, before)
    assert.deepStrictEqual(asked(next), [
      ...["501/creditsapplied", "501/payments", "502/payments", "505/payments", "507/payments"]
    ])
  })

  it("asks by invoice where the list of all payments is not as it was, is not there, or has other members", async () => {
    const whole = fold((await run(subject, subject.open())).pages)
    const answers: ReadonlyArray<() => Response> = [
      () => Response.json({ code: 0, customerpayments: [], page_context: { has_more_page: false } }),
      () => Response.json({ code: 0, customer_payments: [], page_context: { has_more_page: false } }),
      () => Response.json({ code: 5, message: "Invalid URL Passed" }, { status: 404 })
    ]
    for (const answer of answers) {
      const instead = ({ path }: { readonly path: string }) =>
        path.endsWith("/customerpayments") ? answer() : undefined
      const ran = await run(subject, subject.open(), { bend: { instead } })
      assert.isUndefined(ran.error)
      assert.deepStrictEqual(fold(ran.pages), whole)
      assert.lengthOf(asked(ran), 5)
    }
  })

  it("adds up what is applied of one payment in several steps, and counts nothing twice", async () => {
    const { held } = await later(({ invoices, payments }) => {
      ;(payments as Array<object>).push({ ...payments[0], invoice_payment_id: "399", amount: 8 })
      Object.assign(invoices[0]!, { balance: 40, ...LATER })
    })
    assert.match(held.get("payment/8300/501")!, /"amount":"5800000000n"/)
  })

  it("deletes payments, withheld tax and credit notes that are no longer applied, and nothing else", async () => {
    const { before, held } = await later(({ credits, invoices, payments }) => {
      ;(payments as Array<object>).splice(0, 1)
      ;(payments as Array<object>).splice(1, 1)
      ;(credits as Array<object>).splice(0)
      Object.assign(invoices[0]!, { balance: 120, status: "overdue", ...LATER })
    })
    const gone = [...before.keys()].filter((name) => !held.has(name))
    assert.sameMembers(gone, ["payment/8300/501", "credit_note/8303/501", "credit_note/401"])
    assert.strictEqual(before.size - held.size, 3)
  })

  it("takes back every payment of an invoice that is void", async () => {
    const { held } = await later(({ invoices }) => Object.assign(invoices[1]!, { status: "void", ...LATER }))
    assert.match(held.get("invoice/502")!, /"status":"void"/)
    assert.isFalse(held.has("payment/8304/502"))
    assert.isTrue(held.has("payment/8305/507"))
  })

  it("keeps what was applied where one part cannot be read, and says which", async () => {
    const { before, held, next } = await later(({ invoices, payments }) => {
      Object.assign(payments[0]!, { date: "soon" })
      Object.assign(payments[3]!, { amount: 1.005 })
      for (const n of [0, 1]) Object.assign(invoices[n]!, LATER)
    })
    assert.deepStrictEqual(held, before)
    assert.sameMembers(quarantined(next), [
      'invoices/501: date "soon" is not a YYYY-MM-DD date',
      "invoices/502: amount 1.005 has more decimal places than EUR allows"
    ])
  })

  it("quarantines a status that it does not know", async () => {
    const { before, held, next } = await later(({ invoices }) =>
      Object.assign(invoices[5]!, { status: "odd", ...LATER })
    )
    assert.deepStrictEqual(held, before)
    assert.deepStrictEqual(quarantined(next), ['invoices/506: status "odd" is not a known status'])
  })

  it("makes each application of a payment a document of its own, in the invoice's currency", async () => {
    const { pages } = await run(subject, subject.open())
    const documents = pages.flatMap(({ read }) => read.map(({ document }) => document))
    for (const one of documents) {
      if (!("shares" in one)) continue
      assert.lengthOf(one.shares, 1)
      const invoice = documents.find(({ id, kind }) => kind === "invoice" && id === one.shares[0]!.invoice)!
      assert.strictEqual(one.currency, (invoice as Document.Invoice).currency)
    }
  })

  it("asks the hosts of the organization's region", async () => {
    const origins = async (region: string) => {
      const stale = {
        ...subject,
        oauth: { ...subject.oauth!, held: subject.oauth!.held.replace("access-held", "old") }
      }
      const { asked, error } = await run({ ...stale, ...withSettings({ region }), oauth: stale.oauth }, subject.open())
      assert.isUndefined(error)
      return [...new Set(asked.map(({ origin }) => origin))].sort()
    }
    assert.deepStrictEqual(await origins("eu"), ["https://accounts.zoho.eu", "https://www.zohoapis.eu"])
    assert.deepStrictEqual(await origins("ca"), ["https://accounts.zohocloud.ca", "https://www.zohoapis.ca"])
    const settings = { ...(subject.settings as object), region: "in" } as never
    const { page, tokens } = subject.connector.authorisation!(settings)
    assert.strictEqual(page, "https://accounts.zoho.in/oauth/v2/auth?access_type=offline&prompt=consent")
    assert.strictEqual(tokens, "https://accounts.zoho.in/oauth/v2/token")
  })

  it("says to authorise again where Zoho answers a used-up token with 200, and what Zoho says of another organization", async () => {
    const held = JSON.stringify({ ...JSON.parse(subject.oauth!.held), access: "old", refresh: "used" })
    const revoked = await run({ ...subject, oauth: { ...subject.oauth!, held } }, subject.open())
    assert.match(revoked.error!.message, /no longer accepts this connection.*daybook connect/s)
    const other = await run(withSettings({ organization: "1" }), subject.open())
    assert.match(other.error!.message, /not associated with it/)
  })

  it("begins with what changed since the day in the settings", async () => {
    const stage = subject.open()
    for (const one of stage.source!.lists["invoices"]!.records.slice(1)) Object.assign(one, LATER)
    const { asked, pages } = await run(withSettings({ since: "2026-02-15" }), stage)
    assert.strictEqual(asked[0]!.query.get("last_modified_time"), "2026-02-15T00:00:00+0000")
    assert.isFalse(fold(pages).has("invoice/501"))
    assert.isTrue(fold(pages).has("invoice/502"))
  })
})
