/**
 * Files of real layouts with one to three disturbances, whose truth is known: a cell that is no amount, a state or a type that
 * nobody knows, money that went the other way, another currency, rows of other kinds, totals and footers. Whatever `init` makes of
 * one, it asks, or names what it does not read, or reads all of it.
 */
import * as Decimal from "../../../core/money/Decimal.ts"
import { type Pick, picker } from "./DisturbedTexts.ts"
import { readAll } from "./Reading.ts"

interface Line {
  readonly id: string
  readonly customer: string
  readonly issued: string
  readonly due: string
  readonly cents: number
  readonly currency: string
  readonly state: string
}

/** A file as it is being made: its headings, its rows, and what is known of them. */
interface Sheet {
  readonly header: Array<string>
  readonly rows: Array<Array<string>>
  readonly words: Words
  /** What counts, in cents; a row that may be quarantined is named instead. */
  truth: number
  count: number
  /** What must be named if it is not read, by a text of it. */
  readonly disturbed: Array<string>
}

interface Words {
  readonly heads: Readonly<
    Record<"id" | "customer" | "issued" | "due" | "gross" | "currency" | "state" | "type", string>
  >
  readonly states: readonly [open: string, paid: string, isVoid: string]
  readonly types: readonly [invoice: string, credit: string]
  readonly total: string
  readonly comma: boolean
}

const WORDS: ReadonlyArray<Words> = [
  {
    heads: {
      id: "Invoice Number",
      customer: "Customer",
      issued: "Invoice Date",
      due: "Due Date",
      gross: "Total",
      currency: "Currency",
      state: "Status",
      type: "Document Type"
    },
    states: ["Sent", "Paid", "Void"],
    types: ["Invoice", "Credit note"],
    total: "Total",
    comma: false
  },
  {
    heads: {
      id: "Rechnungsnummer",
      customer: "Kunde",
      issued: "Rechnungsdatum",
      due: "Fällig am",
      gross: "Bruttobetrag",
      currency: "Währung",
      state: "Status",
      type: "Belegart"
    },
    states: ["Offen", "Bezahlt", "Storniert"],
    types: ["Rechnung", "Gutschrift"],
    total: "Summe",
    comma: true
  },
  {
    heads: {
      id: "Factuurnummer",
      customer: "Klant",
      issued: "Factuurdatum",
      due: "Vervaldatum",
      gross: "Totaal incl. btw",
      currency: "Valuta",
      state: "Status",
      type: "Soort document"
    },
    states: ["Verzonden", "Betaald", "Geannuleerd"],
    types: ["Factuur", "Creditnota"],
    total: "Totaal",
    comma: true
  },
  {
    heads: {
      id: "Numéro de facture",
      customer: "Client",
      issued: "Date de facture",
      due: "Date d'échéance",
      gross: "Montant TTC",
      currency: "Devise",
      state: "Statut",
      type: "Type de document"
    },
    states: ["Envoyée", "Payée", "Annulée"],
    types: ["Facture", "Avoir"],
    total: "Total",
    comma: true
  }
]

const money = (cents: number, comma: boolean): string => {
  const text = (cents / 100).toFixed(2)
  return comma ? text.replace(".", ",") : text
}

type Disturbance = readonly [name: string, change: (sheet: Sheet, pick: Pick) => void]

const at = ({ header, words }: Sheet, field: keyof Words["heads"]): number => header.indexOf(words.heads[field])

/** A row is taken out of what counts, because it may only be named. */
const leave = (sheet: Sheet, row: ReadonlyArray<string>): void => {
  const state = row[at(sheet, "state")]
  if (state === sheet.words.states[2]) return
  const cents = Math.round(Number((row[at(sheet, "gross")] ?? "").replace(",", ".")) * 100)
  sheet.truth -= cents
  sheet.count--
  sheet.disturbed.push(row[at(sheet, "id")] ?? "")
}

/** Rows of invoices that no other disturbance changed: no totals and footers. */
const rowOf = (sheet: Sheet, pick: Pick): Array<string> | undefined => {
  const free = sheet.rows.filter(
    (row) => row[at(sheet, "id")]?.startsWith("R-") === true && !sheet.disturbed.includes(row[at(sheet, "id")] ?? "")
  )
  return free[pick(Math.max(1, free.length))]
}

const cell =
  (field: keyof Words["heads"], texts: ReadonlyArray<string>) =>
  (sheet: Sheet, pick: Pick): void => {
    const row = rowOf(sheet, pick)
    if (row === undefined) return
    leave(sheet, row)
    row[at(sheet, field)] = texts[pick(texts.length)] ?? ""
  }

