/**
 * Recalculates every invoice of the books from its documents, and compares it with the open amount in the ledger. Part of
 * the audit (`Audit.ts`), and the only check that detects a wrong row of the ledger: plans look only at documents that are
 * marked as changed, and statements trust the rows of the others.
 */
import { Effect } from "effect"
import * as Currency from "../../core/money/Currency.ts"
import type { Connection, Planning } from "../model/Connection.ts"
import * as Facts from "../plan/Facts.ts"
import * as OpenInBooks from "../plan/OpenInBooks.ts"
import { Surroundings } from "../plan/Surroundings.ts"
import type { StateError, Db } from "../state/Database.ts"
import { type AuditContext, NOT_KNOWN } from "./AuditReport.ts"

const PAGE = 500

/** An invoice whose ledger row does not match its documents; an amount is absent if there is none. */
export interface Wrong {
  readonly subject: string
  readonly ledger: string | undefined
  readonly documents: string | undefined
}

const say = ({ books, currency }: OpenInBooks.Open): string =>
  `${Currency.format(Currency.ofMinor(books, currency), currency)} ${currency}`

interface Row {
  readonly subject: string
  readonly currency: string | null
  readonly books: bigint | null
}

/** Without those that are marked: they are planned again anyway, and their rows are known to be outdated. */
const ROWS = `SELECT d.key AS subject, l.currency, l.books_open AS books FROM document d
  LEFT JOIN ledger l ON l.subject = d.key AND l.currency <> ''
  WHERE d.key > ? AND d.key <= ? AND NOT EXISTS (SELECT 1 FROM changed c WHERE c.subject = d.key) ORDER BY d.key`

const judge = (
  db: Db,
  { books, currency, subject }: Row,
  planning: Planning,
  around: Surroundings
): Wrong | undefined => {
  const row = books === null || currency === null ? undefined : { books, currency }
  const now = OpenInBooks.openOf(db, subject, planning, around)
  if ((row?.books ?? 0n) === (now?.books ?? 0n)) return undefined
  return { subject, ledger: row && say(row), documents: now && say(now) }
}

/** Checks the invoices after `after`, by key, in one snapshot: returns how far it got, and what is wrong. */
export const look = (
  db: Db,
  connection: string,
  planning: Planning,
  after: string
): { readonly last: string | undefined; readonly wrong: ReadonlyArray<Wrong> } => {
  const keys = db
    .prepare("SELECT key FROM document WHERE key > ? AND key < ? ORDER BY key LIMIT ?")
    .pluck()
    .all(after, `${connection}/invoice0`, PAGE) as ReadonlyArray<string>
  const last = keys.at(-1)
  if (last === undefined) return { last, wrong: [] }
  const around = new Surroundings(db)
  around.load(keys)
  const rows = db.prepare(ROWS).safeIntegers().all(after, last) as ReadonlyArray<Row>
  return { last, wrong: rows.flatMap((row) => judge(db, row, planning, around) ?? []) }
}

export const audit = (
  db: Db,
  connections: ReadonlyArray<Connection>,
  context: AuditContext
): Effect.Effect<void, StateError> =>
  Effect.forEach(connections, (connection) => one(db, connection, context), { discard: true })

const one = (db: Db, connection: Connection, context: AuditContext): Effect.Effect<void, StateError> =>
  Effect.gen(function* () {
    const planning = yield* db.read(() => OpenInBooks.settingsOf(db, connection.id))
    if (planning === undefined) return
    let after = `${connection.id}/invoice/`
    for (;;) {
      const from = after
      const { last, wrong } = yield* db.snapshot(() => look(db, connection.id, planning, from))
      if (last === undefined) return
      after = last
      for (const { documents, ledger, subject } of wrong) {
        const { invoice, remote } = yield* db.read(() => ({
          invoice: Facts.invoiceFacts(db, subject).invoice,
          remote: Facts.remoteInvoice(db, subject)
        }))
        if (!context.within(invoice?.issued)) continue
        const mended = yield* context.fix(connection, subject, remote)
        yield* context.found(connection.id, subject, {
          what: `the open amount in the books; its documents add up to ${documents ?? "nothing"}`,
          ledger: ledger ?? null,
          service: null,
          mended,
          ...(context.isHeld(subject) ? { todo: NOT_KNOWN } : {})
        })
      }
    }
  })
