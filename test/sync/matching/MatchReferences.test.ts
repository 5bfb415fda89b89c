/**
 * References that buyers are asked to write instead of an invoice's number: structured ones of banks, as sellers' systems and
 * electronic invoices state them (EN 16931 BT-83), in every form in which banks and people write them.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Document } from "../../../connectors/Document.ts"
import { Database } from "../../../sync/state/Database.ts"
import * as Matching from "../../../sync/matching/Run.ts"
import * as Blocking from "../../../sync/plan/Blocking.ts"
import { namesIn } from "../../../sync/matching/Rules.ts"
import { invoice, payment } from "../../support/Documents.ts"
import { back, BAKERY, books, debits, debitsById, matches, needs, received, take } from "../Paying.ts"

const memory = Database.layer({ file: ":memory:", mode: "write" })

type Step = readonly [connection: typeof books, documents: ReadonlyArray<Document>, deleted?: ReadonlyArray<Document>]

const afterSteps = (steps: ReadonlyArray<Step>, check: (db: Database["Service"]) => void) =>
  Effect.gen(function* () {
    const db = yield* Database
    for (const step of steps) {
      yield* take(...step)
      yield* Matching.run
    }
    check(db)
  }).pipe(Effect.provide(memory))

/** Each as an invoice states it, and as lists of payments have it. Check digits are the standards' own examples. */
const FORMS = [
  ["+++090/9337/55493+++", "090933755493"],
  ["+++090/9337/55493+++", "***090/9337/55493*** facture"],
  ["090933755493", "Paiement 090 9337 55493 merci"],
  ["RF18539007547034", "RF18 5390 0754 7034"],
  ["RF18 5390 0754 7034", "rf18539007547034"],
  ["21 00000 00003 13947 14300 09017", "210000000003139471430009017"],
  ["210000000003139471430009017", "QRR 21 00000 00003 13947 14300 09017"],
  ["00 00000 00000 00000 12345 67894", "1234567894"],
  ["1234567894", "000000000000000001234567894"],
  ["1234561", "Lasku 12 34561"],
  ["12345672", "00000000000012345672"],
  ["2345676", "KID 2345676"]
] as const

describe("a payment that names an invoice which is not in the books", () => {
  const has = invoice({ number: "INV-1049" })
  const names = (reference: string, from = books): ReadonlyArray<Step> => [
    [from, [has]],
    [debits, [received("P1", { ...BAKERY, reference })]]
  ]

  it.effect("waits for it, whatever else has its amount, and finds it once it is there", () => {
    const steps = names("Invoice INV-1060")
    const asks = (db: Database["Service"]) => {
      assert.deepStrictEqual(matches(db), [])
      assert.include(
        needs(db).join(),
        "its reference names INV1060, which is not in the books; it could be for INV-1049"
      )
    }
    const later = invoice({ id: "I2", number: "INV-1060" })
    return Effect.andThen(
      afterSteps(steps, asks),
      afterSteps([...steps, [books, [has, later]]], (db) => assert.deepStrictEqual(matches(db), ["P1 → I2 120.00"]))
    )
  })

  for (const text of ["INV-1048", "INV-1094", "1049", "ref MARCH 2026", "order SO-1060"])
    it.effect(`is for the invoice of its amount where its text may say so: ${text}`, () =>
      afterSteps(names(text), (db) => assert.deepStrictEqual(matches(db), ["P1 → I1 120.00"]))
    )

  const other = invoice({
    id: "I2",
    number: "RE-2026-22",
    gross: "300.00",
    party: { id: "c2", name: "Tern Ltd", country: "GB" }
  })
  for (const [number, text] of [
    ["RE-2026-0071", "Zahlung RE-26-71 danke"],
    ["RE-2026-0071", "RE 2026"],
    // The payer typed another customer's number; "RE-2026", with which it begins, is not an invoice.
    ["RE-2026-1", "Rechnung RE-2026-22"]
  ] as const)
    it.effect(`is for ${number}, which has its amount, where its text may say so: ${text}`, () =>
      afterSteps(
        [
          [books, [invoice({ number }), other]],
          [debits, [received("P1", { ...BAKERY, reference: text })]]
        ],
        (db) => assert.deepStrictEqual(matches(db), ["P1 → I1 120.00"])
      )
    )
})

