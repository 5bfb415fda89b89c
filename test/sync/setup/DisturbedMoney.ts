/**
 * Statements of banks and lists of payments, with one to three of the things that change what an amount means: the way money went,
 * what became of it, fees, running balances, the seller's own account. Of each row it is known how much was received, or went back.
 */
import { picker, type Pick, written } from "./DisturbedTexts.ts"

export interface MoneyTruth {
  readonly id: string
  /** In cents, below zero if it is the seller's own payment. */
  readonly cents: number
  /** What counts: money received, nothing, or what nobody can say. */
  means: "in" | "nothing" | "unsure"
}

interface MoneyRow {
  readonly truth: MoneyTruth
  readonly cells: Record<string, string>
}

const HEADS =
  "date amount payer text currency in out direction into outof status received pending failed account fee balance id".split(
    " "
  )

const LANGUAGES = [
  "Date|Amount|Payer|Description|Currency|Money In|Money Out|Credit/Debit|Credit|Debit|Status|Completed|Pending|Failed|Account Number|Fee|Balance|Transaction ID",
  "Buchungstag|Betrag|Auftraggeber|Verwendungszweck|Währung|Haben|Soll|Soll/Haben|H|S|Status|Gebucht|Vorgemerkt|Abgelehnt|Kontonummer|Gebühr|Kontostand|Transaktions-ID",
  "Datum|Bedrag|Tegenpartij|Omschrijving|Valuta|Bij|Af|Af Bij|Bij|Af|Status|Uitgevoerd|In behandeling|Geweigerd|Rekeningnummer|Kosten|Saldo|Transactienummer",
  "Date|Montant|Payeur|Libellé|Devise|Crédit|Débit|Sens|Crédit|Débit|Statut|Effectué|En attente|Refusé|Numéro de compte|Frais|Solde|Numéro de transaction",
  "Fecha|Importe|Ordenante|Concepto|Moneda|Abonos|Cargos|Debe/Haber|Haber|Debe|Estado|Completado|Pendiente|Rechazado|Número de cuenta|Comisión|Saldo|Número de transacción",
  "Data|Importo|Ordinante|Causale|Valuta|Entrate|Uscite|Dare/Avere|Avere|Dare|Stato|Completato|In attesa|Rifiutato|Numero conto|Commissione|Saldo|ID transazione"
].map(
  (line) => Object.fromEntries(line.split("|").map((word, n) => [HEADS[n] as string, word])) as Record<string, string>
)

interface Statement {
  readonly words: Record<string, string>
  readonly header: Array<string>
  rows: Array<MoneyRow>
  readonly money: (cents: number) => string
  readonly pick: Pick
  readonly way: "signs" | "direction" | "columns"
}

const add = (of: Statement, heading: string, cell: (row: MoneyRow, n: number) => string): boolean => {
  if (of.header.includes(heading)) return false
  of.header.splice(of.pick(of.header.length + 1), 0, heading)
  for (const [n, row] of of.rows.entries()) row.cells[heading] = cell(row, n)
  return true
}

const received = (of: Statement) => {
  const rows = of.rows.filter(({ truth }) => truth.means === "in")
  return rows[of.pick(Math.max(1, rows.length))]
}

const word = (of: Statement, name: string): string => of.words[name] as string

