/** Stores a person's answer whether two payments are the same money. It stands until it is taken back, or answered otherwise. */
import * as Document from "../../connectors/Document.ts"
import * as MatchChoices from "../matching/Choices.ts"
import * as ChangedDocuments from "../books/ChangedDocuments.ts"
import * as Facts from "../plan/Facts.ts"
import * as Undoable from "../state/Undoable.ts"
import type { Db } from "../state/Database.ts"

/** What an item asks about: a payment, and those that it may be the same as. */
export interface Question {
  readonly payment: string
  readonly like: ReadonlyArray<string>
}

/** The question of an open item, if it is one about movements. */
export const question = (
  db: Db,
  { fact, rule, subject }: { readonly fact: string; readonly rule: string; readonly subject: string }
): Question | undefined => {
  if (rule !== "V1") return undefined
  if (Document.kindOf(subject) !== "invoice") {
    const like = db
      .prepare(
        `SELECT l.key FROM document d JOIN sighting s ON s.document = d.id JOIN document l ON l.id = s.leader
          WHERE d.key = ? AND s.how = 'doubt'`
      )
      .pluck()
      .all(subject) as ReadonlyArray<string>
    return { payment: subject, like }
  }
  const found = Facts.invoiceFacts(db, subject).waiting?.find((one) => one.fact.key === fact)
  const like = (found?.like ?? []).flatMap(({ key, seen = [] }) => [key, ...seen.map((one) => one.key)])
  return { payment: fact, like }
}

/** Stores an answer, or says why it cannot be one. Needs the lock and a transaction; matching must run afterwards. */
export const answer = (
  db: Db,
  { like, payment }: Question,
  { same }: { readonly same: string | undefined },
  now: number
): { readonly why: string } | { readonly others: ReadonlyArray<string> } => {
  if (same !== undefined && !isPayment(db, same))
    return { why: `there is no payment ${JSON.stringify(same)}; give the key of one of ${like.join(", ")}` }
  if (same !== undefined && listOf(same) === listOf(payment))
    return { why: `${same} and ${payment} are of one list, which would have stated it once` }
  const others = same === undefined ? like : [same]
  if (others.length === 0) return { why: `nothing is the same as ${payment} any more` }
  const pairs = others.map((other): Undoable.PairAnswer => {
    const [a, b] = payment < other ? [payment, other] : [other, payment]
    const before = db.prepare("SELECT same FROM same_money WHERE a = ? AND b = ?").pluck().get(a, b)
    return { a, b, before: typeof before === "number" ? before : null }
  })
  for (const { a, b } of pairs) give(db, { a, b, answer: same === undefined ? 0 : 1 }, now)
  Undoable.keep(db, { kind: "same", payment, pairs }, now)
  return { others }
}

/** Stores an answer about two payments, or none (null). Needs the lock and a transaction; matching must run afterwards. */
export const give = (
  db: Db,
  { a, answer, b }: { readonly a: string; readonly b: string; readonly answer: number | null },
  now: number
): void => {
  if (answer === null) db.prepare("DELETE FROM same_money WHERE a = ? AND b = ?").run(a, b)
  else
    db.prepare(
      "INSERT INTO same_money VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET same = excluded.same, answered = excluded.answered"
    ).run(a, b, answer, now)
  for (const key of [a, b]) again(db, key)
}

interface Given {
  readonly a: string
  readonly b: string
  readonly same: 0 | 1
  readonly answered: number
}

const ABOUT = "SELECT a, b, same, answered FROM same_money WHERE a = :payment OR b = :payment"

/** What people decided about payments of a connection, by key: for which invoices they are, and whether they are the same money. */
export const choices = (db: Db, connection: string): ReadonlyArray<MatchChoices.StoredChoice> => {
  const range = { from: `${connection}/`, to: `${connection}0` }
  const isOwn = (key: string) => key > range.from && key < range.to
  const rows = db
    .prepare(
      `SELECT a, b, same, answered FROM same_money WHERE a > :from AND a < :to
        UNION SELECT a, b, same, answered FROM same_money WHERE b > :from AND b < :to ORDER BY a, b`
    )
    .all(range) as ReadonlyArray<Given>
  const found = new Map(MatchChoices.list(db, connection).map((one) => [one.payment, one]))
  for (const { a, answered: chosen, b, same } of rows) {
    const [payment, other] = isOwn(a) ? [a, b] : [b, a]
    const before = found.get(payment) ?? { payment, shares: [], chosen }
    const which = same === 1 ? "same" : "apart"
    found.set(payment, { ...before, [which]: [...(before[which] ?? []), other] })
  }
  return [...found.values()].toSorted((a, b) => (a.payment < b.payment ? -1 : 1))
}

