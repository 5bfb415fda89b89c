/**
 * Links by which a platform has other people connect their own books. A link is for one tenant, can be opened once, ends at
 * a time, and leads back to where it was made to lead. Whoever opens it holds a session, in one browser.
 *
 * The words of a link and of its session are 256 random bits; kept is what they hash to, so that who reads the state file
 * can open none.
 */
import { createHash, randomBytes } from "node:crypto"
import type { Database } from "../state/Database.ts"

type Db = Database["Service"]

/** What is fixed when a link is made. */
export interface LinkTerms {
  /** As a configuration writes it. */
  readonly owner: unknown
  readonly connectors: ReadonlyArray<string>
  readonly returnUrl: string
  /** Given back as it is. */
  readonly state?: string
  /** Who made it. */
  readonly by: string
}

export type LinkOutcome = "connected" | "cancelled"

export interface Link {
  /** What its word hashes to: what a link goes by here. */
  readonly token: string
  readonly tenant: string
  readonly terms: LinkTerms
  /** Milliseconds since the epoch. */
  readonly made: number
  readonly expires: number
  /** Until when its session lasts; null while it was not opened. */
  readonly ends: number | null
  readonly progress: Readonly<Record<string, unknown>>
  readonly outcome: LinkOutcome | null
  readonly ended: number | null
}

/** What keeps whoever opened it from starting over, long enough to look for exports. */
const SESSION_MS = 2 * 3_600_000

const WORD = /^[A-Za-z0-9_-]{43}$/

/** 256 bits, as an address may hold them. */
export const word = (): string => randomBytes(32).toString("base64url")

const hashed = (text: string): string => createHash("sha256").update(text).digest("base64url")

interface Row extends Omit<Link, "terms" | "progress"> {
  readonly terms: string
  readonly progress: string
}

const ofRow = ({ progress, terms, ...row }: Row): Link => ({
  ...row,
  terms: JSON.parse(terms) as LinkTerms,
  progress: JSON.parse(progress) as Link["progress"]
})

const COLUMNS = "token, tenant, terms, made, expires, ends, progress, outcome, ended"

const found = (db: Db, column: "token" | "session", value: string): Link | undefined => {
  const row = db.prepare(`SELECT ${COLUMNS} FROM connect_link WHERE ${column} = ?`).get(value) as Row | undefined
  return row === undefined ? undefined : ofRow(row)
}

/** Answers the word of the link's address, which is known to nobody else. */
export const make = (
  db: Db,
  { expires, made, tenant, terms }: Pick<Link, "tenant" | "terms" | "made" | "expires">
): string => {
  const secret = word()
  db.prepare("INSERT INTO connect_link (token, tenant, terms, made, expires) VALUES (?, ?, ?, ?, ?)").run(
    hashed(secret),
    tenant,
    JSON.stringify(terms),
    made,
    expires
  )
  return secret
}

/** The link with this word; looked up by what it hashes to, so that how long that takes says nothing of another word. */
export const byWord = (db: Db, text: string): Link | undefined =>
  WORD.test(text) ? found(db, "token", hashed(text)) : undefined

/** The link that this session opened. One that ended is shown as that until its time is over. */
export const bySession = (db: Db, session: string, now: number): Link | undefined => {
  const link = WORD.test(session) ? found(db, "session", hashed(session)) : undefined
  return link !== undefined && (link.ends ?? 0) > now ? link : undefined
}

/**
 * Opens a link for this session. False: it was opened before, has ended or is too old.
 *
 * @param progress where one begins
 */
export const open = (
  db: Db,
  { token }: Pick<Link, "token">,
  { now, progress, session }: { readonly session: string; readonly now: number; readonly progress: Link["progress"] }
): boolean =>
  db
    .prepare(
      "UPDATE connect_link SET session = ?, ends = ?, progress = ? WHERE token = ? AND session IS NULL AND outcome IS NULL AND expires > ?"
    )
    .run(hashed(session), now + SESSION_MS, JSON.stringify(progress), token, now).changes > 0

/** How far it came. Nothing is kept of one that has ended. */
export const keep = (db: Db, { token }: Pick<Link, "token">, progress: Link["progress"]): void => {
  db.prepare("UPDATE connect_link SET progress = ? WHERE token = ? AND outcome IS NULL").run(
    JSON.stringify(progress),
    token
  )
}

/** False: it has ended before. */
export const end = (db: Db, { token }: Pick<Link, "token">, outcome: LinkOutcome, now: number): boolean =>
  db
    .prepare("UPDATE connect_link SET outcome = ?, ended = ?, progress = '{}' WHERE token = ? AND outcome IS NULL")
    .run(outcome, now, token).changes > 0

/** The latest first. */
export const list = (db: Db): ReadonlyArray<Link> =>
  (db.prepare(`SELECT ${COLUMNS} FROM connect_link ORDER BY made DESC, token`).all() as ReadonlyArray<Row>).map(ofRow)

/** How a link stands. */
export const standing = (
  { ends, expires, outcome }: Link,
  now: number
): LinkOutcome | "open" | "opened" | "expired" => {
  if (outcome !== null) return outcome
  if (ends !== null) return ends > now ? "opened" : "expired"
  return expires > now ? "open" : "expired"
}

/** Those that were begun and that nobody can go on with: what they left behind can go. */
export const abandoned = (db: Db, now: number): ReadonlyArray<Link> =>
  list(db).filter((link) => link.outcome === null && link.ends !== null && link.ends <= now)
