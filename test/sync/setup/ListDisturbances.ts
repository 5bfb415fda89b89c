/** What may be odd in a list of invoices, each with what is true of its rows then. */
import type { Pick } from "./DisturbedTexts.ts"

/** What is true of a row; `unsure`: the file contradicts itself, or says what nobody can read. */
export interface Truth {
  readonly id: string
  cents: number
  currency: string
  state: "open" | "paid" | "void" | "unsure"
  /** What is left of it, if the file says so. */
  left?: number
  /** It has no due date: it is held back, or a number of days is asked for. */
  mayWait?: true
}

export interface ListRow {
  cells: Record<string, string>
  readonly truth?: Truth
}

type Words = Readonly<Record<Field, string>>
type Field = "id" | "customer" | "issued" | "due" | "gross" | "net" | "tax" | "currency" | "status" | "type"
type More = "balance" | "paid_on" | "paid" | "open" | "isPaid" | "isVoid" | "invoice" | "credit" | "part" | "total"

const fields: ReadonlyArray<Field | More> =
  "id customer issued due gross net tax currency status type balance paid_on paid open isPaid isVoid invoice credit part total".split(
    " "
  ) as ReadonlyArray<Field | More>

export const LANGUAGES = [
  "Invoice Number|Customer|Invoice Date|Due Date|Total|Net|VAT|Currency|Status|Type|Balance Due|Date Paid|Amount Paid|Sent|Paid|Void|Invoice|Credit note|Partially paid|Total",
  "Rechnungsnummer|Kunde|Rechnungsdatum|Fälligkeitsdatum|Bruttobetrag|Nettobetrag|MwSt|Währung|Status|Belegart|Offener Betrag|Bezahlt am|Bezahlter Betrag|Offen|Bezahlt|Storniert|Rechnung|Gutschrift|Teilbezahlt|Summe",
  "Factuurnummer|Klant|Factuurdatum|Vervaldatum|Totaal incl. btw|Totaal excl. btw|Btw|Valuta|Status|Soort|Openstaand bedrag|Betaald op|Betaald bedrag|Verzonden|Betaald|Geannuleerd|Factuur|Creditnota|Gedeeltelijk betaald|Totaal",
  "Numéro de facture|Client|Date de facture|Date d'échéance|Montant TTC|Montant HT|TVA|Devise|Statut|Type|Solde dû|Date de paiement|Montant payé|Envoyée|Payée|Annulée|Facture|Avoir|Partiellement payée|Total",
  "Número de factura|Cliente|Fecha de factura|Fecha de vencimiento|Total|Base imponible|IVA|Moneda|Estado|Tipo|Pendiente|Fecha de pago|Importe pagado|Enviada|Pagada|Anulada|Factura|Factura rectificativa|Parcialmente pagada|Total",
  "Numero fattura|Cliente|Data fattura|Data scadenza|Totale|Imponibile|IVA|Valuta|Stato|Tipo|Saldo|Data pagamento|Importo pagato|Inviata|Pagata|Annullata|Fattura|Nota di credito|Parzialmente pagata|Totale",
  "Fakturanummer|Kund|Fakturadatum|Förfallodatum|Totalt|Netto|Moms|Valuta|Status|Typ|Kvar att betala|Betald den|Betalt belopp|Skickad|Betald|Makulerad|Faktura|Kreditfaktura|Delbetald|Totalt",
  "Numer faktury|Klient|Data wystawienia|Termin płatności|Brutto|Netto|VAT|Waluta|Status|Typ|Pozostało do zapłaty|Data zapłaty|Zapłacono|Wysłana|Opłacona|Anulowana|Faktura|Korekta|Częściowo opłacona|Razem"
].map((line) => Object.fromEntries(line.split("|").map((word, n) => [fields[n], word])) as Words & Record<More, string>)

export interface List {
  readonly words: Words & Record<More, string>
  readonly header: Array<string>
  rows: Array<ListRow>
  readonly money: (cents: number) => string
  readonly pick: Pick
  /** Whether the columns that say it are there. */
  readonly says: "status" | "balance" | "paid_on" | "flag"
}

const add = (list: List, heading: string, cell: (truth: Truth, row: ListRow) => string): boolean => {
  if (list.header.includes(heading)) return false
  list.header.splice(list.pick(list.header.length + 1), 0, heading)
  for (const row of list.rows) if (row.truth !== undefined) row.cells[heading] = cell(row.truth, row)
  return true
}

const some = (list: List, fits: (row: ListRow & { truth: Truth }) => boolean = () => true) => {
  const rows = list.rows.filter(
    (row): row is ListRow & { truth: Truth } =>
      row.truth !== undefined && row.truth.state !== "void" && fits(row as ListRow & { truth: Truth })
  )
  return rows[list.pick(Math.max(1, rows.length))]
}

