/**
 * The numbers of invoices whose records cannot be read. A payment that names one waits for that record: neither another invoice
 * of its amount nor the other invoices that it names receive it meanwhile.
 */
import type { Db } from "../state/Database.ts"
import * as MatchRules from "./Rules.ts"
import { normal } from "../model/MatchText.ts"

/** Members of raw records that hold an invoice's number where its id is another one. */
const NUMBER = /"\w*number"\s*:\s*"([^"\\]{1,100})"/giu

/** What a number looks like in a row of a table, where no heading stands beside it: letters, then digits. */
const FORM = /^\p{L}{2,}\p{N}+$/u

/** How much of a raw record is searched, in characters: numbers are stated near its beginning. */
const MOST_SEARCHED = 20_000

const numbersIn = ({ id, raw }: { readonly id: string | null; readonly raw: string }): ReadonlyArray<string> => [
  ...(id === null ? [] : [id]),
  ...Array.from(raw.slice(0, MOST_SEARCHED).matchAll(NUMBER), ([, number = ""]) => number),
  ...(raw.startsWith("{")
    ? []
    : MatchRules.namesIn(raw.slice(0, MOST_SEARCHED)).flatMap(({ name }) => (FORM.test(name) ? [name] : [])))
]

/** Brings them up to date with the quarantine, and has the payments matched again that name one which was added or removed. */
export const renew = (db: Db, paid: ReadonlyArray<string>): void => {
  for (const connection of paid) {
    const before = new Set(
      db.prepare("SELECT name FROM unreadable WHERE connection = ?").pluck().all(connection) as ReadonlyArray<string>
    )
    const rows = db
      .prepare("SELECT id, raw FROM quarantine WHERE connection = ? AND kind = 'invoice'")
      .iterate(connection) as Iterable<{ readonly id: string | null; readonly raw: string }>
    const now = new Set<string>()
    for (const row of rows) for (const number of numbersIn(row)) now.add(normal(number))
    now.delete("")
    const added = [...now].filter((name) => !before.has(name))
    const removed = [...before].filter((name) => !now.has(name))
    for (const name of added) db.prepare("INSERT INTO unreadable VALUES (?, ?)").run(connection, name)
    for (const name of removed)
      db.prepare("DELETE FROM unreadable WHERE connection = ? AND name = ?").run(connection, name)
    for (const name of [...added, ...removed])
      db.prepare(
        `INSERT INTO to_match SELECT d.key FROM mention m JOIN document d ON d.id = m.document
          WHERE m.pays = ? AND m.name = ? ON CONFLICT DO NOTHING`
      ).run(connection, name)
  }
}

/** @param name as `normal` makes it */
export const isUnreadable = (db: Db, connection: string, name: string): boolean =>
  db.prepare("SELECT 1 FROM unreadable WHERE connection = ? AND name = ?").get(connection, name) !== undefined

/** The number that cannot be read and ends like this. */
export const unreadableLike = (db: Db, connection: string, end: string): string | undefined =>
  db
    .prepare("SELECT name FROM unreadable WHERE connection = ? AND substr(name, -length(?)) = ? LIMIT 1")
    .pluck()
    .get(connection, end, end) as string | undefined
