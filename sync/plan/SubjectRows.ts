/** Reads what planning asks of each subject with one statement for many of them: a look-up takes longer than a row. */
import type { StoredRemote } from "../model/Remote.ts"
import type { Db } from "../state/Database.ts"

export interface StoredDocument {
  readonly deleted: number
  readonly body: string
}

/** A payment, reversal or credit note of an invoice. */
export interface AllocatedRow {
  readonly key: string
  readonly body: string
  /** The amount of another connection's payment that is matched to this invoice. */
  readonly amount: string | null
  readonly how: string | null
  /** How its amount comes from the invoice's. */
  readonly note: string | null
  /** What of it is on no invoice, in minor units of its currency. */
  readonly rest: string | null
  readonly currency: string | null
}

const DOCUMENTS = `SELECT d.key AS subject, d.deleted, d.body FROM json_each(?) k CROSS JOIN document d ON d.key = k.value`

/** What each of these rows of the table of allocations is, `a`. */
export const ALLOCATED = `d.key, d.body, a.amount, m.how, nullif(m.note, '') AS note, m.currency,
    CASE WHEN m.amount > m.matched THEN CAST(m.amount - m.matched AS TEXT) END AS rest`

export const FACTS = `CROSS JOIN document d ON d.id = a.document
  LEFT JOIN matching m ON m.document = d.id AND a.amount IS NOT NULL`

const ALL_ALLOCATED = `SELECT a.invoice AS subject, ${ALLOCATED}
  FROM json_each(?) k CROSS JOIN allocation a ON a.invoice = k.value ${FACTS} WHERE d.deleted = 0`

const HELD = `SELECT l.subject, l.remote, l.held FROM json_each(?) k CROSS JOIN ledger l ON l.subject = k.value
  WHERE l.held IS NOT NULL`

/** The next ones, at most so many, of an iterator that is used further. */
export const nextOf = <A>(all: Iterator<A>, most: number): ReadonlyArray<A> => {
  const some: Array<A> = []
  for (let one = all.next(); one.done !== true; one = all.next()) if (some.push(one.value) === most) break
  return some
}

const NONE: ReadonlyArray<AllocatedRow> = []

/** Of these subjects, as long as nothing is written. */
export class SubjectRows {
  readonly #subjects: ReadonlySet<string>
  readonly #documents = new Map<string, StoredDocument>()
  readonly #allocated = new Map<string, Array<AllocatedRow>>()
  readonly #held = new Map<string, StoredRemote>()

  constructor(db: Db, subjects: ReadonlyArray<string>) {
    this.#subjects = new Set(subjects)
    const list = JSON.stringify(subjects)
    const all = <A>(sql: string) => db.prepare(sql).all(list) as ReadonlyArray<A & { readonly subject: string }>
    for (const row of all<StoredDocument>(DOCUMENTS)) this.#documents.set(row.subject, row)
    for (const row of all<StoredRemote>(HELD)) this.#held.set(row.subject, row)
    for (const row of all<AllocatedRow>(ALL_ALLOCATED))
      if (this.#allocated.get(row.subject)?.push(row) === undefined) this.#allocated.set(row.subject, [row])
  }

  has(subject: string): boolean {
    return this.#subjects.has(subject)
  }

  document(subject: string): StoredDocument | undefined {
    return this.#documents.get(subject)
  }

  allocated(invoice: string): ReadonlyArray<AllocatedRow> {
    return this.#allocated.get(invoice) ?? NONE
  }

  held(subject: string): StoredRemote | undefined {
    return this.#held.get(subject)
  }
}
