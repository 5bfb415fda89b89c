/**
 * Ledgers as tables, in which each posting has two sides: batches with an account and a contra account and a mark of debit and credit,
 * audit trails with types of transactions, journals with a line for each side. Of each invoice it is known what was asked and paid.
 */
import { type Pick, picker, type Style, written } from "./DisturbedTexts.ts"
import type { Folder } from "./DisturbedFolders.ts"

interface Posting {
  readonly what: "invoice" | "payment" | "credit" | "bill" | "expense"
  readonly no: string
  readonly name: string
  readonly account: string
  readonly cents: number
  readonly day: number
}

const PAYERS = ["Alder Ltd", "Beech Ltd", "Cherry Ltd", "Damson Ltd"]

const postingsOf = (pick: Pick, more: ReadonlySet<string>): ReadonlyArray<Posting> => {
  const all: Array<Posting> = []
  for (let n = 0; n < 4 + pick(4); n++) {
    const [name, account] = [PAYERS[n % 4] as string, String(10001 + (n % 4))]
    const [no, cents, day] = [String(1000 + n), 1000 + pick(90_000), 1 + pick(18)]
    all.push({ what: "invoice", no, name, account, cents, day })
    if (pick(2) === 0)
      all.push({
        what: "payment",
        no,
        name,
        account,
        cents: pick(3) === 0 ? Math.floor(cents / 2) : cents,
        day: day + 3
      })
    else if (more.has("a credit note") && n === 1)
      all.push({ what: "credit", no, name, account, cents: Math.floor(cents / 4), day: day + 2 })
  }
  if (more.has("suppliers' bills"))
    all.push({ what: "bill", no: "B-77", name: "Paper Mill", account: "70001", cents: 12_345, day: 9 })
  if (more.has("expenses paid by bank"))
    all.push({ what: "expense", no: "", name: "Rent", account: "4210", cents: 80_000, day: 20 })
  return more.has("in another order") ? all.toReversed() : all
}

const SIDES = [
  ["S", "H"],
  ["Soll", "Haben"],
  ["D", "C"],
  ["Debit", "Credit"]
] as const

type Made = { readonly style: Style; readonly pick: Pick; readonly more: ReadonlySet<string> }

/** The first account is that of the customer, or that of the bank or revenue. */
const batch = ({ more, pick, style }: Made, all: ReadonlyArray<Posting>): string => {
  const [debit, credit] = SIDES[pick(SIDES.length)] as (typeof SIDES)[number]
  const isGerman = debit === "S" || debit === "Soll"
  const header = isGerman
    ? [
        "Umsatz",
        "Soll/Haben-Kennzeichen",
        "WKZ Umsatz",
        "Konto",
        "Gegenkonto",
        "Belegdatum",
        "Belegfeld 1",
        "Buchungstext"
      ]
    : ["Amount", "Debit/Credit", "Currency", "Account", "Contra account", "Date", "Document", "Text"]
  const rows = all.map(({ account, cents, day, name, no, what }) => {
    const isMoney = what === "payment" || what === "expense"
    const other = isMoney ? "1200" : what === "bill" ? "3400" : "8400"
    const owes = what === "invoice" || what === "expense"
    const turned = more.has("the other account first") && (isMoney || pick(3) === 0)
    const [first, second] = turned ? [other, account] : [account, other]
    return [style.money(cents), owes === turned ? credit : debit, "EUR", first, second, style.day(9, day), no, name]
  })
  return style.file(header, rows)
}

const TYPES = { invoice: "SI", payment: "SR", credit: "SC", bill: "PI", expense: "BP" } as const

const trail = ({ pick, style }: Made, all: ReadonlyArray<Posting>): string => {
  const isRated = pick(2) === 0
  const header = ["No", "Type", "A/C", "N/C", "Details", "Date", "Ref", "Net", "Tax", "T/C"]
  const rows = all.flatMap(({ account, cents, day, name, no, what }, n) => {
    const tax = isRated && what !== "payment" && what !== "expense" ? Math.floor(cents / 6) : 0
    const nominal = what === "payment" || what === "expense" ? "1200" : "4000"
    return [
      [
        String(n + 1),
        TYPES[what],
        account,
        nominal,
        name,
        style.day(9, day),
        no,
        style.money(cents - tax),
        style.money(tax),
        "T1"
      ]
    ]
  })
  return style.file(header, rows)
}

const JOURNALS = [
  ["Date", "Journal", "Document", "Account", "Account name", "Description", "Debit", "Credit"],
  ["Datum", "Dagboek", "Stuknummer", "Rekening", "Rekeningnaam", "Omschrijving", "Debet", "Credit"],
  ["Date", "Journal", "Pièce", "Compte", "Nom du compte", "Libellé", "Débit", "Crédit"],
  ["Datum", "Journal", "Beleg", "Konto", "Kontoname", "Text", "Soll", "Haben"]
] as const

const journal = ({ pick, style }: Made, all: ReadonlyArray<Posting>): string => {
  const header = JOURNALS[pick(JOURNALS.length)] as (typeof JOURNALS)[number]
  const rows = all.flatMap(({ account, cents, day, name, no, what }) => {
    const isMoney = what === "payment" || what === "expense"
    const [other, its] = isMoney ? ["1200", "Bank"] : what === "bill" ? ["3400", "Purchases"] : ["8400", "Sales"]
    const owes = what === "invoice" || what === "expense"
    const line = (one: string, called: string, isDebit: boolean) => [
      style.day(9, day),
      isMoney ? "BK" : "VK",
      no,
      one,
      called,
      name,
      isDebit ? style.money(cents) : "",
      isDebit ? "" : style.money(cents)
    ]
    return [line(account, name, owes), line(other, its, !owes)]
  })
  return style.file([...header], rows)
}

const FORMS = [
  ["a batch with two accounts", batch],
  ["an audit trail", trail],
  ["a journal with a line for each side", journal]
] as const

const MORE = [
  "a credit note",
  "suppliers' bills",
  "expenses paid by bank",
  "in another order",
  "the other account first"
]

export const LEDGER_DISTURBANCES: ReadonlyArray<string> = [...FORMS.map(([name]) => name), ...MORE]

export const ledger = (seed: number): Folder => {
  const pick = picker(seed)
  const style = written(pick)
  const [form, write] = FORMS[pick(FORMS.length)] as (typeof FORMS)[number]
  const more = new Set(Array.from({ length: pick(4) }, () => MORE[pick(MORE.length)] as string))
  const all = postingsOf(pick, more)
  const sumOf = (what: Posting["what"], no: string) =>
    all.filter((one) => one.what === what && one.no === no).reduce((sum, one) => sum + one.cents, 0)
  return {
    names: [form, ...more],
    files: { "ledger.csv": write({ style, pick, more }, all) },
    answers: { currency: "EUR", terms_days: 30, dates: "day first" },
    known: new Map(
      all.flatMap(({ cents, no, what }) =>
        what === "invoice" ? [[no, { cents, paid: sumOf("payment", no), credited: sumOf("credit", no) }] as const] : []
      )
    )
  }
}
