/** Which payments of different lists are one movement of money, and the limits of what an invoice counts. */
import { assert, describe, it } from "@effect/vitest"
import type { Day } from "../../../core/wire/Day.ts"
import { type Answers, join, type Sighting } from "../../../sync/movements/Join.ts"
import { Dice } from "../../simulation/Dice.ts"

const NONE: Answers = { same: new Set(), apart: new Set() }

const day = (n: number): Day => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10) as Day

let documents = 0

const sighting = (key: string, n: number, more: Partial<Sighting> = {}): Sighting => {
  const list = key.slice(0, key.indexOf("/"))
  return {
    document: ++documents,
    key,
    list,
    isOwn: list === "books",
    currency: "EUR",
    amount: 40000n,
    date: day(n),
    payers: ["MEYER"],
    invoices: [],
    ids: new Set(),
    words: new Set(),
    stands: false,
    ...more
  }
}

/** Who follows whom, by key. */
const joined = (all: ReadonlyArray<Sighting>, answers = NONE): ReadonlyArray<string> => {
  const key = (document: number) => all.find((one) => one.document === document)?.key
  return [...join(all, answers)].map(([one, { how, leader }]) => `${key(one)} → ${key(leader)} (${how})`).toSorted()
}

describe("payments of different lists", () => {
  it("are one by an identifier, an invoice and amount, or a payer and amount; the books lead", () => {
    const debit = sighting("debits/payment/PM1", 0, { payers: [], ids: new Set(["PM100234"]) })
    const entry = sighting("books/payment/P1", 30, { words: new Set(["PM100234"]), invoices: ["books/invoice/1"] })
    assert.deepStrictEqual(joined([debit, entry]), ["debits/payment/PM1 → books/payment/P1 (id)"])
    const named = { payers: ["SOMEBODY"], invoices: ["books/invoice/1"] }
    assert.deepStrictEqual(
      joined([sighting("bank/payment/B1", 3, named), sighting("books/payment/P1", 5, { invoices: named.invoices })]),
      ["bank/payment/B1 → books/payment/P1 (invoice)"]
    )
    assert.deepStrictEqual(
      joined([sighting("bank/payment/B1", 3), sighting("books/payment/P1", 5, { invoices: ["books/invoice/1"] })]),
      ["bank/payment/B1 → books/payment/P1 (payer)"]
    )
  })

  it("are one although the payer wrote another customer's number, unless that one asks for the amount", () => {
    const entry = sighting("books/payment/P1", 5, { invoices: ["books/invoice/1"] })
    const typed = sighting("bank/payment/B1", 3, { invoices: ["books/invoice/7"], isForeign: true })
    assert.deepStrictEqual(joined([typed, entry]), ["bank/payment/B1 → books/payment/P1 (payer)"])
    assert.deepStrictEqual(joined([{ ...typed, isForeign: false }, entry]), [
      "bank/payment/B1 → books/payment/P1 (doubt)"
    ])
  })

  it("of another customer's number are one by the payer, and never by that invoice alone", () => {
    const own = sighting("books/payment/P1", 5, { invoices: ["books/invoice/1"] })
    const theirs = sighting("books/payment/P2", 3, { invoices: ["books/invoice/7"], payers: ["OTTO"] })
    const typed = sighting("bank/payment/B1", 3, { invoices: theirs.invoices, isForeign: true, isOthers: true })
    assert.deepStrictEqual(joined([typed, own]), ["bank/payment/B1 → books/payment/P1 (payer)"])
    assert.deepStrictEqual(joined([typed, theirs]), ["bank/payment/B1 → books/payment/P2 (doubt)"])
    assert.deepStrictEqual(joined([typed, theirs, own]), ["bank/payment/B1 → books/payment/P1 (payer)"])
  })

  it("are not one where two of the same name have other legal forms, unless nothing says so", () => {
    const entry = sighting("books/payment/P1", 5, { invoices: ["books/invoice/1"], form: "AG" })
    const line = (form: string, payers = ["MEYER"]) => sighting("bank/payment/B1", 3, { form, payers })
    assert.deepStrictEqual(joined([entry, line("GMBH")]), [])
    const one = ["bank/payment/B1 → books/payment/P1 (payer)"]
    for (const form of ["AG", ""]) assert.deepStrictEqual(joined([entry, line(form)]), one)
    assert.deepStrictEqual(joined([entry, line("GMBH", ["OTTO", "MEYER"])]), one, "it pays for the customer")
  })

  it("are those that are reported where the books have them, of payments that nothing tells apart", () => {
    const invoices = ["books/invoice/1", "books/invoice/2"]
    const entry = sighting("books/payment/P1", 3, { invoices: [invoices[1]!] })
    const [same, near] = [0, 3].map((n) =>
      sighting(`bank/payment/B${n}`, n, { stands: true, on: [invoices[n === 0 ? 1 : 0]!], until: day(9) })
    )
    assert.deepStrictEqual(joined([same!, near!, entry]), ["bank/payment/B0 → books/payment/P1 (payer)"])
    const [none, other] = [same!, near!].map(({ on: _, ...one }) => one)
    assert.deepStrictEqual(joined([none!, other!, entry]), ["bank/payment/B3 → books/payment/P1 (payer)"])
  })

  it("are those of the books' day rather than what came after it, though that names the invoice", () => {
    const named = { invoices: ["books/invoice/1"] }
    const entry = sighting("books/payment/P1", 5, named)
    const [same, after, before] = [5, 6, 4].map((n) => sighting(`bank/payment/B${n}`, n))
    assert.deepStrictEqual(joined([entry, same!, { ...after!, ...named }]), [
      "bank/payment/B5 → books/payment/P1 (payer)"
    ])
    assert.deepStrictEqual(joined([entry, before!, { ...after!, ...named }]), [
      "bank/payment/B6 → books/payment/P1 (invoice)"
    ])
  })

  it("are not one where a debit had gone back weeks before the books' day", () => {
    const entry = sighting("books/payment/P1", 22, { invoices: ["books/invoice/1"] })
    const debit = { until: day(60), returned: day(3) }
    assert.deepStrictEqual(joined([sighting("debits/payment/D1", 0, debit), entry]), [])
    assert.deepStrictEqual(joined([sighting("debits/payment/D1", 0, { until: day(60) }), entry]), [
      "debits/payment/D1 → books/payment/P1 (late)"
    ])
  })

  it("are one that the books have late, once the other list tells of that day", () => {
    const entry = sighting("books/payment/P1", 23, { invoices: ["books/invoice/1"] })
    const line = (n: number, until: number, more: Partial<Sighting> = {}) =>
      sighting("bank/payment/B1", n, { until: day(until), ...more })
    assert.deepStrictEqual(joined([line(3, 23), entry]), ["bank/payment/B1 → books/payment/P1 (late)"])
    assert.deepStrictEqual(joined([line(3, 22), entry]), ["bank/payment/B1 → books/payment/P1 (doubt)"])
    const named = { invoices: ["books/invoice/2"] }
    assert.deepStrictEqual(joined([line(3, 30, named), entry]), [], "it names another of this payer's")
    const nearer = sighting("bank/payment/B2", 20, { until: day(30) })
    assert.deepStrictEqual(joined([line(3, 30), nearer, entry]), ["bank/payment/B2 → books/payment/P1 (payer)"])
  })

  it("are one that the books have late on its own invoice, if that cannot have both; where it is reported there at once", () => {
    const invoices = ["books/invoice/1"]
    const entry = sighting("books/payment/P1", 23, { invoices, asks: 40000n })
    const line = (more: Partial<Sighting>) => sighting("bank/payment/B1", 1, { invoices, until: day(1), ...more })
    assert.deepStrictEqual(joined([line({}), entry]), ["bank/payment/B1 → books/payment/P1 (doubt)"])
    assert.deepStrictEqual(joined([line({ until: day(23) }), entry]), ["bank/payment/B1 → books/payment/P1 (invoice)"])
    const there = line({ stands: true, on: invoices })
    assert.deepStrictEqual(joined([there, entry]), ["bank/payment/B1 → books/payment/P1 (invoice)"])
    // What somebody paid the day before the books' day, and names nothing, is not taken for it.
    const nearer = sighting("bank/payment/B2", 22)
    assert.deepStrictEqual(joined([there, nearer, entry]), ["bank/payment/B1 → books/payment/P1 (invoice)"])
    const unnamed = line({ stands: true, on: invoices, invoices: [] })
    assert.deepStrictEqual(joined([unnamed, entry]), ["bank/payment/B1 → books/payment/P1 (late)"])
    assert.deepStrictEqual(joined([there, { ...entry, asks: 80000n }]), ["books/payment/P1 → bank/payment/B1 (doubt)"])
  })

  it("are in doubt where the books would move it from where it is reported, and the other list does not tell of that day yet", () => {
    const entry = sighting("books/payment/P1", 5, { invoices: ["books/invoice/1"] })
    const there = (until: number) =>
      sighting("bank/payment/B1", 2, { stands: true, on: ["books/invoice/2"], until: day(until) })
    assert.deepStrictEqual(joined([there(4), entry]), ["books/payment/P1 → bank/payment/B1 (doubt)"])
    assert.deepStrictEqual(joined([there(5), entry]), ["bank/payment/B1 → books/payment/P1 (payer)"])
  })

  it("are in doubt where what the books have late would move it from where it is reported, whatever the other list tells", () => {
    const entry = sighting("books/payment/P1", 20, { invoices: ["books/invoice/2"] })
    const line = sighting("bank/payment/B1", 5, { until: day(30), on: ["books/invoice/1"], stands: true })
    assert.deepStrictEqual(joined([entry, line]), ["books/payment/P1 → bank/payment/B1 (doubt)"])
    assert.deepStrictEqual(joined([entry, { ...line, on: ["books/invoice/2"] }]), [
      "bank/payment/B1 → books/payment/P1 (late)"
    ])
  })

  it("are not one by the payer where another payment for several invoices has exactly what the books have", () => {
    const entry = sighting("books/payment/P1", 20, { invoices: ["books/invoice/2"], inPart: true })
    const line = (more: Partial<Sighting>) => sighting("bank/payment/B1", 18, { until: day(30), ...more })
    assert.deepStrictEqual(joined([entry, line({})]), [])
    assert.deepStrictEqual(joined([entry, line({ date: day(4) })]), [], "nor late")
    assert.deepStrictEqual(joined([entry, line({ invoices: ["books/invoice/2"] })]), [
      "bank/payment/B1 → books/payment/P1 (invoice)"
    ])
  })

  it("are not one that had gone back before the other's day, if another may be it", () => {
    const named = { invoices: ["books/invoice/1"] }
    const entry = sighting("books/payment/P1", 15, named)
    const gone = sighting("debits/payment/D1", 0, { ...named, returned: day(5) })
    const again = sighting("debits/payment/D2", 15)
    assert.deepStrictEqual(joined([entry, gone, again]), ["debits/payment/D2 → books/payment/P1 (payer)"])
    assert.deepStrictEqual(joined([entry, gone]), ["debits/payment/D1 → books/payment/P1 (invoice)"])
    // A debit of some days after the books' day is not what they have, where they may have the one that failed.
    const later = sighting("debits/payment/D3", 20, { ...named, until: day(30) })
    const own = { ...entry, asks: entry.amount }
    assert.deepStrictEqual(joined([own, gone, later]), ["debits/payment/D1 → books/payment/P1 (invoice)"])
    assert.deepStrictEqual(joined([own, later]), ["debits/payment/D3 → books/payment/P1 (invoice)"])
    // The books entered it before it went back.
    const early = { ...gone, returned: day(15) }
    assert.deepStrictEqual(joined([entry, early, again]), ["debits/payment/D1 → books/payment/P1 (invoice)"])
  })

  it("stay two where one list has two, whatever else is the same", () => {
    const twins = [sighting("bank/payment/B1", 3), sighting("bank/payment/B2", 3)]
    assert.deepStrictEqual(joined(twins), [])
    const found = joined([...twins, sighting("books/payment/P1", 3, { invoices: ["books/invoice/1"] })])
    assert.deepStrictEqual(found, ["bank/payment/B1 → books/payment/P1 (payer)"])
  })

  it("wait where the text of one names another invoice, or they are too far apart; what stands does not", () => {
    const entry = sighting("books/payment/P1", 5, { invoices: ["books/invoice/1"] })
    const line = sighting("bank/payment/B1", 5, { invoices: ["books/invoice/2"] })
    assert.deepStrictEqual(joined([entry, line]), ["bank/payment/B1 → books/payment/P1 (doubt)"])
    assert.deepStrictEqual(joined([entry, { ...line, stands: true }]), ["books/payment/P1 → bank/payment/B1 (doubt)"])
    const late = sighting("bank/payment/B1", 40, { invoices: entry.invoices })
    assert.deepStrictEqual(joined([entry, late]), ["bank/payment/B1 → books/payment/P1 (doubt)"])
    const apart = new Set(["bank/payment/B1 books/payment/P1"])
    assert.deepStrictEqual(joined([entry, line], { same: new Set(), apart }), [])
    assert.deepStrictEqual(joined([entry, line], { same: apart, apart: new Set() }), [
      "bank/payment/B1 → books/payment/P1 (answer)"
    ])
  })

  it("wait where two lists state a movement, and a third has only its payer and amount", () => {
    const invoices = ["books/invoice/1"]
    const entry = sighting("books/payment/P1", 5, { invoices })
    const debit = sighting("debits/payment/D1", 5, { invoices })
    const line = sighting("bank/payment/B1", 5)
    assert.deepStrictEqual(joined([entry, debit, line]), [
      "bank/payment/B1 → books/payment/P1 (doubt)",
      "debits/payment/D1 → books/payment/P1 (invoice)"
    ])
    assert.deepStrictEqual(joined([entry, debit, { ...line, invoices }]), [
      "bank/payment/B1 → books/payment/P1 (invoice)",
      "debits/payment/D1 → books/payment/P1 (invoice)"
    ])
  })

  it("wait where the books would move one away from an invoice that is marked as paid", () => {
    const entry = sighting("books/payment/P1", 5, { invoices: ["books/invoice/1"] })
    const line = sighting("bank/payment/B1", 5, { stands: true, closed: ["books/invoice/2"] })
    assert.deepStrictEqual(joined([entry, line]), ["books/payment/P1 → bank/payment/B1 (doubt)"])
    assert.deepStrictEqual(joined([{ ...entry, invoices: ["books/invoice/2"] }, line]), [
      "bank/payment/B1 → books/payment/P1 (payer)"
    ])
  })

  it("of generated sellers: each payment is in one movement, and no list has two in one", () => {
    for (let seed = 1; seed <= 200; seed++) {
      const dice = new Dice(seed)
      const roll = (n: number) => dice.below(n)
      const all: Array<Sighting> = []
      for (let n = 0; n < 12; n++) {
        const at = roll(60)
        const invoices = [`books/invoice/${roll(4)}`]
        const payers = [roll(2) === 0 ? "MEYER" : "OTTO"]
        if (roll(4) > 0) all.push(sighting(`books/payment/P${n}`, at + roll(10), { invoices, payers }))
        if (roll(4) > 0)
          all.push(sighting(`bank/payment/B${n}`, at, { payers, invoices: roll(2) === 0 ? invoices : [] }))
        if (roll(4) > 2) all.push(sighting(`debits/payment/D${n}`, at - 2, { invoices, payers: [] }))
      }
      const found = join(all, NONE)
      const movement = (document: number): number => found.get(document)?.leader ?? document
      const certain = all.filter(({ document }) => found.get(document)?.how !== "doubt")
      for (const one of certain) assert.strictEqual(movement(movement(one.document)), movement(one.document), `${seed}`)
      const seen = certain.map(({ document, list }) => `${movement(document)} ${list}`)
      assert.strictEqual(new Set(seen).size, seen.length, `seed ${seed}`)
      const again = join(all.toReversed(), NONE)
      assert.deepStrictEqual([...again].toSorted(), [...found].toSorted(), `seed ${seed}: the order does not matter`)
    }
  })
})
