/**
 * Changes the ledger when a person accepts what was sent although the source now says otherwise. A fact that was entered again
 * under another id, or split, takes over what was sent for it, if its goods are exactly the same.
 */
import type { LinePart, Order } from "../../connectors/Document.ts"
import { allocate } from "../../core/money/Allocation.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { OrderSettings } from "../model/Connection.ts"
import { contradictions, meant, unfit } from "./OrderContradictions.ts"
import { type RemoteOrder, termsOf } from "../model/RemoteOrder.ts"
import type { PostingLine, OrderPosting } from "../model/DeferredPayment.ts"
import { Lines, statedAmount } from "./OrderAllocation.ts"
import { sorted } from "./OrderMeaning.ts"
import type { OrderFacts } from "../model/OrderFacts.ts"
import { POSTING_KIND } from "./PostingKinds.ts"
import { entryOf } from "../../core/Entry.ts"

/** The attention item that is accepted. */
interface AcceptedItem {
  readonly fact: string
  readonly why: string
}

/** The ledger after an attention item was accepted; undefined if the item is about something else. */
export const accept = (
  facts: OrderFacts,
  order: Order,
  remote: RemoteOrder,
  { fact, orders, why }: AcceptedItem & { readonly orders: OrderSettings }
): RemoteOrder | undefined => {
  const own = facts.movements.find(({ key }) => key === fact)
  if (own !== undefined && unfit(facts, order, remote, own)?.why === why && facts.elsewhere !== undefined)
    return { ...remote, again: [...(remote.again ?? []), fact] }
  const lines = new Lines(order, termsOf(remote, orders))
  for (const posting of remote.postings) lines.book(posting)
  const goods = meant(facts, order, remote)
  const found = contradictions(facts, order, remote, { goods, lines }).find(
    ({ attention }) => attention.fact === fact && attention.why === why
  )
  if (found === undefined) return undefined
  const instead = own === undefined ? successors(facts, remote, { goods, posting: found.posting }) : undefined
  const postings = remote.postings.flatMap((one) =>
    one !== found.posting ? [one] : (instead ?? [{ ...one, accepted: found.accepts }])
  )
  return { ...remote, postings }
}

/** Allocates what was sent to the waiting facts that replace it, if together they are about the same goods. */
const successors = (
  facts: OrderFacts,
  remote: RemoteOrder,
  { goods, posting }: { readonly goods: ReadonlyMap<string, ReadonlyArray<LinePart>>; readonly posting: OrderPosting }
): ReadonlyArray<OrderPosting> | undefined => {
  const known = new Set(remote.postings.map(({ fact }) => fact))
  const left = new Map<string, bigint>()
  for (const { line, quantity } of posting.lines)
    if (Decimal.of(quantity) > 0n) left.set(line, (left.get(line) ?? 0n) + Decimal.of(quantity))
  const taken: Array<{ readonly key: string; readonly parts: ReadonlyArray<LinePart> }> = []
  for (const { document, key } of sorted(facts.movements)) {
    const parts = entryOf(goods, key)
    const same =
      POSTING_KIND[document.kind] === posting.taking &&
      (statedAmount(document) !== undefined) === (posting.stated === true)
    if (known.has(key) || !same || parts.length === 0) continue
    if (parts.some(({ line, quantity }) => quantity > (left.get(line) ?? 0n))) continue
    for (const { line, quantity } of parts) left.set(line, (left.get(line) ?? 0n) - quantity)
    taken.push({ key, parts })
  }
  const over = [...left].some(([line, quantity]) => line !== "" && quantity > 0n)
  if (over || taken.length === 0 || (posting.stated === true && taken.length > 1)) return undefined
  return taken.map(({ key }, n): OrderPosting => {
    const lines = posting.lines.flatMap((part) =>
      shareOf(
        part,
        n,
        taken.map((one) => one.parts)
      )
    )
    const amount = lines.reduce((sum, one) => sum + BigInt(one.amount), 0n)
    return { ...posting, fact: key, key: n === 0 ? posting.key : "", lines, amount: `${amount}` }
  })
}

/** The nth fact's share of a part. Amounts that go with the first parcel stay with the first. */
const shareOf = (
  part: PostingLine,
  n: number,
  all: ReadonlyArray<ReadonlyArray<LinePart>>
): ReadonlyArray<PostingLine> => {
  const quantities = all.map((parts) =>
    parts.reduce((sum, { line, quantity }) => (line === part.line ? sum + quantity : sum), 0n)
  )
  if (quantities.every((quantity) => quantity === 0n)) return n === 0 ? [part] : []
  const quantity = quantities[n] ?? 0n
  const amount = allocate(BigInt(part.amount), quantities)[n] ?? 0n
  return quantity === 0n ? [] : [{ line: part.line, quantity: Decimal.format(quantity), amount: `${amount}` }]
}