const odd = (field: Field, texts: ReadonlyArray<string>) => (list: List) => {
  const row = some(list, ({ truth }) => truth.state !== "unsure")
  if (row === undefined || !list.header.includes(list.words[field])) return
  row.cells[list.words[field]] = texts[list.pick(texts.length)] as string
  row.truth.state = "unsure"
}

/** Of a part that was paid, another column says now how much is left. */
const sayLeft = (list: List, truth: Truth, { cells }: ListRow): void => {
  if (cells[list.words.status] !== list.words.part || truth.left !== undefined) return
  truth.left = truth.cents - 50
  if (list.header.includes(list.words.paid_on) && cells[list.words.gross] !== "") truth.state = "open"
}

const addBalance = (list: List): boolean =>
  add(list, list.words.balance, (truth, row) => {
    sayLeft(list, truth, row)
    const whole = truth.state === "open" || truth.state === "unsure" ? truth.cents : 0
    return list.money(truth.left ?? whole)
  })

const RATE = 20

export const LIST_DISTURBANCES: ReadonlyArray<readonly [string, (list: List) => void]> = [
  ["an odd total", odd("gross", ["tbc", "see note", "1.2.3", "12O.00", "#REF!"])],
  ["an odd currency", odd("currency", ["EURO GBP", "XXQ", "Taler"])],
  ["an odd day", odd("issued", ["tomorrow", "31.02.2026", "2026-13-45"])],
  ["a state that nobody knows", odd("status", ["Zwischenstand", "Reissued to parent", "Q7", "90"])],
  [
    "types as codes",
    (list) => {
      const first = list.rows[list.pick(list.rows.length)]
      if (add(list, list.words.type, (_, row) => (row === first ? "381" : "380")) && first?.truth !== undefined)
        first.truth.state = "unsure"
    }
  ],
  [
    "types that nobody knows",
    (list) => {
      const first = list.rows[list.pick(list.rows.length)]
      if (
        add(list, list.words.type, (_, row) => (row === first ? "Recurring thing" : list.words.invoice)) &&
        first?.truth !== undefined
      )
        first.truth.state = "unsure"
    }
  ],
  [
    "credit notes among them",
    (list) => {
      const first = list.rows[list.pick(list.rows.length)]
      const negative = list.pick(2) === 0
      if (
        !add(list, list.words.type, (_, row) => (row === first ? list.words.credit : list.words.invoice)) ||
        first?.truth === undefined
      )
        return
      if (negative) first.cells[list.words.gross] = list.money(-first.truth.cents)
      first.truth.state = "unsure"
    }
  ],
  [
    "a rate of tax",
    (list) => {
      add(list, `${list.words.tax} ${list.pick(2) === 0 ? "%" : RATE}`, () => String(RATE))
    }
  ],
  [
    "a rate under the tax's own heading, and net amounts only",
    (list) => {
      const { gross, net, tax } = list.words
      if (
        !list.header.includes(gross) ||
        list.header.includes(tax) ||
        list.says === "balance" ||
        list.header.includes(list.words.paid)
      )
        return
      list.header[list.header.indexOf(gross)] = net
      add(list, tax, () => String(RATE))
      for (const row of list.rows) {
        row.cells[net] = row.cells[gross] as string
        if (row.truth === undefined) continue
        row.truth.cents = Math.round((row.truth.cents * (100 + RATE)) / 100)
      }
    }
  ],
  [
    "net and tax beside it",
    (list) => {
      const net = ({ cents }: Truth) => Math.round(cents / 1.2)
      if (add(list, list.words.net, (truth) => list.money(net(truth))))
        add(list, list.words.tax, (truth) => list.money(truth.cents - net(truth)))
    }
  ],
  [
    "the amount in the seller's own currency beside it",
    (list) => {
      const row = some(list, ({ truth }) => truth.state !== "unsure")
      if (row === undefined || !list.header.includes(list.words.currency) || row.truth.currency !== "EUR") return
      // An amount with the sign of another currency contradicts its row.
      if (/EUR|€/.test(row.cells[list.words.gross] ?? "")) row.truth.state = "unsure"
      row.truth.currency = "USD"
      row.cells[list.words.currency] = "USD"
      add(list, `${list.words.gross} (EUR)`, ({ cents, currency }) =>
        list.money(currency === "USD" ? Math.round(cents * 0.9) : cents)
      )
    }
  ],
  [
    "signs of currencies",
    (list) => {
      for (const { cells } of list.rows) if (cells[list.words.currency] === "EUR") cells[list.words.currency] = "€"
    }
  ],
  [
    "names of currencies",
    (list) => {
      for (const { cells } of list.rows) if (cells[list.words.currency] === "EUR") cells[list.words.currency] = "Euro"
    }
  ],
  [
    "currencies beside the amounts",
    (list) => {
      if (!list.header.includes(list.words.gross)) return
      const signs = ["€ ", "", "EUR "]
      const sign = signs[list.pick(3)] as string
      for (const { cells, truth } of list.rows)
        if (truth?.currency === "EUR")
          cells[list.words.gross] = sign === "" ? `${cells[list.words.gross]} €` : `${sign}${cells[list.words.gross]}`
    }
  ],
  [
    "a balance that contradicts the state",
    (list) => {
      if (list.says !== "status" || list.header.includes(list.words.paid)) return
      const row = some(list, ({ truth }) => truth.state === "paid")
      if (row === undefined || !addBalance(list)) return
      row.cells[list.words.balance] = row.cells[list.words.gross] as string
      row.truth.state = "unsure"
    }
  ],
  [
    "a balance beside it",
    (list) => {
      addBalance(list)
    }
  ],
  [
    "what was paid beside it, with a part",
    (list) => {
      if (list.header.includes(list.words.balance)) return
      const row = list.says === "status" ? some(list, ({ truth }) => truth.state === "open") : undefined
      if (row !== undefined) {
        row.truth.left = row.truth.cents - 50
        row.cells[list.words.status] = list.words.part
      }
      add(list, list.words.paid, (truth, row) => {
        sayLeft(list, truth, row)
        const { cents, left, state } = truth
        return list.money(left !== undefined ? cents - left : state === "paid" ? cents : 0)
      })
    }
  ],
  [
    "a part paid with its day, and nothing says how much",
    (list) => {
      if (list.says !== "status" || list.header.includes(list.words.balance) || list.header.includes(list.words.paid))
        return
      const row = some(list, ({ truth }) => truth.state === "open")
      if (row === undefined) return
      row.truth.state = "unsure"
      row.cells[list.words.status] = list.words.part
      add(list, list.words.paid_on, (truth) =>
        truth === row.truth || truth.state === "paid" ? (row.cells[list.words.issued] as string) : ""
      )
    }
  ],
  [
    "subtotals of each customer",
    (list) => {
      const groups = Map.groupBy(
        list.rows.filter(({ truth }) => truth !== undefined),
        ({ cells }) => cells[list.words.customer] as string
      )
      list.rows = [...groups].flatMap(([name, rows]) => [
        ...rows,
        {
          cells: {
            [list.words.customer]: `${name} ${list.words.total}`,
            [list.words.gross]: list.money(rows.reduce((sum, { truth }) => sum + (truth?.cents ?? 0), 0))
          }
        }
      ])
    }
  ],
  [
    "a total and a footer",
    (list) => {
      const all = list.rows.reduce((sum, { truth }) => sum + (truth?.cents ?? 0), 0)
      const first = list.header[0] as string
      list.rows.push(
        { cells: { [first]: list.words.total, [list.words.gross]: list.money(all) } },
        { cells: { [first]: "Report generated 2026-11-07" } }
      )
    }
  ],
  [
    "texts of days",
    (list) => {
      for (const { cells, truth } of list.rows) {
        if (truth === undefined || list.pick(3) > 0) continue
        const isNone = list.pick(3) === 0
        cells[list.words.due] = isNone ? "-" : "On receipt"
        if (isNone) truth.mayWait = true
      }
    }
  ],
  [
    "the seller's own name and account",
    (list) => {
      add(list, "Company", () => "Acme Ltd")
      add(list, "IBAN", () => "DE89370400440532013000")
    }
  ],
  [
    "a contact beside the company",
    (list) => {
      add(list, "Contact", () => ["Ann Miller", "Bob Smith", "Cy Jones"][list.pick(3)] as string)
    }
  ],
  [
    "numbers as formulas",
    (list) => {
      for (const { cells, truth } of list.rows)
        if (truth !== undefined && cells[list.words.id] !== "") cells[list.words.id] = `="${truth.id}"`
    }
  ],
  [
    "columns that nobody knows",
    (list) => {
      add(list, "Wetter", () => "sonnig")
      add(list, "Segment 7", () => "12")
    }
  ],
  [
    "an amount below zero",
    (list) => {
      const row = some(list, ({ truth }) => truth.state === "open")
      if (row === undefined || !list.header.includes(list.words.gross) || !/\d/.test(row.cells[list.words.gross] ?? ""))
        return
      row.cells[list.words.gross] = `-${row.cells[list.words.gross]}`
      row.truth.state = "unsure"
    }
  ],
  [
    "a number twice with another amount",
    (list) => {
      const row = some(list, ({ truth }) => truth.state === "open")
      if (row === undefined || !list.header.includes(list.words.gross)) return
      list.rows.push({
        cells: { ...row.cells, [list.words.gross]: list.money(row.truth.cents + 700) },
        truth: { ...row.truth, state: "unsure" }
      })
      row.truth.state = "unsure"
    }
  ],
  ["a row without an amount", odd("gross", [""])],
  ["a row without a number", odd("id", [""])]
]
