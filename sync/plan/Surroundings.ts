/**
 * Answers what planning asks about a connection or the whole state file. Planning asks for every document, and the answers
 * are the same for all documents of a snapshot: each is read once.
 */
import * as Bookmarks from "../books/Bookmarks.ts"
import type { Planning } from "../model/Connection.ts"
import type { Db } from "../state/Database.ts"
import * as LedgerTrust from "../state/LedgerTrust.ts"
import { SubjectRows } from "./SubjectRows.ts"

/** JSON; integers of any size are text. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_, one) => (typeof one === "bigint" ? `${one}` : one))

/** The JSON of settings, which do not change while a program runs. */
const settings = new WeakMap<Planning, string>()

export const settingsJson = (planning: Planning): string => {
  const known = settings.get(planning)
  if (known !== undefined) return known
  const text = toJson(planning)
  settings.set(planning, text)
  return text
}

export interface QuarantinedMoney {
  readonly origin: string
  readonly raw: string
  readonly id: string | null
}

/** Records of payments, and whole files of which nobody knows what they hold. More than this are not told apart. */
const QUARANTINED_MONEY = `SELECT origin, raw, id FROM quarantine WHERE kind NOT IN ('invoice', 'order', 'fulfilment', 'cancellation', 'return', 'payout')
  AND (connection = :connection OR connection IN (SELECT connection FROM paying WHERE pays = :connection)) LIMIT 1000`

/** Money that went back, of which nobody knows yet of which payment or for which invoice. */
export interface Returned {
  readonly key: string
  readonly connection: string
  /** Minor units. */
  readonly amount: number
  readonly currency: string
  readonly date: string
  /** JSON: what its text says. */
  readonly names: string
  /** JSON: keys of the invoices for one of which it is, where its payment is known; empty otherwise. */
  readonly may: string
}

const RETURNED = `SELECT d.key, m.connection, m.amount, m.currency, m.date, m.names, iif(m.of IS NULL, '', m.was) AS may FROM matching m JOIN document d ON d.id = m.document
  WHERE m.pays = ? AND m.back = 1 AND m.how = '' AND d.deleted = 0 AND (m.of IS NULL
    OR (m.was <> '' AND m.why IS NOT NULL AND EXISTS (SELECT 1 FROM document p WHERE p.key = m.of AND p.deleted = 0)))`

/** A connection that pays for another and was not read to its end; not one that is gone and of which nothing was ever read. */
export interface ReadingPayer {
  readonly connection: string
  /** 1: the configuration no longer has it. */
  readonly removed: number
}

const READING_PAYER = `SELECT p.connection, p.removed FROM paying p WHERE p.pays = ? AND (
  EXISTS (SELECT 1 FROM bookmark b WHERE b.connection = p.connection AND b.reading = 1) AND (p.removed = 0
    OR EXISTS (SELECT 1 FROM document WHERE key > p.connection || '/' AND key < p.connection || '0')
    OR EXISTS (SELECT 1 FROM quarantine WHERE connection = p.connection))
  OR EXISTS (SELECT 1 FROM to_match WHERE key > p.connection || '/' AND key < p.connection || '0'))`

/** By what an invoice finds it. */
const namesOf = ({ amount, currency, may, names }: Returned): ReadonlyArray<string> =>
  may === ""
    ? [`${amount} ${currency}`, ...(JSON.parse(names) as ReadonlyArray<string>)]
    : (JSON.parse(may) as ReadonlyArray<string>)

/** Valid for one transaction in which nothing is written. */
export class Surroundings {
  readonly #db: Db
  readonly #known = new Map<string, boolean>()
  readonly #payers = new Map<string, ReadingPayer | null>()
  readonly #quarantined = new Map<string, ReadonlyArray<QuarantinedMoney>>()
  readonly #returned = new Map<string, ReadonlyMap<string, ReadonlyArray<Returned>>>()
  #lastClaim: number | undefined
  #loaded: SubjectRows | undefined

  readonly #again: boolean

  /** @param again as if a person had every call sent again that the service refused */
  constructor(db: Db, again = false) {
    this.#db = db
    this.#again = again
  }