export const MONEY_DISTURBANCES: ReadonlyArray<readonly [string, (of: Statement) => void]> = [
  [
    "states",
    (of) => {
      const [first, second] = [received(of), received(of)]
      const isNew = add(of, word(of, "status"), (row) =>
        word(of, row === first ? "pending" : row === second ? "failed" : "received")
      )
      if (isNew) for (const row of [first, second]) if (row !== undefined) row.truth.means = "nothing"
    }
  ],
  [
    "a state that nobody knows",
    (of) => {
      const first = received(of)
      if (
        add(of, word(of, "status"), (row) => (row === first ? "Halfway" : word(of, "received"))) &&
        first !== undefined
      )
        first.truth.means = "unsure"
    }
  ],
  [
    "an odd amount",
    (of) => {
      const row = received(of)
      if (row === undefined) return
      row.truth.means = "unsure"
      row.cells[word(of, of.way === "columns" ? "in" : "amount")] = ["tbc", "1.2.3", "??"][of.pick(3)] as string
    }
  ],
  [
    "an odd day",
    (of) => {
      const row = received(of)
      if (row === undefined) return
      row.truth.means = "unsure"
      row.cells[word(of, "date")] = "31.02.2026"
    }
  ],
  [
    "the seller's own account",
    (of) => {
      add(of, word(of, "account"), () => "DE89370400440532013000")
    }
  ],
  [
    "a running balance",
    (of) => {
      let sum = 100_000
      const balances = of.rows.map(({ truth }) => (sum += truth.cents))
      add(of, word(of, "balance"), (_, n) => of.money(balances[n] as number))
    }
  ],
  [
    "a fee beside it",
    (of) => {
      add(of, word(of, "fee"), () => of.money(of.pick(2) * 35))
    }
  ],
  [
    "an id",
    (of) => {
      add(of, word(of, "id"), ({ truth }) => truth.id)
    }
  ],
  [
    "columns that nobody knows",
    (of) => {
      add(of, "Wetter", () => "sonnig")
    }
  ],
  [
    "a direction that nobody knows",
    (of) => {
      const row = received(of)
      if (of.way !== "direction" || row === undefined) return
      row.cells[word(of, "direction")] = "Sideways"
      row.truth.means = "unsure"
    }
  ],
  [
    "signs of currencies",
    (of) => {
      for (const { cells } of of.rows) if (cells[word(of, "currency")] === "EUR") cells[word(of, "currency")] = "€"
    }
  ],
  [
    "an odd currency",
    (of) => {
      const row = received(of)
      if (row === undefined) return
      row.cells[word(of, "currency")] = "Taler"
      row.truth.means = "unsure"
    }
  ]
]

export const disturbedMoney = (seed: number) => {
  const pick = picker(seed)
  const words = LANGUAGES[pick(LANGUAGES.length)] as Record<string, string>
  const style = written(pick)
  const way = (["signs", "direction", "columns"] as const)[pick(3)] as Statement["way"]
  const w = (name: string) => words[name] as string
  const rows = Array.from({ length: 6 + pick(8) }, (_, n): MoneyRow => {
    const isOut = n === 0 || pick(3) === 0
    const cents = (100 + pick(90_000)) * (isOut ? -1 : 1)
    const truth: MoneyTruth = { id: `T-${7000 + n}`, cents, means: isOut ? "nothing" : "in" }
    const amounts: Record<string, string> =
      way === "signs"
        ? { [w("amount")]: style.money(cents) }
        : way === "columns"
          ? { [w("in")]: isOut ? "" : style.money(cents), [w("out")]: isOut ? style.money(-cents) : "" }
          : { [w("amount")]: style.money(Math.abs(cents)), [w("direction")]: w(isOut ? "outof" : "into") }
    return {
      truth,
      cells: {
        [w("date")]: style.day(9, 1 + pick(27)),
        [w("payer")]: isOut ? "Landlord" : (["Alder Ltd", "Beech Ltd", "Cherry Ltd"][n % 3] as string),
        [w("text")]: isOut ? `Rent ${n}` : `R-${1000 + n} thank you`,
        [w("currency")]: "EUR",
        ...amounts
      }
    }
  })
  const header = Object.keys(rows[0]?.cells ?? {})
  for (let n = header.length - 1; n > 0; n--) {
    const other = pick(n + 1)
    ;[header[n], header[other]] = [header[other] as string, header[n] as string]
  }
  const of: Statement = { words, header, rows, money: style.money, pick, way }
  const names = new Set<string>()
  for (let n = 0; n <= pick(3); n++) {
    const [name, change] = MONEY_DISTURBANCES[pick(MONEY_DISTURBANCES.length)] as (typeof MONEY_DISTURBANCES)[number]
    if (!names.has(name)) change(of)
    names.add(name)
  }
  return {
    names: [...names],
    text: style.file(
      header,
      of.rows.map(({ cells }) => header.map((heading) => cells[heading] ?? ""))
    ),
    truths: of.rows.map(({ truth }, n) => ({ truth, line: n + 2 }))
  }
}
