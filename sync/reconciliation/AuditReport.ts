/** Defines the options and the result of an audit (`Audit.ts`). */
import type { Effect } from "effect"
import type { Day } from "../../core/wire/Day.ts"
import type { Connection } from "../model/Connection.ts"
import type { Audited, Found } from "../model/reports/Statement.ts"
import type { RemoteInvoice } from "../model/RemoteInvoice.ts"
import type { RemoteOrder } from "../model/RemoteOrder.ts"
import type { Db } from "../state/Database.ts"
import type { StateError } from "../state/StateError.ts"
import type * as Difference from "./Difference.ts"

export const NOT_KNOWN =
  "the result of one of its calls is not known yet; run `daybook apply`, which checks it, then run this again"

export const TWICE = "delete the unwanted one on the service, or ask its operator to"
export const renamed = (name: string): string =>
  `rename the connection back to ${name}, run \`daybook connections accept ${name}\` and run this again; nothing is sent until then`
export const FOREIGN = "it has no key of these books: find out who reported it, and reverse it on the service"

export interface AuditOptions {
  /** Invoices issued and orders placed between these days, inclusive. If neither is given, all. */
  readonly from?: Day
  readonly to?: Day
  /** These are only some of the connections. */
  readonly part?: boolean
  /** Corrects the ledger. Needs the lock. */
  readonly fix: boolean
  /** How long after a request its absence on the service is believed, in milliseconds. Default 5,000. */
  readonly settleAfter?: number
  readonly onFound: (found: Found) => Effect.Effect<void>
  readonly onProgress?: (read: number) => Effect.Effect<void>
}

/** Records that the ledger was corrected. */
export const keep = (
  db: Db,
  connections: ReadonlyArray<Connection>,
  { ended, figures, started }: { readonly started: number; readonly ended: number; readonly figures: Audited }
): void =>
  void db
    .prepare(
      "INSERT INTO run (command, started, ended, outcome, figures, connections) VALUES ('reconcile', ?, ?, 'done', ?, ?)"
    )
    .run(started, ended, JSON.stringify(figures), JSON.stringify(connections.map(({ id }) => id)))

/** The context for a part of the audit in a separate file. */
export interface AuditContext {
  /** A call for it has an unknown outcome. */
  readonly isHeld: (subject: string) => boolean
  readonly within: (day: string | undefined) => boolean
  /** Writes what the service holds into the ledger, if requested; returns whether it did. */
  readonly fix: (
    connection: Connection,
    subject: string,
    remote: RemoteInvoice | RemoteOrder | undefined
  ) => Effect.Effect<boolean, StateError>
  readonly found: (
    connection: string,
    subject: string,
    found: Difference.FieldDifference & Partial<Pick<Found, "mended" | "todo">>
  ) => Effect.Effect<void>
  readonly count: () => void
}
