/** A folder of a seller who issued the same kind of invoice in every syntax, and what the bank says of those that were paid. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pdf } from "../connectors/einvoice/Wrapped.ts"
import * as Xml from "../connectors/einvoice/Xml.ts"
import { coda } from "../connectors/files/NationalFiles.ts"

const VAT = "1234563218"
const SELLER = "Herbata Polska sp. z o.o."

const amount = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`

/** Belgium's structured communication: ten digits, and their remainder of 97. */
const ogm = (n: number): string => {
  const digits = String(1_234_500_000 + n)
  return `${digits}${String(Number(digits) % 97 || 97).padStart(2, "0")}`
}

const whole = (xml: string, of: Readonly<Record<string, string>>): string =>
  Object.entries(of).reduce((text, [from, to]) => text.replaceAll(from, to), xml)

/** Of number `n`, of so many cents with 21 % or what its syntax has: the file's name, and its text. */
const SYNTAXES: ReadonlyArray<(n: number, cents: number) => readonly [ending: string, bytes: Uint8Array]> = [
  (n, cents) => [".xml", Buffer.from(Xml.ubl(stated(n, cents)))],
  (n, cents) => [".xml", Buffer.from(Xml.cii(stated(n, cents)))],
  (n, cents) => [".pdf", pdf(Xml.cii(stated(n, cents)))],
  (n, cents) => {
    const tax = Math.round((cents * 22) / 100)
    const changed = whole(Xml.fattura({}), {
      "<IdPaese>IT</IdPaese><IdCodice>01234567890": `<IdPaese>PL</IdPaese><IdCodice>${VAT}`,
      "Torrefazione Alfa SRL": SELLER,
      "<Numero>12": `<Numero>F-${n}`,
      "<ImponibileImporto>100.00": `<ImponibileImporto>${amount(cents)}`,
      "<Imposta>22.00": `<Imposta>${amount(tax)}`,
      "<ImportoPagamento>122.00": `<CodicePagamento>${ogm(n)}</CodicePagamento><ImportoPagamento>${amount(cents + tax)}`
    })
    return [".xml", Buffer.from(changed)]
  },
  (n, cents) => [
    ".xml",
    Buffer.from(whole(Xml.ksef({ total: amount(cents) }), { "<P_2>F/1": `<P_2>F-${n}`, PLN: "EUR" }))
  ],
  (n, cents) => {
    const changed = whole(Xml.facturae({}), {
      "Tés del Sur SL": SELLER,
      B23103039: VAT,
      "<InvoiceNumber>7": `<InvoiceNumber>${n}`,
      "<InvoiceSeriesCode>A": "<InvoiceSeriesCode>F",
      "100.00": amount(cents - 2100),
      ">121.00": `>${amount(cents)}`
    })
    return [".xml", Buffer.from(changed)]
  },
  (n, cents) => [
    ".xml",
    Buffer.from(
      whole(Xml.ebInterface(), {
        ATU12345678: VAT,
        "Teehaus Wien GmbH": SELLER,
        "E-1": `F-${n}`,
        "120.00": amount(cents)
      })
    )
  ]
]

/** Where a syntax has another buyer than the others. */
const BUYERS: Readonly<Record<number, string>> = {
  3: "Mario Rossi",
  4: "Kawiarnia Lipowa",
  5: "Café Central SL",
  6: "Kaffee Linz KG"
}

const stated = (n: number, cents: number): Xml.Invoice => ({
  number: `F-${n}`,
  seller: SELLER,
  vat: VAT,
  net: amount(cents - 2100),
  gross: amount(cents),
  reference: ogm(n)
})

/** Writes so many invoices, and a CODA that pays two of three of them: by structured reference where they state one, else by number. */
export const mixed = (folder: string, count: number): void => {
  mkdirSync(join(folder, "invoices"), { recursive: true })
  const moved = []
  for (let n = 1; n <= count; n++) {
    const syntax = n % SYNTAXES.length
    const [cents, name] = [10_000 + n * 137, `invoice-${n}`]
    const [ending, bytes] = SYNTAXES[syntax]!(n, cents)
    writeFileSync(join(folder, "invoices", `${name}${ending}`), bytes)
    if (n % 3 === 0) continue
    const paid = syntax === 3 ? cents + Math.round((cents * 22) / 100) : cents
    const number = syntax === 5 ? `F/${n}` : `F-${n}`
    moved.push({
      cents: paid,
      name: BUYERS[syntax] ?? "Atelier Nord",
      text: syntax < 4 ? ogm(n) : number,
      day: "2026-03-20"
    })
  }
  writeFileSync(join(folder, "extrait.cod"), coda({ opening: 0, moved }), "latin1")
}
