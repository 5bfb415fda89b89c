/**
 * Keeps the entries of banks' statements: which parts have an entry, and which days their statements are the last word on. A
 * document's id is made from account, day, amount and payer, with a number that tells twins apart. Use inside a page's transaction.
 */
import type { Coverage, StatementEntry } from "../../connectors/Connector.ts"
import * as Document from "../../connectors/Document.ts"
import * as Day from "../../core/wire/Day.ts"
import type { Db } from "../state/Database.ts"
import { type Ready, readyOf } from "./Ready.ts"
import { DATED_ANEW_DAYS, type KnownEntry, pairEntries, type EntrySighting } from "./SameEntries.ts"
import { isRead, type ScanState } from "./ScanState.ts"

/** An entry as it is stored. */
export interface ReadyEntry {
  readonly ready: Ready
  readonly entry: StatementEntry
}

interface Row {
  readonly document: number
  readonly key: string
  readonly scan: number
  readonly said: number
  readonly detail: string
}

const NOT_IN_STATEMENT = "an intraday report has an entry that the statements of its days do not have; it is left out"

const addDays = (day: string, days: number): string => Day.addDays(Day.of(day), days)

export class Entries {
  readonly #db: Db
  readonly #connection: string

  constructor(db: Db, connection: string) {
    this.#db = db
    this.#connection = connection
  }

  /** Gives what a page read of a statement the ids of the entries that they are. `leave` hears of what is left out. */
  identify(
    scan: ScanState,
    read: ReadonlyArray<Ready>,
    entries: ReadonlyArray<StatementEntry>,
    leave: (what: string, read: Ready) => void
  ): ReadonlyArray<ReadyEntry> {
    const groups = new Map<string, Array<ReadyEntry>>()
    for (const [n, ready] of read.entries()) {
      const entry = entries[n]
      if (entry === undefined) continue
      const group = `${entry.account} ${entry.day} ${entry.amount}`
      const its = groups.get(group)
      if (its === undefined) groups.set(group, [{ ready, entry }])
      else its.push({ ready, entry })
    }
    const taken = new Set<number>()
    const given = new Set<string>()
    return [...groups.values()].flatMap((group) => this.#identifyGroup(scan, group, { taken, given, leave }))
  }

  #identifyGroup(
    scan: ScanState,
    group: ReadonlyArray<ReadyEntry>,
    page: {
      readonly taken: Set<number>
      readonly given: Set<string>
      readonly leave: (what: string, read: Ready) => void
    }
  ): ReadonlyArray<ReadyEntry> {
    const [first] = group
    if (first === undefined) return []
    const known = this.#known(first.entry).filter(
      ({ document }) => !page.taken.has(document) && !(scan.scanning && isRead(scan, document))
    )
    const pairs = pairEntries(
      group.map(({ entry }) => entry),
      known,
      scan.id
    )
    const found: Array<ReadyEntry> = []
    for (const [n, { entry, ready }] of group.entries()) {
      const one = pairs.get(n)
      if (one !== undefined) page.taken.add(one.document)
      else if (!entry.isFinal && this.#isSettled(entry.account, entry.day)) {
        page.leave(NOT_IN_STATEMENT, ready)
        continue
      }
      const id = one === undefined ? this.#free(ready, page.given) : Document.parseKey(one.key).id
      const { document, origin, raw } = ready
      const own = id === document.id ? ready : readyOf(this.#connection, { document: { ...document, id }, origin, raw })
      found.push({ ready: { ...own, entry }, entry })
    }
    return found
  }

