/**
 * Properties of a whole history, besides the final agreement of source and service: nothing is rejected, nothing is reversed
 * that the source kept, and nothing is marked as paid too early.
 */
import { Cause, Effect } from "effect"
import { type Invoice, key, parseKey } from "../../connectors/Document.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as AttentionStore from "../../sync/apply/AttentionStore.ts"
import type { Misstated } from "./Lies.ts"
import * as InvoiceStatement from "../../sync/reconciliation/InvoiceStatement.ts"
import { Database } from "../../sync/state/Database.ts"
import { open, openTable } from "../sync/InWorld.ts"
import type { World } from "../sync/World.ts"
import type { Feed } from "./Feed.ts"
import { ACCEPTED } from "./Midway.ts"

/** Everything that is sent here is in order, so nothing of it is refused for good; and of orders nothing is left over. */
export const refusals = async (world: World): Promise<ReadonlyArray<string>> => {
  const listed = await world.life(Effect.map(Database, (db) => AttentionStore.list(db)))
  return listed._tag === "Failure"
    ? [Cause.pretty(listed.cause)]
    : listed.value.flatMap(({ refused, subject, why }) =>
        // What of an insured invoice may change is in a contract that nobody here knows: a person hears of it.
        (refused && !why.includes("the invoice has been handed over")) || /\/(order|buyer)\//.test(subject)
          ? [`${subject}: ${why}`]
          : []
      )
}

/** The sources, by connection. */
export type Feeds = Readonly<Record<string, Feed>>

/** What the source never took back is not taken back. */
export const takenBack = (world: World, feed: Feed): ReadonlyArray<string> => {
  const removed = "SELECT DISTINCT subject AS key FROM claim WHERE operation = 'transactions.remove'"
  const undone = "SELECT DISTINCT fact AS key FROM claim WHERE request ->> '$.posting.undo' = 1"
  return open(world, `${removed} UNION ${undone}`).flatMap(({ key }) => {
    const { connection, id, kind } = parseKey(String(key))
    // Payments for another's invoices move as more becomes known of either.
    if (connection !== world.connection.id) return []
    // A payment can only be corrected while nothing of it went back: that is reported again afterwards.
    const of = world.documents.find((one) => one.kind === kind && one.id === id)
    const payment = of?.kind === "reversal" ? `payment/${of.payment}` : ""
    return feed.touched.has(`${kind}/${id}`) || feed.touched.has(payment)
      ? []
      : [`${String(key)} was taken back, and the source never did`]
  })
}

/** What a source never deleted, nor changed, is not taken for deleted, though it could not be read for once. */
export const neverDeleted = (world: World, feeds: Feeds): ReadonlyArray<string> =>
  openTable(world, "document", "SELECT key FROM document WHERE deleted = 1").flatMap(({ key }) => {
    const { connection, id, kind } = parseKey(String(key))
    const feed = feeds[connection]
    return feed === undefined || feed.touched.has(`${kind}/${id}`)
      ? []
      : [`${String(key)} is taken for deleted, and its source never deleted it`]
  })

/**
 * There is no way back from paid, so nothing is said to be paid before all that the sources said by then was read: of what
 * came in and went back in one round, the service heard both.
 */
export const paidTooEarly = (world: World, feeds: Feeds): ReadonlyArray<string> => {
  const paid = "SELECT subject FROM attention WHERE closed IS NULL AND rule = 'T13'"
  const facts = "SELECT d.key FROM allocation l JOIN document d ON d.id = l.document WHERE l.invoice ="
  const played = "SELECT DISTINCT fact AS key FROM claim WHERE fact <> subject AND subject ="
  /** Undefined where the source changed it, or it could not be read for once: then it was not said all at one time. */
  const since = (key: string): number | undefined => {
    const { connection, id, kind } = parseKey(key)
    const [feed, name] = [feeds[connection], `${kind}/${id}`]
    return feed === undefined || feed.touched.has(name) || feed.odd.has(name) ? undefined : feed.since.get(name)
  }
  return open(world, paid).flatMap(({ subject }) => {
    const keys = open(world, `${facts} '${String(subject)}'`).map(({ key }) => String(key))
    const others = open(world, `${played} '${String(subject)}'`).filter(({ key }) => !keys.includes(String(key)))
    const [first] = keys.map(since)
    if (others.length > 0 || first === undefined || since(String(subject)) === undefined) return []
    return keys.every((key) => since(key) === first)
      ? [`${String(subject)} was paid before all was read that its sources had said by then`]
      : []
  })
}

interface Elsewhere {
  readonly invoice: string
  readonly amount: string
  readonly currency: string
  readonly back: number
}

const ELSEWHERE = `SELECT a.invoice, a.amount, m.currency, m.back FROM allocation a
  JOIN document d ON d.id = a.document JOIN matching m ON m.document = a.document
  WHERE a.amount IS NOT NULL AND d.deleted = 0`

/**
 * Of what a source says itself of an invoice, and its records do not come to, the statement names both, and somebody is
 * told: it never agrees. What the service holds in another currency is in no sum before a person has settled that. What
 * another connection paid its balances may have or not: a lie that is no more than that nobody can see.
 */
export const unnamed = async (world: World, invoices: ReadonlyArray<Misstated>): Promise<ReadonlyArray<string>> => {
  const { id } = world.connection
  const looked = await world.life(
    Effect.map(Database, (db) => ({
      statements: InvoiceStatement.statements(db, [id]),
      // What a person has settled meanwhile was said.
      attention: new Set(
        db.prepare("SELECT rule || ' ' || subject FROM attention WHERE closed IS NULL OR how = ?").pluck().all(ACCEPTED)
      ),
      elsewhere: db.prepare(ELSEWHERE).all() as ReadonlyArray<Elsewhere>,
      held: new Map(
        db.prepare("SELECT subject, currency FROM ledger WHERE held IS NOT NULL").raw().all() as Array<[string, string]>
      )
    }))
  )
  if (looked._tag === "Failure") return [Cause.pretty(looked.cause)]
  const { attention, elsewhere, held, statements } = looked.value
  /** Of other connections: received on it, less what went back. */
  const paidOn = ({ currency }: Invoice, subject: string): bigint =>
    elsewhere.reduce((sum, one) => {
      if (one.invoice !== subject || (one.currency !== "" && one.currency !== currency)) return sum
      return one.back === 1 ? sum - BigInt(one.amount) : sum + BigInt(one.amount)
    }, 0n)
  const named = new Map(
    statements.flatMap(({ differences }) =>
      differences.flatMap(({ document, facts = "0", source }) =>
        source === undefined ? [] : [[document, `${Decimal.of(source)} and ${Decimal.of(facts)}`] as const]
      )
    )
  )
  return invoices.flatMap(({ follows, invoice, says }) => {
    const subject = key(id, "invoice", invoice.id)
    if ((held.get(subject) ?? invoice.currency) !== invoice.currency) return []
    const withThem = follows - paidOn(invoice, subject)
    const [least, most] = withThem < follows ? [withThem, follows] : [follows, withThem]
    if (says >= least && says <= most) return []
    const nearest = says < least ? least : most
    const words = named.get(subject)
    if (words === undefined) return [`${subject}: its source says another balance, and the statement does not`]
    if (words !== `${says} and ${nearest}`)
      return [`${subject}: the statement says ${words}, and it is ${says} and ${nearest}`]
    return attention.has(`S1 ${subject}`) ? [] : [`${subject}: its source says another balance, and nobody was told`]
  })
}
