/**
 * Keeps which payments of several lists are one movement of money, as documents change. `Join.ts` decides; this finds what
 * may be the same as what changed, and stores the result.
 *
 * Runs with matching, after the invoices were taken in and before payments are matched: what follows another payment is not
 * matched itself. Nothing is stored for a connection whose money only one list states.
 */
import * as Document from "../../connectors/Document.ts"
import * as ChangedDocuments from "../books/ChangedDocuments.ts"
import { explainLater, explainStrangers, heldBy } from "./Tables.ts"
import type { Db } from "../state/Database.ts"
import { type Answers, DOUBT_DAYS, join, pair, type Sighting } from "../movements/Join.ts"
import * as Sightings from "./Sightings.ts"
import { maybeExchanged } from "./Exchanged.ts"
import { lookAlikesOf } from "./LookAlikes.ts"
import * as ToJoin from "./ToJoin.ts"

const range = (connection: string, kind: Document.Kind) => [`${connection}/${kind}/`, `${connection}/${kind}0`] as const

/** For each list of a connection that several lists pay, that connection. */
const familiesOf = (db: Db): ReadonlyMap<string, string> => {
  const paying = db.prepare("SELECT connection, pays FROM paying").all() as ReadonlyArray<{
    readonly connection: string
    readonly pays: string
  }>
  const has = db.prepare("SELECT 1 FROM document WHERE key > ? AND key < ? LIMIT 1")
  const lists = new Map<string, string>()
  for (const pays of new Set(paying.map((one) => one.pays))) {
    const theirs = paying.flatMap((one) => (one.pays === pays ? [one.connection] : []))
    const own = has.get(...range(pays, "payment")) === undefined ? [] : [pays]
    if (theirs.length + own.length > 1) for (const one of [...own, ...theirs]) lists.set(one, pays)
  }
  return lists
}

/** Notes what changed, before matching clears its own list of it. Costs nothing where one list states the money. */
export const enqueue = (db: Db): void => {
  const lists = familiesOf(db)
  const known = new Set(db.prepare("SELECT family FROM several_lists").pluck().all() as ReadonlyArray<string>)
  for (const [list, family] of lists) {
    const kind = list === family ? "invoice" : "payment"
    if (known.has(family)) {
      db.prepare("INSERT INTO to_join SELECT key FROM to_match WHERE key > ? AND key < ? ON CONFLICT DO NOTHING").run(
        ...range(list, kind)
      )
    } else {
      db.prepare("INSERT INTO to_join SELECT key FROM document WHERE key > ? AND key < ? ON CONFLICT DO NOTHING").run(
        ...range(list, "payment")
      )
      db.prepare("INSERT INTO several_lists VALUES (?) ON CONFLICT DO NOTHING").run(family)
    }
  }
  // What a person says of what went back says which of several its payment is.
  if (lists.size > 0)
    db.prepare(
      `INSERT INTO to_join SELECT m.of FROM to_match t JOIN document d ON d.key = t.key JOIN matching m ON m.document = d.id
        JOIN document p ON p.key = m.of JOIN sighting s ON s.document = p.id ON CONFLICT DO NOTHING`
    ).run()
  for (const family of known) if (![...lists.values()].includes(family)) forget(db, family, [])
  for (const family of new Set(lists.values()))
    forget(
      db,
      family,
      [...lists].flatMap(([list, its]) => (its === family ? [list] : []))
    )
}

/** Forgets what lists that no longer belong to a family stated. */
const forget = (db: Db, family: string, lists: ReadonlyArray<string>): void => {
  const gone = db
    .prepare("SELECT document FROM sighting WHERE family = ? AND list NOT IN (SELECT value FROM json_each(?))")
    .pluck()
    .all(family, JSON.stringify(lists)) as ReadonlyArray<number>
  for (const document of gone) remove(db, document)
  if (lists.length === 0) db.prepare("DELETE FROM several_lists WHERE family = ?").run(family)
}

