/**
 * What an electronic invoice states, whatever its syntax: the members of EN 16931 that decide what is owed. `Meaning.ts` makes
 * documents of them.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import * as Day from "../../core/wire/Day.ts"
import type { Instalment, Party, PayMethod } from "../Document.ts"
import { present as defined } from "../Json.ts"
import { Refused } from "../Refused.ts"

export const notRead = (code: string, field: string): Refused =>
  new Refused(`documents of type ${code} are not read`, field, "take the file away")

/** The meaning of a type code, see `Types.ts`. */
export type Type =
  | "invoice"
  /** Amounts are what is credited. */
  | "credit note"
  /** A corrected invoice: a positive one replaces the invoice that it names. */
  | "correction"
  /** Amounts are the difference to the invoice that it names, with their sign. */
  | "difference"
  /** Its prepaid amount is what earlier invoices asked for (876, 877). */
  | "final invoice"

export interface Facts {
  /** BT-1 */
  readonly number: string
  /** Unique among the seller's invoices: the number, with its year where numbers restart. */
  readonly id: string
  /** BT-2 */
  readonly issued: Day.Day
  readonly type: Type
  /** BT-5 */
  readonly currency: string
  /** BT-109 */
  readonly net?: Decimal.Decimal
  /** BT-112, with what is asked for beside it (BT-114, third parties' amounts). */
  readonly gross: Decimal.Decimal
  /** BT-113 */
  readonly prepaid: Decimal.Decimal
  /** BT-115; absent where the syntax has none. */
  readonly payable?: Decimal.Decimal
  /** BT-9, each that is stated. */
  readonly due: ReadonlyArray<Day.Day>
  /** BT-20 */
  readonly terms?: string
  readonly schedule?: ReadonlyArray<Instalment>
  readonly seller: Party
  readonly buyer: Party
  /** The ids of preceding invoices (BT-25). */
  readonly preceding: ReadonlyArray<string>
  readonly method?: PayMethod
  /** Payments that the file itself states, before it was issued. */
  readonly payments?: ReadonlyArray<{ readonly date: Day.Day; readonly amount: Decimal.Decimal }>
  /** `payment_reference`: what the buyer is asked to write on the transfer (BT-83), one in each line. */
  readonly metadata: Readonly<Record<string, string>>
  readonly notices: ReadonlyArray<string>
  /** Where it is in its file. */
  readonly lines?: Refused["lines"]
}

/** A file without an invoice to read, and why. Equal reasons are counted together, so they name no file. */
export interface Nothing {
  readonly nothing: string
  /** The name of a file that was never issued. */
  readonly rejects?: string
}

/** An amount as written, `-?digits[.digits]`, also with a plus sign or without digits before the point. */
export const amount = (text: string, field: string): Decimal.Decimal => {
  const value = Decimal.parse(text.replace(/^\+/, "").replace(/^(-?)\./, "$10."))
  if (typeof value === "string") throw new Refused(`${JSON.stringify(text)} ${value}`, field)
  return value
}

/** What is kept beside the figures. Several references that a payment may have are on lines of their own. */
export const metadataOf = (
  references: ReadonlyArray<string>,
  stated: { readonly [K in "order" | "contract"]?: string | undefined } = {}
): Facts["metadata"] => defined({ ...stated, payment_reference: [...new Set(references)].join("\n") || undefined })

/** An element as `Tree.ts` reads it. */
interface Written {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: ReadonlyArray<Written>
  readonly text: string
}

interface Lines {
  readonly line: number
  readonly last: number
}

const isIn =
  (currency: string) =>
  ({ attributes }: Written): boolean =>
    (attributes["currencyID"] ?? currency) === currency

/** The amount in the document's currency; a second one may be in the currency of the VAT (BT-111). */
export const amountIn = (node: Written | undefined, name: string, currency: string): Decimal.Decimal | undefined => {
  const found = (node?.children ?? []).filter((one) => one.name === name)
  const own = found.find(isIn(currency))
  const [first] = found
  if (own === undefined && first !== undefined)
    throw new Refused(`its ${name} is in ${first.attributes["currencyID"]}, and the document in ${currency}`, name)
  const text = own?.text.trim() ?? ""
  return text === "" ? undefined : amount(text, name)
}

interface Taxed {
  readonly net: Decimal.Decimal | undefined
  readonly gross: Decimal.Decimal | undefined
  /** The total VAT, once for each currency. */
  readonly tax: ReadonlyArray<Written>
  readonly currency: string
}

/** BT-112 = BT-109 + BT-110 (BR-CO-15), where all are stated. */
export const checkTax = ({ currency, gross, net, tax }: Taxed, field: string): void => {
  const [one, ...more] = tax.filter(isIn(currency))
  if (net === undefined || gross === undefined || one === undefined || more.length > 0) return
  if (one.text.trim() === "") return
  const vat = amount(one.text.trim(), field)
  if (net + vat !== gross)
    throw new Refused(
      `its sums contradict each other: ${Decimal.format(net, 2)} and ${Decimal.format(vat, 2)} tax is not ${Decimal.format(gross, 2)}`,
      field
    )
}

/** The amount without tax. Where there is no tax, the total may have been rounded down below it; then it is left out. */
export const netBelow = (net: Decimal.Decimal | undefined, gross: Decimal.Decimal, rounding: Decimal.Decimal) =>
  net === undefined || (Decimal.abs(net) <= Decimal.abs(gross) && Decimal.abs(net) > Decimal.abs(gross + rounding))
    ? {}
    : { net }

/** A claim may be another's: factored invoices and credit notes (393, 396), and a payee that is not the seller (BG-10). */
export const paidToOthers = (code: string | undefined, payee: string | undefined): ReadonlyArray<string> =>
  code === "393" || code === "396"
    ? ["an invoice that was assigned to a factor"]
    : payee === undefined
      ? []
      : ["an invoice that is paid to somebody else than its seller"]

/** `yyyy-MM-dd`, also with a time or a zone behind it, and `yyyyMMdd`. */
export const day = (text: string, field: string): Day.Day => {
  const [, year, month, date] = /^(\d{4})-?(\d{2})-?(\d{2})(?:[T+Z-].*)?$/.exec(text) ?? []
  const made = year === undefined ? undefined : Day.make(Number(year), Number(month), Number(date))
  if (made === undefined) throw new Refused(`${JSON.stringify(text)} is not a calendar day`, field)
  return made
}

/** Reads one invoice of a file that may have several: what is wrong with it is in its own lines. */
export const within = <A extends Facts | Nothing>({ last, line }: Lines, read: () => A): A => {
  try {
    return { ...read(), lines: [line, last] }
  } catch (cause) {
    if (cause instanceof Refused) cause.lines ??= [line, last]
    throw cause
  }
}

/** The text, or a refusal that names what is missing. */
export const present = (text: string | undefined, field: string): string => {
  if (text === undefined) throw new Refused(`it has no ${field}`, field)
  return text
}

/** Leaves out what is undefined. */
export const party = (parts: { readonly [K in keyof Party]: Party[K] | undefined }, field: string): Party => {
  const entries = Object.entries(parts).filter(([, value]) => value !== undefined && value !== "")
  return { ...(Object.fromEntries(entries) as Omit<Party, "name">), name: present(parts.name, field) }
}