  /** Reads these subjects, which will be asked for, together. */
  load(subjects: ReadonlyArray<string>): void {
    this.#loaded = new SubjectRows(this.#db, subjects)
  }

  /** Undefined if a subject was not among them: it is read by itself. */
  loaded(subject: string): SubjectRows | undefined {
    return this.#loaded?.has(subject) === true ? this.#loaded : undefined
  }

  #once(what: string, of: string, look: () => boolean): boolean {
    const key = `${what} ${of}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const found = look()
    this.#known.set(key, found)
    return found
  }

  /** Whether there is any row. */
  #any(what: string, connection: string, sql: string, ...parameters: ReadonlyArray<string>): boolean {
    return this.#once(what, connection, () => this.#db.prepare(sql).get(...parameters) !== undefined)
  }

  /** Whether its source, or one that pays for it, was not read to its end and completely matched. */
  isUnread(connection: string): boolean {
    return this.#once(
      "unread",
      connection,
      () => Bookmarks.isReading(this.#db, connection) || this.readingPayer(connection) !== undefined
    )
  }

  /** A connection that pays for this one and was not read to its end. */
  readingPayer(connection: string): ReadingPayer | undefined {
    const key = connection
    const known = this.#payers.get(key)
    if (known !== undefined) return known ?? undefined
    const found = this.#db.prepare(READING_PAYER).get(connection) as ReadingPayer | undefined
    this.#payers.set(key, found ?? null)
    return found
  }

  /** Quarantined records that may be money of a connection's invoices: its own, and those of connections that pay for it. */
  quarantinedMoney(connection: string): ReadonlyArray<QuarantinedMoney> {
    const known = this.#quarantined.get(connection)
    if (known !== undefined) return known
    const found = this.#db.prepare(QUARANTINED_MONEY).all({ connection }) as ReadonlyArray<QuarantinedMoney>
    this.#quarantined.set(connection, found)
    return found
  }

  /** Money that went back to payers of a connection's invoices and waits for a person, by amount and by what its text says. */
  returned(connection: string): ReadonlyMap<string, ReadonlyArray<Returned>> {
    const known = this.#returned.get(connection)
    if (known !== undefined) return known
    const found = new Map<string, Array<Returned>>()
    for (const row of this.#db.prepare(RETURNED).iterate(connection) as IterableIterator<Returned>)
      for (const name of namesOf(row)) if (found.get(name)?.push(row) === undefined) found.set(name, [row])
    this.#returned.set(connection, found)
    return found
  }

  hasQuarantined(connection: string): boolean {
    return this.#any("quarantined", connection, "SELECT 1 FROM quarantine WHERE connection = ? LIMIT 1", connection)
  }

  /** Whether a person chose a company for any of its debtors. */
  hasMatches(connection: string): boolean {
    return this.#any("matches", connection, "SELECT 1 FROM match WHERE connection = ? LIMIT 1", connection)
  }

  /** Whether any document has an open item: most often none does, and then none was rejected. */
  hasAttention(): boolean {
    return !this.#again && this.#any("attention", "", "SELECT 1 FROM attention WHERE closed IS NULL LIMIT 1")
  }

  /** Whether several lists state the money of its invoices. */
  hasSeveralLists(connection: string): boolean {
    return this.#any("lists", connection, "SELECT 1 FROM several_lists WHERE family = ?", connection)
  }

  hasPayments(connection: string): boolean {
    return this.#any(
      "payments",
      connection,
      "SELECT 1 FROM document WHERE key > ? AND key < ? LIMIT 1",
      `${connection}/payment/`,
      `${connection}/payment0`
    )
  }

  /**
   * A state file that was restored has older documents than what was sent: nothing is taken back, or changed back, before the
   * source was read to its end.
   */
  isOutdated(connection: string): boolean {
    return this.#once(
      "outdated",
      connection,
      () =>
        LedgerTrust.isRestored(this.#db) &&
        // Until it is reconciled, `apply` refuses the plan and says so.
        LedgerTrust.behind(this.#db) === undefined &&
        this.isUnread(connection)
    )
  }

  /** The latest claim of any document. */
  lastClaim(): number {
    return (this.#lastClaim ??= (this.#db.prepare("SELECT max(id) FROM claim").pluck().get() as number | null) ?? 0)
  }
}
