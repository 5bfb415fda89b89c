/**
 * Binds a connection to its source, as the connector identifies it, and to the owner of its documents on the service.
 *
 * Everything that was read and sent is stored under a connection's name. A name that suddenly stands for another source or
 * owner would mix two sets of books, and books under another name would be sent again. Both are stopped before anything is read
 * or sent, until a person confirms what is meant.
 *
 * A renamed connection keeps its keys, here and on the service: only its name in the configuration is stored. A key that was
 * sent is never changed, because documents are looked up on the service by it, also during recovery.
 */
import Sqlite from "better-sqlite3"
import { existsSync } from "node:fs"
import type { Connection, Planning } from "../model/Connection.ts"
import type { Db } from "../state/Database.ts"
import { StateError } from "../state/StateError.ts"
import { twinsOf } from "./SameSource.ts"
import * as SettingChanges from "./SettingChanges.ts"

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

const row = (db: Db, connection: string): Row | undefined =>
  db.prepare("SELECT * FROM source WHERE connection = ?").get(connection) as Row | undefined

const hasSent = (db: Db, connection: string): boolean =>
  db
    .prepare(
      `SELECT 1 FROM claim WHERE subject > :connection || '/' AND subject < :connection || '0'
        UNION ALL SELECT 1 FROM call_page WHERE connection = :connection LIMIT 1`
    )
    .get({ connection }) !== undefined

const hasDocuments = (db: Db, connection: string): boolean =>
  db.prepare("SELECT 1 FROM document WHERE key > ? AND key < ? LIMIT 1").get(`${connection}/`, `${connection}0`) !==
  undefined

/** Whether the file holds anything that was read or sent under this name. */
const isKnown = (db: Db, connection: string): boolean => hasDocuments(db, connection) || hasSent(db, connection)

const refuse = (db: Db, why: string) => new StateError({ kind: "other source", file: db.file, why })

const differs = (before: string | null, now: string | null): boolean =>
  before !== null && now !== null && before !== now

/** In words, a change to a connection that would mix its books with others'. */
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

/** Throws a `StateError` if a connection's source or owner has changed. */
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

/**
 * Another configured connection that was read before this one, or is being read now, with the same source and owner: all would be
 * sent twice.
 */
const sameSource = (db: Db, connection: Connection, configured: ReadonlyArray<string>): string | undefined => {
  const { connector, identity, owner } = wanted(connection)
  if (identity === null || connection.pays !== undefined) return undefined
  const others = db
    .prepare(
      `SELECT connection FROM source WHERE connection <> ? AND connector = ? AND identity = ? AND owner = ?
        AND connection NOT IN (SELECT connection FROM paying)`
    )
    .pluck()
    .all(connection.id, connector, identity, owner) as ReadonlyArray<string>
  return others.find((other) => configured.includes(other))
}

/** The same of files and queries, which have no identity; with what both read. */
const sameFiles = (db: Db, connection: Connection, all: ReadonlyArray<Connection>): string | undefined => {
  const twin = twinsOf(connection, all).find(({ connection: { id } }) => row(db, id) !== undefined)
  return twin === undefined ? undefined : `${twin.connection.name ?? twin.connection.id} (${twin.what})`
}

/** The connection that this new one seems to have been until now: same source, same owner, no longer configured. */
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
 * Binds a connection to its source and owner before it is read. Throws a `StateError` if it is bound to another source or owner,
 * or if it seems to be a connection that had another name until now.
 *
 * @param configured all connections in the configuration
 */
export const bind = (db: Db, connection: Connection, all: ReadonlyArray<Connection>): void => {
  const configured = all.map(({ id }) => id)
  verify(db, connection)
  const { id, name = id } = connection
  if (row(db, id) === undefined && !isKnown(db, id)) {
    const twin = sameSource(db, connection, configured) ?? sameFiles(db, connection, all)
    if (twin !== undefined)
      throw refuse(
        db,
        `connection ${name} reads the same for the same owner as ${twin}: every document would be sent twice. Nothing was read of ${name}. Remove one of them from the configuration; or if both are meant, run \`daybook connections accept ${name}\``
      )
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
  SettingChanges.note(db, connection)
}

/** Confirms what the configuration now says about this connection, whatever it was bound to before. */
export const accept = (db: Db, { id }: Pick<Connection, "id">): void => {
  db.prepare(
    "INSERT INTO source (connection) VALUES (?) ON CONFLICT (connection) DO UPDATE SET connector = NULL, identity = NULL, shape = NULL, owner = NULL"
  ).run(id)
}

/** The prefix of a connection's keys, by either of its names. */
const keyed = (db: Db, name: string): string =>
  (db.prepare("SELECT connection FROM source WHERE name = ?").pluck().get(name) as string | undefined) ?? name

/** Renames a connection to `to`. Returns the prefix of its keys, or why it cannot be renamed. */
export const rename = (db: Db, from: string, to: string): { readonly key: string } | { readonly why: string } => {
  const key = keyed(db, from)
  if (!isKnown(db, key) && db.prepare("SELECT 1 FROM source WHERE connection = ?").get(key) === undefined)
    return { why: `nothing was read or sent under the name ${from}; look at \`daybook status\`` }
  const taken = keyed(db, to)
  if (taken !== key && (taken !== to || isKnown(db, to)))
    return { why: `this state file already has data of a connection ${to}, and two connections cannot be merged` }
  db.prepare("INSERT INTO source (connection) VALUES (?) ON CONFLICT DO NOTHING").run(key)
  db.prepare("UPDATE source SET name = ? WHERE connection = ?").run(to === key ? null : to, key)
  // A binding made under the new name before anything was read is obsolete.
  if (to !== key) db.prepare("DELETE FROM source WHERE connection = ?").run(to)
  return { key }
}

/** Maps names in the configuration to the prefixes of keys. */
export const namesIn = ({ prepare }: Pick<Db, "prepare">): ReadonlyMap<string, string> => {
  const rows = prepare("SELECT name, connection FROM source WHERE name IS NOT NULL").raw().all()
  return new Map(rows as ReadonlyArray<[string, string]>)
}

/** The same, for a file that is only read. */
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
    // There is no state file, or one of an older format; the command that opens it next reports that. A connection whose other
    // name is unknown is then treated as new, which stops the run.
    return new Map()
  }
}
