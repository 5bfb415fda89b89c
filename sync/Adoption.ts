/**
 * A person accepts what somebody told the service past this connection: what the service shows then counts as told.
 *
 * A capture, void or refund by hand is taken to have been for the facts that still wait, in their order, as far as they
 * come to no more; what goes beyond stands as an amount without goods.
 */
import * as Attentions from "./Attentions.ts"
import * as Claims from "./Claims.ts"
import type { Planning } from "./Connection.ts"
import type { Database } from "./Database.ts"
import { openInBooks, type OrderTold, type Posting, type Taking } from "./OrderLedger.ts"
import { Lines } from "./OrderLines.ts"
import type { OrderSubject } from "./OrderSubject.ts"
import * as Subjects from "./Subjects.ts"
import { apart, byHand, disagreements, postingOf, sorted, TAKING } from "./Takings.ts"

type Db = Database["Service"]

export const adopt = (
  { facts, key, order, ...subject }: OrderSubject,
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
    const fact = byHand({ key, order, facts, ...subject })
    adopted.push({ fact, taking, lines: [], amount: `${left}`, key: "" })
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
  const after = adopt(subject, told, JSON.parse(String(planning ?? "{}")) as Planning, found.taking)
  Claims.writeLedger(db, key, connection, after, {
    currency: after.currency,
    books: openInBooks(after),
    service: BigInt(after.open)
  })
  db.prepare("INSERT INTO changed VALUES (?) ON CONFLICT DO NOTHING").run(key)
  return true
}
