/**
 * Notices that the settings of a source were changed: other rows are read, or payments are for the invoices of nobody any more. A
 * setting deletes nothing by itself: a plan that takes something back after such a change waits for a person (G11).
 */
import { hash } from "node:crypto"
import type { Connection } from "../model/Connection.ts"
import type { Db } from "../state/Database.ts"

type Digests = Readonly<Record<string, string>>

const digestsOf = ({ pays, settings }: Connection): Digests =>
  Object.fromEntries(
    Object.entries({ ...(settings as object), pays })
      .filter(([, value]) => value !== undefined)
      .map(([member, value]) => [member, hash("sha1", JSON.stringify(value), "base64url")])
      .toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1))
  )

/** G11: notes what was changed since the source was last read. Needs the source's row; use before `pays` takes effect. */
export const note = ({ prepare }: Db, connection: Connection): void => {
  const { id, name = id, pays } = connection
  const now = digestsOf(connection)
  const text = JSON.stringify(now)
  const stored = prepare("SELECT settings FROM source WHERE connection = ?").pluck().get(id)
  if (stored === text) return
  prepare("UPDATE source SET settings = ? WHERE connection = ?").run(text, id)
  if (typeof stored !== "string") return
  const before = JSON.parse(stored) as Digests
  const members = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((one) => before[one] !== now[one])
  if (members.length === 0) return
  const what = `${name} (${members.map((one) => (one === "pays" ? "pays, match" : `source.${one}`)).join(", ")})`
  const paid = prepare("SELECT pays FROM paying WHERE connection = ?").pluck().get(id) as string | undefined
  for (const one of new Set([id, paid, pays?.connection]))
    if (one !== undefined) prepare("INSERT OR IGNORE INTO setting_change VALUES (?, ?)").run(one, what)
}

/** What was changed for a connection, in words. */
export const of = ({ prepare }: Db, connection: string): ReadonlyArray<string> =>
  prepare("SELECT what FROM setting_change WHERE connection = ? ORDER BY what")
    .pluck()
    .all(connection) as ReadonlyArray<string>

/** What the changed settings lead to was sent, for connections that were read to their end. */
export const sent = ({ prepare }: Db, connections: ReadonlyArray<string>): void => {
  const remove = prepare(
    `DELETE FROM setting_change WHERE connection = :connection AND NOT EXISTS (SELECT 1 FROM bookmark b WHERE b.reading = 1
      AND (b.connection = :connection OR b.connection IN (SELECT p.connection FROM paying p WHERE p.pays = :connection)))`
  )
  for (const connection of connections) remove.run({ connection })
}
