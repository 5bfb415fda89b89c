/** The lines of an account as three banks export them as tables, and as somebody's own program does. */
import type { Style } from "../truth/Plan.ts"
import type { Entry } from "./Bank.ts"
import { IBANS } from "./Camt.ts"
import { amountIn, csv, dated, PLAIN, settingsOf, type Writing } from "./Csv.ts"

type Name = NonNullable<NonNullable<Style["bank"]>["export"]>

interface BankTable {
  readonly writing: Writing
  /** Lines above the headings. */
  readonly above?: ReadonlyArray<string>
  readonly date: string
  readonly amount: string
  readonly text: string
  readonly payer: string
  readonly isNewestFirst?: true
  /** All headings, and what the cells are that tell nothing. */
  readonly cells: (entry: Entry, date: string) => Readonly<Record<string, string>>
}

const SHORT: Writing = { separator: ";", quoted: true, comma: true, dates: "dd.MM.yy" }

const TABLES: Readonly<Record<Name | "own", BankTable>> = {
  own: {
    writing: PLAIN,
    date: "Booking date",
    amount: "Amount",
    text: "Purpose",
    payer: "Payer",
    cells: () => ({ "Booking date": "", Amount: "", Purpose: "", Payer: "" })
  },
  sparkasse: {
    writing: SHORT,
    date: "Buchungstag",
    amount: "Betrag",
    text: "Verwendungszweck",
    payer: "Beguenstigter/Zahlungspflichtiger",
    isNewestFirst: true,
    cells: ({ iban, reference = "" }, date) => ({
      Auftragskonto: IBANS.EUR,
      Buchungstag: "",
      Valutadatum: date,
      Buchungstext: "GUTSCHR. UEBERWEISUNG",
      Verwendungszweck: "",
      "Glaeubiger ID": "",
      Mandatsreferenz: "",
      "Kundenreferenz (End-to-End)": "",
      Sammlerreferenz: reference,
      "Lastschrift Ursprungsbetrag": "",
      "Auslagenersatz Ruecklastschrift": "",
      "Beguenstigter/Zahlungspflichtiger": "",
      "Kontonummer/IBAN": iban,
      "BIC (SWIFT-Code)": "",
      Betrag: "",
      Waehrung: "EUR",
      Info: "Umsatz gebucht"
    })
  },
  dkb: {
    writing: { ...SHORT, grouped: true },
    above: [`"Girokonto";"${IBANS.EUR}"`, '""', '"Kontostand vom 30.06.2026:";"1.234,56 EUR"', '""'],
    date: "Buchungsdatum",
    amount: "Betrag (€)",
    text: "Verwendungszweck",
    payer: "Zahlungspflichtige*r",
    isNewestFirst: true,
    cells: ({ iban }, date) => ({
      Buchungsdatum: "",
      Wertstellung: date,
      Status: "Gebucht",
      "Zahlungspflichtige*r": "",
      "Zahlungsempfänger*in": "ACME LTD",
      Verwendungszweck: "",
      Umsatztyp: "Eingang",
      IBAN: iban,
      "Betrag (€)": "",
      "Gläubiger-ID": "",
      Mandatsreferenz: "",
      Kundenreferenz: ""
    })
  },
  n26: {
    writing: { separator: ",", quoted: true, dates: "yyyy-MM-dd" },
    date: "Date",
    amount: "Amount (EUR)",
    text: "Payment reference",
    payer: "Payee",
    cells: ({ iban }) => ({
      Date: "",
      Payee: "",
      "Account number": iban,
      "Transaction type": "Income",
      "Payment reference": "",
      "Amount (EUR)": "",
      "Amount (Foreign Currency)": "",
      "Type Foreign Currency": "",
      "Exchange Rate": ""
    })
  }
}

export const tableOf = (name: Name | undefined, entries: ReadonlyArray<Entry>): string => {
  const { above = [], amount, cells, date, isNewestFirst, payer, text, writing } = TABLES[name ?? "own"]
  const some: Entry = { id: "", day: 0, amount: 0n, name: "", iban: "", text: "", reference: undefined }
  const rows = entries.map((one) => {
    const day = dated(one.day, writing)
    const its = { [date]: day, [amount]: amountIn(one.amount, writing), [text]: one.text, [payer]: one.name }
    return Object.values({ ...cells(one, day), ...its })
  })
  const table = csv(Object.keys(cells(some, "")), isNewestFirst === true ? rows.toReversed() : rows, writing)
  return `${above.map((line) => `${line}\n`).join("")}${table}`
}

/** How Daybook is told of them. */
export const paymentsIn = (name: Name | undefined): object => {
  const { above, amount, date, payer, text, writing } = TABLES[name ?? "own"]
  return {
    path: "bank/*.csv",
    ...(above === undefined ? {} : { header_row: above.length + 1 }),
    ...settingsOf(writing),
    columns: { id: { content: [date, amount, text, payer] }, date, amount, reference: text, customer: payer },
    currency: "EUR"
  }
}

export const BANKS = Object.keys(TABLES).filter((name): name is Name => name !== "own")
