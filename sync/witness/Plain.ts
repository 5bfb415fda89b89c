/**
 * What the witness reads, in shapes of its own: a source's documents and what the service holds. What it makes of them
 * imports nothing from the rest of the project, so that no mistake of it can be in both.
 *
 * Amounts of documents are whole hundred-millionths of a major unit, and the service's text is read into the same unit
 * here. Amounts of orders on the service are minor units.
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

/** A source's own word on an invoice. */
export interface PlainBalance {
  readonly open?: Units | undefined
  readonly paid?: Units | undefined
  readonly credited?: Units | undefined
  /** It does not change when money goes back. */
  readonly beforeReversals?: boolean | undefined
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
  /** The day of an invoice, and the one by which it is to be paid. */
  readonly issued?: string
  readonly due?: string
  /** Its instalments, the last of which ends it. */
  readonly schedule?: ReadonlyArray<{ readonly date: string }>
  /** What a shop itself says of an order: what was shipped, cancelled and refunded of it. */
  readonly totals?: Readonly<Partial<Record<"shipped" | "cancelled" | "refunded", Units>>>
  /** What the source itself says of an invoice. */
  readonly stated?: PlainBalance
  readonly shares?: ReadonlyArray<PlainShare>
  readonly unallocated?: Units | undefined
  /** What was written with a payment. */
  readonly reference?: string
  readonly lines?: ReadonlyArray<PlainLine | PlainPart>
  readonly order?: string
  /** Identifiers of the service that an order carries. */
  readonly deferredPayment?: string
  readonly serviceOrder?: string
  readonly amount?: Units | undefined
}

/** A transaction of the service, with its payments, as its JSON has them. */
export interface PlainTransaction {
  /** Its identifier on the service. */
  readonly id?: string
  readonly unique_id: string
  readonly status: string
  readonly currency: string
  /** Gross, or net where it has no gross. */
  readonly due: string
  /** Its days, where the service shows them. */
  readonly issuedOn?: string | undefined
  readonly dueOn?: string | undefined
  readonly payments: ReadonlyArray<{
    readonly amount: string
    readonly details: string
    readonly day?: string | undefined
  }>
}

/** A deferred payment of the service, in minor units. */
export interface PlainPayment {
  readonly id: string
  readonly currency: string
  readonly open: bigint
  readonly captured: bigint
  readonly voided: bigint
  /** What can no longer be captured because its time is over. */
  readonly expired?: bigint
  readonly refunded: bigint
}

/** Of a major unit, in `Units`. */
export const PLACES = 8

/** ISO 4217, by heart: what has another number of digits than two. */
const NONE = new Set("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split(" "))
const THREE = new Set("BHD IQD JOD KWD LYD OMR TND".split(" "))

export const digits = (currency: string): number => (NONE.has(currency) ? 0 : THREE.has(currency) ? 3 : 2)

/** `-12.5` in units. Throws where it is not a plain decimal. */
export const units = (text: string): Units => {
  const found = /^(-?)(\d+)(?:\.(\d{1,8}))?$/.exec(text)
  if (found === null) throw new Error(`not an amount: ${JSON.stringify(text)}`)
  const [, sign, whole = "", rest = ""] = found
  const value = BigInt(whole) * 10n ** BigInt(PLACES) + BigInt(rest.padEnd(PLACES, "0"))
  return sign === "-" ? -value : value
}

/** Minor units as units. */
export const fromMinor = (minor: bigint, currency: string): Units => minor * 10n ** BigInt(PLACES - digits(currency))

/** `-1234.50 GBP`, `1234 JPY`; finer digits are kept. */
export const sayUnits = (value: Units, currency: string): string => {
  const size = value < 0n ? -value : value
  const rest = `${size % 10n ** BigInt(PLACES)}`.padStart(PLACES, "0")
  const least = digits(currency)
  const fraction = rest.slice(0, least) + rest.slice(least).replace(/0+$/, "")
  const text = `${value < 0n ? "-" : ""}${size / 10n ** BigInt(PLACES)}${fraction === "" ? "" : `.${fraction}`}`
  return `${text} ${currency}`.trimEnd()
}

export const sum = (all: Iterable<Units>): Units => {
  let total = 0n
  for (const one of all) total += one
  return total
}

/** Blanks and what separates keys inside other text is escaped in them, as the service was sent them. */
const UNSAFE = /[\s;#%\u0000-\u001f\u007f]/g

/** `books/payment/P-1`: what a document is called on the service. */
export const keyOf = (connection: string, kind: string, id: string): string =>
  `${connection}/${kind}/${id.replace(UNSAFE, (one) => encodeURIComponent(one))}`
