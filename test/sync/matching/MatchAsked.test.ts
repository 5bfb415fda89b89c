/** Invoices that ask for several references, any of which a payment may have: one for each account, or for each instalment. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Document } from "../../../connectors/Document.ts"
import { Database } from "../../../sync/state/Database.ts"
import * as Matching from "../../../sync/matching/Run.ts"
import { invoice, payment } from "../../support/Documents.ts"
import { books, debits, matches, needs, received, take } from "../Paying.ts"

type Step = readonly [connection: typeof books, documents: ReadonlyArray<Document>, deleted?: ReadonlyArray<Document>]

const afterSteps = (steps: ReadonlyArray<Step>, check: (db: Database["Service"]) => void) =>
  Effect.gen(function* () {
    const db = yield* Database
    for (const step of steps) {
      yield* take(...step)
      yield* Matching.run
    }
    check(db)
  }).pipe(Effect.provide(Database.layer({ file: ":memory:", mode: "write" })))

describe("an invoice that asks for several references, as for its instalments", () => {
  const asks = (...all: ReadonlyArray<string>) => invoice({ reference: all.join("\n") })
  const OGM = "+++090/9337/55493+++"
  const RF = "RF18539007547034"
  const QRR = "210000000003139471430009017"
  const by = (id: string, reference: string, amount = "30.00") => received(id, { reference, amount })
  const paid = [
    by("P1", "090933755493"),
    by("P2", "RF18 5390 0754 7034"),
    by("P3", "QRR 21 00000 00003 13947 14300 09017")
  ]
  const [first, second, third] = ["P1 → I1 30.00", "P2 → I1 30.00", "P3 → I1 30.00"] as const
  for (const [title, steps] of [
    [
      "first",
      [
        [debits, paid],
        [books, [asks(OGM, RF, QRR)]]
      ]
    ],
    [
      "last",
      [
        [books, [asks(OGM, RF, QRR)]],
        [debits, paid]
      ]
    ],
    [
      "one after another",
      [
        [books, [asks(RF)]],
        [debits, paid],
        [books, [asks(OGM, RF)]],
        [books, [asks(QRR, OGM, RF)]]
      ]
    ]
  ] as ReadonlyArray<readonly [string, ReadonlyArray<Step>]>)
    it.effect(`is paid by any of them, whatever is read ${title}`, () =>
      afterSteps(steps, (db) => assert.deepStrictEqual([matches(db), needs(db)], [[first, second, third], []]))
    )

  it.effect("is no longer paid by one that it does not ask for any more, nor by any once it is gone", () =>
    afterSteps(
      [
        [books, [asks(OGM, RF, QRR)]],
        [debits, paid],
        [books, [asks(OGM, QRR)]]
      ],
      (db) => {
        assert.deepStrictEqual(matches(db), [first, third])
        assert.deepStrictEqual(db.prepare("SELECT reference FROM asked").pluck().all(), ["090933755493", QRR])
      }
    ).pipe(
      Effect.andThen(
        afterSteps(
          [
            [books, [asks(OGM, RF)]],
            [debits, paid],
            [books, [], [invoice()]]
          ],
          (db) => assert.deepStrictEqual([matches(db), db.prepare("SELECT * FROM asked").all()], [[], []])
        )
      )
    )
  )

  it.effect("shares one with another invoice: that is a customer's, and the other its own", () =>
    afterSteps(
      [
        [books, [asks(OGM, RF), invoice({ id: "I2", number: "INV-2", gross: "70.00", reference: `${QRR}\n${RF}` })]],
        [debits, paid]
      ],
      (db) => {
        assert.deepStrictEqual(matches(db), [first, "P3 → I2 30.00"])
        assert.include(needs(db).join(), "debits/payment/P2 M3: 30.00 GBP received on 2026-01-31")
      }
    )
  )

  it.effect("has a payment that the books have as well once, by whichever of them a bank writes", () => {
    const stated = [asks(OGM, RF), payment("B1", { I1: "50.00" }, "2026-01-31", { currency: "GBP" })]
    const seen = received("P1", { reference: RF, amount: "50.00", party: { name: "Somebody else" } })
    return afterSteps(
      [
        [books, stated],
        [debits, [seen]]
      ],
      (db) => assert.deepStrictEqual([matches(db), db.prepare("SELECT how FROM matching").pluck().get()], [[], "same"])
    )
  })
})
