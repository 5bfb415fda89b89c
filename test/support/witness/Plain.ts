/**
 * What the witness reads, in shapes of its own: the source's documents, what the service holds, what Daybook prints. The
 * witness imports nothing from the project, so that no mistake of it can be in both.
 *
 * Amounts of documents are whole hundred-millionths of a major unit, those of the service's text and of what is printed
 * are read into the same unit here. Amounts of orders on the service are minor units.
 */

/** Hundred-millionths of a major unit. */
export type Units = bigint

export interface PlainShare {
  readonly invoice: string
  readonly amount: Units
}

export interface PlainPart {
  readonly line: string
  readonly quantity: bigint
}

export interface PlainLine {
  readonly id: string
  readonly type: string
  readonly quantity: bigint
  readonly gross: Units
}

/** A document of a source, of any kind. Members that its kind does not have are absent. */
export interface PlainDocument {
  readonly kind: string
  readonly id: string
  readonly number?: string
  readonly status?: string
  readonly currency?: string
  readonly net?: Units | undefined
  readonly gross?: Units | undefined
  readonly date?: string
  readonly shares?: ReadonlyArray<PlainShare>
  readonly unallocated?: Units | undefined
  /** What was written with a payment. */
  readonly reference?: string
  readonly lines?: ReadonlyArray<PlainLine | PlainPart>
  readonly order?: string
  readonly amount?: Units | undefined
}

/** A transaction of the service, with its payments, as its JSON has them. */
export interface PlainTransaction {
  readonly unique_id: string
  readonly status: string
  readonly currency: string
  /** Gross, or net where it has no gross. */
  readonly due: string
  readonly payments: ReadonlyArray<{ readonly amount: string; readonly details: string }>
}

/** A deferred payment of the service, in minor units. */
export interface PlainPayment {
  readonly id: string
  readonly currency: string
  readonly open: bigint
  readonly captured: bigint
  readonly voided: bigint
  readonly refunded: bigint
}

export interface PrintedDifference {
  readonly document: string
}

/** The statement of invoices of one connection and currency. */
export interface PrintedInvoices {
  readonly connection: string
  readonly currency: string
  readonly books: string
  readonly service: string
  readonly differences: ReadonlyArray<PrintedDifference>
  readonly more: number
}

/** The statement of orders of one connection and currency. */
export interface PrintedOrders {
  readonly connection: string
  readonly currency: string
  readonly captured: string
  readonly voided: string
  readonly open: string
  readonly refunded: string
  readonly differences: ReadonlyArray<PrintedDifference>
  readonly more: number
}

const PLACES = 8

/** ISO 4217, by heart: what has another number of digits than two. */
const DIGITS: Readonly<Record<string, number>> = { JPY: 0, KRW: 0, ISK: 0, CLP: 0, KWD: 3, BHD: 3, TND: 3 }

export const digits = (currency: string): number => DIGITS[currency] ?? 2

/** `-12.5` in units. Throws where it is not a plain decimal. */
export const units = (text: string): Units => {
  const found = /^(-?)(\d+)(?:\.(\d{1,8}))?$/.exec(text)
  if (found === null) throw new Error(`not an amount: ${JSON.stringify(text)}`)
  const [, sign, whole, rest = ""] = found
  const value = BigInt(whole!) * 10n ** BigInt(PLACES) + BigInt(rest.padEnd(PLACES, "0"))
  return sign === "-" ? -value : value
}

/** Minor units as units. */
export const fromMinor = (minor: bigint, currency: string): Units => minor * 10n ** BigInt(PLACES - digits(currency))

export const say = (value: Units, currency: string): string => {
  const size = value < 0n ? -value : value
  const rest = `${size % 10n ** BigInt(PLACES)}`.padStart(PLACES, "0").replace(/0{1,6}$/, "")
  return `${value < 0n ? "-" : ""}${size / 10n ** BigInt(PLACES)}.${rest} ${currency}`
}
