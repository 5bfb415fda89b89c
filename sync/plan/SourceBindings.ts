/**
 * What a connection is bound to: its source, as the connector identifies it, and the owner of its documents on the service.
 *
 * Everything that was read and sent hangs on a connection's name. So a name that suddenly stands for another source or
 * owner would mix two sets of books, and books under another name would be sent once more. Both stop, before anything is
 * read or sent, and a person says what is meant.
 *
 * A connection that gets another name keeps its keys, here and on the service: only what the configuration calls it is
 * written down. A key that was sent is never changed, because the service looks it up by that, and so does recovery.
 */
import Sqlite from "better-sqlite3"
import { existsSync } from "node:fs"
import type { Connection, Planning } from "../model/Connection.ts"
import type { Database } from "../state/Database.ts"
import { StateError } from "../state/StateError.ts"

type Db = Database["Service"]

interface Row {
  readonly connection: string
  readonly name: string | null
  readonly connector: string | null
  readonly identity: string | null
  readonly shape: string | null
  readonly owner: string | null
}

/** The owner of a connection's documents, in words. */
const ownerOf = ({ owner }: Planning): string =>
  "user" in owner ? `user ${owner.user.email}` : `organisation ${owner.organisation.unique_id}`

const wanted = ({ connector, id, planning, settings }: Connection): Omit<Row, "name"> => ({
  connection: id,
  connector: connector.name,
  identity: connector.identity?.(settings) ?? null,
  shape: Object.keys(settings as object)
    .sort()
    .join(" "),
  owner: ownerOf(planning)
})

const row = (db: Db, connection: string): Row | undefined => {
  const found = db.prepare("SELECT * FROM source WHERE connection = ?").get(connection) as Row | undefined
  if (found !== undefined) return found
  // From before this was kept, only the owner is known, once it was sent.
  const owner = db.prepare("SELECT owner FROM connection WHERE id = ?").pluck().get(connection)
  if (typeof owner !== "string") return undefined
  const was = ownerOf({ owner: JSON.parse(owner) as Planning["owner"] })
  return { connection, name: null, connector: null, identity: null, shape: null, owner: was }
}

const hasSent = (db: Db, connection: string): boolean =>
  db
    .prepare("SELECT 1 FROM claim WHERE subject > ? AND subject < ? LIMIT 1")
    .get(`${connection}/`, `${connection}0`) !== undefined

const hasDocuments = (db: Db, connection: string): boolean =>
  db.prepare("SELECT 1 FROM document WHERE key > ? AND key < ? LIMIT 1").get(`${connection}/`, `${connection}0`) !==
  undefined

/** Whether the file holds anything that was read or sent under this name. */
const isKnown = (db: Db, connection: string): boolean => hasDocuments(db, connection) || hasSent(db, connection)

const refuse = (db: Db, why: string) => new StateError({ kind: "other source", file: db.file, why })

const differs = (before: string | null, now: string | null): boolean =>
  before !== null && now !== null && before !== now

/** What changed about a connection so that its books would be mixed with others', in words. */
const moved = (db: Db, before: Row, now: Omit<Row, "name">): string | undefined => {
  const { connection } = now
  if (differs(before.connector, now.connector) && isKnown(db, connection))
    return `was read with the connector ${before.connector}, and the configuration says ${now.connector}`
  if (differs(before.identity, now.identity) && before.connector === now.connector && isKnown(db, connection))
    return `was read from ${before.identity}, and the configuration says ${now.identity}`
  if (differs(before.owner, now.owner) && hasSent(db, connection))
    return `belongs to ${before.owner}, and the configuration says ${now.owner}`
  return undefined
}

/** Throws a `StateError` where a connection is not what it was. */
export const verify = (db: Db, connection: Connection): void => {
  const before = row(db, connection.id)
  const what = before === undefined ? undefined : moved(db, before, wanted(connection))
  if (what === undefined) return
  const name = connection.name ?? connection.id
  throw refuse(
    db,
    `connection ${name} ${what}; nothing was read or sent. If that is a mistake, correct the configuration. For a different set of books, add another connection. If it is intended, run \`daybook connections accept ${name}\``
  )
}

