/**
 * Reads a row of an invoices file: the invoice, and the payment implied by its settled date.
 */
import * as Currency from "../../core/money/Currency.ts"
import type * as Decimal from "../../core/money/Decimal.ts"
import * as Country from "../../core/wire/Country.ts"
import * as Day from "../../core/wire/Day.ts"
import type { CreditNote, Invoice, Party, Payment, Stated } from "../Document.ts"
import {
  chosen,
  type Context,
  type Decode,
  mapped,
  metadataReader,
  methodReader,
  type Mutable,
  needed,
  Unreadable
} from "./Cells.ts"
import { remembered } from "./Remembered.ts"
import type { Row } from "./Row.ts"
import type { InvoiceSettings } from "./Streams.ts"
import { taxCheck } from "./TaxCheck.ts"
import { unusedCheck } from "./UnusedCheck.ts"

/** Optional members of a party other than its name, in order, each with its column. */
const OF_PARTY = [
  ["country", "customer_country"],
  ["regnum", "customer_regnum"],
  ["vat", "customer_vat"],
  ["address", "customer_address"],
  ["company", "customer_company"]
] as const

export const invoices = (settings: InvoiceSettings, context: Context): Decode => {
  const { at, cell, currency: currencyOf, day } = context
  const { columns } = settings
  const [id, number, issued, status, method] = [at("id"), at("number"), at("issued"), at("status"), at("method")]
  const reference = at("reference")
  const partyOf = partyReader(settings, context)
  const amountsOf = amountsReader(settings, context)
  const dueOf = dueReader(settings, context)
  const noteOf = noteReader(settings, context)
  const statusOf = statusReader(settings)
  const methodOf = methodReader(settings.methods, columns.method)
  const statedOf = statedReader(settings, context)
  const metadataOf = metadataReader(settings.metadata, context)
  const settledOf = settledReader(settings, context)
  const check = unusedCheck(settings, context)

  return (row) => {
    const source = needed(cell(row, id), columns.id)
    let { notices, party } = partyOf(row)
    const currency = currencyOf(row)
    if (currency === undefined) throw noCurrency(columns.currency)
    const { gross, net, total } = amountsOf(row, currency)
    if (total < 0n && settings.negative === "credit_note") {
      return { documents: [noteOf(row, { source, currency, total, net })] }
    }
    check(row, total, currency)
    const issuedOn = day(row, issued, columns.issued)
    const given = number < 0 ? "" : cell(row, number)
    const invoice: Mutable<Invoice> = {
      kind: "invoice",
      id: source,
      number: given === "" ? source : given,
      status: statusOf(status < 0 ? "" : cell(row, status)),
      party,
      currency,
      issued: issuedOn,
      due: dueOf(row, issuedOn)
    }
    const asked = reference < 0 ? "" : cell(row, reference)
    if (asked !== "") invoice.reference = asked
    if (net !== undefined) invoice.net = net
    if (gross !== undefined) invoice.gross = gross
    const figures = statedOf(row, currency)
    if (figures !== undefined) invoice.stated = figures
    const open = figures?.open ?? 0n
    if (invoice.status === "paid" && open > 0n) {
      throw new Unreadable(contradiction(cell(row, status), open, currency), columns.balance)
    }
    if (method >= 0) {
      const how = methodOf(cell(row, method))
      if (how.method !== undefined) invoice.payMethod = how.method
      if (how.notice !== undefined) (notices ??= []).push(how.notice)
    }
    const metadata = metadataOf(row)
    if (metadata !== undefined) invoice.metadata = metadata
    const payment = settledOf(row, invoice, total)
    if (payment === undefined)
      return notices === undefined ? { documents: [invoice] } : { documents: [invoice], notices }
    return notices === undefined ? { documents: [invoice, payment] } : { documents: [invoice, payment], notices }
  }
}

interface Amounts {
  readonly gross: Decimal.Decimal | undefined
  readonly net: Decimal.Decimal | undefined
  /** The gross amount, or the net amount if there is no gross. */
  readonly total: Decimal.Decimal
}

