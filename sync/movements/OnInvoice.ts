/**
 * Reduces the payments that several lists have of one invoice to movements of money: each once, with what other lists say of
 * it, and apart what may be the same and waits. Read-only.
 */
import type { Payment } from "../../connectors/Document.ts"
import type { Fact, InvoiceFacts, SeenElsewhere, Waiting } from "../model/InvoiceFacts.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import { type Answers, pair } from "./Join.ts"
import { asksOf, certain, type Stands } from "./Limits.ts"

interface Row {
  readonly key: string
  readonly other: string
  readonly body: string
  readonly how: string
}

/** The payments that others follow, and the others. */
const FOLLOWERS = `SELECT l.key, d.key AS other, d.body, s.how FROM json_each(?) k CROSS JOIN document l ON l.key = k.value
  CROSS JOIN sighting s ON s.leader = l.id CROSS JOIN document d ON d.id = s.document ORDER BY d.key`

/** Those that follow others. */
const LEADERS = `SELECT d.key, l.key AS other, l.body, s.how FROM json_each(?) k CROSS JOIN document d ON d.key = k.value
  CROSS JOIN sighting s ON s.document = d.id CROSS JOIN document l ON l.id = s.leader`

const seenIn = ({ body, how, other }: Row): SeenElsewhere => {
  const { date, tried } = Body.read(body) as Payment
  return { key: other, date, how, ...(tried === "pending" ? { pending: true } : {}) }
}

const answersOn = (db: Db, keys: ReadonlyArray<string>): Answers => {
  const rows = db
    .prepare("SELECT a, b, same FROM same_money WHERE a IN (SELECT value FROM json_each(?))")
    .all(JSON.stringify(keys)) as ReadonlyArray<{ readonly a: string; readonly b: string; readonly same: number }>
  const of = (same: number) => new Set(rows.flatMap((row) => (row.same === same ? [pair(row.a, row.b)] : [])))
  return { same: of(1), apart: of(0) }
}

const whole = (key: string, body: string): Fact<Payment> => {
  const document = Body.read(body) as Payment
  return {
    key,
    document,
    amount: document.shares.reduce((sum, { amount }) => sum + amount, document.unallocated ?? 0n)
  }
}

/**
 * How much it was where lists differ about it, as a person said that they mean the same money: what the books have if it settles the
 * invoice, otherwise what came in.
 */
const amountOf = (one: Fact<Payment>, seen: ReadonlyArray<Row>, facts: InvoiceFacts): bigint => {
  const { shares, unallocated = 0n } = one.document
  const others = facts.payments.filter(({ key }) => key !== one.key && seen.every(({ other }) => other !== key))
  const rest = others.reduce((left, { amount }) => left - amount, asksOf(facts))
  if (one.amount >= rest || shares.length !== 1 || unallocated !== 0n) return one.amount
  const [came] = seen.flatMap(({ body, how, other }) => (how === "answer" ? [whole(other, body)] : []))
  const isSame =
    came !== undefined && (came.document.currency ?? "") === (one.document.currency ?? came.document.currency)
  return isSame ? came.amount : one.amount
}

/** Invoices that a payment of another connection is reported on and that are marked as paid. */
export const closedOn = (db: Db, payment: string): ReadonlyArray<string> =>
  db
    .prepare(
      `SELECT s.invoice FROM standing s JOIN ledger l ON l.subject = s.invoice
        WHERE s.payment = ? AND l.held ->> '$.status' = 'paid' ORDER BY 1`
    )
    .pluck()
    .all(payment) as ReadonlyArray<string>

/** @param stands whether something is reported on the invoice now */
export const movements = (db: Db, facts: InvoiceFacts, stands: Stands): InvoiceFacts => {
  const { payments } = facts
  const keys = JSON.stringify(payments.map(({ key }) => key))
  const followers = db.prepare(FOLLOWERS).all(keys) as ReadonlyArray<Row>
  const leaders = new Map((db.prepare(LEADERS).all(keys) as ReadonlyArray<Row>).map((row) => [row.key, row]))
  const isHere = (key: string) => payments.some((one) => one.key === key)
  const waiting: Array<Waiting> = []
  const counted: Array<Fact<Payment>> = []
  for (const one of payments) {
    const leader = leaders.get(one.key)
    if (leader !== undefined && leader.how === "doubt" && !stands(one.key)) {
      waiting.push({
        fact: one,
        like: [whole(leader.other, leader.body)],
        closed: closedOn(db, leader.other).filter((invoice) => invoice !== facts.key)
      })
      continue
    }
    if (leader !== undefined && leader.how !== "doubt" && isHere(leader.other)) continue
    const seen = followers.filter(({ how, key }) => key === one.key && how !== "doubt")
    counted.push(
      seen.length === 0
        ? one
        : {
            ...one,
            amount: amountOf(one, seen, facts),
            seen: seen.map(seenIn)
          }
    )
  }
  const all = [...counted, ...waiting.map(({ fact }) => fact)].flatMap(({ key, seen = [] }) => [
    key,
    ...seen.map((one) => one.key)
  ])
  const answers = answersOn(db, all)
  return certain({ ...facts, payments: counted, ...(waiting.length === 0 ? {} : { waiting }) }, stands, answers)
}
