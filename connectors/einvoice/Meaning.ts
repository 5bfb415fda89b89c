/**
 * What an electronic invoice's facts become: invoices, credit notes, payments, or nothing, with the reason. Nothing is guessed:
 * where invoices of one shape mean different things, a setting says which, and without it they are quarantined.
 */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type * as Day from "../../core/wire/Day.ts"
import type { CreditNote, Document, Invoice } from "../Document.ts"
import { Refused } from "../Refused.ts"
import type { Facts } from "./Facts.ts"
import type { Settings } from "./Settings.ts"
import { dueOf } from "../Terms.ts"
import * as DayOf from "../../core/wire/Day.ts"

export interface Meant {
  readonly documents: ReadonlyArray<Document>
  readonly notices: ReadonlyArray<string>
  /** The id of an invoice whose place this one takes. */
  readonly replaces?: string
}

type Choices = Pick<Settings, "terms_days" | "prepaid" | "corrected_invoices" | "negative_credit_notes">

const NOTHING = "an invoice of 0.00 asks for nothing"
const NO_DIFFERENCE =
  "a correction of 0.00 changes no amount; what else it corrects, such as its buyer or its number, is not read"

const said = (facts: Facts, amount: Decimal.Decimal): string => Currency.say(amount, facts.currency)

/** BT-115 = BT-112 − BT-113 + BT-114, which all but a few in a thousand public files keep. */
const checkSums = (facts: Facts): void => {
  const { gross, net, payable, prepaid } = facts
  for (const [field, value] of Object.entries({ gross, net, payable, prepaid }))
    if (value !== undefined && !Currency.fits(value, facts.currency))
      throw new Refused(`${Decimal.format(value)} has more decimal places than ${facts.currency}`, field)
  if (
    payable !== undefined &&
    payable !== gross - prepaid &&
    !(payable === 0n && (facts.type === "credit note" || gross < 0n) && prepaid === 0n)
  )
    throw new Refused(
      `its sums contradict each other: ${said(facts, gross)} with tax and rounding, less ${said(facts, prepaid)} prepaid, is not ${said(facts, payable)} to pay`,
      "payable amount"
    )
  if (net !== undefined && Decimal.abs(net) > Decimal.abs(gross) && net < 0n === gross < 0n && gross !== 0n)
    throw new Refused(
      `its amount without tax (${said(facts, net)}) is above the one with tax (${said(facts, gross)})`,
      "net"
    )
}

/** The due day: the last that is stated, else what the terms' text says, else the setting. */
const dueDay = (
  facts: Facts,
  { terms_days }: Choices
): { readonly due: Day.Day; readonly notices: ReadonlyArray<string> } => {
  const days = [...new Set(facts.due)].toSorted()
  const last = days.at(-1)
  if (last !== undefined) {
    const several = days.length > 1 && facts.schedule === undefined
    return { due: last, notices: several ? ["several due dates without amounts: the last is taken"] : [] }
  }
  const due = dueOf(facts.terms, facts.issued)
  if (due !== undefined) return { due, notices: [] }
  if (terms_days === undefined)
    throw new Refused(
      `it has no due date${facts.terms === undefined ? "" : `, and its terms say ${JSON.stringify(facts.terms.slice(0, 120))}`}`,
      "due date",
      "set terms_days"
    )
  return { due: DayOf.addDays(facts.issued, terms_days), notices: [] }
}

const creditNote = (facts: Facts, amount: Decimal.Decimal, net: Decimal.Decimal | undefined): Document => {
  const { currency, id, issued } = facts
  const preceding = [...new Set(facts.preceding)]
  const [invoice] = preceding
  // As in tables: money owed back, of which nobody said for which invoice, needs attention.
  if (invoice === undefined)
    return {
      ...invoiceOf(facts),
      due: issued,
      gross: -amount,
      ...(net === undefined ? {} : { net: -net })
    }
  const note: CreditNote = {
    kind: "credit_note",
    id,
    date: issued,
    currency,
    shares: [
      preceding.length > 1
        ? { invoice, amount, among: preceding }
        : { invoice, amount, ...(net === undefined ? {} : { net }) }
    ]
  }
  return note
}

const invoiceOf = (facts: Facts): Omit<Invoice, "due" | "gross" | "net"> => {
  const reference = facts.metadata["payment_reference"]
  return {
    kind: "invoice",
    id: facts.id,
    number: facts.number,
    status: "open",
    party: facts.buyer,
    currency: facts.currency,
    issued: facts.issued,
    ...(reference === undefined ? {} : { reference }),
    ...(facts.method === undefined ? {} : { payMethod: facts.method }),
    ...(Object.keys(facts.metadata).length === 0 ? {} : { metadata: facts.metadata })
  }
}

