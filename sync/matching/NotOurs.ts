/**
 * Money that is for no invoice: tax refunds, interest, transfers between own accounts, payouts. A person says so of one payment, and
 * the next of its kind is not asked about: the same payer, and the same words around whatever numbers. Of a payer of whom it was said
 * twice, for different words, whatever the words are. It counts as settled, in a column of its own. A customer's money is never of such
 * a kind.
 */
import type { Payment } from "../../connectors/Document.ts"
import * as Document from "../../connectors/Document.ts"
import type { Db } from "../state/Database.ts"
import { payerOf } from "./Aliases.ts"
import { payerIn } from "./References.ts"
import { words } from "./Rules.ts"
import { isCustomer } from "./Whose.ts"

/** The words of a text without whatever has digits in it: `PAYOUT 1034882` and `PAYOUT 1034901` are of one kind. */
export const wordsOf = ({ reference = "" }: Pick<Payment, "reference">): string =>
  words(reference)
    .filter((word) => !/\p{N}/u.test(word))
    .join(" ")

export interface NotOurs {
  readonly connection: string
  readonly payer: string
  readonly words: string
  /** The payment of which a person said it. */
  readonly payment: string
  /** Milliseconds since the epoch. */
  readonly since: number
}

/** Whether the payer is a customer of the connection that is paid, as far as is known. */
export const isOfCustomer = (db: Db, connection: string, pays: string, payment: Payment): boolean => {
  const nobody = { aliases: { by: new Map(), of: new Map() }, byId: new Set([connection]) }
  return isCustomer(db, pays, payerIn(connection, payment, nobody))
}

/** Learns a kind from a decision about one payment. */
export const learn = (db: Db, key: string, pays: string, payment: Payment, now: number): void => {
  const { connection } = Document.parseKey(key)
  const payer = payerOf(payment)
  if (payer === undefined || isOfCustomer(db, connection, pays, payment)) return
  db.prepare("INSERT INTO not_ours VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING").run(
    connection,
    payer,
    wordsOf(payment),
    key,
    now
  )
}

/** Puts back what was unlearnt. */
export const restore = (db: Db, { connection, payer, payment, since, words }: NotOurs): void =>
  void db
    .prepare("INSERT INTO not_ours VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING")
    .run(connection, payer, words, payment, since)

/** What was learnt from this decision is no longer known. */
export const unlearn = (db: Db, key: string): boolean =>
  db.prepare("DELETE FROM not_ours WHERE payment = ?").run(key).changes > 0

/** Whether a payment is of a kind that is for no invoice, as a person said. */
export const isNotOurs = (db: Db, connection: string, pays: string, payment: Payment): boolean => {
  const payer = payerOf(payment)
  if (payer === undefined) return false
  const said = db
    .prepare("SELECT words FROM not_ours WHERE connection = ? AND payer = ?")
    .pluck()
    .all(connection, payer) as ReadonlyArray<string>
  return (said.length > 1 || said.includes(wordsOf(payment))) && !isOfCustomer(db, connection, pays, payment)
}

export const list = (db: Db, connection: string): ReadonlyArray<NotOurs> =>
  db
    .prepare("SELECT * FROM not_ours WHERE connection = ? ORDER BY payer, words")
    .all(connection) as ReadonlyArray<NotOurs>