export const DISTURBANCES: ReadonlyArray<Disturbance> = [
  ["a cell that is no amount", cell("gross", ["tbc", "n/a", "siehe Anlage", "???"])],
  ["a cell that is no currency", cell("currency", ["EURX", "???", "Taler"])],
  ["a cell that is no date", cell("issued", ["tomorrow", "31.02.2026", "00/00/0000"])],
  ["a state that nobody knows", cell("state", ["Zwischenstand", "Reissued to parent", "Q7"])],
  [
    "another currency",
    (sheet, pick) => {
      const row = rowOf(sheet, pick)
      if (row !== undefined && row[at(sheet, "state")] !== sheet.words.states[2]) {
        leave(sheet, row)
        row[at(sheet, "currency")] = "USD"
      }
    }
  ],
  [
    "types, with credit notes that name no invoice and one that nobody knows",
    (sheet, pick) => {
      if (sheet.header.includes(sheet.words.heads.type)) return
      sheet.header.push(sheet.words.heads.type)
      for (const row of sheet.rows) row.push(sheet.words.types[0])
      for (const type of [sheet.words.types[1], "Anticipo speciale"]) {
        const row = rowOf(sheet, pick)
        if (row === undefined) return
        leave(sheet, row)
        row[at(sheet, "type")] = type
      }
    }
  ],
  [
    "a total below, and a footer",
    (sheet) => {
      const all = sheet.rows.reduce(
        (sum, row) => sum + Math.round(Number((row[at(sheet, "gross")] ?? "0").replace(",", ".")) * 100 || 0),
        0
      )
      const total = sheet.header.map(() => "")
      total[0] = sheet.words.total
      total[at(sheet, "gross")] = money(all, sheet.words.comma)
      sheet.rows.push(total, ["Report generated 2026-11-07", ...sheet.header.slice(1).map(() => "")])
    }
  ],
  [
    "signs of currencies",
    (sheet) => {
      for (const row of sheet.rows) if (row[at(sheet, "currency")] === "EUR") row[at(sheet, "currency")] = "€"
    }
  ],
  [
    "text among the due dates",
    (sheet, pick) => {
      for (const row of sheet.rows)
        if (pick(3) === 0 && row[at(sheet, "id")] !== "") row[at(sheet, "due")] = "On receipt"
    }
  ],
  [
    "columns that nobody knows",
    (sheet) => {
      sheet.header.push("Wetter", "Segment 7")
      for (const row of sheet.rows) row.push("sonnig", "12")
    }
  ]
]

export interface DisturbedFile {
  readonly text: string
  readonly names: ReadonlyArray<string>
  readonly truth: number
  readonly count: number
  readonly disturbed: ReadonlyArray<string>
}

/** The file of a seed. */
export const disturbedFile = (seed: number): DisturbedFile => {
  const pick = picker(seed)
  const words = WORDS[pick(WORDS.length)] as Words
  const lines = Array.from({ length: 6 + pick(8) }, (_, n): Line => {
    const day = String(1 + pick(27)).padStart(2, "0")
    const state = words.states[pick(6) === 0 ? 2 : pick(3) === 0 ? 1 : 0] as string
    return {
      id: `R-${1000 + n}`,
      customer: `Customer ${n % 4}`,
      issued: `2026-09-${day}`,
      due: `2026-10-${day}`,
      cents: 100 + pick(900_000),
      currency: "EUR",
      state
    }
  })
  const { heads } = words
  const counted = lines.filter(({ state }) => state !== words.states[2])
  const sheet: Sheet = {
    words,
    header: [heads.id, heads.customer, heads.issued, heads.due, heads.gross, heads.currency, heads.state],
    rows: lines.map((one) => [
      one.id,
      one.customer,
      one.issued,
      one.due,
      money(one.cents, words.comma),
      one.currency,
      one.state
    ]),
    truth: counted.reduce((sum, { cents }) => sum + cents, 0),
    count: counted.length,
    disturbed: []
  }
  const names = new Set<string>()
  for (let n = 0; n <= pick(3); n++) {
    const [name, change] = DISTURBANCES[pick(DISTURBANCES.length)] as Disturbance
    if (names.has(name)) continue
    names.add(name)
    change(sheet, pick)
  }
  const text = [sheet.header, ...sheet.rows].map((row) => row.join(";")).join("\n")
  return { text: `${text}\n`, names: [...names], truth: sheet.truth, count: sheet.count, disturbed: sheet.disturbed }
}

/** What is wrong with what `init` makes of a file; undefined if nothing is. */
export const wrongOf = async ({ count, disturbed, text, truth }: DisturbedFile): Promise<string | undefined> => {
  const { documents, found, quarantined } = await readAll({ "invoices.csv": text })
  if (found.questions.some(({ suggestion }) => suggestion === undefined)) return undefined
  const unread = found.decisions
    .map(({ because = "", what }) => `${what}: ${because}`)
    .filter((one) => /not read/.test(one))
  const invoices = documents.filter((one) => one.kind === "invoice" && one.currency === "EUR")
  const sum = Decimal.sum(
    invoices.flatMap((one) => (one.kind === "invoice" && one.status !== "void" ? [one.gross ?? 0n] : []))
  )
  const cents = Number(sum / Decimal.of("0.01"))
  const read = new Set(invoices.map(({ id }) => id))
  const extra = disturbed.filter((id) => read.has(id))
  if (extra.length > 0) return `${extra.join(", ")} was read as if nothing were odd`
  if (cents !== truth || invoices.length !== count)
    return `${invoices.length} invoices of ${Decimal.format(sum, 2)}, and there are ${count} of ${(truth / 100).toFixed(2)}`
  const other = documents.filter((one) => one.kind === "invoice" && one.currency !== "EUR").map(({ id }) => id)
  // Each by itself: by its line, or by the text for which rows like it are not read.
  const lines = text.split("\n").map((line) => line.split(";"))
  const isNamed = (id: string): boolean => {
    const n = lines.findIndex(([own]) => own === id)
    return (
      quarantined.some((one) => one.startsWith(`invoices.csv:${n + 1}:`)) ||
      unread.some((one) => lines[n]?.some((cell) => one.includes(`of ${JSON.stringify(cell)}`)))
    )
  }
  const lost = disturbed.filter((id) => !other.includes(id) && !isNamed(id))
  return lost.length > 0 ? `nothing names ${lost.join(", ")}` : undefined
}
