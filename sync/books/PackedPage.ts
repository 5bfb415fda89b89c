/**
 * A page on its way from one thread to another. What it read goes as four long texts and some numbers: thousands of objects
 * take both threads as long to copy as one of them to make, long texts take hardly any time. What a page has beside that
 * is little, and goes as it is.
 */
import type * as Document from "../../connectors/Document.ts"
import * as Body from "../state/Body.ts"
import type { Ready, ReadyPage } from "./Ready.ts"

/** Texts one behind the other, and where each ends. */
interface Texts {
  readonly joined: string
  readonly ends: Uint32Array
}

export interface PackedPage {
  readonly rest: Omit<ReadyPage, "read" | "bookmark">
  readonly keys: Texts
  readonly bodies: Texts
  readonly raws: Texts
  readonly origins: Texts
  /** A single one, if all have the same. */
  readonly currencies: Texts | string
  /** In decimal digits, if one of them is too large for 64 bits. */
  readonly sums: Texts | BigInt64Array
}

const join = (all: ReadonlyArray<string>): Texts => {
  const ends = new Uint32Array(all.length)
  let end = 0
  for (const [n, text] of all.entries()) ends[n] = end += text.length
  return { joined: all.join(""), ends }
}

const split = ({ ends, joined }: Texts): ReadonlyArray<string> => {
  const all: Array<string> = []
  let start = 0
  for (const end of ends) {
    all.push(joined.slice(start, end))
    start = end
  }
  return all
}

const currenciesOf = (read: ReadonlyArray<Ready>): Texts | string => {
  const first = read[0]?.currency ?? ""
  return read.every(({ currency }) => currency === first) ? first : join(read.map(({ currency }) => currency))
}

const sumsOf = (read: ReadonlyArray<Ready>): Texts | BigInt64Array =>
  read.every(({ sum }) => BigInt.asIntN(64, sum) === sum)
    ? BigInt64Array.from(read, ({ sum }) => sum)
    : join(read.map(({ sum }) => `${sum}`))

export const packPage = ({ bookmark: _, read, ...rest }: ReadyPage): PackedPage => ({
  rest,
  keys: join(read.map(({ key }) => key)),
  bodies: join(read.map(({ body }) => body)),
  raws: join(read.map(({ raw }) => raw)),
  origins: join(read.map(({ origin }) => origin)),
  currencies: currenciesOf(read),
  sums: sumsOf(read)
})

type Texted = Omit<Ready, "document" | "kind">

/** What was read, but for its document, which is made when it is first asked for. */
class Unpacked implements Ready {
  readonly key: Document.Key
  readonly kind: Document.Kind
  readonly body: string
  readonly raw: string
  readonly origin: string
  readonly currency: string
  readonly sum: bigint
  #document: Document.Document | undefined

  constructor({ body, currency, key, origin, raw, sum }: Texted) {
    this.key = key
    this.kind = Body.kindOf(body)
    this.body = body
    this.raw = raw
    this.origin = origin
    this.currency = currency
    this.sum = sum
  }

  get document(): Document.Document {
    return (this.#document ??= Body.read(this.body))
  }
}

export const unpackPage = ({ rest, ...packed }: PackedPage): ReadyPage => {
  const [keys, bodies, raws] = [split(packed.keys), split(packed.bodies), split(packed.raws)]
  const origins = split(packed.origins)
  const currencies = typeof packed.currencies === "string" ? packed.currencies : split(packed.currencies)
  const sums = packed.sums instanceof BigInt64Array ? packed.sums : split(packed.sums).map(BigInt)
  const read = bodies.map(
    (body, n) =>
      new Unpacked({
        key: keys[n] ?? "",
        body,
        raw: raws[n] ?? "",
        origin: origins[n] ?? "",
        currency: typeof currencies === "string" ? currencies : (currencies[n] ?? ""),
        sum: sums[n] ?? 0n
      })
  )
  return { ...rest, read }
}
