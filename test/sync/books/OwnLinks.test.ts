/** A table's own payments, which name an invoice by its id, by its number, or in their reference only. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "../../../connectors/Connector.ts"
import type * as Document from "../../../connectors/Document.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import { Intake } from "../../../sync/books/DocumentStore.ts"
import * as Body from "../../../sync/state/Body.ts"
import { Database } from "../../../sync/state/Database.ts"
import { creditNote, invoice, payment, reversal } from "../../support/Documents.ts"
import { read } from "../Source.ts"

const memory = Database.layer({ file: ":memory:", mode: "write" })

const file = (name: string, has: ReadonlyArray<Document.Document>): Page<unknown> => ({
  read: has.map(read),
  quarantined: [],
  bookmark: {},
  scan: { name, begins: true, ends: true, copy: {} }
})

const INVOICES = [
  invoice({ id: "1", number: "INV-1", party: { name: "Meyer" } }),
  invoice({ id: "2", number: "7", party: { name: "Schulz" } }),
  invoice({ id: "7", number: "INV-7", party: { name: "Otto" } }),
  invoice({ id: "8", number: "9", gross: "30.00", stated: { open: Decimal.of("0.00") } }),
  invoice({ id: "9", number: "INV-9a", gross: "31.00", stated: { open: Decimal.of("31.00") } }),
  invoice({ id: "10", number: "11", gross: "30.00", stated: { open: Decimal.of("30.00") } }),
  invoice({ id: "11", number: "12", gross: "31.00", stated: { open: Decimal.of("1.00") } }),
  invoice({ id: "12", number: "13", gross: "30.00", stated: { open: Decimal.of("0.00") } }),
  invoice({ id: "13", number: "INV-13", gross: "40.00", stated: { open: Decimal.of("10.00") } }),
  invoice({ id: "14", number: "15", gross: "30.00" }),
  invoice({ id: "15", number: "INV-15", gross: "40.00" })
]

/** What a payment becomes: the invoice that it is for, or why it is quarantined. */
const becomes = (one: Document.Document) =>
  Effect.gen(function* () {
    const db = yield* Database
    const intake = new Intake(db, "books", "paid", true)
    yield* intake.keep(file("invoices.csv", INVOICES), "{}")
    yield* intake.keep(file("payments.csv", [one]), "{}")
    const body = db.prepare("SELECT body FROM document WHERE key NOT GLOB 'books/invoice/*'").pluck().get()
    const why = db.prepare("SELECT field || ': ' || why FROM quarantine").pluck().get()
    if (typeof body !== "string") return String(why)
    const document = Body.read(body)
    return "shares" in document ? document.shares.map((share) => share.invoice).join(", ") : document.kind
  }).pipe(Effect.provide(memory))

const { shares: _, ...rest } = payment("P1", { x: "5.00" }) as Document.Payment

const SHARE = { invoice: "7", amount: 500_000_000n }
const named = (names: "id" | "number") =>
  ({ ...payment("P1", { 7: "5.00" }), shares: [{ ...SHARE, names }] }) as Document.Payment

const CASES: ReadonlyArray<readonly [what: string, payment: Document.Document, becomes: RegExp]> = [
  ["an id", payment("P1", { 1: "5.00" }), /^1$/],
  ["a number", payment("P1", { "INV-1": "5.00" }), /^1$/],
  ["neither", payment("P1", { "INV-99": "5.00" }), /^INV-99$/],
  [
    "the number of one, whose payer it is, and the id of another",
    { ...payment("P1", { 7: "5.00" }), party: { name: "SCHULZ" } } as Document.Payment,
    /^2$/
  ],
  [
    "the id of one and the number of another, and nothing shows which",
    payment("P1", { 7: "5.00" }),
    /^invoice: "7" is the id of one invoice and the number of another/
  ],
  ["the number of one, whose amount it is, and the id of another", payment("P1", { 9: "30.00" }), /^8$/],
  [
    "the number of one, whose amount it is and of which the source says that nothing was paid, and the id of another",
    payment("P1", { 11: "30.00" }),
    /^invoice: "11" is the id of one invoice and the number of another/
  ],
  [
    "the number of one, whose amount it is, and the id of another, and of both the source says that as much was paid or credited",
    payment("P1", { 13: "30.00" }),
    /^invoice: "13" is the id of one invoice and the number of another/
  ],
  [
    "the number of one, whose amount it is, and the id of another, and the source says of neither what was paid",
    payment("P1", { 15: "30.00" }),
    /^invoice: "15" is the id of one invoice and the number of another/
  ],
  [
    "the number of one that is open again since, in what went back",
    reversal("R1", { 11: "30.00" }, "refund", {}),
    /^10$/
  ],
  ["the number of one of which nothing was paid, in what was credited", creditNote("C1", { 11: "30.00" }), /^10$/],
  ["the id of one and the number of another, said to be an id", named("id"), /^7$/],
  ["the id of one and the number of another, said to be a number", named("number"), /^2$/],
  [
    "an id that is no number, said to be a number",
    { ...named("number"), shares: [{ ...SHARE, invoice: "INV-9" }] },
    /^INV-9$/
  ],
  ["a number as its reference only", { ...rest, shares: [], unallocated: 500_000_000n, reference: "INV-1" }, /^1$/],
  [
    "a reference that is no invoice",
    { ...rest, shares: [], unallocated: 500_000_000n, reference: "rent" },
    /^reference: "rent" is not the id or number of an invoice/
  ]
]

describe("a table's own payment", () => {
  for (const [what, one, expected] of CASES)
    it.effect(`that names ${what}`, () => Effect.map(becomes(one), (found) => assert.match(found, expected)))
})
