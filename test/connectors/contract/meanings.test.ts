/** Mistakes about what records of a ledger mean, planted one by one in a connector that is right: the kit refuses each. */
import { assert, describe, it } from "vitest"
import { prove } from "../../../connectors/testing/index.ts"
import * as Day from "../../../core/wire/Day.ts"
import { type How, of, STATUSES, subjectOf } from "./PlantedLedger.ts"

const FIGURES = "takes each amount as its member has it"
const UNKNOWN = "quarantines what it does not know"
const MISTAKES: Readonly<Record<string, readonly [mistake: Partial<How>, by: string, why: RegExp]>> = {
  "takes an unknown status for open": [
    { status: (fields) => STATUSES[fields.maybe("status") as "sent"] ?? "open" },
    UNKNOWN,
    /is read all the same/
  ],
  "takes anything but failed for money": [
    { received: (fields) => fields.maybe("status") !== "failed" },
    UNKNOWN,
    /is read all the same/
  ],
  "leaves out payments that it does not know": [
    { received: (fields) => fields.maybe("status") === "received" },
    UNKNOWN,
    /left out in silence/
  ],
  "takes pounds for the default": [
    { currency: (fields) => (fields.get("currency") === undefined ? "GBP" : fields.currency("currency")) },
    "takes no default for a missing currency",
    /without currency in invoices, invoice\/101 is in GBP/
  ],
  "takes a missing amount for 0": [
    { amount: (fields, path, currency) => (fields.get(path) === undefined ? 0n : fields.major(path, currency)) },
    "makes nothing of missing amounts, and of 0",
    /without net in invoices, net of invoice\/101 is 0/
  ],
  "takes a missing balance for 0": [
    {
      amount: (fields, path, currency) =>
        path === "balance" && fields.get(path) === undefined ? 0n : fields.major(path, currency)
    },
    "makes nothing of missing amounts, and of 0",
    /without balance in invoices, open of invoice\/101 is 0/
  ],
  "leaves out payments without an amount": [
    {
      amount: (fields, path, currency) =>
        path === "amount" && fields.get(path) === undefined ? 0n : fields.major(path, currency)
    },
    "makes nothing of missing amounts, and of 0",
    /without amount in payments, payment\/201 is left out in silence/
  ],
  "takes nobody for a buyer": [
    { buyer: (fields) => fields.maybe("buyer") ?? "" },
    UNKNOWN,
    /without buyer in invoices, invoice\/101 has an empty name/
  ],
  "knows one currency only": [
    { currency: () => "GBP" },
    "takes no default for a missing currency",
    /no document is in the currency that its record names/
  ],
  "works out what was paid": [
    { computed: "paid" },
    "states the source's own figures only",
    /what invoice\/102 states as open or paid follows from its other amounts/
  ],
  "works out what is open": [
    { computed: true },
    "states the source's own figures only",
    /follows from its other amounts/
  ],
  "swaps net and gross": [{ swapped: true }, "tells net from gross", /more net \(120\) than gross/],
  "counts what is scheduled": [
    { status: (fields) => fields.meaning("status", { ...STATUSES, scheduled: "open" as const }) },
    "counts nothing before its time",
    /with status "scheduled" in invoices/
  ],
  "counts failed payments": [
    { received: (fields) => fields.oneOf("status", ["received", "failed"]) !== "" },
    "counts nothing before its time",
    /with status "failed" in payments/
  ],
  "declares more than the source documents": [
    { perMinute: 600 },
    "declares no limit beyond the source's",
    /perMinute 600/
  ],
  "asks for open ones only": [
    { query: { status: "open" } },
    "leaves nothing out by a filter that its sample lacks",
    /status=open only/
  ],
  "asks for open ones only, later": [
    { since: (at) => ({ since: at, filter: "status eq 'sent'" }) },
    "leaves nothing out by a filter that its sample lacks",
    /filter=status eq 'sent' only/
  ],
  "keeps payments that failed later": [
    { deletes: false },
    "takes back what a record no longer is",
    /status of all payments became "failed".*: payment\/201 should not be there/
  ],
  "takes a payment back for a payment": [
    {
      amount: (fields, path, currency) => {
        const amount = fields.major(path, currency)
        return amount < 0n ? -amount : amount
      }
    },
    "minds the sign of an amount",
    /other sign of net in invoices, invoice\/101 is the same/
  ],
  "counts in hundredths": [
    { amount: (fields, path) => (fields.decimal(path) / 1_000_000n) * 1_000_000n },
    "keeps the minor units of each currency",
    /0.001 KWD more of net in invoices is lost in invoice\/101/
  ],
  "is due at once": [
    { due: (fields) => fields.day("date") },
    "reads what decides",
    /due of invoices could be another one/
  ],
  "takes the day of a change": [
    { paidOn: (fields) => fields.instantDay("updated") },
    "reads what decides",
    /date of payments could be another one/
  ],
  "reads no status of money": [
    { received: () => true },
    "reads what decides",
    /status of payments could be another one/
  ],
  "names payments by their invoice": [
    { own: (fields) => fields.text("invoice") },
    "makes a document of each record",
    /another record of payments, like 202 but with an id of its own, made no document of its own/
  ],
  "pays what is not there": [
    { pays: (fields) => `No. ${fields.text("invoice")}` },
    "pays invoices by their ids",
    /payment\/201 is for invoice No. 101, which no fixture is/
  ],
  "takes nobody for somebody": [
    { buyer: (fields) => fields.maybe("buyer") ?? "Unknown" },
    UNKNOWN,
    /without buyer in invoices, invoice\/101 has the name or number "Unknown", which no record has/
  ],
  "knows the currency of invoices only": [
    { currency: (fields) => (fields.get("buyer") === undefined ? "GBP" : fields.currency("currency")) },
    "takes no default for a missing currency",
    /no document is in the currency that its record names \(currency in payments\)/
  ],
  "counts what was voided": [
    { status: (fields) => fields.meaning("status", { ...STATUSES, void: "open" as const }) },
    "counts nothing before its time",
    /with status "void" in invoices, invoice\/10\d counts/
  ],
  "takes a balance of 0 for paid": [
    {
      status: (fields) => {
        const status = fields.meaning("status", STATUSES)
        return status === "open" && fields.decimal("balance") === 0n ? "paid" : status
      }
    },
    "calls nothing paid because nothing is open",
    /with balance 0 in invoices, invoice\/101 is paid/
  ],
  "takes payments for refunds": [
    { kind: "reversal" },
    "reports each record as what it is",
    /payments are money that came, and reversal\/201 is made of one/
  ],
  "is due before it was issued": [
    { issued: (fields) => fields.day("due"), due: (fields) => fields.day("date") },
    "reads the days of the record",
    /invoice\/101 is due on 2026-01-31, before its day/
  ],
  "is due today where no day is said": [
    {
      due: (fields) =>
        fields.get("due") === undefined ? Day.of(new Date().toISOString().slice(0, 10)) : fields.day("due")
    },
    "reads the days of the record",
    /without due in invoices, invoice\/101 is of the day on which it is read/
  ],
  "is of 1970 where no day is said": [
    { paidOn: (fields) => (fields.get("date") === undefined ? Day.of("1970-01-01") : fields.day("date")) },
    "reads the days of the record",
    /without date in payments, payment\/201 is of 1970-01-01/
  ],
  "pays itself": [
    { pays: (fields) => fields.text("id") },
    "pays invoices by their ids",
    /payment\/201 is for invoice 201, which no fixture is/
  ],
  "takes the day of a change for the day of an invoice": [
    { issued: (fields) => fields.instantDay("updated") },
    "reads the days of the record",
    /invoice\/101 is of the day on which its record was last changed/
  ],
  "asks for more a page than the source gives": [
    { size: 500 },
    "declares no limit beyond the source's",
    /it asks for limit=500, and the source documents 100 a page/
  ],
  "leaves out drafts": [
    { query: { include_drafts: "false" } },
    "leaves nothing out by a filter that its sample lacks",
    /include_drafts=false only/
  ],
  "leaves out money of no invoice": [
    {
      received: (fields) =>
        fields.oneOf("status", ["received", "failed"]) === "received" && fields.get("invoice") !== undefined
    },
    "leaves out no record in silence",
    /without invoice in payments, payment\/20\d is left out in silence/
  ],
  "holds amounts as doubles": [
    { amount: (fields, path) => BigInt(Math.round(Number(fields.text(path)) * 100)) * 1_000_000n },
    FIGURES,
    /more of \w+ in \w+ is another amount in .*: no double holds an amount/
  ],
  "takes the net amount for a total that is missing": [
    { amount: (fields, path, currency) => fields.major(fields.get(path) === undefined ? "net" : path, currency) },
    FIGURES,
    /without gross in invoices, invoice\/101 has an amount of another member/
  ],
  "takes refunds off payments, and reports them too": [
    { netted: true },
    FIGURES,
    /with more refunded in payments, payment\/201 is of less/
  ],
  "counts what is paid as left over too": [
    { twice: true },
    FIGURES,
    /with 1 more of amount in payments, payment\/201 is of 2 more/
  ],
  "takes a buyer's name for the id": [
    { who: (fields) => fields.text("buyer") },
    "reads what decides",
    /buyer_id of invoices could be another one/
  ],
  "is due on the day of a change": [
    { due: (fields) => (fields.text("id") === "103" ? fields.instantDay("updated") : fields.day("due")) },
    "reads the days of the record",
    /invoice\/103 is of the day on which its record was last changed: read its own day \(due\)/
  ],
  "pays another payment": [
    { pays: (fields) => (fields.text("id") === "201" ? "202" : "201") },
    "pays invoices by their ids",
    /payment\/201 is for invoice 202, which no fixture is/
  ],
  "makes numbers of ids": [
    { id: (fields, path) => String(Number(fields.text(path))), own: (fields) => String(Number(fields.text("id"))) },
    "keeps every digit of an id",
    /keep every digit/
  ]
}