const amountsReader = ({ columns }: InvoiceSettings, context: Context) => {
  const { at, money } = context
  const [netAt, grossAt] = [at("net"), at("gross")]
  const check = taxCheck(columns, context)
  return (row: Row, currency: string): Amounts => {
    const gross = grossAt < 0 ? undefined : money(row, grossAt, columns.gross, currency)
    const net = netAt < 0 ? undefined : money(row, netAt, columns.net, currency)
    const total = gross ?? net
    if (total === undefined)
      throw new Unreadable(
        "is empty, and an amount is needed; write it, or leave the row out",
        columns.gross ?? columns.net
      )
    check(row, { net, gross, currency })
    return { gross, net, total }
  }
}

/** States that say that an invoice is not paid in full, in any of the languages of exports. */
const NOT_IN_FULL =
  /\bparti|\bpart[ -]|teil|gedeelte|\bdeels|\bparz|\bparc|delbet|delvis|częśc|část|unpaid|not paid|unbezahlt|nicht bezahlt|onbetaald|niet betaald|impay|non (?:pay|régl|pag)|no pag|sin pagar|obetal|ubetal/iu

/** Makes the payment that a settled date implies: of what the row says was paid, or of what credit notes leave. */
const settledReader = ({ columns }: InvoiceSettings, { at, cell, day }: Context) => {
  const [settled, statusAt] = [at("settled"), at("status")]
  return (row: Row, { currency, id, stated = {}, status }: Invoice, total: Decimal.Decimal): Payment | undefined => {
    const date = settled < 0 || cell(row, settled) === "" ? undefined : day(row, settled, columns.settled)
    const { credited = 0n, open, paid } = stated
    const amount = paid ?? total - credited - (open !== undefined && open > 0n ? open : 0n)
    const isUntouched = paid === 0n || (paid === undefined && credited === 0n && open === total)
    if (date !== undefined && isUntouched && total > 0n && status === "open")
      throw new Unreadable(
        `says ${JSON.stringify(cell(row, settled))}, and nothing of ${Currency.say(total, currency)} is paid, as the row says as well; correct one of them, or leave out columns.settled if its day is not that of a payment`,
        columns.settled
      )
    if (date === undefined || amount <= 0n || status === "void" || status === "draft") return undefined
    // The date of a part that was paid looks the same, and nobody knows how much it was.
    if (
      statusAt >= 0 &&
      status === "open" &&
      paid === undefined &&
      open === undefined &&
      NOT_IN_FULL.test(cell(row, statusAt))
    )
      throw new Unreadable(
        `says ${JSON.stringify(cell(row, settled))}, and ${JSON.stringify(cell(row, statusAt))} means that it is not paid in full: how much was paid? Name a column for balance or paid, or correct statuses, or the row`,
        columns.settled
      )
    return { kind: "payment", id: `${id}/settled`, date, currency, shares: [{ invoice: id, amount }] }
  }
}

/** The message for a paid invoice with an open amount, which would otherwise be reported as fully paid. */
const contradiction = (status: string, open: Decimal.Decimal, currency: string): string =>
  `says that ${Currency.say(open, currency)} is open, and ${JSON.stringify(status)} means paid; correct statuses or columns.balance, or the row`

interface Negative {
  readonly source: string
  readonly currency: string
  readonly total: Decimal.Decimal
  readonly net: Decimal.Decimal | undefined
}

/** Reads a row with a negative amount as a credit note. */
const noteReader = ({ columns }: InvoiceSettings, { at, cell, day }: Context) => {
  const [credits, issued] = [at("credits"), at("issued")]
  return (row: Row, { currency, net, source, total }: Negative): CreditNote => {
    const about = cell(row, credits)
    if (about === "") {
      const why =
        "is negative, a credit note, and names no invoice that it lowers; name the column for it under columns.credits"
      throw new Unreadable(why, columns.credits ?? columns.gross ?? columns.net)
    }
    const share = { invoice: about, amount: -total, ...(net === undefined ? {} : { net: -net }) }
    return { kind: "credit_note", id: source, date: day(row, issued, columns.issued), currency, shares: [share] }
  }
}

