/**
 * A source that states the open amount of each invoice, but sometimes delivers wrong records: a payment is missing from a page,
 * a row is repeated under another id, an amount differs. Its own balances are right. Only what it delivers can be seen.
 */
import type { CreditNote, Document, Invoice, Payment } from "../../connectors/Document.ts"
import type { Decimal } from "../../core/money/Decimal.ts"
import type { Dice } from "./Dice.ts"
import type { Story } from "./Story.ts"

const LIES = {
  lost: "is lost from its page",
  repeated: "comes a second time, under another id",
  wrong: "comes with another sum"
} as const

type Lie = keyof typeof LIES

type Liable = Invoice | Payment | CreditNote

const isLiable = (one: Document): one is Liable =>
  one.kind === "invoice" || one.kind === "payment" || one.kind === "credit_note"

const nameOf = ({ id, kind }: Document): string => `${kind}/${id}`

/** How often a lie ends before the next page is read. */
const ENDS = 0.15

/** What is open of each invoice by these documents; what is in another currency does not count. */
const openOf = (documents: ReadonlyArray<Document>): ReadonlyMap<string, Decimal> => {
  const invoices = new Map(documents.flatMap((one) => (one.kind === "invoice" ? [[one.id, one] as const] : [])))
  const open = new Map([...invoices].map(([id, { gross, net }]) => [id, gross ?? net ?? 0n]))
  for (const one of documents) {
    if (one.kind !== "payment" && one.kind !== "reversal" && one.kind !== "credit_note") continue
    for (const { amount, invoice } of one.shares) {
      const currency = invoices.get(invoice)?.currency
      if (currency === undefined || (one.currency ?? currency) !== currency) continue
      open.set(invoice, open.get(invoice)! + (one.kind === "reversal" ? amount : -amount))
    }
  }
  return open
}

/** Ten times as much; of nothing, nothing. */
const wrong = (one: Liable): Liable => {
  if (one.kind !== "invoice")
    return { ...one, shares: one.shares.map((share) => ({ ...share, amount: share.amount * 10n })) }
  const { gross, net } = one
  return {
    ...one,
    ...(gross === undefined ? {} : { gross: gross * 10n }),
    ...(net === undefined ? {} : { net: net * 10n })
  }
}

const played = (one: Liable, lie: Lie): ReadonlyArray<Document> =>
  lie === "lost" ? [] : lie === "wrong" ? [wrong(one)] : [one, { ...one, id: `${one.id}-again` }]

/** No source says that more is open of an invoice than it asks for, whatever went back on it. */
const canSay = ({ gross, net }: Invoice, open: Decimal): boolean => open <= (gross ?? net ?? 0n)

/** An invoice of which its source says another balance than what it delivers comes to. */
export interface Misstated {
  readonly invoice: Invoice
  readonly says: Decimal
  readonly follows: Decimal
}

export class Lies {
  readonly #story: Story
  readonly #states: boolean
  readonly #rate: number
  /** Those that stand, by the name of the document. */
  readonly #lies = new Map<string, Lie>()
  readonly #seen = new Set<string>()
  #documents: ReadonlyArray<Document> = []
  #n = 0

  /**
   * @param states whether it states its balances
   * @param rate how often a new record is a lie
   */
  constructor(story: Story, states: boolean, rate: number) {
    this.#story = story
    this.#states = states
    this.#rate = states ? rate : 0
  }

  /** What it delivers of what it has. */
  delivers(documents: ReadonlyArray<Document>): ReadonlyArray<Document> {
    if (!this.#states) return documents
    this.#n++
    this.#end()
    const open = openOf(documents)
    this.#documents = documents.flatMap((one) => {
      const said =
        one.kind === "invoice" && canSay(one, open.get(one.id)!) ? { ...one, stated: { open: open.get(one.id)! } } : one
      const lie = isLiable(said) ? this.#lieOf(said) : undefined
      return lie === undefined ? [said] : played(said as Liable, lie)
    })
    return this.#documents
  }

  #end(): void {
    for (const [name, lie] of this.#lies) {
      const id = `lie.${this.#n}.${name}.ends`
      if (this.#dice(id).chance(ENDS) && this.#story.happens(id, `${name}, which ${LIES[lie]}, comes as it is`))
        this.#lies.delete(name)
    }
  }

  /** Records lie from their first page on. */
  #lieOf(one: Liable): Lie | undefined {
    const name = nameOf(one)
    if (this.#seen.has(name)) return this.#lies.get(name)
    this.#seen.add(name)
    const dice = this.#dice(`lie.${name}`)
    const lie: Lie = one.kind === "invoice" ? "wrong" : dice.of(["lost", "lost", "repeated", "wrong"] as const)!
    if (!dice.chance(this.#rate) || !this.#story.happens(`lie.${name}`, `${name} ${LIES[lie]}`)) return undefined
    this.#lies.set(name, lie)
    return lie
  }

  #dice(id: string): Dice {
    return this.#story.dice(id)
  }

  /** The invoices, open by their source, of which it says another balance than its records come to. */
  get standing(): ReadonlyArray<Misstated> {
    const delivered = openOf(this.#documents)
    return this.#documents.flatMap((one) => {
      if (one.kind !== "invoice" || one.status !== "open" || one.stated?.open === undefined) return []
      const [says, follows] = [one.stated.open, delivered.get(one.id)!]
      return says === follows || !canSay(one, says) ? [] : [{ invoice: one, says, follows }]
    })
  }
}
