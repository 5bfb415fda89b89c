/**
 * Carries out a person's decision about an attention item: that it is resolved, or that it should be retried.
 *
 * Resolving an item about sums that somebody else sent to the service accepts them: what the service shows then counts as
 * sent. A capture, void or refund by hand is allocated to the waiting facts, in their order, as far as their amounts fit
 * into it. The rest is kept for facts that arrive later (`ByHand.ts`), until a person says that it is for none of the goods.
 * Resolving an item about a fact that contradicts what was sent accepts what was sent (`OrderAcceptance.ts`). Retrying an
 * item about a payment offer requests another one; retrying one about a buyer who is gone from the service finds or creates
 * the buyer again.
 */
import { buyerKey, kindOf, type OrderFact } from "../../connectors/Document.ts"
import * as AttentionStore from "./AttentionStore.ts"
import { BUYER_LOST } from "../rules/Buyers.ts"
import { byHand, standsApart, UNCLEAR } from "../rules/ByHand.ts"
import * as ChangedDocuments from "../books/ChangedDocuments.ts"
import * as Claims from "./Claims.ts"
import * as CoverItems from "./CoverItems.ts"
import * as CoverStore from "./CoverStore.ts"
import type { Planning } from "../model/Connection.ts"
import type { Database } from "../state/Database.ts"
import { askAgain, isOfferOver, isPaid, type RemoteOrder, termsOf } from "../model/RemoteOrder.ts"
import type { OrderPosting, OrderPostingKind } from "../model/DeferredPayment.ts"
import { meant } from "../rules/OrderContradictions.ts"
import { accept } from "../rules/OrderAcceptance.ts"
import { openByFacts } from "../rules/OrderComparison.ts"
import { Lines } from "../rules/OrderAllocation.ts"
import { sorted } from "../rules/OrderMeaning.ts"
import type { OrderFacts } from "../model/OrderFacts.ts"
import * as Facts from "../plan/Facts.ts"
import { apart, disagreements, postingOf } from "../rules/OrderPostings.ts"
import { POSTING_KIND } from "../rules/PostingKinds.ts"
import { entryOf } from "../../core/Entry.ts"

type Db = Database["Service"]

const acceptSums = (
  { movements, key: own, order }: OrderFacts,
  remote: RemoteOrder,
  { orders = {} }: Planning,
  taking: OrderPostingKind
): RemoteOrder => {
  const adopted: Array<OrderPosting> = []
  let left = apart(remote, taking)
  if (order !== undefined) {
    const lines = new Lines(order, termsOf(remote, orders))
    for (const posting of remote.postings) lines.book(posting)
    const goods = meant({ movements, key: own }, order, remote)
    const known = new Set(remote.postings.map(({ fact }) => fact))
    for (const { document, key } of sorted(movements)) {
      if (known.has(key) || POSTING_KIND[document.kind] !== taking) continue
      const parts = lines.parts(document, entryOf(goods, key), taking)
      if (typeof parts === "string") break
      const posting = { ...postingOf(key, document, parts), key: "" }
      if (BigInt(posting.amount) > left) break
      lines.book(posting)
      adopted.push(posting)
      left -= BigInt(posting.amount)
    }
  }
  if (left !== 0n) {
    adopted.push({ fact: byHand(own), taking, lines: [], amount: `${left}`, key: "" })
  }
  return { ...remote, terms: termsOf(remote, orders), postings: [...remote.postings, ...adopted] }
}

/**
 * Closes an open attention item; one about sums that others sent is thereby accepted. Returns whether it was one of those, or
 * undefined if somebody else closed it first and nothing was changed.
 */
export const resolve = (db: Db, item: AttentionStore.OpenAttention, how: string, now: number): boolean | undefined => {
  const { fact, id, subject: key, why } = item
  if (!AttentionStore.close(db, id, how, now)) return undefined
  unblock(db, item)
  if (!Facts.isOrderKey(key)) return false
  const [facts, remote] = [Facts.orderFacts(db, key), Facts.remoteOrder(db, key)]
  if (remote === undefined || !isPaid(remote)) return false
  if (why.includes(UNCLEAR)) {
    const taking = fact === key ? "capture" : POSTING_KIND[kindOf(fact) as OrderFact["kind"]]
    write(db, facts, standsApart(remote, key, taking))
    ChangedDocuments.touch(db, key)
    return true
  }
  const planning = planningOf(db, facts.connection)
  const found = disagreements(facts, remote).find((one) => one.attention.why === why)
  const { order } = facts
  const next =
    found !== undefined
      ? acceptSums(facts, remote, planning, found.taking)
      : order === undefined
        ? undefined
        : accept(facts, order, remote, { fact, orders: planning.orders ?? {}, why })
  if (next === undefined) return false
  write(db, facts, next)
  ChangedDocuments.touch(db, key)
  return true
}

/**
 * Closes an attention item and plans its document again, so that a rejected call is sent again. Returns whether the item was
 * open.
 */
export const retry = (db: Db, id: number, now: number): boolean => {
  const found = AttentionStore.list(db).find((one) => one.id === id)
  if (found !== undefined && kindOf(found.subject) === "order") {
    const remote = Facts.remoteOrder(db, found.subject)
    if (remote !== undefined && isOfferOver(remote)) write(db, Facts.orderFacts(db, found.subject), askAgain(remote))
  }
  if (found?.why.includes(BUYER_LOST)) forgetBuyer(db, found.subject)
  if (found !== undefined) unblock(db, found)
  return AttentionStore.retry(db, id, now)
}

/** A person says that a connection may buy again. */
const unblock = (db: Db, { fact, subject }: AttentionStore.OpenAttention): void => {
  const connection = CoverItems.connectionOf(subject)
  if (connection === undefined) return
  const by = fact.slice(subject.length + 1)
  if (by === "payment" || by === "spent") CoverStore.unblock(db, connection, by)
}

/** Makes the next plan send the buyer (or an order's buyer) again; if it exists, the service finds it by its key. */
const forgetBuyer = (db: Db, subject: string): void => {
  const isBuyer = Facts.isBuyerKey(subject)
  const { connection, order } = isBuyer
    ? { ...Facts.buyerFacts(db, subject), order: undefined }
    : Facts.orderFacts(db, subject)
  const key = isBuyer ? subject : order?.buyer === undefined ? undefined : buyerKey(connection, order.buyer)
  if (key === undefined) return
  Claims.writeLedger(db, key, connection, undefined, { currency: "", books: 0n, service: 0n })
  ChangedDocuments.touch(db, key)
}

const planningOf = (db: Db, connection: string): Planning => {
  const text = db.prepare("SELECT planning FROM connection WHERE id = ?").pluck().get(connection)
  return JSON.parse(String(text ?? "{}")) as Planning
}

const write = (db: Db, facts: OrderFacts, remote: RemoteOrder): void => {
  const { connection, key } = facts
  Claims.writeLedger(db, key, connection, remote, {
    currency: remote.currency,
    books: isPaid(remote) ? openByFacts(facts, remote, planningOf(db, connection).orders) : 0n,
    service: BigInt(remote.open)
  })
}