/** The due date: as stated, or a number of days after the issue date. */
const dueReader = ({ columns, terms_days }: InvoiceSettings, { at, cell, day }: Context) => {
  const [due, terms] = [at("due"), at("terms")]
  const fixed = typeof terms_days === "number" ? terms_days : undefined
  const meaning = (text: string) => (typeof terms_days === "object" ? mapped(terms_days, text) : undefined)
  const without = meaning("")
  const daysOf = remembered(1000, (text: string): number => {
    const said = meaning(text)
    const [first, ...more] = text.match(/\d+/g) ?? []
    const days = said ?? (text === "" ? fixed : more.length === 0 && first !== undefined ? Number(first) : undefined)
    if (days !== undefined && days <= 3650) return days
    if (text === "")
      throw new Unreadable("is empty, and a date is needed; write it, or set terms_days", columns.terms ?? columns.due)
    throw new Unreadable(`${JSON.stringify(text)} is not a number of days; map it under terms_days`, columns.terms)
  })
  return (row: Row, issued: Day.Day): Day.Day => {
    const text = due < 0 ? "" : cell(row, due)
    // "On receipt" among the dates.
    const days = text === "" ? undefined : meaning(text)
    if (days !== undefined) return Day.addDays(issued, days)
    if (due >= 0 && (text !== "" || (terms < 0 && fixed === undefined && without === undefined)))
      return day(row, due, columns.due)
    return Day.addDays(issued, daysOf(cell(row, terms)))
  }
}

const FIGURES = [
  ["open", "balance"],
  ["paid", "paid"],
  ["credited", "credited"]
] as const

/** The table's own figures for open, paid and credited amounts; undefined if the row has none of them. */
const statedReader = ({ columns }: InvoiceSettings, { at, money }: Context) => {
  const named = FIGURES.map(([member, column]) => [member, at(column), columns[column] ?? ""] as const)
  const figures = named.filter(([, index]) => index >= 0)
  return (row: Row, currency: string): Stated | undefined => {
    let stated: Mutable<Stated> | undefined
    for (const [member, index, column] of figures) {
      const amount = money(row, index, column, currency)
      if (amount !== undefined) (stated ??= {})[member] = amount
    }
    return stated
  }
}

const noCurrency = (column: string | undefined): Unreadable =>
  new Unreadable(
    column === undefined
      ? "the currency is not known; name a column for it, or set currency"
      : "is empty, and the currency is needed; write it, or set currency for rows without one",
    column
  )

interface Named {
  readonly party: Party
  readonly notices: Array<string> | undefined
}

const partyReader = (settings: InvoiceSettings, context: Context): ((row: Row) => Named) => {
  const { at, cell } = context
  const { columns } = settings
  const customer = at("customer")
  const customerId = at("customer_id")
  const ofParty = OF_PARTY.map(([member, column]) => [member, at(column)] as const).filter(
    ([member, index]) => index >= 0 || (member === "country" && settings.customer_country !== undefined)
  )
  const countryOf = countryReader(settings, context)
  return (row) => {
    const name = needed(cell(row, customer), columns.customer)
    const id = customerId < 0 ? "" : cell(row, customerId)
    const party: Mutable<Party> = id === "" ? { name } : { id, name }
    let notices: Array<string> | undefined
    for (const [member, index] of ofParty) {
      let text = cell(row, index)
      if (member === "country") {
        const where = countryOf(text)
        if (where.notice !== undefined) (notices ??= []).push(where.notice)
        text = where.country ?? ""
      }
      if (text !== "") party[member] = text
    }
    return { party, notices }
  }
}

const STATUSES: ReadonlyArray<string> = ["draft", "open", "paid", "void"]

const statusReader = ({ columns, statuses }: InvoiceSettings): ((text: string) => Invoice["status"]) =>
  remembered(1000, (text) => {
    const status = chosen<Invoice["status"]>(text, STATUSES, statuses, "open")
    if (status !== undefined) return status
    throw new Unreadable(
      `${JSON.stringify(text)} is not draft, open, paid or void; map it under statuses`,
      columns.status
    )
  })

interface Where {
  readonly country?: string
  readonly notice?: string
}

const countryReader = (
  { columns, countries, customer_country, unknown_country }: InvoiceSettings,
  { countries: named }: Context
): ((text: string) => Where) =>
  remembered(10_000, (cell) => {
    const text = cell === "" ? (customer_country ?? "") : cell
    if (text === "") return {}
    const said = mapped(countries, text)
    const country = Country.parse(said ?? text) ?? (said === undefined ? named(text) : undefined)
    if (country !== undefined) return { country }
    const column = columns.customer_country ?? "customer_country"
    if (unknown_country === "quarantine") {
      throw new Unreadable(`${JSON.stringify(text)} is not an ISO 3166-1 country; map it under countries`, column)
    }
    return {
      notice: `${column} ${JSON.stringify(text)} is not an ISO 3166-1 country; ignored (map it under countries)`
    }
  })
