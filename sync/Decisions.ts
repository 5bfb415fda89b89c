/**
 * What a person decides about a matter: that it is dealt with, or that it is to be tried once more.
 *
 * Resolving a matter about sums that somebody told the service past this connection accepts them: what the service shows
 * then counts as told. A capture, void or refund by hand is taken to have been for the facts that still wait, in their
 * order, as far as they come to no more; what goes beyond stands as an amount without goods. Retrying a matter about a
 * payment offer asks for another one.
 */
import * as Attentions from "./apply/AttentionStore.ts"
import * as Claims from "./apply/Claims.ts"
import type { Planning } from "./model/Connection.ts"
import type { Database } from "./state/Database.ts"
import { askAgain, isPaid, openInBooks, type OrderTold, type Posting, type Taking } from "./model/RemoteOrder.ts"
import { Lines } from "./rules/OrderAllocation.ts"
import type { OrderSubject } from "./model/OrderFacts.ts"
import * as Subjects from "./plan/Facts.ts"
import { apart, byHand, disagreements, postingOf, sorted, TAKING } from "./rules/OrderPostings.ts"

type Db = Database["Service"]

export const adopt = (
  { facts, key: own, order }: OrderSubject,
  told: OrderTold,
  { orders = {} }: Planning,
  taking: Taking
): OrderTold => {
  const adopted: Array<Posting> = []
  let left = apart(told, taking)
  if (order !== undefined) {
    const lines = new Lines(order, orders)
    for (const posting of told.postings) lines.book(posting)
    const known = new Set(told.postings.map(({ fact }) => fact))
    for (const { document, key } of sorted(facts)) {
      if (known.has(key) || TAKING[document.kind] !== taking) continue
      const parts = lines.parts(document, taking)
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
  return { ...told, postings: [...told.postings, ...adopted] }
}

/** Closes a matter; one about sums that others told is thereby accepted. Answers whether it was one. */
export const resolve = (
  db: Db,
  { id, subject: key, why }: Attentions.OpenAttention,
  how: string,
  now: number
): boolean => {
  Attentions.close(db, id, how, now)
  if (!Subjects.isOrderKey(key)) return false
  const [subject, told] = [Subjects.loadOrder(db, key), Subjects.toldOrder(db, key)]
  const found = told === undefined ? undefined : disagreements(subject, told).find((one) => one.attention.why === why)
  if (told === undefined || found === undefined) return false
  const { connection } = subject
  const planning = db.prepare("SELECT planning FROM connection WHERE id = ?").pluck().get(connection)
  write(db, subject, adopt(subject, told, JSON.parse(String(planning ?? "{}")) as Planning, found.taking))
  db.prepare("INSERT INTO changed VALUES (?) ON CONFLICT DO NOTHING").run(key)
  return true
}

/** Closes a matter and plans its document again, so that a refused call is sent once more. Answers whether it was open. */
export const retry = (db: Db, id: number, now: number): boolean => {
  const found = Attentions.list(db).find((one) => one.id === id)
  if (found?.rule === "offer") {
    const told = Subjects.toldOrder(db, found.subject)
    if (told !== undefined && !isPaid(told)) write(db, Subjects.loadOrder(db, found.subject), askAgain(told))
  }
  return Attentions.retry(db, id, now)
}

const write = (db: Db, { connection, key }: OrderSubject, told: OrderTold): void =>
  Claims.writeLedger(db, key, connection, told, {
    currency: told.currency,
    books: openInBooks(told),
    service: BigInt(told.open)
  })