const keyOf = (db: Db, document: number): string =>
  db.prepare("SELECT key FROM document WHERE id = ?").pluck().get(document) as string

const queue = (db: Db, key: string): void =>
  void db.prepare("INSERT INTO to_match VALUES (?) ON CONFLICT DO NOTHING").run(key)

interface Row {
  readonly document: number
  readonly leader: number | null
  readonly how: string | null
}

const rowOf = (db: Db, document: number): Row | undefined =>
  db.prepare("SELECT document, leader, how FROM sighting WHERE document = ?").get(document) as Row | undefined

/** Those that follow it: what went back of them is for whatever it is for. */
const following = (db: Db, document: number): ReadonlyArray<number> =>
  db.prepare("SELECT document FROM sighting WHERE leader = ?").pluck().all(document) as ReadonlyArray<number>

/** Those that follow it, and the one that it follows. */
const related = (db: Db, document: number): ReadonlyArray<number> => {
  const leader = rowOf(db, document)?.leader
  return [...following(db, document), ...(typeof leader === "number" ? [leader] : [])]
}

/** A document is no sighting any more: what followed it stands for itself. */
const remove = (db: Db, document: number): ReadonlyArray<number> => {
  const left = related(db, document)
  if (rowOf(db, document) === undefined) return left
  explain(db, document)
  db.prepare("DELETE FROM sighting WHERE document = ?").run(document)
  for (const one of left) {
    db.prepare("UPDATE sighting SET leader = NULL, how = NULL WHERE document = ? AND leader = ?").run(one, document)
    decideAgain(db, one)
  }
  decideAgain(db, document)
  return left
}

/** What a payment is for may be another now: its invoices are planned again, and it is matched again. */
const decideAgain = (db: Db, document: number): void => {
  const key = keyOf(db, document)
  const { connection } = Document.parseKey(key)
  const isPaying = db.prepare("SELECT 1 FROM paying WHERE connection = ?").get(connection) !== undefined
  if (isPaying) queue(db, key)
  const own = isPaying ? heldBy(db, document) : invoicesOf(db, document)
  for (const invoice of own) {
    ChangedDocuments.touch(db, invoice)
    if (!isPaying) queue(db, invoice)
  }
}

/** The documents of a key: a payment itself, or the payments that its own books allocate to an invoice. */
const documentsOf = (db: Db, key: string): ReadonlyArray<number> =>
  (Document.kindOf(key) === "payment"
    ? db.prepare("SELECT id FROM document WHERE key = ?").pluck().all(key)
    : db
        .prepare(
          `SELECT a.document FROM allocation a JOIN document d ON d.id = a.document
            WHERE a.invoice = ? AND a.amount IS NULL AND instr(d.key, '/payment/') > 0`
        )
        .pluck()
        .all(key)) as ReadonlyArray<number>

/** Payments that may be the same as this one. */
const alike = (db: Db, memory: Sightings.JoinMemory, one: Sighting): ReadonlyArray<number> => {
  const family = memory.families.get(one.list) ?? ""
  const found: Array<number> = [...related(db, one.document)]
  const names = JSON.stringify([...one.payers, ...(one.under ?? [])])
  found.push(
    ...(db
      .prepare(
        `SELECT s.document FROM json_each(?) n CROSS JOIN sighting s ON s.family = ? AND s.currency = ? AND s.amount = ?
          AND s.party = n.value AND abs(julianday(s.date) - julianday(?)) <= ${DOUBT_DAYS}`
      )
      .pluck()
      .all(names, family, one.currency, one.amount, one.date) as ReadonlyArray<number>)
  )
  for (const invoice of one.invoices) found.push(...onInvoice(db, family, invoice, one))
  for (const word of [...one.ids, ...one.words])
    for (const [list, its] of memory.families)
      if (its === family && list !== one.list)
        found.push(
          ...(db
            .prepare("SELECT s.document FROM document d JOIN sighting s ON s.document = d.id WHERE d.key = ?")
            .pluck()
            .all(Document.key(list, "payment", word)) as ReadonlyArray<number>)
        )
  found.push(
    ...(db
      .prepare(
        `SELECT d.id FROM same_money m JOIN document d ON d.key = iif(m.a = :key, m.b, m.a)
          WHERE m.a = :key OR m.b = :key`
      )
      .pluck()
      .all({ key: one.key }) as ReadonlyArray<number>)
  )
  return found
}

