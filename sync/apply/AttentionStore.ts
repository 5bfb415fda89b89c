/**
 * Stores what needs attention, from the run that found it until it no longer applies or a person closes it.
 */
import type { Attention } from "../model/Call.ts"
import * as ChangedDocuments from "../books/ChangedDocuments.ts"
import type { Db } from "../state/Database.ts"
import type { OpenAttention } from "../model/reports/State.ts"

export type { OpenAttention }

interface Row extends Omit<OpenAttention, "code" | "refused"> {
  readonly code: string | null
  readonly refused_state: string | null
}

const SELECT =
  "SELECT id, subject, fact, rule, code, why, todo, since, refused_state FROM attention WHERE closed IS NULL"

const of = ({ code, refused_state: state, ...row }: Row): OpenAttention => ({
  ...row,
  ...(code === null ? {} : { code }),
  refused: state !== null
})

/** One open item; undefined if it is closed. */
export const find = (db: Db, id: number): OpenAttention | undefined => {
  const row = db.prepare(`${SELECT} AND id = ?`).get(id) as Row | undefined
  return row === undefined ? undefined : of(row)
}

export const list = (db: Db, subject?: string): ReadonlyArray<OpenAttention> => {
  const rows = (
    subject === undefined
      ? db.prepare(`${SELECT} ORDER BY subject, id`).all()
      : db.prepare(`${SELECT} AND subject = ? ORDER BY id`).all(subject)
  ) as ReadonlyArray<Row>
  return rows.map(of)
}

/** The open items whose rule is like one of these (GLOB). */
export const like = (db: Db, rules: ReadonlyArray<string>): ReadonlyArray<OpenAttention> =>
  (
    db
      .prepare(`${SELECT} AND EXISTS (SELECT 1 FROM json_each(?) WHERE rule GLOB value) ORDER BY subject, id`)
      .all(JSON.stringify(rules)) as ReadonlyArray<Row>
  ).map(of)

/** The open items after one of them, by number. */
export const after = (db: Db, id: number, most: number): ReadonlyArray<OpenAttention> =>
  (db.prepare(`${SELECT} AND id > ? ORDER BY id LIMIT ?`).all(id, most) as ReadonlyArray<Row>).map(of)

/** The oldest open items of these connections, up to a number. */
export const oldest = (
  db: Db,
  connections: ReadonlyArray<string>,
  most: number
): ReadonlyArray<Pick<OpenAttention, "id" | "subject" | "why" | "todo">> =>
  db
    .prepare(
      `SELECT id, subject, why, todo FROM attention WHERE closed IS NULL
        AND substr(subject, 1, instr(subject, '/') - 1) IN (SELECT value FROM json_each(?)) ORDER BY id LIMIT ?`
    )
    .all(JSON.stringify(connections), most) as ReadonlyArray<Pick<OpenAttention, "id" | "subject" | "why" | "todo">>

export const count = (db: Db): number =>
  db.prepare("SELECT count(*) FROM attention WHERE closed IS NULL").pluck().get() as number

/** The number of open items of these rules. */
export const countOfRules = (db: Db, rules: ReadonlyArray<string>): number =>
  db
    .prepare("SELECT count(*) FROM attention WHERE closed IS NULL AND rule IN (SELECT value FROM json_each(?))")
    .pluck()
    .get(JSON.stringify(rules)) as number

/** The number of open items of one connection. */
export const countOf = (db: Db, connection: string): number =>
  db
    .prepare("SELECT count(*) FROM attention WHERE closed IS NULL AND subject > ? AND subject < ?")
    .pluck()
    .get(`${connection}/`, `${connection}0`) as number

/** The number of open items of these connections because the service refused a call. */
export const countRefused = (db: Db, connections: ReadonlyArray<string>): number =>
  db
    .prepare(
      `SELECT count(*) FROM attention WHERE closed IS NULL AND refused_state IS NOT NULL
        AND substr(subject, 1, instr(subject, '/') - 1) IN (SELECT value FROM json_each(?))`
    )
    .pluck()
    .get(JSON.stringify(connections)) as number

/**
 * Updates a document's open attention items: new ones are added with the current time, those that no longer apply are closed,
 * and the others keep their age.
 *
 * @param refused the service's rejection and the state that it was about, if there is one
 */
