/**
 * Money that is for no invoice: tax refunds, interest, transfers between own accounts, payouts. A person says so of one payment, and
 * the next of its kind is not asked about: the same payer, and the same words around whatever numbers. Of a payer of whom it was said
 * twice, for different words, whatever the words are; of a stranger's payment once, for all that is like it. It counts as settled, in a
 * column of its own. A customer's money is never of such a kind.
 */
import type { Payment } from "../../connectors/Document.ts"
import * as Document from "../../connectors/Document.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import { aliasesIn, aliasesOf, payerOf } from "./Aliases.ts"
import { candidates } from "./Candidates.ts"
import { payerIn, textOf } from "./References.ts"
import { words } from "./Rules.ts"
import { isDate, isOtherNumber } from "./Texts.ts"
import { isCustomer } from "./Whose.ts"

/** The words of a text without whatever has digits in it: `PAYOUT 1034882` and `PAYOUT 1034901` are of one kind. */
export const wordsOf = ({ reference = "" }: Pick<Payment, "reference">): string =>
  words(reference)
    .filter((word) => !/\p{N}/u.test(word))
    .join(" ")

/** Whatever a stranger writes, as long as nothing else points to an invoice. */
export const ANY = "*"

export interface NotOurs {
  readonly connection: string
  readonly payer: string
  /** `*`: of a stranger. */
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

/** Whether a text has no number but days, and numbers of customers, contracts, or taxes. */
const namesNothing = (payment: Payment): boolean => {
  const text = textOf(payment)
  return words(text).every(
    (word, at) =>
      !/\p{N}/u.test(word) ||
      isDate(word, payment.date) ||
      isOtherNumber(text, { name: word, from: at, to: at, weak: true })
  )
}

/** Whether an invoice is open of exactly this amount, whoever owes it. */
const isOfAmount = (db: Db, key: string): boolean =>
  db
    .prepare(
      `SELECT 1 FROM document d JOIN matching m ON m.document = d.id JOIN payable p ON p.connection = m.pays AND p.currency = m.currency
        AND p.open = m.amount AND p.open > 0 AND p.payable = 1 WHERE d.key = ? LIMIT 1`
    )
    .get(key) !== undefined

/** Whether the payer is not known as a customer, and wrote nothing that may be the number of an invoice. */
export const isUnknown = (db: Db, key: string): boolean => {
  const row = db
    .prepare(
      `SELECT d.body, m.pays FROM document d JOIN matching m ON m.document = d.id
        WHERE d.key = ? AND m.rule IN ('M3', 'M6') AND m.back = 0 AND m.matched <> m.amount AND m.says = ''`
    )
    .get(key) as { readonly body: string; readonly pays: string } | undefined
  if (row === undefined) return false
  const payment = Body.read(row.body) as Payment
  const { connection } = Document.parseKey(key)
  return (
    payerOf(payment) !== undefined &&
    namesNothing(payment) &&
    aliasesOf(aliasesIn(db), connection, payment).length === 0 &&
    !isOfCustomer(db, connection, row.pays, payment)
  )
}

/** The same, where no invoice has the amount either: nothing says that the payment is for one. */
export const isStranger = (db: Db, key: string): boolean => isUnknown(db, key) && candidates(db, key, 1).length === 0

/** Learns a kind from a decision about one payment, of a stranger's all that is like it. */
export const learn = (db: Db, key: string, pays: string, payment: Payment, now: number): void => {
  const { connection } = Document.parseKey(key)
  const payer = payerOf(payment)
  if (payer === undefined || isOfCustomer(db, connection, pays, payment)) return
  db.prepare("INSERT INTO not_ours VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING").run(
    connection,
    payer,
    isStranger(db, key) ? ANY : wordsOf(payment),
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
export const isNotOurs = (db: Db, key: string, pays: string, payment: Payment): boolean => {
  const { connection } = Document.parseKey(key)
  const payer = payerOf(payment)
  if (payer === undefined) return false
  const said = db
    .prepare("SELECT words FROM not_ours WHERE connection = ? AND payer = ?")
    .pluck()
    .all(connection, payer) as ReadonlyArray<string>
  const isAny = () => said.includes(ANY) && namesNothing(payment) && !isOfAmount(db, key)
  return (
    (said.filter((one) => one !== ANY).length > 1 || said.includes(wordsOf(payment)) || isAny()) &&
    !isOfCustomer(db, connection, pays, payment)
  )
}

export const list = (db: Db, connection: string): ReadonlyArray<NotOurs> =>
  db
    .prepare("SELECT * FROM not_ours WHERE connection = ? ORDER BY payer, words")
    .all(connection) as ReadonlyArray<NotOurs>