/** Payments of the same amount on an invoice, or that name it. */
const onInvoice = (db: Db, family: string, invoice: string, one: Sighting): ReadonlyArray<number> => {
  const allocated = db.prepare("SELECT document FROM allocation WHERE invoice = ?").pluck().all(invoice)
  const all = [...(allocated as ReadonlyArray<number>), ...Sightings.namingAny(db, family, [invoice])]
  const is = db.prepare("SELECT 1 FROM sighting WHERE document = ? AND amount = ? AND currency = ?")
  return all.filter((document) => is.get(document, one.amount, one.currency) !== undefined)
}

const answersFor = (db: Db, sightings: ReadonlyArray<Sighting>): Answers => {
  const rows = db
    .prepare("SELECT a, b, same FROM same_money WHERE a IN (SELECT value FROM json_each(?))")
    .all(JSON.stringify(sightings.map(({ key }) => key))) as ReadonlyArray<{
    readonly a: string
    readonly b: string
    readonly same: number
  }>
  const of = (same: number) => new Set(rows.flatMap((row) => (row.same === same ? [pair(row.a, row.b)] : [])))
  return { same: of(1), apart: of(0) }
}

/** More payments than this that may all be the same are not compared: each stands for itself, and limits hold. */
const MOST = 400

/** Everything that is connected with a document. */
const component = (db: Db, memory: Sightings.JoinMemory, document: number): ReadonlyArray<Sighting> => {
  const found = new Map<number, Sighting>()
  const next = [document]
  const seen = new Set<number>()
  for (let one = next.pop(); one !== undefined && found.size < MOST; one = next.pop()) {
    if (seen.has(one)) continue
    seen.add(one)
    const sighting = Sightings.load(db, memory, one)
    if (sighting === undefined) continue
    found.set(one, sighting)
    next.push(...alike(db, memory, sighting))
  }
  return [...found.values()]
}

const store = (db: Db, memory: Sightings.JoinMemory, one: Sighting): void => {
  const [payer = ""] = one.payers
  explain(db, one.document)
  db.prepare(
    `INSERT INTO sighting (document, family, list, currency, amount, date, party, got, got_in) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET currency = excluded.currency, amount = excluded.amount, date = excluded.date,
      party = excluded.party, got = excluded.got, got_in = excluded.got_in`
  ).run(
    ...[one.document, memory.families.get(one.list), one.list, one.currency, one.amount, one.date, payer],
    ...[one.got?.amount ?? null, one.got?.currency ?? null]
  )
  explain(db, one.document)
}

/** Decides again about some of what changed, and returns whether there is more. */
export const some = (db: Db, most: number): boolean => {
  const keys = db.prepare("SELECT key FROM to_join ORDER BY key LIMIT ?").pluck().all(most) as ReadonlyArray<string>
  if (keys.length === 0) return false
  const memory = Sightings.memory(db, familiesOf(db))
  const documents = new Set<number>()
  for (const document of keys.flatMap((key) => documentsOf(db, key))) {
    const sighting = Sightings.load(db, memory, document)
    if (sighting !== undefined) {
      store(db, memory, sighting)
      for (const one of maybeExchanged(db, memory.families.get(sighting.list) ?? "", sighting)) {
        const other = Sightings.load(db, memory, one)
        if (other?.got === undefined) continue
        store(db, memory, other)
        documents.add(one)
      }
    }
    // A debit that is confirmed now no longer keeps what the books have from being settled.
    for (const one of related(db, document)) decideAgain(db, one)
    for (const one of sighting === undefined ? remove(db, document) : [document]) documents.add(one)
  }
  const done = new Set<number>()
  for (const document of documents) {
    if (done.has(document)) continue
    const all = component(db, memory, document)
    for (const one of all) done.add(one.document)
    const joined = join(all, answersFor(db, all))
    for (const one of all) write(db, one.document, joined.get(one.document))
  }
  db.prepare("DELETE FROM to_join WHERE key <= ?").run(keys.at(-1))
  return keys.length === most
}