describe("the conformance kit, of what records mean", () => {
  it("refuses doubles where the source writes numbers, too", async () => {
    const subject = (how: Partial<How>) => subjectOf(of(how), "GBP", (amount) => Number(amount) + 0.24)
    assert.strictEqual((await prove(subject({}), FIGURES)).outcome, "holds")
    const amount: How["amount"] = (fields, path, currency) =>
      path === "amount"
        ? BigInt(Math.round(Number(fields.text(path)) * 100)) * 1_000_000n
        : fields.major(path, currency)
    const result = await prove(subject({ amount }), FIGURES)
    assert.match("why" in result ? result.why : result.outcome, /of amount in payments is another amount/)
  })

  it("accepts the ledger without a mistake", async () => {
    for (const check of new Set(Object.values(MISTAKES).map(([, by]) => by))) {
      const result = await prove(subjectOf(of({})), check)
      assert.strictEqual(result.outcome, "holds", `${check}: ${"why" in result ? result.why : ""}`)
    }
  })

  it("accepts it in kronor, which the kit would otherwise try", async () => {
    const result = await prove(subjectOf(of({}), "SEK"), "takes no default for a missing currency")
    assert.strictEqual(result.outcome, "holds", "why" in result ? result.why : "")
  })

  for (const [mistake, [how, by, why]] of Object.entries(MISTAKES))
    it(`refuses one that ${mistake}`, async () => {
      const result = await prove(subjectOf(of(how)), by)
      assert.match("why" in result ? `${result.outcome}: ${result.why}` : result.outcome, why)
    })
})
