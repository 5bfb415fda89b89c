/**
 * Holds back the first sync of a connection: at that point nobody has checked what the mapping makes of a whole set of books.
 * It is sent once a person has seen its totals, or if the configuration does not require that (`first_sync: "send"`).
 *
 * In the same way it holds back what a person said no to: a plan that was rejected, and the rest of one of which a part was
 * approved. A run that nobody watches does not send it; whoever decides otherwise says so.
 */
import { Schema } from "effect"
import type { Connection } from "../model/Connection.ts"
import type { Guard } from "../model/Guard.ts"
import type { Db } from "../state/Database.ts"
import * as Day from "../../core/wire/Day.ts"
import * as Approvals from "./Approvals.ts"
import { sentence } from "./Figures.ts"
import { type Summary, total } from "./Tally.ts"

/** The first sync of these connections waits for a person. */
export class FirstSync extends Schema.TaggedError<FirstSync>()("FirstSync", {
  connections: Schema.Array(Schema.String),
  /** What it would send, in one sentence. */
  comes: Schema.String,
  /** The guards that also stop it, or would if they were not allowed. */
  guards: Schema.Array(Schema.String),
  /** What a person said no to, if it is that. */
  refused: Schema.optionalKey(Schema.String)
}) {
  override get message(): string {
    const otherwise =
      this.refused === undefined
        ? ', or write "first_sync": "send" in the configuration of the connection'
        : " all the same"
    return `${said(this)}. Nothing was sent. Look at \`daybook plan\`; if it is right, run again with ${option(this.guards)}, which sends it${otherwise}`
  }
}

/** What sends a first sync that guards stop as well: one answer to everything. */
export const option = (guards: ReadonlyArray<string>): string =>
  `--yes${guards.length === 0 ? "" : ` --allow ${guards.join(",")}`}`

/** `books: the first sync would send 37 to create, …` */
export const said = ({ comes, connections, refused }: Pick<FirstSync, "comes" | "connections" | "refused">): string =>
  `${connections.join(", ")}: ${refused ?? "this is the first sync"}${comes === "" ? "" : `: ${comes}`}`

export const hasSent = (db: Db, connection: string): boolean =>
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

/** The connections of whose plan there is something that a person decided. */
export const decided = (db: Db, connections: ReadonlyArray<Connection>): ReadonlyArray<string> =>
  connections.filter(({ id }) => Approvals.of(db, id) !== undefined).map(({ id }) => id)

/** What a person said no to of this plan of one connection; undefined: nothing. */
const refusedOf = (db: Db, id: string, { calls, digest }: Pick<Summary, "calls" | "digest">): string | undefined => {
  const approval = Approvals.of(db, id)
  if (approval === undefined || calls === 0) return undefined
  const { decided: at, decision, who } = approval
  if (decision === "rejected" && approval.digest === digest)
    return `${who} rejected this plan on ${Day.fromEpochMillis(at ?? 0)}`
  const isRest = Approvals.isHeld(approval) && (decision !== "approved" || approval.documents !== null)
  return isRest ? `${Approvals.REST} waits for a person` : undefined
}

/**
 * The question about what a person said no to, or about a first sync that waits.
 *
 * @param apart the plans of the connections in `decided`
 */
export const asks = (
  db: Db,
  connections: ReadonlyArray<Connection>,
  summary: Summary,
  guards: ReadonlyArray<Guard> = [],
  apart: ReadonlyMap<string, Pick<Summary, "calls" | "digest">> = new Map()
): FirstSync | undefined => {
  const comes = sentence(total(summary))
  for (const [id, plan] of apart) {
    const refused = refusedOf(db, id, plan)
    if (refused !== undefined) return new FirstSync({ connections: [id], comes, guards, refused })
  }
  const ids = waiting(db, connections, summary)
  return ids.length === 0 ? undefined : new FirstSync({ connections: ids, comes, guards })
}

/** Records that these connections need no confirmation any more. */
export const done = (db: Db, connections: ReadonlyArray<Connection>, { guarded }: Summary): void => {
  const insert = db.prepare("INSERT INTO first_sync VALUES (?) ON CONFLICT DO NOTHING")
  const known = db.prepare("SELECT 1 FROM first_sync WHERE connection = ?")
  for (const { id } of connections)
    for (const source of guarded.get(id)?.sources ?? []) if (known.get(source) === undefined) insert.run(source)
}
