/**
 * A year of payers with habits, of whom it is known which invoice each payment was for: those who name it, those who write
 * something else, those whose bank cuts names, parents who pay, typing errors that are another customer's number, discounts,
 * and money that is for no invoice. Read month by month and in one go. Whatever is matched by itself is right.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Invoice, Payment } from "../../../connectors/Document.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import { Database } from "../../../sync/state/Database.ts"
import * as MatchCandidates from "../../../sync/matching/Candidates.ts"
import * as Matching from "../../../sync/matching/Run.ts"
import { invoice } from "../../support/Documents.ts"
import { times } from "../../support/Effort.ts"
import { books, debits, received, take } from "../Paying.ts"

const NAMES: ReadonlyArray<readonly [books: string, bank: string]> = [
  ["Müller Maschinenbau GmbH", "MUELLER MASCHINENBAU"],
  ["Müller Feinkost AG", "Müller Feinkost AG"],
  ["Bäckerei Grünwald", "BAECKEREI GRUENWALD"],
  ["Smith & Sons Limited", "SMITH AND SONS LTD"],
  ["Schreinerei Weiß GmbH & Co. KG", "Schreinerei Weiss GmbH u. Co KG"],
  ["Gesellschaft für Feinmechanik Nord mbH", "GESELLSCHAFT FUER FEINMECHA"],
  ["Gesellschaft für Feinmechanik Süd mbH", "GESELLSCHAFT FUER FEINMECHA"],
  ["Kramer GmbH", "KRAMER GMBH"],
  ["Kramer AG", "KRAMER AG"],
  ["Tern & Sons", "Tern + Sons"],
  ["O'Brien Catering Ltd", "OBRIEN CATERING LTD"],
  ["Peel Street Cafe", "PEEL STREET CAFE"]
]
const HABITS = ["names", "names otherwise", "nothing", "typo", "parent", "part", "discount", "several", "date"] as const

interface World {
  readonly months: ReadonlyArray<ReadonlyArray<Payment>>
  readonly invoices: ReadonlyArray<Invoice>
  /** By payment, what it was for: `INV-1 100.00`; empty: for no invoice. */
  readonly truth: ReadonlyMap<string, ReadonlyArray<string>>
}

const day = (month: number, of: number): string => `2026-${`${month}`.padStart(2, "0")}-${`${of}`.padStart(2, "0")}`

const world = (seed: number): World => {
  let state = seed
  const random = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
  const pick = <A>(all: ReadonlyArray<A>): A => all[random(all.length)]!
  const payers = NAMES.map((names) => ({ names, habit: pick(HABITS), fee: 5000 + random(20) * 1000 }))
  const invoices: Array<Invoice> = []
  const months: Array<Array<Payment>> = []
  const truth = new Map<string, ReadonlyArray<string>>()
  const major = (cents: number) => Decimal.format(BigInt(cents) * 1_000_000n, 2)
  let number = 1000 + random(500)
  let id = 0
  for (let month = 1; month <= 6; month++) {
    const payments: Array<Payment> = []
    const pay = (name: string, cents: number, reference: string, of: ReadonlyArray<readonly [string, number]>) => {
      const payment = received(`P${++id}`, {
        amount: major(cents),
        reference,
        date: day(month, 12 + random(15)),
        party: { name }
      })
      payments.push(payment)
      truth.set(payment.id, of.map(([invoice, amount]) => `${invoice} ${major(amount)}`).toSorted())
    }
    const issued = payers.flatMap((payer) =>
      Array.from({ length: 1 + random(2) }, (_, n) => {
        // Monthly fees are equal; others are not.
        const gross = n === 0 ? payer.fee : 4000 + random(400_000)
        const name = `RE-${number++}`
        invoices.push(
          invoice({
            id: name,
            number: name,
            gross: major(gross),
            party: { name: payer.names[0] },
            issued: day(month, 1),
            due: day(month, 10)
          })
        )
        return { payer, name, gross }
      })
    )
    for (const { payer, name, gross } of issued) {
      const [, bank] = payer.names
      const digits = name.slice(3)
      if (random(10) === 0) continue
      if (payer.habit === "names") pay(bank, gross, `Rechnung ${name}`, [[name, gross]])
      else if (payer.habit === "names otherwise") pay(bank, gross, `zu re ${digits} danke`, [[name, gross]])
      else if (payer.habit === "nothing") pay(bank, gross, "danke", [[name, gross]])
      else if (payer.habit === "typo") pay(bank, gross, `RE-${pick(issued).name.slice(3)}`, [[name, gross]])
      else if (payer.habit === "parent") pay("HOLDING VERWALTUNGS AG", gross, name, [[name, gross]])
      else if (payer.habit === "discount")
        pay(bank, Math.round(gross * 0.98), `${name} -2%`, [[name, Math.round(gross * 0.98)]])
      else if (payer.habit === "date") pay(bank, gross, `Zahlung 2026-${`${month}`.padStart(2, "0")}`, [[name, gross]])
      else if (payer.habit === "part") {
        const half = Math.floor(gross / 2)
        pay(bank, half, `${name} Teil 1`, [[name, half]])
        pay(bank, gross - half, `${name} Teil 2`, [[name, gross - half]])
      } else {
        const all = issued.filter((one) => one.payer === payer)
        if (all[0]!.name !== name) continue
        const sum = all.reduce((total, one) => total + one.gross, 0)
        pay(
          bank,
          sum,
          all.map((one) => one.name).join(", "),
          all.map((one) => [one.name, one.gross] as const)
        )
      }
    }
    pay("PAYPAL EUROPE", 10_000 + random(90_000), `PAYOUT 10${random(1000)}`, [])
    pay("FINANZKASSE", 81_244, `UST ${month}/2026 STNR 214/5832`, [])
    pay("TELEKOM", 3850, `GUTSCHRIFT VOM 2026-0${month}-03 KDNR ${number - 5}`, [])
    months.push(payments)
  }
  return { months, invoices, truth }
}