/** The payment of an amount that was paid before the invoice was issued. */
const paid = (facts: Facts, id: string, date: Day.Day, amount: Decimal.Decimal): Document => ({
  kind: "payment",
  id,
  date,
  currency: facts.currency,
  shares: [{ invoice: facts.id, amount }]
})

const asked = (facts: Facts, choices: Choices): Meant => {
  const { gross, net, prepaid, schedule } = facts
  const how = choices.prepaid ?? (facts.type === "final invoice" ? "deduct" : "quarantine")
  if (prepaid !== 0n && facts.payments === undefined && how === "quarantine")
    throw new Refused(
      `${said(facts, prepaid)} of it was paid before`,
      "prepaid amount",
      "set prepaid to payment (it was paid on the day of issue) or deduct (only the rest is asked for)"
    )
  if (prepaid < 0n && how !== "deduct")
    throw new Refused(
      `it asks for ${said(facts, gross - prepaid)}, of which ${said(facts, -prepaid)} are from before`,
      "prepaid amount",
      "set prepaid to deduct to ask for all of it"
    )
  const deducts = prepaid !== 0n && facts.payments === undefined && how === "deduct"
  const owed = deducts ? gross - prepaid : gross
  if (deducts && owed <= 0n)
    return { documents: [], notices: [...facts.notices, "an invoice that was prepaid in full asks for nothing"] }
  const { due, notices } = dueDay(facts, choices)
  const isSplit = schedule !== undefined && Decimal.sum(schedule.map(({ amount }) => amount)) === owed
  const invoice: Invoice = {
    ...invoiceOf(facts),
    due,
    gross: owed,
    ...(net === undefined || deducts ? {} : { net }),
    ...(isSplit ? { schedule } : {})
  }
  const torn =
    schedule !== undefined && !isSplit
      ? ["instalments that do not add up to the invoice: the last due day is taken"]
      : []
  const payments =
    facts.payments?.map(({ amount, date }, at) => paid(facts, `${facts.id}/${at + 1}`, date, amount)) ??
    (prepaid > 0n && !deducts ? [paid(facts, `${facts.id}/prepaid`, facts.issued, prepaid)] : [])
  return { documents: [invoice, ...payments], notices: [...facts.notices, ...notices, ...torn] }
}

const corrected = (facts: Facts, choices: Choices): Meant => {
  const [replaced] = facts.preceding
  // One that has the number of the invoice that it corrects is read as that invoice; the other file has to go.
  if (replaced === undefined || replaced === facts.id) return asked(facts, choices)
  const how = choices.corrected_invoices ?? "quarantine"
  if (how === "quarantine")
    throw new Refused(
      `does it take the place of ${replaced}, or add to it?`,
      "preceding invoice",
      "set corrected_invoices to replace or add"
    )
  return { ...asked(facts, choices), ...(how === "replace" ? { replaces: replaced } : {}) }
}

export const meaning = (facts: Facts, choices: Choices): Meant => {
  checkSums(facts)
  if (!Currency.isCurrency(facts.currency))
    throw new Refused(`${JSON.stringify(facts.currency)} is not a currency of ISO 4217, like EUR`, "currency")
  const { gross, net, notices, type } = facts
  const credit = (amount: Decimal.Decimal, without: Decimal.Decimal | undefined): Meant => ({
    documents: [creditNote(facts, amount, without)],
    notices: facts.prepaid === 0n ? notices : [...notices, "a credit note of which something was paid back before"]
  })
  if (type === "credit note") {
    if (gross >= 0n)
      return gross === 0n
        ? { documents: [], notices: [...notices, "a credit note of 0.00 changes nothing"] }
        : credit(gross, net)
    const how = choices.negative_credit_notes ?? "quarantine"
    if (how === "quarantine")
      throw new Refused(
        `it is a credit note of ${said(facts, gross)}`,
        "total",
        "set negative_credit_notes to credit or charge"
      )
    return how === "credit"
      ? credit(-gross, net === undefined ? undefined : -net)
      : asked({ ...facts, gross: -gross, ...(net === undefined ? {} : { net: -net }) }, choices)
  }
  if (gross < 0n) return credit(-gross, net === undefined ? undefined : -net)
  if (gross === 0n) return { documents: [], notices: [...notices, type === "difference" ? NO_DIFFERENCE : NOTHING] }
  return type === "correction" ? corrected(facts, choices) : asked(facts, choices)
}