export const update = (
  db: Db,
  subject: string,
  current: ReadonlyArray<Attention>,
  refused: { readonly attention: Attention; readonly state: string } | undefined,
  now: number
): void => {
  const wanted = [
    ...current.map((attention) => ({ attention, state: null })),
    ...(refused === undefined ? [] : [refused])
  ]
  bring(db, subject, wanted, list(db, subject), now)
}

/**
 * The same for a plan that has not been sent yet: a rejection by the service stays until the call is sent or a person resolves
 * it.
 */
export const announce = (db: Db, subject: string, current: ReadonlyArray<Attention>, now: number): void => {
  const wanted = current.map((attention) => ({ attention, state: null }))
  const open = list(db, subject).filter(({ refused }) => !refused)
  bring(db, subject, wanted, open, now)
}

interface Wanted {
  readonly attention: Attention
  readonly state: string | null
}

const bring = (
  db: Db,
  subject: string,
  wanted: ReadonlyArray<Wanted>,
  before: ReadonlyArray<OpenAttention>,
  now: number
): void => {
  const open = [...before]
  for (const { attention, state } of wanted) {
    const same = open.find(
      (one) => one.rule === attention.rule && one.fact === attention.fact && one.why === attention.why
    )
    if (same !== undefined) {
      open.splice(open.indexOf(same), 1)
      db.prepare("UPDATE attention SET refused_state = ? WHERE id = ?").run(state, same.id)
      continue
    }
    const { code = null, fact, rule, todo, why } = attention
    db.prepare(
      "INSERT INTO attention (subject, fact, rule, code, why, todo, since, refused_state) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    ).run(subject, fact, rule, code, why, todo, now, state)
  }
  for (const one of open) close(db, one.id, GONE, now)
}

const GONE = "no longer so"
const RETRIED = "retried"

/** How items are closed that nobody answered: what they were about ended, or was sent again. */
export const NOT_BY_ANSWER: ReadonlyArray<string> = [GONE, RETRIED]

/** Closes an open item. Returns whether it was open: who closed it first, and how, is kept. */
export const close = (db: Db, id: number, how: string, now: number): boolean =>
  db.prepare("UPDATE attention SET closed = ?, how = ? WHERE id = ? AND closed IS NULL").run(now, how, id).changes === 1

/** Whether what one of these closed items says is open again, as another item. */
export const isOpenAgain = (db: Db, ids: ReadonlyArray<number>): boolean =>
  db
    .prepare(
      `SELECT 1 FROM attention c JOIN attention o ON o.subject = c.subject AND o.rule = c.rule AND o.fact = c.fact
        AND o.why = c.why WHERE c.id IN (SELECT value FROM json_each(?)) AND o.closed IS NULL LIMIT 1`
    )
    .get(JSON.stringify(ids)) !== undefined

/** Opens closed items again. */
export const reopen = (db: Db, ids: ReadonlyArray<number>): void =>
  void db
    .prepare("UPDATE attention SET closed = NULL, how = NULL WHERE id IN (SELECT value FROM json_each(?))")
    .run(JSON.stringify(ids))

/** Closes the items of a document by one rule. */
export const closeOf = (db: Db, subject: string, rule: string, how: string, now: number): void =>
  void db
    .prepare("UPDATE attention SET closed = ?, how = ? WHERE subject = ? AND rule = ? AND closed IS NULL")
    .run(now, how, subject, rule)

/** How an item was closed, for a person who tries to close it later. */
export const closedHow = (
  db: Db,
  id: number
): { readonly subject: string; readonly how: string; readonly closed: number } | undefined =>
  db.prepare("SELECT subject, how, closed FROM attention WHERE id = ? AND closed IS NOT NULL").get(id) as
    | { readonly subject: string; readonly how: string; readonly closed: number }
    | undefined

/** Closes the item and plans its document again, so that a rejected call is sent again. Returns whether it was open. */
export const retry = (db: Db, id: number, now: number): boolean => {
  const subject = db.prepare("SELECT subject FROM attention WHERE id = ? AND closed IS NULL").pluck().get(id)
  if (typeof subject !== "string") return false
  close(db, id, RETRIED, now)
  if (/^[^/]+\/(payment|reversal)\//.test(subject))
    db.prepare("INSERT INTO to_match VALUES (?) ON CONFLICT DO NOTHING").run(subject)
  else if (/^[^/]+\/[^/]+\//.test(subject)) ChangedDocuments.touch(db, subject)
  return true
}