describe("a payment that says what its buyer was asked to write", () => {
  for (const [asked, written] of FORMS)
    it.effect(`is for that invoice: ${asked} as ${written}`, () =>
      afterSteps(
        [
          [books, [invoice({ reference: asked }), invoice({ id: "I2", number: "INV-2", reference: "RF712348231" })]],
          [debits, [received("P1", { reference: written, amount: "50.00" })]]
        ],
        (db) => assert.deepStrictEqual([matches(db), needs(db)], [["P1 → I1 50.00"], []])
      )
    )

  it.effect("is, where its list states it as the invoice, or in a text with others' digits around it", () =>
    afterSteps(
      [
        [books, [invoice({ reference: "RF18539007547034" })]],
        [
          debits,
          [
            received("P1", { link: "RF18 5390 0754 7034", amount: "50.00" }),
            received("P2", { reference: "2026 11 RF18 5390 0754 7034 12 000", amount: "70.00" })
          ]
        ]
      ],
      (db) => assert.deepStrictEqual([matches(db), needs(db)], [["P1 → I1 50.00", "P2 → I1 70.00"], []])
    )
  )

  const paid = received("P1", { reference: "RF18 5390 0754 7034", amount: "50.00" })
  it.effect("is, whichever was read first, and no longer once the invoice asks for another one", () =>
    afterSteps(
      [
        [debits, [paid, back("R1", "P1", { amount: "20.00" })]],
        [books, [invoice({ reference: "RF18539007547034" })]]
      ],
      (db) => assert.deepStrictEqual(matches(db), ["P1 → I1 50.00", "R1 → I1 20.00"])
    ).pipe(
      Effect.andThen(
        afterSteps(
          [
            [books, [invoice({ reference: "RF18539007547034" })]],
            [debits, [paid]],
            [books, [invoice({ reference: "RF712348231" })]]
          ],
          (db) => assert.deepStrictEqual(matches(db), [])
        )
      )
    )
  )

  it.effect("never takes money from an invoice of another customer than who pays", () =>
    afterSteps(
      [
        [
          books,
          [
            invoice({ reference: "RF18539007547034" }),
            invoice({ id: "I2", number: "INV-2", gross: "50.00", party: { id: "c2", name: "Quay Books" } })
          ]
        ],
        [debits, [{ ...paid, party: { name: "Quay Books" } }]]
      ],
      (db) => assert.deepStrictEqual(matches(db), ["P1 → I2 50.00"])
    )
  )
})

describe("a number without what all of them begin with", () => {
  const two = ["1669", "1822"].map((number) => invoice({ id: number, number: `INV-${number}`, gross: "49.00" }))
  const paid = (id: string, reference: string, date: string) =>
    received(id, { ...BAKERY, amount: "49.00", reference, date })
  const [again, first] = [paid("P1", "Rg. 1669", "2026-01-20"), paid("P2", "INV-1669", "2026-01-21")]
  for (const [n, steps] of (
    [
      [
        [books, two],
        [debits, [again, first]]
      ],
      [
        [books, two],
        [debits, [first]],
        [debits, [again]]
      ],
      [
        [debits, [again, first]],
        [books, two]
      ]
    ] as ReadonlyArray<ReadonlyArray<Step>>
  ).entries())
    it.effect(`names an invoice that is paid, and no other one of its amount instead, order ${n + 1}`, () =>
      afterSteps(steps, (db) => {
        assert.deepStrictEqual(matches(db), ["P2 → 1669 49.00"])
        assert.match(needs(db).join(), /P1 M3: .*it names \S*1669, which does not fit; it could be for \S*1822/)
      })
    )
})

describe("a payment that the books have as well", () => {
  const stated = [
    invoice({ reference: "+++090/9337/55493+++" }),
    payment("B1", { I1: "50.00" }, "2026-01-31", { currency: "GBP" })
  ]
  const seen = [received("P1", { reference: "090933755493", amount: "50.00", party: { name: "Somebody else" } })]
  for (const [title, steps] of [
    [
      "first",
      [
        [books, stated],
        [debits, seen]
      ]
    ],
    [
      "later",
      [
        [debits, seen],
        [books, stated]
      ]
    ]
  ] as ReadonlyArray<readonly [string, ReadonlyArray<Step>]>)
    it.effect(`is one by the reference of its invoice, whoever paid, and read ${title} by the books`, () =>
      afterSteps(steps, (db) => {
        assert.deepStrictEqual(matches(db), [])
        assert.strictEqual(db.prepare("SELECT how FROM matching").pluck().get(), "same")
      })
    )
})