/** What each payment was matched with. */
const matched = (db: Database["Service"]): ReadonlyMap<string, ReadonlyArray<string>> => {
  const rows = db
    .prepare(
      `SELECT d.key, a.invoice, a.amount FROM allocation a JOIN document d ON d.id = a.document WHERE a.amount IS NOT NULL ORDER BY 1, 2`
    )
    .all() as ReadonlyArray<{ readonly key: string; readonly invoice: string; readonly amount: string }>
  const all = new Map<string, Array<string>>()
  for (const { amount, invoice, key } of rows) {
    const id = key.slice("debits/payment/".length)
    all.set(id, [
      ...(all.get(id) ?? []),
      `${invoice.slice("books/invoice/".length)} ${Decimal.format(BigInt(amount), 2)}`
    ])
  }
  return new Map([...all].map(([id, list]) => [id, list.toSorted()]))
}

/**
 * Whether the payments of a payer came to the right invoices as a whole: which of two equal payments is for which of two equal
 * invoices changes nothing.
 */
const isRight = ({ invoices, months, truth }: World, id: string, got: ReadonlyArray<string>): boolean => {
  if (got.join() === truth.get(id)?.join()) return true
  const paid = months.flat().find((one) => one.id === id)!
  const [of, ...more] = got.map((line) => invoices.find((one) => one.number === line.split(" ")[0])!)
  const [meant] = (truth.get(id) ?? []).map((line) => invoices.find((one) => one.number === line.split(" ")[0])!)
  const isSwapped = of !== undefined && meant !== undefined && more.length === 0
  return isSwapped && of.party.name === meant.party.name && of.gross === meant.gross && paid.unallocated === of.gross
}

const run = ({ invoices, months }: World, steps: ReadonlyArray<number>, check: (db: Database["Service"]) => void) =>
  Effect.runSync(
    Effect.orDie(
      Effect.provide(
        Effect.gen(function* () {
          const db = yield* Database
          for (const upTo of steps) {
            yield* take(
              books,
              invoices.filter(({ issued }) => Number(issued.slice(5, 7)) <= upTo)
            )
            yield* take(debits, months.slice(0, upTo).flat())
            yield* Matching.run
            check(db)
          }
        }),
        Database.layer({ file: ":memory:", mode: "write" })
      )
    ) as Effect.Effect<void>
  )

describe("payers with habits", { timeout: 300_000 }, () => {
  it("have nothing matched by itself that is not right, and most of it", () => {
    const sums = { payments: 0, right: 0, proposed: 0, asked: 0 }
    for (let seed = 1; seed <= times(100); seed++) {
      const one = world(seed)
      const wrong = (db: Database["Service"]) =>
        [...matched(db)].flatMap(([id, got]) =>
          isRight(one, id, got) ? [] : [`seed ${seed}, ${id}: ${got.join()} is ${one.truth.get(id)?.join() || "none"}`]
        )
      run(one, [1, 2, 3, 4, 5, 6], (db) => assert.deepStrictEqual(wrong(db), []))
      run(one, [6], (db) => {
        assert.deepStrictEqual(wrong(db), [])
        const got = matched(db)
        for (const [id, truth] of one.truth) {
          sums.payments++
          if (truth.length === 0) continue
          if (got.has(id)) sums.right++
          else if (
            MatchCandidates.candidates(db, `debits/payment/${id}`).some(({ invoice }) =>
              truth.some((line) => invoice.endsWith(line.split(" ")[0]!))
            )
          )
            sums.proposed++
          else sums.asked++
        }
      })
    }
    assert.isAtLeast(sums.right / sums.payments, 0.6, JSON.stringify(sums))
    assert.isAtMost(sums.asked / sums.payments, 0.1, JSON.stringify(sums))
  })
})
