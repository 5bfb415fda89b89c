/**
 * Matches payments of one connection with the invoices of another, and keeps the matches up to date with the books.
 *
 * Runs after a pull, in batches with a transaction each; an interrupted run is continued by the next one. The cost depends
 * on the size of the change. The same books always give the same matches, whatever was read first. Uncertain cases become
 * attention items under the payment's key, and a person's choice stands until it is taken back.
 */
import { Clock, Effect } from "effect"
import * as Document from "../../connectors/Document.ts"
import * as ChangedDocuments from "../books/ChangedDocuments.ts"
import type { Connection } from "../model/Connection.ts"
import * as Body from "../state/Body.ts"
import { Database, type StateError, type Db } from "../state/Database.ts"
import { AT_ONCE, matchPayments } from "./Decide.ts"
import { decideGroups } from "./Groups.ts"
import * as Joins from "./Joins.ts"
import * as ToJoin from "./ToJoin.ts"
import { normal } from "../model/MatchText.ts"
import { explainSome } from "./Limits.ts"
import * as PayoutLines from "./PayoutLines.ts"
import { renewBooked, report } from "./Report.ts"
import * as Standing from "./Standing.ts"
import * as MatchIndex from "./Index.ts"
import { clean, type Dirty, isWaiting, leftBehind, mentioning } from "./Tables.ts"
import { renew as renewUnreadable } from "./Unreadable.ts"
import { MATCHING_FREE, PAYABLE_OPEN, PAYABLE_PARTY } from "../state/tables/Matching.ts"

/** How many documents and groups one transaction handles. */
const BATCH = 5000

/** The role of a connection: it pays for another, or others pay for it. */
export const roleOf = ({ paid, pays }: Connection): "pays" | "paid" | undefined =>
  pays !== undefined ? "pays" : paid === true ? "paid" : undefined

/** Connections of one family never run concurrently: a connection that pays for another belongs to it. */
export const family = ({ id, pays }: Connection): string => pays?.connection ?? id

/**
 * Takes over a connection's settings before it is read: what was matched under another setting is matched again, and a
 * connection that no longer pays for another becomes independent.
 */
export const rememberSettings = (db: Db, { id, pays }: Connection): void => {
  const { prepare } = db
  const before = prepare("SELECT pays, days, by_id, limits FROM paying WHERE connection = ?").get(id) as
    | { readonly pays: string; readonly days: number; readonly by_id: number; readonly limits: string }
    | undefined
  const byId = pays?.byId === true ? 1 : 0
  const limits = JSON.stringify(pays?.limits ?? {})
  const isSame = before?.days === pays?.days && (before?.by_id ?? 0) === byId && (before?.limits ?? "{}") === limits
  if (before?.pays === pays?.connection && isSame) return
  prepare("UPDATE to_report SET due = 0 WHERE due > 0").run()
  if (pays === undefined) prepare("DELETE FROM paying WHERE connection = ?").run(id)
  else {
    const fresh = prepare("SELECT 1 FROM paying WHERE pays = ? AND by_id >= ?").get(pays.connection, byId) === undefined
    prepare(
      "INSERT INTO paying (connection, pays, days, by_id, limits) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET pays = excluded.pays, days = excluded.days, by_id = excluded.by_id, limits = excluded.limits"
    ).run(id, pays.connection, pays.days, byId, limits)
    // Customer ids are kept where payments are matched by them.
    if (fresh) enqueue(db, pays.connection, ["invoice"])
  }
  if (before === undefined)
    prepare("DELETE FROM allocation WHERE invoice > ? AND invoice < ?").run(...range(id, "invoice"))
  else if (before.pays !== pays?.connection) release(db, id, before.pays)
  if (pays === undefined) own(db, id)
  else enqueue(db, id, ["invoice", "payment", "reversal"])
}

/** Remembers which paying connections the configuration no longer has. */
export const rememberConfigured = (db: Db, connections: ReadonlyArray<string>): void =>
  void db
    .prepare(
      `UPDATE paying SET removed = 1 - removed
        WHERE removed <> (connection NOT IN (SELECT value FROM json_each(?)))`
    )
    .run(JSON.stringify(connections))

const range = (connection: string, kind: Document.Kind) => [`${connection}/${kind}/`, `${connection}/${kind}0`] as const