const write = (db: Db, document: number, now: { readonly leader: number; readonly how: string } | undefined): void => {
  const before = rowOf(db, document)
  if (before === undefined || ((before.leader ?? undefined) === now?.leader && (before.how ?? undefined) === now?.how))
    return
  const twins = lookAlikesOf(db, document)
  db.prepare("UPDATE sighting SET leader = ?, how = ? WHERE document = ?").run(
    now?.leader ?? null,
    now?.how ?? null,
    document
  )
  for (const one of new Set([document, before.leader, now?.leader, ...twins]))
    if (typeof one === "number") {
      decideAgain(db, one)
      explain(db, one)
    }
}

/**
 * What the books have of a payer and on these invoices is another now: other payments may be that in parts, under each of the payer's
 * names, or by the numbers that they name.
 */
const explain = (db: Db, document: number): void => {
  const own = db.prepare("SELECT family, party FROM sighting WHERE document = ? AND list = family").get(document) as
    | { readonly family: string; readonly party: string }
    | undefined
  if (own === undefined) return
  const { family, party } = own
  const asked = db.prepare("SELECT 1 FROM matching WHERE pays = ? AND (why IS NOT NULL OR note <> '') LIMIT 1")
  if (asked.get(family) === undefined) return
  const names = db.prepare("SELECT name FROM payer WHERE party = ?").pluck().all(party) as ReadonlyArray<string>
  for (const name of new Set([party, ...names])) explainLater(db, family, name)
  explainStrangers(db, family)
  const asks = db.prepare("SELECT 1 FROM matching WHERE document = ? AND (why IS NOT NULL OR note <> '')")
  const invoices = invoicesOf(db, document)
  for (const one of new Set([
    ...Sightings.namingAny(db, family, invoices),
    ...invoices.flatMap((key) => heldOf(db, key))
  ]))
    if (asks.get(one) !== undefined) queue(db, keyOf(db, one))
}

/** Payments of other lists that are on an invoice. */
const heldOf = (db: Db, invoice: string): ReadonlyArray<number> =>
  db
    .prepare("SELECT document FROM allocation WHERE invoice = ? AND amount IS NOT NULL")
    .pluck()
    .all(invoice) as ReadonlyArray<number>

const invoicesOf = (db: Db, document: number): ReadonlyArray<string> =>
  db.prepare("SELECT invoice FROM allocation WHERE document = ?").pluck().all(document) as ReadonlyArray<string>

/** A payment was placed on other invoices: what went back of those that follow it is placed again, and until then it is not read. */
export const moved = (db: Db, document: number): void => {
  for (const one of lookAlikesOf(db, document)) queue(db, keyOf(db, one))
  db.prepare(
    `INSERT INTO to_match SELECT d.key FROM sighting s JOIN document d ON d.id = s.document
        WHERE s.leader = ? AND s.how <> 'doubt' ON CONFLICT DO NOTHING`
  ).run(document)
  ToJoin.parts(db, document)
}

/** Everything that was queued is matched, but what follows a payment that moved since. */
export const clear = (db: Db): void => {
  db.prepare(
    `DELETE FROM to_match WHERE NOT EXISTS (SELECT 1 FROM document d JOIN sighting s ON s.document = d.id
      WHERE d.key = to_match.key AND s.leader IS NOT NULL)`
  ).run()
}

/** Whether something is queued. */
export const isLeft = (db: Db): boolean => db.prepare("SELECT 1 FROM to_match LIMIT 1").get() !== undefined
