/**
 * Carries out a person's decision about an attention item: that it is resolved, or that it should be retried.
 *
 * Resolving a question about an order answers it, with one of its choices or with the one that moves no money
 * (`OrderQuestions.ts`). Retrying an item about a payment offer requests another one; retrying one about a buyer who is gone
 * from the service finds or creates the buyer again.
 */
import { buyerKey, kindOf } from "../../connectors/Document.ts"
import * as AttentionStore from "./AttentionStore.ts"
import { BUYER_LOST } from "../rules/Buyers.ts"
import * as ChangedDocuments from "../books/ChangedDocuments.ts"
import * as Claims from "./Claims.ts"
import * as CoverItems from "./CoverItems.ts"
import * as CoverStore from "./CoverStore.ts"
import type { Planning } from "../model/Connection.ts"
import type { Db } from "../state/Database.ts"
import { askAgain, isOfferOver, isPaid, type RemoteOrder } from "../model/RemoteOrder.ts"
import { decidedFor, openByFacts } from "../rules/OrderPlan.ts"
import { answerOf } from "../rules/OrderQuestions.ts"
import type { OrderFacts } from "../model/OrderFacts.ts"
import * as Facts from "../plan/Facts.ts"
import * as Undoable from "../state/Undoable.ts"

/** The question of an order that an open item asks, with its order; undefined for other items. */
const asked = (db: Db, { code, subject: key }: Pick<AttentionStore.OpenAttention, "code" | "subject">) => {
  if (!Facts.isOrderKey(key)) return undefined
  const [facts, remote] = [Facts.orderFacts(db, key), Facts.remoteOrder(db, key)]
  if (remote === undefined || !isPaid(remote) || facts.order === undefined) return undefined
  const { asks } = decidedFor(facts, facts.order, remote, planningOf(db, facts.connection).orders ?? {})
  const question = asks.find((one) => one.about === code)
  return question === undefined ? undefined : { facts, question, remote }
}

/** The answers that end an open item; none if it is not a question. */
export const choicesOf = (
  db: Db,
  item: Pick<AttentionStore.OpenAttention, "code" | "subject">
): ReadonlyArray<string> => asked(db, item)?.question.choices ?? []

/**
 * Closes an open attention item; a question about an order is thereby answered. Returns whether it was one, or undefined if
 * somebody else closed it first and nothing was changed.
 *
 * @param how one of the question's choices, or a note: then the answer is the one that moves no money
 */
export const resolve = (db: Db, item: AttentionStore.OpenAttention, how: string, now: number): boolean | undefined => {
  const { id, subject } = item
  if (!AttentionStore.close(db, id, how, now)) return undefined
  unblock(db, item)
  const found = asked(db, item)
  const answer = found === undefined ? undefined : answerOf(found.question, how)
  if (found === undefined || answer === undefined) {
    // What was allowed to buy again may have bought.
    if (!CoverItems.isKey(subject)) Undoable.keep(db, { kind: "items", ids: [id] }, now)
    return false
  }
  const question = found.question.about
  const before = found.remote.answers?.[question] ?? null
  giveAnswer(db, subject, question, answer)
  Undoable.keep(db, { kind: "answer", id, subject, question, before }, now)
  return true
}

/** Keeps an answer to a question about an order, or takes it back (null). */
export const giveAnswer = (db: Db, subject: string, question: string, answer: string | null): void => {
  const remote = Facts.remoteOrder(db, subject)
  if (remote === undefined) return
  const { [question]: _, ...others } = remote.answers ?? {}
  const answers = answer === null ? others : { ...others, [question]: answer }
  write(db, Facts.orderFacts(db, subject), { ...remote, answers })
  ChangedDocuments.touch(db, subject)
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
  if (found?.code === BUYER_LOST) forgetBuyer(db, found.subject)
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
