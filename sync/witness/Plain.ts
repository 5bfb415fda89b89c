/**
 * Defines the witness's own shapes for what it reads: a source's documents and what the service holds. The code that works
 * with them imports nothing from the rest of the project, so that no mistake can be in both.
 *
 * Amounts of documents are integers of hundred-millionths of a major unit, and the service's text is read into the same
 * unit. Amounts of orders on the service are minor units.
 */

/** Hundred-millionths of a major unit. */
export type Units = bigint

export interface PlainShare {
  readonly invoice: string
  readonly amount: Units
  /** It is for all of these, and nobody said how much of it each has. */
  readonly among?: ReadonlyArray<string>
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

/** The source's own figures for an invoice. */
export interface PlainBalance {
  readonly open?: Units | undefined
  readonly paid?: Units | undefined
  readonly credited?: Units | undefined
  /** It does not change when money goes back. */
  readonly beforeReversals?: boolean | undefined
}

/** A source's document of any kind. Fields that its kind does not have are absent. */
export interface PlainDocument {
  readonly kind: string
  readonly id: string
  readonly number?: string
  readonly status?: string
  readonly currency?: string
  readonly net?: Units | undefined
  readonly gross?: Units | undefined
  readonly date?: string
  /** The day of issue and the due date of an invoice. */
  readonly issued?: string
  readonly due?: string
  /** Its instalments; the last one settles it. */
  readonly schedule?: ReadonlyArray<{ readonly date: string }>
  /** The shop's own totals for an order: shipped, cancelled and refunded. */
  readonly totals?: Readonly<Partial<Record<"shipped" | "cancelled" | "refunded", Units>>>
  /** How an order stands in its shop, if the shop says so. */
  readonly state?: {
    readonly end?: string
    readonly total: Units
    readonly own: { readonly received?: Units; readonly given: Units }
    readonly others: { readonly received: Units; readonly given: Units }
    readonly lines: ReadonlyArray<{ readonly still: bigint }>
  }
  /** The same order in the other currency in which the shop keeps it. */
  readonly also?: Pick<PlainDocument, "currency" | "lines" | "state">
  /** The source's own figures for an invoice. */
  readonly stated?: PlainBalance
  readonly shares?: ReadonlyArray<PlainShare>
  readonly unallocated?: Units | undefined
  /** The customer of an invoice, or who paid. */
  readonly party?: { readonly name?: string }
  /** The text that came with a payment, or what an invoice asks for there. */
  readonly reference?: string
  /** What the bank says of money that went back. */
  readonly details?: string
  /** Why money went back. */
  readonly type?: string
  readonly lines?: ReadonlyArray<PlainLine | PlainPart>
  readonly order?: string
  /** Identifiers of the service in an order. */
  readonly deferredPayment?: string
  readonly serviceOrder?: string
  readonly amount?: Units | undefined
}

/** A transaction of the service with its payments, in the format of its JSON. */
export interface PlainTransaction {
  /** Its identifier on the service. */
  readonly id?: string
  readonly unique_id: string
  readonly status: string
  readonly currency: string
  /** Gross, or net if there is no gross amount. */
  readonly due: string
  /** Its days, if the service shows them. */
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
  /** What can no longer be captured because it has expired. */
  readonly expired?: bigint
  readonly refunded: bigint
}

/** The decimals of `Units`. */
export const PLACES = 8

/** Currencies whose number of decimals is not two, according to ISO 4217. */
const NONE = new Set("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split(" "))
const THREE = new Set("BHD IQD JOD KWD LYD OMR TND".split(" "))

export const digits = (currency: string): number => (NONE.has(currency) ? 0 : THREE.has(currency) ? 3 : 2)

/** Parses `-12.5` into units. Throws if it is not a plain decimal. */
export const units = (text: string): Units => {
  const found = /^(-?)(\d+)(?:\.(\d{1,8}))?$/.exec(text)
  if (found === null) throw new Error(`not an amount: ${JSON.stringify(text)}`)
  const [, sign, whole = "", rest = ""] = found
  const value = BigInt(whole) * 10n ** BigInt(PLACES) + BigInt(rest.padEnd(PLACES, "0"))
  return sign === "-" ? -value : value
}

/** Minor units as units. */
export const fromMinor = (minor: bigint, currency: string): Units => minor * 10n ** BigInt(PLACES - digits(currency))

/** `-1234.50 GBP`, `1234 JPY`; further decimals are kept. */
export const sayUnits = (value: Units, currency: string): string => {
  const size = value < 0n ? -value : value
  const rest = `${size % 10n ** BigInt(PLACES)}`.padStart(PLACES, "0")
  const least = digits(currency)
  const fraction = rest.slice(0, least) + rest.slice(least).replace(/(?<!0)0+$/, "")
  const text = `${value < 0n ? "-" : ""}${size / 10n ** BigInt(PLACES)}${fraction === "" ? "" : `.${fraction}`}`
  return `${text} ${currency}`.trimEnd()
}

export const sum = (all: Iterable<Units>): Units => {
  let total = 0n
  for (const one of all) total += one
  return total
}

/** Spaces, and the separators of keys in other text, which are escaped as in what was sent to the service. */
const UNSAFE = /[\s;#%\u0000-\u001f\u007f]/g

/** `books/payment/P-1`: a document's key on the service. */
export const keyOf = (connection: string, kind: string, id: string): string =>
  `${connection}/${kind}/${id.replace(UNSAFE, (one) => encodeURIComponent(one))}`

/** What the service shows for each fact, by the key at the start of the payment's details. */
export const postings = ({ payments }: PlainTransaction): ReadonlyMap<string, Units> => {
  const sums = new Map<string, Units>()
  for (const { amount, details } of payments) {
    const fact = details.replace(/; .*$/s, "").replace(/#\d+$/, "")
    sums.set(fact, (sums.get(fact) ?? 0n) + units(amount))
  }
  return sums
}

/** The day on which the service shows a fact: that of the last payment under its key, if nothing else is left of it. */
export const dayOf = ({ payments }: PlainTransaction, fact: string): string | undefined => {
  const its = payments.flatMap(({ amount, day, details }) => {
    const [, key, nth = "1"] = /^(.*?)(?:#(\d+))?(?:; .*)?$/s.exec(details) ?? []
    return key === fact ? [{ amount: units(amount), day, nth: Number(nth) }] : []
  })
  const last = its.toSorted((a, b) => a.nth - b.nth).at(-1)
  const stands = its.reduce((all, { amount }) => all + amount, 0n)
  return last?.amount === stands ? last.day : undefined
}

/** Two values that should be equal. */
export interface Difference {
  readonly document: string
  /** The payment, credit note or parcel, if it is about one. */
  readonly fact?: string
  readonly what: string
  /** What the source itself states. */
  readonly says?: string
  /** The value that follows from the source's documents. */
  readonly source?: string
  readonly service?: string
}

/** Lower-case letters and digits, with one space between words. */
export const plainText = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim()

/** The same in one word; references of fixed width without the zeros in front that only some banks write. */
export const joinedText = (text: string): string => {
  const joined = plainText(text).replaceAll(" ", "")
  return /^\d{16,}$/.test(joined) ? joined.replace(/^0+/, "") : joined
}

/** What an invoice's buyer is asked to write instead of its number, one in each line, without words that have no digit. */
export const askedTexts = (references: string): ReadonlySet<string> =>
  new Set(
    references
      .split("\n")
      .map(joinedText)
      .filter((one) => /\d/.test(one))
  )

const MEMBERS = [
  ..."kind id number status currency net gross date issued due schedule totals stated shares unallocated reference party lines order amount type details".split(
    " "
  ),
  "deferredPayment",
  "serviceOrder"
]

/** Writes amounts as `{ n: "1250" }`, a form that no other field has. */
export const packDocument = (document: PlainDocument): string => {
  const stated: Record<string, unknown> = {}
  for (const name of MEMBERS) stated[name] = packed(document[name as keyof PlainDocument])
  return JSON.stringify(stated)
}

/** Without a function for each value, as in `amountsIn`. */
const packed = (value: unknown): unknown => {
  if (typeof value === "bigint") return { n: `${value}` }
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(packed)
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, packed(one)]))
}

export const unpackDocument = (body: string): PlainDocument => amountsIn(JSON.parse(body)) as PlainDocument

/** Without a function for each value, which `JSON.parse` takes four times as long to call. */
const amountsIn = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  const members = value as Record<string, unknown>
  if (typeof members["n"] === "string") return BigInt(members["n"])
  for (const name in members) {
    const one = members[name]
    if (typeof one === "object" && one !== null) members[name] = amountsIn(one)
  }
  return value
}