const enqueue = (db: Db, connection: string, kinds: ReadonlyArray<Document.Kind>): void => {
  for (const kind of kinds) {
    db.prepare("INSERT INTO to_match SELECT key FROM document WHERE key > ? AND key < ? ON CONFLICT DO NOTHING").run(
      ...range(connection, kind)
    )
  }
}

/** Releases the payments of a connection that no longer pays for another. */
const release = (db: Db, connection: string, pays: string): void => {
  const of = "document IN (SELECT document FROM matching WHERE connection = ?)"
  db.prepare(
    `INSERT INTO changed (subject) SELECT invoice FROM allocation WHERE amount IS NOT NULL AND ${of} ${ChangedDocuments.COUNT_AGAIN}`
  ).run(connection)
  db.prepare(
    `INSERT INTO to_match SELECT invoice FROM allocation WHERE amount IS NOT NULL AND ${of} ON CONFLICT DO NOTHING`
  ).run(connection)
  // What is open of them is computed again although their own records did not change: no invoice has this number.
  db.prepare(
    `UPDATE payable SET number = '' WHERE invoice IN
      (SELECT d.id FROM allocation a JOIN document d ON d.key = a.invoice WHERE a.amount IS NOT NULL AND a.${of})`
  ).run(connection)
  db.prepare(`DELETE FROM allocation WHERE amount IS NOT NULL AND ${of}`).run(connection)
  db.prepare(`DELETE FROM mention WHERE pays = ? AND ${of}`).run(pays, connection)
  db.prepare(
    `INSERT INTO to_report (document) SELECT document FROM matching WHERE connection = ? ON CONFLICT DO UPDATE SET due = 0`
  ).run(connection)
  // Items of its payments no longer stand for the invoices that they left.
  const left = db.prepare("SELECT document FROM matching WHERE connection = ? AND was <> ''").pluck().all(connection)
  for (const document of left as ReadonlyArray<number>)
    for (const invoice of leftBehind(db, document)) ChangedDocuments.touch(db, invoice)
  db.prepare("DELETE FROM matching WHERE connection = ?").run(connection)
}

/** Returns payments to the invoices of their own source. */
const own = (db: Db, connection: string): void => {
  const rows = db
    .prepare("SELECT id, body FROM document WHERE key > ? AND key < ? AND deleted = 0")
    .all(`${connection}/`, `${connection}0`) as ReadonlyArray<{ readonly id: number; readonly body: string }>
  for (const { body, id } of rows) {
    const document = Body.read(body)
    for (const subject of Document.about(connection, document)) {
      ChangedDocuments.touch(db, subject)
      if (Document.isAllocated(document))
        db.prepare("INSERT INTO allocation (invoice, document) VALUES (?, ?) ON CONFLICT DO NOTHING").run(subject, id)
    }
  }
}

/** From this many changes on, more memory and fewer disk syncs are worthwhile. */
const MUCH = 20_000

/**
 * Checkpoints the log less often during this work. If a large part of all documents changed, drops the indexes by amount,
 * which are rebuilt once before they are used: otherwise each invoice and each payment that waits would write another page.
 */
const inBulk = <A>(db: Db, work: Effect.Effect<A, StateError>): Effect.Effect<A, StateError> =>
  Effect.suspend(() => {
    const waiting = db.prepare("SELECT count(*) FROM (SELECT 1 FROM to_match LIMIT ?)").pluck().get(MUCH) as number
    if (waiting < MUCH) return work
    // The log of a replicated file may be checkpointed only after all of it was shipped.
    const settings = {
      ...(db.isReplicated ? {} : { wal_autocheckpoint: 16_000 }),
      cache_size: -49_152
    }
    const before = Object.keys(settings).map((name) => [name, db.raw.pragma(name, { simple: true })] as const)
    for (const [name, value] of Object.entries(settings)) db.raw.pragma(`${name} = ${value}`)
    const most = db.prepare("SELECT (SELECT count(*) FROM to_match) > (SELECT count(*) FROM payable) / 4").pluck().get()
    const drop = db.transaction(() => {
      db.raw.exec("DROP INDEX IF EXISTS payable_open; DROP INDEX IF EXISTS payable_party")
      // Where payments waited before, each invoice looks for them.
      if (!isWaiting(db)) db.raw.exec("DROP INDEX IF EXISTS matching_free")
    })
    return Effect.ensuring(
      most === 1 ? Effect.andThen(drop, work) : work,
      Effect.sync(() => {
        for (const [name, value] of before) db.raw.pragma(`${name} = ${value}`)
      })
    )
  })