describe("a reference that several invoices have", () => {
  const both = [
    invoice({ reference: "12345672" }),
    invoice({ id: "I2", number: "INV-2", gross: "50.00", reference: "12345672" })
  ]
  it.effect("is a customer's: which invoice, the amount says, or a person", () =>
    afterSteps(
      [
        [books, both],
        [
          debits,
          [
            received("P1", { reference: "12345672", amount: "50.00" }),
            received("P2", { reference: "12345672", amount: "7.00" })
          ]
        ]
      ],
      (db) => {
        assert.deepStrictEqual(matches(db), ["P1 → I2 50.00"])
        assert.deepStrictEqual(needs(db), [
          "debits/payment/P2 M3: 7.00 GBP received on 2026-01-31: its reference names no invoice that is known, and the source does not say who paid"
        ])
      }
    )
  )

  it.effect("names the only one that is left, and the number of another invoice leaves both to a person", () =>
    afterSteps(
      [
        [books, both],
        [debits, [received("P1", { reference: "12345672", amount: "7.00" })]],
        [books, [], both.slice(1)]
      ],
      (db) => assert.deepStrictEqual(matches(db), ["P1 → I1 7.00"])
    ).pipe(
      Effect.andThen(
        afterSteps(
          [
            [books, [invoice({ reference: "12345672" }), invoice({ id: "I2", number: "12345672" })]],
            [debits, [received("P1", { reference: "12345672", amount: "7.00" })]]
          ],
          (db) => {
            assert.deepStrictEqual(matches(db), [])
            assert.deepStrictEqual(needs(db), [
              "debits/payment/P1 M2: 7.00 GBP received on 2026-01-31: it names 12345672, and 2 invoices have that number"
            ])
          }
        )
      )
    )
  )
})

describe("a payment that was decided", () => {
  const named = received("P1", { reference: "INV-1", amount: "50.00", party: { name: "Harbour Lane Bakery" } })
  const other = (gross: string) => invoice({ id: "I2", number: "INV-2", gross })

  it.effect("is decided again once no other invoice asks for exactly its amount any more", () =>
    afterSteps(
      [
        [books, [invoice(), other("50.00")]],
        [debits, [named]],
        [books, [other("70.00")]]
      ],
      (db) => assert.deepStrictEqual([matches(db), needs(db)], [["P1 → I1 50.00"], []])
    )
  )

  const byId = { ...named, reference: "INV-1", party: { id: "c2" } }
  it.effect("is decided again once its payer's id is a customer's, and once it is not any more", () => {
    const steps: ReadonlyArray<Step> = [
      [books, [invoice({ gross: "50.00" })]],
      [debitsById, [byId]],
      [books, [invoice({ id: "I2", number: "INV-2", gross: "9.00", party: { id: "c2", name: "Quay Books" } })]]
    ]
    return afterSteps(steps, (db) => assert.deepStrictEqual(matches(db), [])).pipe(
      Effect.andThen(
        afterSteps([...steps, [books, [], [invoice({ id: "I2" })]]], (db) =>
          assert.deepStrictEqual(matches(db), ["P1 → I1 50.00"])
        )
      )
    )
  })
})

it("what cannot be read, or went back, holds an invoice back by its reference as by its number", () => {
  const asked = invoice({ reference: "+++090/9337/55493+++\nRF18 5390 0754 7034" })
  const record = { origin: "bank.csv:9", raw: '{"text":"RF18539007547034","amount":"x"}', id: null }
  assert.deepStrictEqual(Blocking.about([record], asked, []), [{ origin: "bank.csv:9" }])
  assert.deepStrictEqual(Blocking.about([record], invoice(), []), [])
  const back = {
    key: "debits/reversal/R1",
    connection: "debits",
    amount: 1,
    currency: "GBP",
    date: "2026-02-01",
    names: "",
    may: ""
  }
  const returned = new Map([["RF18539007547034", [back]]])
  assert.deepStrictEqual(Blocking.mayBeBack(returned, { ...asked, key: "" }, []), [back.key])
  assert.deepStrictEqual(Blocking.mayBeBack(returned, { ...invoice(), key: "" }, []), [])
})

it("digits in groups are no reference without its check digits", () => {
  const found = (text: string) => namesIn(text).map(({ name }) => name)
  assert.include(found("090 9337 55493"), "090933755493")
  for (const text of ["090 9337 55494", "RF19 5390 0754 7034", "21 00000 00003 13947 14300 09018", "12 34562"])
    assert.notInclude(found(text), text.replaceAll(" ", ""))
})