/** The payments of other lists that people compared with this one. */
export const answered = (db: Db, payment: string): ReadonlyArray<string> =>
  (db.prepare(ABOUT).all({ payment }) as ReadonlyArray<Given>).map(({ a, b }) => (a === payment ? b : a))

/**
 * Takes back what people answered of a payment: it is asked about again. Undefined: nothing was answered. Needs the lock and a transaction;
 * matching must run afterwards.
 *
 * @param same those that were said to be apart are the same money: where both are reported, nothing else would ask about them
 */
export const takeBack = (
  db: Db,
  payment: string,
  same: boolean,
  now: number
): { readonly why: string } | { readonly others: ReadonlyArray<string> } | undefined => {
  const all = db.prepare(ABOUT).all({ payment }) as ReadonlyArray<Given>
  const rows = same ? all.filter((one) => one.same === 0) : all
  const others = rows.map(({ a, b }) => (a === payment ? b : a))
  if (rows.length === 0) return undefined
  if (same && rows.length > 1)
    return { why: `${payment} was said to be other money than ${others.join(" and ")}; say it of the one that it is` }
  const isReported = (key: string) => db.prepare("SELECT 1 FROM posted WHERE fact = ? LIMIT 1").get(key) !== undefined
  const both = rows.find((one) => one.same === 0 && isReported(one.a) && isReported(one.b))
  if (both !== undefined && !same)
    return { why: `${both.a} and ${both.b} are both reported; say that they are the same money if they are` }
  const pairs = rows.map((one): Undoable.PairAnswer => ({ a: one.a, b: one.b, before: one.same }))
  for (const { a, b } of rows) give(db, { a, b, answer: same ? 1 : null }, now)
  Undoable.keep(db, { kind: "same", payment, pairs }, now)
  return { others }
}

const listOf = (key: string): string => key.slice(0, key.indexOf("/"))

const isPayment = (db: Db, key: string): boolean =>
  Document.kindOf(key) === "payment" && db.prepare("SELECT 1 FROM document WHERE key = ?").get(key) !== undefined

/** Has a payment joined and matched again, and its invoices planned again. */
const again = (db: Db, key: string): void => {
  for (const table of ["to_join", "to_match"])
    db.prepare(`INSERT INTO ${table} VALUES (?) ON CONFLICT DO NOTHING`).run(key)
  const invoices = db
    .prepare("SELECT a.invoice FROM document d JOIN allocation a ON a.document = d.id WHERE d.key = ?")
    .pluck()
    .all(key) as ReadonlyArray<string>
  for (const invoice of invoices) ChangedDocuments.touch(db, invoice)
}

/** A movement: the payment that counts, and the same money as others state it. */
export interface MoneyMovement {
  readonly payment: string
  readonly seen: ReadonlyArray<{ readonly key: string; readonly how: string }>
}

/** Movements that several lists state, or payments that wait for an answer, by key. */
export const list = (db: Db, waiting: boolean): ReadonlyArray<MoneyMovement> => {
  const rows = db
    .prepare(
      `SELECT l.key AS payment, d.key, s.how FROM sighting s JOIN document d ON d.id = s.document JOIN document l ON l.id = s.leader
        WHERE s.leader IS NOT NULL AND (s.how = 'doubt') = ? ORDER BY l.key, d.key`
    )
    .all(waiting ? 1 : 0) as ReadonlyArray<{ readonly payment: string; readonly key: string; readonly how: string }>
  const found = new Map<string, Array<{ key: string; how: string }>>()
  for (const { how, key, payment } of rows) {
    const seen = found.get(payment) ?? []
    found.set(payment, seen)
    seen.push({ key, how })
  }
  return [...found].map(([payment, seen]) => ({ payment, seen }))
}
