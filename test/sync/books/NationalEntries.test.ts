/** One movement of money is in the books once, whichever of a bank's formats and reports tell it, and in whichever order. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { format } from "../../../core/money/Decimal.ts"
import { Intake } from "../../../sync/books/DocumentStore.ts"
import * as Body from "../../../sync/state/Body.ts"
import { Database } from "../../../sync/state/Database.ts"
import { arudd, cfonb, coda, type Moved, norma43 } from "../../connectors/files/NationalFiles.ts"
import { camt, type Message, transfer } from "../../connectors/files/Statements.ts"
import { type Bookmark, pull, write } from "../../connectors/files/support.ts"

const memory = Database.layer({ file: ":memory:", mode: "write" })

/** What the books have once these files were read, one after the other. */
const booked = (files: ReadonlyArray<readonly [name: string, text: string]>) =>
  Effect.gen(function* () {
    const db = yield* Database
    const folder = write({})
    let after: Bookmark | undefined
    for (const [n, [name, text]] of files.entries()) {
      write({ [`bank/${name}`]: text }, folder)
      const { bookmark, error, pages, quarantined } = yield* Effect.promise(() =>
        pull(folder, { payments: { path: "bank" } }, { after, later: (n + 1) * 10_000 })
      )
      assert.isUndefined(error)
      assert.deepStrictEqual(quarantined, [])
      const intake = new Intake(db, "bank", "pays")
      for (const page of pages) yield* intake.keep(page, "{}")
      after = bookmark
    }
    const bodies = db.prepare("SELECT body FROM document WHERE deleted = 0 ORDER BY key").pluck().all()
    return (bodies as ReadonlyArray<string>).map((body) => {
      const one = Body.read(body)
      return one.kind === "payment" || one.kind === "reversal" ? `${one.kind} ${format(one.unallocated ?? 0n, 2)}` : ""
    })
  }).pipe(Effect.provide(memory))

const MOVED: ReadonlyArray<Moved> = [
  { cents: 11_900, name: "Atelier Nord", iban: "BE10001234567890", text: "Facture INV-1 merci" },
  { cents: 11_900, name: "Cafe Sud", iban: "BE11001234567890", text: "INV-2" },
  { cents: -7000, name: "Tes du Sud", text: "INV-3", returned: "AM04" }
]

/** The same, as camt tells it. */
const told = (account: string, more: Partial<Message> = {}): string =>
  camt({
    account,
    opening: "100.00",
    closing: "268.00",
    entries: MOVED.map(({ cents, name = "", returned, text = "" }) => ({
      amount: (Math.abs(cents) / 100).toFixed(2),
      day: "2026-03-09",
      ...(cents < 0 ? { debit: true as const, reversal: true as const } : {}),
      details: [
        transfer((Math.abs(cents) / 100).toFixed(2), {
          name,
          text,
          ...(returned === undefined ? {} : { reason: returned })
        }).replace(/<DbtrAcct>.*<\/DbtrAcct>/, "")
      ]
    })),
    ...more
  })

const EXPECTED = ["payment 119.00", "payment 119.00", "reversal 70.00"]

describe("a movement that camt tells, and a national format", () => {
  const statement = { opening: 10_000, moved: MOVED }
  const formats: ReadonlyArray<readonly [name: string, text: string, iban: string]> = [
    ["a.cod", coda(statement), "BE68539007547034"],
    ["a.n43", norma43(statement), "ES7500490001512210284651"],
    ["a.120", cfonb(statement).join("\n"), "FR7630004008120001008973629"]
  ]
  it.effect("is one, whichever is read first", () =>
    Effect.gen(function* () {
      for (const [name, text, iban] of formats) {
        const both = [[name, text] as const, ["b.xml", told(iban)] as const]
        assert.deepStrictEqual(yield* booked(both), EXPECTED, name)
        assert.deepStrictEqual(yield* booked(both.toReversed()), EXPECTED, name)
        assert.deepStrictEqual(yield* booked([[name, text] as const, [`again-${name}`, text] as const]), EXPECTED, name)
      }
    })
  )
})

describe("a debit that a report of Bacs and the bank's statement have", () => {
  const failed = [
    { ref: "INV-2000", pence: 79_789 },
    { ref: "INV-2001", pence: 49_433, payer: "CAFE SUD" }
  ]
  const report = ["arudd.xml", arudd(failed)] as const
  const statement = (entries: Message["entries"], day: string, closing: string) =>
    [
      "statement.xml",
      camt({
        account: "GB29NWBK11223312345678",
        currency: "GBP",
        opening: "5000.00",
        closing,
        entries: entries.map((one) => ({ currency: "GBP", debit: true, day, ...one }))
      })
    ] as const
  const items = failed.map(({ pence, ref }) => ({
    amount: (pence / 100).toFixed(2),
    reversal: true as const,
    more: `<AddtlNtryInf>UNPAID DD ${ref}</AddtlNtryInf>`
  }))
  const EACH = ["reversal 494.33", "reversal 797.89"]

  it.effect("goes back once: item by item, in a sum, as an ordinary debit, a day later, and reported again", () =>
    Effect.gen(function* () {
      const statements = [
        statement(items, "2026-03-04", "3707.78"),
        statement(items, "2026-03-05", "3707.78"),
        statement([{ amount: "1292.22", reversal: true }], "2026-03-04", "3707.78"),
        statement([{ amount: "1292.22", reversal: true }], "2026-03-05", "3707.78"),
        statement(
          items.map(({ reversal: _, ...one }) => one),
          "2026-03-04",
          "3707.78"
        )
      ]
      for (const one of statements)
        for (const files of [
          [report, one],
          [one, report],
          [report, one, ["arudd-again.xml", report[1]] as const]
        ])
          assert.deepStrictEqual(yield* booked(files), EACH)
    })
  )

  it.effect("is not taken for another one of the amount that the statement alone has", () =>
    Effect.gen(function* () {
      const other = { amount: "797.89", reversal: true as const, more: "<AddtlNtryInf>UNPAID DD INV-9</AddtlNtryInf>" }
      const all = yield* booked([report, statement([...items, other], "2026-03-04", "2909.89")])
      assert.deepStrictEqual(all, ["reversal 494.33", "reversal 797.89", "reversal 797.89"])
    })
  )
})