/** The connection that this new one was until now, as far as can be known: same source, same owner, named no longer. */
const renamedFrom = (db: Db, connection: Connection, configured: ReadonlyArray<string>): string | undefined => {
  const now = wanted(connection)
  const others = db
    .prepare(
      "SELECT connection FROM source UNION SELECT id FROM connection UNION SELECT connection FROM scan ORDER BY 1"
    )
    .pluck()
    .all() as ReadonlyArray<string>
  return others.find((other) => {
    if (configured.includes(other) || !isKnown(db, other)) return false
    const was = row(db, other)
    if (was === undefined || was.owner !== now.owner || differs(was.connector, now.connector)) return false
    return was.identity !== null && now.identity !== null
      ? was.identity === now.identity
      : !differs(was.shape, now.shape)
  })
}

/**
 * Binds a connection to its source and owner before it is read; throws a `StateError` where it is bound to others, or
 * where it seems to be one that had another name until now.
 *
 * @param configured all that the configuration names
 */
export const bind = (db: Db, connection: Connection, configured: ReadonlyArray<string>): void => {
  verify(db, connection)
  const { id, name = id } = connection
  if (row(db, id) === undefined && !isKnown(db, id)) {
    const old = renamedFrom(db, connection, configured)
    if (old !== undefined)
      throw refuse(
        db,
        `connection ${name} has the source and owner of ${old}, which this state file holds and the configuration no longer names: everything would be sent again. Nothing was read. If ${old} is now called ${name}, run \`daybook connections rename ${old} ${name}\`, which keeps what was sent. If ${name} is a new connection, run \`daybook connections accept ${name}\``
      )
  }
  const { connector, identity, owner, shape } = wanted(connection)
  db.prepare(
    `INSERT INTO source (connection, connector, identity, shape, owner) VALUES (?, ?, ?, ?, ?) ON CONFLICT (connection)
      DO UPDATE SET connector = excluded.connector, identity = coalesce(excluded.identity, identity), shape = excluded.shape,
      owner = excluded.owner WHERE (connector, coalesce(excluded.identity, identity), shape, owner) IS NOT
      (excluded.connector, identity, excluded.shape, excluded.owner)`
  ).run(id, connector, identity, shape, owner)
}

/** A person says that what the configuration says of this connection now is meant, whatever it was bound to. */
export const accept = (db: Db, { id }: Pick<Connection, "id">): void => {
  db.prepare(
    "INSERT INTO source (connection) VALUES (?) ON CONFLICT (connection) DO UPDATE SET connector = NULL, identity = NULL, shape = NULL, owner = NULL"
  ).run(id)
}

/** What keys begin with, of a connection by either of its names. */
const keyed = (db: Db, name: string): string =>
  (db.prepare("SELECT connection FROM source WHERE name = ?").pluck().get(name) as string | undefined) ?? name

/** The configuration calls it `to` from now on. Answers what its keys begin with, or why that cannot be. */
export const rename = (db: Db, from: string, to: string): { readonly key: string } | { readonly why: string } => {
  const key = keyed(db, from)
  if (!isKnown(db, key) && db.prepare("SELECT 1 FROM source WHERE connection = ?").get(key) === undefined)
    return { why: `nothing was read or sent under the name ${from}; look at \`daybook status\`` }
  const taken = keyed(db, to)
  if (taken !== key && (taken !== to || isKnown(db, to)))
    return { why: `this state file already has data of a connection ${to}, and two connections cannot be merged` }
  db.prepare("INSERT INTO source (connection) VALUES (?) ON CONFLICT DO NOTHING").run(key)
  db.prepare("UPDATE source SET name = ? WHERE connection = ?").run(to === key ? null : to, key)
  // What was bound to the new name before anything was read is not needed any more.
  if (to !== key) db.prepare("DELETE FROM source WHERE connection = ?").run(to)
  return { key }
}

/** By the name in the configuration, what a connection's keys begin with. */
export const namesIn = ({ prepare }: Pick<Db, "prepare">): ReadonlyMap<string, string> => {
  const rows = prepare("SELECT name, connection FROM source WHERE name IS NOT NULL").raw().all()
  return new Map(rows as ReadonlyArray<[string, string]>)
}

/** The same of a file that is only looked at. */
export const names = (file: string): ReadonlyMap<string, string> => {
  if (file === ":memory:" || !existsSync(file)) return new Map()
  try {
    const raw = new Sqlite(file, { readonly: true, timeout: 5000 })
    try {
      return namesIn({ prepare: (sql) => raw.prepare(sql) })
    } finally {
      raw.close()
    }
  } catch {
    // No state file, or one of an older format: whoever opens it next says so. A connection whose other name is not known
    // is taken for a new one then, and that stops.
    return new Map()
  }
}