const IS_INDEXED = "SELECT 1 FROM sqlite_schema WHERE type = 'index' AND instr(?, ' ' || name || ' ON ') > 0"

/** Creates an index unless it is there; rows are sorted in a file, because those of large books need more memory than allowed. */
const index = (db: Db, sql: string): Effect.Effect<void, StateError> =>
  Effect.suspend(() => {
    // Told to keep what is temporary elsewhere, SQLite drops it, and the chain's triggers are to be made again.
    if (db.prepare(IS_INDEXED).get(sql) !== undefined) return Effect.void
    const before = db.raw.pragma("temp_store", { simple: true })
    db.raw.pragma("temp_store = FILE")
    return Effect.ensuring(
      db.transaction(() => void db.raw.exec(sql)),
      Effect.sync(() => db.raw.pragma(`temp_store = ${before}`))
    )
  })

/** Brings all matches up to date with the books. */
export const run: Effect.Effect<void, StateError, Database> = Effect.flatMap(Database, (db) => inBulk(db, match(db)))

const reports = Effect.fnUntraced(function* (db: Db): Effect.fn.Return<void, StateError> {
  const now = yield* Clock.currentTimeMillis
  if (db.prepare("SELECT 1 FROM to_report WHERE due <= ? LIMIT 1").get(now) === undefined) return
  yield* untilDone(db, () => batch(() => report(db, AT_ONCE, now)))
})

/** Reports payments without an invoice, also of connections that take no part in matching. */
export const reported: Effect.Effect<void, StateError, Database> = Effect.flatMap(Database, reports)

const match = Effect.fnUntraced(function* (db: Db): Effect.fn.Return<void, StateError> {
  const pays = new Map(
    db.raw.prepare("SELECT connection, pays FROM paying ORDER BY 1").raw().all() as ReadonlyArray<[string, string]>
  )
  // Invoices first, then what names them, so that little is decided twice.
  const invoices: ReadonlyArray<Work> = [...new Set(pays.values())].flatMap((connection) =>
    // A connection that now pays for another is no longer paid itself, even if its former payers were not read since.
    pays.has(connection) ? [] : [{ connection, kind: "invoice" as const }]
  )
  const money: ReadonlyArray<Work> = [...pays].flatMap(([connection, pays]) =>
    (["invoice", "payment", "reversal"] as const).map((kind) => ({ connection, kind, pays }))
  )
  const waiting = isWaiting(db)
  // An earlier run may have been killed before it rebuilt it.
  if (waiting) yield* index(db, MATCHING_FREE)
  const arePayoutsDue = PayoutLines.isDue(db)
  yield* db.transaction(() => {
    Standing.queueNew(db)
    renewUnreadable(db, [...new Set(pays.values())])
    Joins.enqueue(db)
  })
  yield* takeAllIn(db, invoices, waiting)
  if (ToJoin.isDue(db)) {
    yield* joins(db)
    yield* db.transaction(() => ToJoin.doubts(db))
    yield* joins(db)
  }
  if (arePayoutsDue) yield* payouts(db)
  const all = [...invoices, ...money]
  // What an invoice has of its own depends on what is the same money as another list's.
  yield* decide(db, all, waiting)
  // What went back of a payment is for what another list's is for, which may have been decided later.
  for (let n = 0; n < MOST_ROUNDS && (Joins.isLeft(db) || ToJoin.isDue(db)); n++) {
    yield* joins(db)
    yield* decide(db, all, isWaiting(db))
  }
  yield* db.transaction(() => renewBooked(db))
  yield* reports(db)
})

const joins = (db: Db) => untilDone(db, () => Joins.some(db, AT_ONCE))
/** In separate transactions, so that none of them grows with the books. */
const untilDone = Effect.fnUntraced(function* (db: Db, some: () => boolean): Effect.fn.Return<void, StateError> {
  while (yield* db.transaction(some)) {
    // The next part.
  }
})

/** After so many rounds, the next run goes on; until then, the invoices wait. */
const MOST_ROUNDS = 10

const takeAllIn = Effect.fnUntraced(function* (
  db: Db,
  works: ReadonlyArray<Work>,
  waiting: boolean
): Effect.fn.Return<void, StateError> {
  let areInvoicesIn = false
  for (const work of works) {
    if (work.pays !== undefined && !areInvoicesIn) {
      // Payments ask who is a customer.
      yield* index(db, PAYABLE_PARTY)
      areInvoicesIn = true
    }
    yield* untilDone(db, () => documents(db, work, waiting))
  }
})

