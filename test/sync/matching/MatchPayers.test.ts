/**
 * Who pays comes before what the text says: a number of another customer's invoice receives nothing by itself, dates and
 * customers' numbers are no names, and names are the same however a bank writes them.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../../sync/state/Database.ts"
import * as Matching from "../../../sync/matching/Run.ts"
import * as MatchCandidates from "../../../sync/matching/Candidates.ts"
import { invoice } from "../../support/Documents.ts"
import { books, debits, given, matches, needs, received, take } from "../Paying.ts"

const memory = Database.layer({ file: ":memory:", mode: "write" })

const of = (id: string, name: string, gross = "120.00", more: Parameters<typeof invoice>[0] = {}) =>
  invoice({ id, number: id, gross, party: { name }, ...more })
const by = (id: string, name: string, reference: string, amount = "120.00", date = "2026-01-31") =>
  received(id, { amount, date, reference, party: { name } })

describe("a number of another customer's invoice in the text", () => {
  const tern = of("INV-1074", "Tern & Sons", "5000.00")

  it.effect("gives way to the payer's own invoice of exactly the amount", () =>
    given(
      [tern, of("INV-1047", "Peel Street Cafe", "420.50")],
      [by("P1", "Peel Street Cafe", "INV-1074", "420.50")],
      (db) => {
        assert.deepStrictEqual(matches(db), ["P1 → INV-1047 420.50"])
        assert.deepStrictEqual(needs(db), [])
      }
    )
  )

  it.effect("is for a person where the payer has none, a part or the whole of it", () =>
    given(
      [tern, of("INV-1047", "Peel Street Cafe", "420.50")],
      [by("P1", "Peel Street Cafe", "INV-1074", "77.00"), by("P2", "Peel Street Cafe", "INV-1074", "5000.00")],
      (db) => {
        assert.deepStrictEqual(matches(db), [])
        assert.deepStrictEqual(
          needs(db).map((line) => line.slice(line.indexOf("it names"))),
          [
            "it names INV-1074 of another customer, and no open invoice of this payer has this amount",
            "it names INV-1074 of another customer, in its exact amount"
          ]
        )
      }
    )
  )

  it.effect("does so whichever is read first, and also where the payer becomes a customer later", () =>
    Effect.gen(function* () {
      const db = yield* Database
      yield* take(books, [tern])
      yield* take(debits, [by("P1", "Peel Street Cafe", "INV-1074", "5000.00")])
      yield* Matching.run
      assert.deepStrictEqual(matches(db), ["P1 → INV-1074 5000.00"], "a stranger may pay for a customer")
      yield* take(books, [of("INV-1047", "Peel Street Cafe", "1.00")])
      yield* Matching.run
      assert.deepStrictEqual(matches(db), [])
    }).pipe(Effect.provide(memory))
  )

  it.effect("does not hide the payer's own invoice beside it in the text", () =>
    given(
      [tern, of("INV-1047", "Peel Street Cafe", "420.50")],
      [
        by("P1", "Peel Street Cafe", "INV-1047 INV-1074", "420.50"),
        by("P2", "Peel Street Cafe", "INV-1047 INV-1074", "20.00")
      ],
      (db) => assert.deepStrictEqual(matches(db), ["P1 → INV-1047 420.50"])
    )
  )
})

describe("a stranger who names an invoice", () => {
  it.effect("is a person's to decide where a customer with a name like it has another of exactly the amount", () =>
    given(
      [of("INV-1002", "Peel Street Cafe", "625.00"), of("INV-1004", "Otto Logistik KG", "625.00")],
      [by("P1", "Otto Holding", "INV-1002", "625.00"), by("P2", "Harbour Holding", "INV-1002", "625.00")],
      (db) => {
        assert.deepStrictEqual(matches(db), ["P2 → INV-1002 625.00"])
        assert.match(needs(db).join("\n"), /P1 M2: .*INV-1004, of a customer with a name like the payer's/)
      }
    )
  )

  it.effect("pays the whole of it, and a part only with a person", () =>
    given(
      [of("INV-1", "Tern & Sons"), of("INV-2", "Tern & Sons")],
      [by("P1", "Holding Ltd", "INV-1"), by("P2", "Holding Ltd", "INV-2", "70.00")],
      (db) => {
        assert.deepStrictEqual(matches(db), ["P1 → INV-1 120.00"])
        assert.include(needs(db)[0], "but its payer is not the customer, and it is only a part")
      }
    )
  )
})

describe("a part of an invoice that the payer names", () => {
  it.effect("is for a person where another invoice asks for exactly this amount, unless that is paid", () =>
    given(
      [of("INV-1", "Tern & Sons"), of("INV-2", "Tern & Sons", "50.00")],
      [by("P1", "Tern & Sons", "INV-1", "50.00")],
      (db) => {
        assert.deepStrictEqual(matches(db), [])
        assert.include(needs(db)[0], "it names INV-1, of which 120.00 GBP is open, but is exactly what INV-2 asks for")
      }
    ).pipe(
      Effect.andThen(
        given(
          [of("INV-1", "Tern & Sons"), of("INV-2", "Tern & Sons", "50.00")],
          [by("P1", "Tern & Sons", "INV-1", "50.00"), by("P0", "Tern & Sons", "INV-2", "50.00", "2026-01-30")],
          (db) => assert.deepStrictEqual(matches(db), ["P0 → INV-2 50.00", "P1 → INV-1 50.00"])
        )
      )
    )
  )

  it.effect("and where the text says that a credit note was deducted", () =>
    given([of("INV-1", "Tern & Sons")], [by("P1", "Tern & Sons", "INV-1 abzgl. Gutschrift GS-12", "70.00")], (db) => {
      assert.deepStrictEqual(matches(db), [])
      assert.include(needs(db)[0], "the text says that a credit note was deducted")
    })
  )
})

describe("digits that are a date or another number", () => {
  const named = [
    of("202611", "Tern & Sons"),
    of("20261103", "Tern & Sons"),
    of("100234", "Tern & Sons"),
    of("2026", "Tern & Sons")
  ]

  for (const text of [
    "DEPOSIT 2026/11",
    "CREDIT OF 2026-11-03",
    "Kundennr 100234",
    "Customer No. 100234",
    "SUBSCRIPTION 2026"
  ])
    it.effect(`are no number of an invoice to a stranger: ${text}`, () =>
      given(
        named,
        [by("P1", "Somebody", text, "120.00", "2026-11-20"), by("P2", "Somebody", text, "50.00", "2026-11-20")],
        (db) => {
          assert.deepStrictEqual(matches(db), [])
          for (const need of needs(db))
            assert.include(
              need,
              "its reference names no invoice that is known, and no open invoice of this payer has this amount"
            )
        }
      )
    )

  it.effect("are one to the customer itself, in the exact amount", () =>
    given(
      named,
      [
        by("P1", "Tern & Sons", "202611", "120.00", "2026-11-20"),
        by("P2", "Tern & Sons", "20261103", "50.00", "2026-11-20")
      ],
      (db) => assert.deepStrictEqual(matches(db), ["P1 → 202611 120.00"])
    )
  )
})

describe("a payer's name", () => {
  const SPELLINGS = {
    "Müller Maschinenbau GmbH": "MUELLER MASCHINENBAU",
    "Schreinerei Weiß GmbH & Co. KG": "Schreinerei Weiss GmbH u. Co KG",
    "Hotel Adler e.K.": "HOTEL ADLER",
    "Smith & Sons Limited": "SMITH AND SONS LTD",
    "Société Générale d'Éclairage SA": "SOCIETE GENERALE D ECLAIRAGE",
    "Van den Berg Bloemen B.V.": "Van den Berg Bloemen BV",
    "Jørgensen ApS": "JOERGENSEN APS",
    "O'Brien Catering Ltd": "OBRIEN CATERING LTD",
    "Café Größenwahn": "CAFE GROESSENWAHN INH. M. KURZ",
    "Gesellschaft für Feinmechanik Nord mbH": "GESELLSCHAFT FUER FEINMECHA",
    "Cherry Werkzeug GmbH & Co. KG": "CHERRY WERKZEUG GMBH & CO."
  }
  it.effect("is the same however a bank writes it, or where it cuts it at 27 characters", () =>
    Effect.gen(function* () {
      for (const [books, bank] of Object.entries(SPELLINGS)) {
        yield* given([of("I1", books)], [by("P1", bank, "thanks")], (db) =>
          assert.deepStrictEqual(matches(db), ["P1 → I1 120.00"], bank)
        )
      }
    })
  )

  it.effect("is cut only at that length, and may be the beginning of several", () =>
    given(
      [
        of("I1", "Gesellschaft für Feinmechanik Nord mbH", "10.00"),
        of("I2", "Gesellschaft für Feinmechanik Süd mbH", "10.00")
      ],
      [
        by("P1", "GESELLSCHAFT FUER FEINMECHA", "thanks", "10.00"),
        by("P2", "GESELLSCHAFT FUER FEINMECH", "thanks", "10.00")
      ],
      (db) => {
        assert.deepStrictEqual(matches(db), [])
        assert.include(needs(db)[0], "it could be for I1 and I2")
        assert.include(needs(db)[1], "no open invoice of this payer has this amount")
      }
    )
  )

  it.effect("that differs in its legal form is another company's, and of two the one with the same form pays", () =>
    given(
      [
        of("I1", "Kramer GmbH"),
        of("I2", "Kramer AG", "50.00"),
        of("I3", "Kramer", "60.00"),
        of("I4", "Nordlicht GmbH", "77.00")
      ],
      [
        by("P1", "KRAMER AG", "thanks"),
        by("P2", "KRAMER AG", "thanks", "50.00"),
        by("P3", "KRAMER AG", "thanks", "60.00"),
        by("P4", "NORDLICHT OHG", "thanks", "77.00")
      ],
      (db) => assert.deepStrictEqual(matches(db), ["P2 → I2 50.00"])
    )
  )

  it.effect("of several customers makes all of them candidates", () =>
    given(
      [
        of("I1", "Schmidt GmbH", "500.00", { party: { id: "1", name: "Schmidt GmbH" } }),
        of("I2", "Schmidt GmbH", "500.00", { party: { id: "2", name: "Schmidt GmbH" } })
      ],
      [by("P1", "Schmidt GmbH", "Rechnung", "500.00")],
      (db) => assert.include(needs(db)[0], "it could be for I1 and I2")
    )
  )
})

describe("a typing error in a number", () => {
  it.effect("of one digit, or two that changed places, decides between own invoices of the amount", () =>
    given(
      [of("INV-1047", "Tern & Sons"), of("INV-2089", "Tern & Sons"), of("INV-3333", "Tern & Sons")],
      [by("P1", "Tern & Sons", "INV-1041"), by("P2", "Tern & Sons", "2809")],
      (db) => assert.deepStrictEqual(matches(db), ["P1 → INV-1047 120.00", "P2 → INV-2089 120.00"])
    )
  )

  it.effect("is none where the payer left out only what all numbers begin with", () =>
    given([of("INV-1047", "Tern & Sons"), of("INV-1048", "Tern & Sons")], [by("P1", "Tern & Sons", "Rg. 1048")], (db) =>
      assert.deepStrictEqual(matches(db), ["P1 → INV-1048 120.00"])
    )
  )

  it.effect("that fits two of them is for a person", () =>
    given([of("INV-1047", "Tern & Sons"), of("INV-1048", "Tern & Sons")], [by("P1", "Tern & Sons", "INV-1049")], (db) =>
      assert.include(needs(db)[0], "it could be for INV-1047 and INV-1048")
    )
  )
})

describe("several invoices in one transfer", () => {
  const three = [
    of("INV-1047", "Tern & Sons", "100.00"),
    of("INV-1051", "Tern & Sons", "70.00"),
    of("INV-1052", "Tern & Sons", "33.10")
  ]

  it.effect("are read where they are named in short, if the amounts are exactly right", () =>
    given(three, [by("P1", "Tern & Sons", "INV-1047/51 u. 52", "203.10")], (db) =>
      assert.deepStrictEqual(matches(db), ["P1 → INV-1047 100.00", "P1 → INV-1051 70.00", "P1 → INV-1052 33.10"])
    ).pipe(
      Effect.andThen(
        given(three, [by("P1", "Tern & Sons", "INV-1047/51", "160.00")], (db) => {
          assert.deepStrictEqual(matches(db), [])
          assert.lengthOf(needs(db), 1)
        })
      )
    )
  )

  const proposed = (db: Database["Service"], payment = "P1") =>
    MatchCandidates.candidates(db, `debits/payment/${payment}`).map(({ accept, why }) => [why, ...(accept ?? [])])

  it.effect("that are not named are proposed, with a discount, a fee, and what is too much as well", () =>
    given(
      three,
      [
        by("P1", "Tern & Sons", "invoices", "133.10"),
        by("P2", "Tern & Sons", "less 2 %", "98.00"),
        by("P3", "Tern & Sons", "INV-1047 + INV-1051 - 2%", "166.60"),
        by("P4", "Tern & Sons", "payment", "60.00"),
        by("P5", "Tern & Sons", "INV-1047", "100.01")
      ],
      (db) => {
        assert.deepStrictEqual(matches(db), [])
        const [one, two] = ["books/invoice/INV-1047", "books/invoice/INV-1051"]
        const sum = [`2 open invoices add up to it`, `${one}=100.00`, "books/invoice/INV-1052=33.10"]
        assert.deepStrictEqual(proposed(db, "P1"), [sum, sum])
        assert.deepStrictEqual(proposed(db, "P2")[0], ["100.00 GBP less 2 % discount", `${one}=98.00`])
        assert.deepStrictEqual(proposed(db, "P3")[0], [
          "it names them, less 2 % discount",
          `${one}=98.00`,
          `${two}=68.60`
        ])
        assert.deepStrictEqual(proposed(db, "P4")[0], ["70.00 GBP less 10.00 GBP, as a fee of a bank", `${two}=60.00`])
        assert.deepStrictEqual(proposed(db, "P5")[0], ["it names it, and is 0.01 GBP more", `${one}=100.00`])
      }
    )
  )
})

describe("what else the payer owes", () => {
  it.effect("is offered to a person: its own invoices of the payment's currency that are open, the oldest first", () =>
    given(
      [
        of("INV-2", "Kestrel Ltd", "70.00", { due: "2026-02-20" }),
        of("INV-1", "Kestrel Ltd", "50.00", { due: "2026-02-10" }),
        of("INV-3", "Kestrel Ltd", "40.00", { currency: "EUR" }),
        of("INV-4", "Tern & Sons", "40.00"),
        of("INV-5", "Kestrel Ltd", "30.00", { status: "void" })
      ],
      [by("P1", "Kestrel Ltd", "", "110.00"), by("P2", "", "", "1.00")],
      (db) => {
        const owed = (payment: string, most = 25) =>
          MatchCandidates.openOfPayer(db, payment, most).map(({ number, open }) => `${number} ${open}`)
        assert.deepStrictEqual(owed("debits/payment/P1"), ["INV-1 50.00", "INV-2 70.00"])
        assert.deepStrictEqual(owed("debits/payment/P1", 1), ["INV-1 50.00"])
        assert.deepStrictEqual(owed("debits/payment/P2"), [])
      }
    )
  )
})
