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

const at = ({ ends, joined }: Texts, n: number): string => joined.slice(n === 0 ? 0 : ends[n - 1], ends[n])

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

/**
 * What was read, cut out of its page when it is asked for: a page lives until all of it is stored, and the fewer objects live
 * as long, the less V8 has to copy, and to collect later.
 */
class Unpacked implements Ready {
  readonly #page: PackedPage
  readonly #n: number
  readonly kind: Document.Kind
  #document: Document.Document | undefined

  constructor(page: PackedPage, n: number) {
    this.#page = page
    this.#n = n
    this.kind = Body.kindOf(this.body)
  }

  get key(): Document.Key {
    return at(this.#page.keys, this.#n)
  }

  get body(): string {
    return at(this.#page.bodies, this.#n)
  }

  get raw(): string {
    return at(this.#page.raws, this.#n)
  }

  get origin(): string {
    return at(this.#page.origins, this.#n)
  }

  get currency(): string {
    const { currencies } = this.#page
    return typeof currencies === "string" ? currencies : at(currencies, this.#n)
  }

  get sum(): bigint {
    const { sums } = this.#page
    return sums instanceof BigInt64Array ? (sums[this.#n] ?? 0n) : BigInt(at(sums, this.#n))
  }

  get document(): Document.Document {
    return (this.#document ??= Body.read(this.body))
  }
}

export const unpackPage = (page: PackedPage): ReadyPage => ({
  ...page.rest,
  read: Array.from(page.keys.ends, (_, n) => new Unpacked(page, n))
})
