/** A day of payment beside amounts that say that nothing was paid: one of them is wrong, and the row waits. */
import { describe, expect, it } from "vitest"
import { readAll, sumsOf } from "./Reading.ts"

const LANGUAGES = [
  ["Invoice Number,Customer,Invoice Date,Due Date,Total,Currency", "Date Paid", "Balance", "Amount Paid"],
  [
    "Rechnungsnummer,Kunde,Rechnungsdatum,Fällig am,Bruttobetrag,Währung",
    "Bezahlt am",
    "Offener Betrag",
    "Bezahlter Betrag"
  ],
  [
    "Factuurnummer,Klant,Factuurdatum,Vervaldatum,Totaal incl. btw,Valuta",
    "Betaald op",
    "Openstaand bedrag",
    "Betaald bedrag"
  ],
  [
    "Numéro de facture,Client,Date de facture,Date d'échéance,Montant TTC,Devise",
    "Date de paiement",
    "Solde dû",
    "Montant payé"
  ]
] as const

const row = (n: number, ...more: ReadonlyArray<string>) =>
  [n, "Alder", "2026-09-01", "2026-10-01", "100.00", "EUR", ...more].join(",")

describe("a day of payment", () => {
  for (const [head, day, balance, paid] of LANGUAGES)
    for (const [heading, whole, nothing, part, isFirst] of [
      [balance, "100.00", "0.00", "40.00", false],
      [balance, "100.00", "0.00", "40.00", true],
      [paid, "0.00", "100.00", "60.00", false]
    ] as const)
      it(`contradicts that nothing is paid: ${JSON.stringify(heading)}${isFirst ? ", before it" : ""}`, async () => {
        const order = (when: string, much: string) => (isFirst ? [much, when] : [when, much])
        const text = [
          `${head},${order(day, heading).join(",")}`,
          row(1, ...order("2026-09-03", whole)),
          row(2, ...order("", whole)),
          row(3, ...order("2026-09-05", nothing)),
          row(4, ...order("2026-09-05", part)),
          ""
        ].join("\n")
        const { documents, found, quarantined } = await readAll({ "a.csv": text })
        expect(found.questions).toEqual([])
        expect(quarantined).toEqual([
          expect.stringMatching(/^a\.csv:2: says "2026-09-03", and nothing of 100\.00 EUR is paid/)
        ])
        expect(sumsOf(documents).sums).toEqual({ invoice: [3, "300.00"], payment: [2, "160.00"] })
      })
})
