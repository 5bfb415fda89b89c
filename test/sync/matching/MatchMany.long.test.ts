/** Matching handles some hundreds of payments together: that must decide nothing. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { AT_ONCE } from "../../../sync/matching/Decide.ts"
import * as Matching from "../../../sync/matching/Run.ts"
import { namesIn } from "../../../sync/matching/Rules.ts"
import { normal } from "../../../sync/model/MatchText.ts"
import { Database } from "../../../sync/state/Database.ts"
import { invoice } from "../../support/Documents.ts"
import { books, debits, matches, needs, received, take } from "../Paying.ts"

const memory = Database.layer({ file: ":memory:", mode: "write" })

const INVOICES = 400
const AMOUNTS = ["100.00", "60.00", "40.00"]
const PAYERS = ["Harbour Lane Bakery", "Quay Books", "Äpfel & Söhne"]

/** Each number is shared by two invoices now and then, and each invoice is named by several payments. */
const invoices = Array.from({ length: INVOICES }, (_, n) =>
  invoice({
    id: `I${n}`,
    number: `INV-${n % 50 === 1 ? n - 1 : n}`,
    gross: AMOUNTS[n % 3] as string,
    party: { name: `${PAYERS[n % 2]} ${n % 90}` },
    issued: "2026-01-01",
    due: "2026-01-31"
  })
)

const paymentsOf = (isInstalment: (n: number) => boolean) =>
  Array.from({ length: 3 * AT_ONCE }, (_, n) => {
    const at = (n * 7) % (INVOICES + 10)
    const says = [
      { link: `I${at}` },
      { link: `INV-${at}` },
      { reference: `for inv ${at}` },
      { reference: `INV-${at} and INV-${(at * 3) % INVOICES}` },
      { reference: "standing order" }
    ][n % 5]
    const payer = { party: { name: `${PAYERS[n % 3]} ${n % 90}` } }
    if (isInstalment(n)) return received(`P${n}`, { amount: "1.00", ...payer, reference: "an instalment of INV-9" })
    return received(`P${n}`, { amount: AMOUNTS[n % 3] as string, ...payer, ...says })
  })

const matched = (payments: ReturnType<typeof paymentsOf>, some: number) =>
  Effect.gen(function* () {
    const db = yield* Database
    yield* take(books, invoices)
    yield* take(debits, [])
    for (let at = 0; at < payments.length; at += some) {
      yield* take(debits, payments.slice(at, at + some))
      yield* Matching.run
    }
    return { matches: matches(db), needs: needs(db) }
  }).pipe(Effect.provide(memory))

describe("many payments", () => {
  const matchedAlike = (payments: ReturnType<typeof paymentsOf>) =>
    Effect.gen(function* () {
      const together = yield* matched(payments, payments.length)
      assert.isAbove(together.matches.length, INVOICES / 2)
      assert.isAbove(together.needs.length, INVOICES / 2)
      assert.deepStrictEqual(yield* matched(payments, 37), together)
    })

  it.effect("are matched in the same way together and one after the other", () => matchedAlike(paymentsOf(() => false)))

  it.effect("are too where so many name one invoice that they wait for each other", () =>
    matchedAlike(paymentsOf((n) => n % 10 === 0))
  )
})

describe("a text of plain letters", () => {
  it("is read like any other", () => {
    const texts = ["inv-0012, No. 7; a.b/c_9 1 22 333", "INV 2026\n12345678", "x", "", " -- "]
    for (const text of texts) {
      // A letter that is not plain, at a distance.
      assert.strictEqual(`${normal(text)}ß`.toUpperCase(), normal(`${text} ß`))
      const others = namesIn(`${text} ; ß`)
      for (const { name } of namesIn(text)) assert.include(others.map((one) => one.name).concat(normal(text)), name)
      for (const { name } of others)
        assert.include(
          namesIn(text).map((one) => one.name),
          name
        )
    }
  })
})