  /** Entries of this account and amount on these days, and on those by which statements may date them anew. */
  #known({ account, amount, day }: StatementEntry): ReadonlyArray<KnownEntry> {
    const rows = this.#db
      .prepare(
        `SELECT e.document, d.key, e.scan, e.said, e.detail FROM entry f JOIN entry e ON e.document = f.document
          JOIN document d ON d.id = e.document
          WHERE f.connection = ? AND f.account = ? AND f.amount = ? AND f.day BETWEEN ? AND ? AND d.deleted = 0
          GROUP BY e.document, e.scan ORDER BY d.key`
      )
      .all(
        this.#connection,
        account,
        amount,
        addDays(day, -DATED_ANEW_DAYS),
        addDays(day, DATED_ANEW_DAYS)
      ) as ReadonlyArray<Row>
    const all = new Map<number, KnownEntry & { readonly sightings: Array<EntrySighting> }>()
    for (const { detail, document, key, said, scan } of rows) {
      const one = all.get(document) ?? { document, key, sightings: [] }
      all.set(document, one)
      one.sightings.push({ ...(JSON.parse(detail) as StatementEntry), scan, isSaid: said === 1 })
    }
    return [...all.values()]
  }

  /** The first id that no entry has. One that was deleted may come back. */
  #free({ document, kind }: Ready, given: Set<string>): string {
    const base = document.id.slice(0, document.id.lastIndexOf(":"))
    const other = this.#db.prepare("SELECT 1 FROM document WHERE key = ? AND deleted = 0")
    for (let n = 1; ; n++) {
      const id = `${base}:${n}`
      if (given.has(`${kind} ${id}`) || other.get(Document.key(this.#connection, kind, id)) !== undefined) continue
      given.add(`${kind} ${id}`)
      return id
    }
  }

  /** Stores what a part states of its entries, once their documents are stored. */
  keep(scan: number, all: ReadonlyArray<ReadyEntry>): void {
    const idOf = this.#db.prepare("SELECT id FROM document WHERE key = ?").pluck()
    const insert = this.#db.prepare(
      "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?) ON CONFLICT DO UPDATE SET day = excluded.day, said = 1, final = excluded.final, detail = excluded.detail WHERE said = 0 OR detail <> excluded.detail"
    )
    for (const { entry, ready } of all) {
      const { account, amount, day, isFinal } = entry
      insert.run(
        idOf.get(ready.key),
        scan,
        this.#connection,
        account,
        amount,
        day,
        isFinal ? 1 : 0,
        JSON.stringify(entry)
      )
    }
  }

  /** Whether a final statement of this part has the entry. */
  isFinal(document: number, scan: number): boolean {
    const final = this.#db.prepare("SELECT final FROM entry WHERE document = ? AND scan = ?").pluck()
    return final.get(document, scan) === 1
  }

  isEntry(document: number): boolean {
    return this.#db.prepare("SELECT 1 FROM entry WHERE document = ?").get(document) !== undefined
  }

  /** A part was read to its end: it states its entries, and no others. */
  end(scan: ScanState, covers: ReadonlyArray<Coverage>): void {
    const { prepare } = this.#db
    if (scan.blind) return
    const all = prepare("SELECT document FROM entry WHERE scan = ? AND said = 1").pluck().all(scan.id)
    const unsaid = prepare("UPDATE entry SET said = 0 WHERE document = ? AND scan = ?")
    for (const document of all as ReadonlyArray<number>) if (!isRead(scan, document)) unsaid.run(document, scan.id)
    prepare("DELETE FROM coverage WHERE scan = ?").run(scan.id)
    const insert = prepare("INSERT OR REPLACE INTO coverage VALUES (?, ?, ?, ?)")
    for (const { account, first, last } of covers) insert.run(scan.id, account, first, last)
  }

  /** Whether the part itself covers the days on which it stated an entry that it has no more. */
  isDenied(document: number, scan: number): boolean {
    return (
      this.#db
        .prepare(
          `SELECT 1 FROM entry e JOIN coverage c ON c.scan = e.scan AND c.account = e.account
            WHERE e.document = ? AND e.scan = ? AND e.final = 1 AND e.day BETWEEN c.first AND c.last`
        )
        .get(document, scan) !== undefined
    )
  }

  /** Whether final statements have this day, and those after it on which an entry of an interim one may be dated. */
  #isSettled(account: string, day: string): boolean {
    const isCovered = this.#db.prepare(
      `SELECT 1 FROM coverage c JOIN scan p ON p.id = c.scan WHERE c.account = :account AND p.connection = :connection
        AND c.last >= :day AND c.first <= :day AND EXISTS (SELECT 1 FROM coverage l JOIN scan q ON q.id = l.scan
          WHERE l.account = :account AND q.connection = :connection AND l.last >= :after)`
    )
    const days = { day, after: addDays(day, DATED_ANEW_DAYS) }
    return isCovered.get({ account, connection: this.#connection, ...days }) !== undefined
  }

  /** Whether a final statement has every entry of this day, which is neither its first nor its last, and may be cut. */
  #isWithin(account: string, day: string): boolean {
    return (
      this.#db
        .prepare(
          `SELECT 1 FROM coverage c JOIN scan p ON p.id = c.scan
            WHERE c.account = ? AND p.connection = ? AND p.gone = 0 AND c.last > ? AND c.first < ?`
        )
        .get(account, this.#connection, day, day) !== undefined
    )
  }

  /** Entries that only interim statements have, or none any more, and that the final ones of their days deny: their keys. */
  denied(covers: ReadonlyArray<Coverage>): ReadonlyArray<Document.Key> {
    const { prepare } = this.#db
    return covers.flatMap(({ account, first, last }) => {
      const rows = prepare(
        `SELECT d.key, max(e.day) AS day, max(e.final) AS final FROM entry f JOIN entry e ON e.document = f.document
          JOIN document d ON d.id = e.document
          WHERE f.connection = ? AND f.account = ? AND f.day BETWEEN ? AND ? AND f.said * f.final = 0 AND d.deleted = 0
          GROUP BY e.document HAVING max(e.said * e.final) = 0`
      ).all(this.#connection, account, addDays(first, -EARLIER_DAYS), last) as ReadonlyArray<{
        readonly key: Document.Key
        readonly day: string
        readonly final: number
      }>
      return rows
        .filter(({ day, final }) => (final === 1 ? this.#isWithin(account, day) : this.#isSettled(account, day)))
        .map(({ key }) => key)
    })
  }

  /** A part is not there any more. */
  leave(scan: number): void {
    this.#db.prepare("UPDATE entry SET said = 0 WHERE scan = ? AND said = 1").run(scan)
  }
}

/** How far before a statement's days an entry may be that the statement settles. */
const EARLIER_DAYS = 10
