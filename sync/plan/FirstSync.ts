/**
 * Holds back the first sync of a connection: at that point nobody has checked what the mapping makes of a whole set of books.
 * It is sent once a person has seen its totals, or if the configuration does not require that (`first_sync: "send"`).
 */
import { Schema } from "effect"
import type { Connection } from "../model/Connection.ts"
import type { Guard } from "../model/Guard.ts"
import type { Database } from "../state/Database.ts"
import { sentence } from "./Figures.ts"
import { type Summary, total } from "./Tally.ts"

type Db = Database["Service"]

/** The first sync of these connections waits for a person. */
export class FirstSync extends Schema.TaggedError<FirstSync>()("FirstSync", {
  connections: Schema.Array(Schema.String),
  /** What it would send, in one sentence. */
  comes: Schema.String,
  /** The guards that also stop it, or would if they were not allowed. */
  guards: Schema.Array(Schema.String)
}) {
  override get message(): string {
    return (
      `${said(this)}. Nothing was sent. Look at \`daybook plan\`; if it is right, run again with ${option(this.guards)}, which sends it, ` +
      'or write "first_sync": "send" in the configuration of the connection'
    )
  }
}

/** What sends a first sync that guards stop as well: one answer to everything. */
export const option = (guards: ReadonlyArray<string>): string =>
  `--yes${guards.length === 0 ? "" : ` --allow ${guards.join(",")}`}`

/** `books: the first sync would send 37 to create, …` */
export const said = ({ comes, connections }: Pick<FirstSync, "comes" | "connections">): string =>
  `${connections.join(", ")}: this is the first sync${comes === "" ? "" : `: ${comes}`}`

const hasSent = (db: Db, connection: string): boolean =>
  db.prepare("SELECT 1 FROM first_sync WHERE connection = ?").get(connection) !== undefined ||
  db
    .prepare("SELECT 1 FROM ledger WHERE subject > ? AND subject < ? AND remote IS NOT NULL LIMIT 1")
    .get(`${connection}/`, `${connection}0`) !== undefined

/** Connections whose facts this plan would send for the first time and whose first sync nobody has confirmed. */
export const waiting = (
  db: Db,
  connections: ReadonlyArray<Connection>,
  summary: Pick<Summary, "guarded">
): ReadonlyArray<string> =>
  connections
    .filter(({ firstSync }) => firstSync !== "send")
    .flatMap(({ id }) => [...(summary.guarded.get(id)?.sources ?? [])])
    .filter((source) => !hasSent(db, source))

/** The question about a first sync that waits. */
export const asks = (
  db: Db,
  connections: ReadonlyArray<Connection>,
  summary: Summary,
  guards: ReadonlyArray<Guard> = []
): FirstSync | undefined => {
  const ids = waiting(db, connections, summary)
  return ids.length === 0 ? undefined : new FirstSync({ connections: ids, comes: sentence(total(summary)), guards })
}

/** Records that these connections need no confirmation any more. */
export const done = (db: Db, connections: ReadonlyArray<Connection>, { guarded }: Summary): void => {
  const insert = db.prepare("INSERT INTO first_sync VALUES (?) ON CONFLICT DO NOTHING")
  const known = db.prepare("SELECT 1 FROM first_sync WHERE connection = ?")
  for (const { id } of connections)
    for (const source of guarded.get(id)?.sources ?? []) if (known.get(source) === undefined) insert.run(source)
}