/** Decides what is queued: first by names, then by amounts. */
const decide = Effect.fnUntraced(function* (
  db: Db,
  works: ReadonlyArray<Work>,
  waiting: boolean
): Effect.fn.Return<void, StateError> {
  yield* takeAllIn(db, works, waiting)
  yield* db.transaction(() => Joins.clear(db))
  for (const sql of [PAYABLE_PARTY, PAYABLE_OPEN, MATCHING_FREE]) yield* index(db, sql)
  yield* untilDone(db, () => batch(() => decideGroups(db, AT_ONCE)))
  yield* untilDone(db, () => batch(() => explainSome(db, AT_ONCE)))
})

/** Decides which lines are payouts, for which it asks who is a customer. */
const payouts = (db: Db): Effect.Effect<void, StateError> =>
  Effect.andThen(
    index(db, PAYABLE_PARTY),
    db.transaction(() => PayoutLines.renew(db))
  )

/** Does some at a time, as many as a transaction handles; false if no more are left. */
const batch = (some: () => boolean): boolean => {
  for (let n = 0; n < BATCH; n += AT_ONCE) if (!some()) return false
  return true
}

/** Documents of one kind, of a connection that is paid or that pays for another. */
interface Work {
  readonly connection: string
  readonly kind: "invoice" | "payment" | "reversal"
  readonly pays?: string
}

/** Documents that name the same invoice are decided together: once so many did, more of them wait for the transaction's end. */
const MANY = 20

const documents = (db: Db, work: Work, waiting: boolean): boolean => {
  const [first, end] = range(work.connection, work.kind)
  let from: string = first
  const named = new Map<string, number>()
  const postponed: Array<Dirty> = []
  const more = batch(() => {
    const dirty = clean(db, waiting)
    const rows = takeIn(db, work, dirty, [from, end])
    if (dirty.names.some((name) => (named.get(name) ?? 0) >= MANY)) {
      dirty.later.flush()
      postponed.push({ ...dirty, known: new Map() })
    } else {
      dirty.later.flushNames()
      matchPayments(db, dirty)
    }
    for (const name of dirty.names) named.set(name, (named.get(name) ?? 0) + 1)
    from = rows.at(-1)?.key ?? from
    return rows.length === AT_ONCE
  })
  if (postponed.length > 0) matchPayments(db, merged(db, postponed, waiting))
  db.prepare("DELETE FROM to_match WHERE key > ? AND key <= ?").run(first, from)
  return more
}

const merged = (db: Db, all: ReadonlyArray<Dirty>, waiting: boolean): Dirty => ({
  ...clean(db, waiting),
  documents: new Set(all.flatMap(({ documents }) => [...documents])),
  invoices: new Set(all.flatMap(({ invoices }) => [...invoices]))
})

/** Stores what matching needs to know about some documents with keys in a range. */
const takeIn = (
  db: Db,
  { connection, kind, pays }: Work,
  dirty: Dirty,
  [from, end]: readonly [string, string]
): ReadonlyArray<{ readonly key: string }> => {
  if (pays === undefined) {
    const invoices = MatchIndex.invoicesToMatch(db, from, end, AT_ONCE)
    for (const invoice of invoices) MatchIndex.invoice(db, invoice, dirty)
    return invoices
  }
  if (kind === "invoice") {
    const rows = db
      .prepare("SELECT key FROM to_match WHERE key > ? AND key < ? ORDER BY key LIMIT ?")
      .all(from, end, AT_ONCE) as ReadonlyArray<{ readonly key: string }>
    for (const { key } of rows) renamed(db, connection, Document.parseKey(key).id, pays, dirty)
    return rows
  }
  const money = MatchIndex.moneyToMatch(db, from, end, AT_ONCE)
  for (const one of money) MatchIndex.money(db, one, pays, dirty)
  return money
}

/** An invoice of the paying source itself changed: its payments can be matched by its number as well. */
const renamed = (db: Db, connection: string, id: string, pays: string, dirty: Dirty): void => {
  for (const document of mentioning(db, pays, normal(id))) {
    const row = MatchIndex.moneyOf(db, document)
    if (row.key.startsWith(`${connection}/`)) MatchIndex.money(db, row, pays, dirty)
  }
}
