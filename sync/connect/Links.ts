/**
 * Stores links by which a platform has other people connect their own books. A link is for one tenant, can be opened once,
 * expires, and has a fixed return address. The person who opens it gets a session in one browser.
 *
 * The tokens of a link and of its session are 256 random bits. Only their hashes are stored, so that reading the state file
 * does not allow anybody to open a link.
 */
import { createHash, randomBytes } from "node:crypto"
import type { Db } from "../state/Database.ts"

/** What is fixed when a link is created. */
export interface LinkTerms {
  /** In the format of the configuration. */
  readonly owner: unknown
  readonly connectors: ReadonlyArray<string>
  readonly returnUrl: string
  /** Passed back unchanged. */
  readonly state?: string
  /** Who created it. */
  readonly by: string
  /** Only who knows this address may open it. */
  readonly email?: string
  /** Only who the platform says is this person may open it. */
  readonly person?: string
}

export type LinkOutcome = "connected" | "cancelled"

export interface Link {
  /** The hash of its token, by which it is identified here. */
  readonly token: string
  readonly tenant: string
  readonly terms: LinkTerms
  /** Milliseconds since the epoch. */
  readonly made: number
  readonly expires: number
  /** When its session ends; null if it was not opened. */
  readonly ends: number | null
  readonly progress: Readonly<Record<string, unknown>>
  readonly outcome: LinkOutcome | null
  readonly ended: number | null
}

/** The length of a session: long enough to look for exports without starting over. */
const SESSION_MS = 2 * 3_600_000

const WORD = /^[A-Za-z0-9_-]{43}$/

/** 256 random bits in a form that fits into an address. */
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

/** Returns the token for the link's address, which is not stored. */
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

/** The link with this token; looked up by the hash, so that the duration reveals nothing about other tokens. */
export const byWord = (db: Db, text: string): Link | undefined =>
  WORD.test(text) ? found(db, "token", hashed(text)) : undefined

/** How it was finished; null if it is not. */
export const outcomeOf = (db: Db, { token }: Pick<Link, "token">): LinkOutcome | null =>
  found(db, "token", token)?.outcome ?? null

/** The link that this session opened. A finished one is still found until its session expires. */
export const bySession = (db: Db, session: string, now: number): Link | undefined => {
  const link = WORD.test(session) ? found(db, "session", hashed(session)) : undefined
  return link !== undefined && (link.ends ?? 0) > now ? link : undefined
}

/**
 * Opens a link for this session. False: it was opened before, is finished or has expired.
 *
 * @param progress the initial progress
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

/** How often a wrong address may be typed before a link is closed. */
export const MOST_TRIES = 5

/** Counts a wrong try to open it, and closes it with the last one. Returns how many are left. */
export const missed = (db: Db, { token }: Pick<Link, "token">, now: number): number => {
  const counted = db
    .prepare(
      `UPDATE connect_link SET progress = json_set(progress, '$.tries', coalesce(json_extract(progress, '$.tries'), 0) + 1)
        WHERE token = ? AND session IS NULL AND outcome IS NULL RETURNING json_extract(progress, '$.tries')`
    )
    .pluck()
    .get(token) as number | undefined
  const left = Math.max(0, MOST_TRIES - (counted ?? MOST_TRIES))
  if (left === 0) end(db, { token }, "cancelled", now)
  return left
}

/** Stores its progress. False: it is finished. */
export const keep = (db: Db, { token }: Pick<Link, "token">, progress: Link["progress"]): boolean =>
  db
    .prepare("UPDATE connect_link SET progress = ? WHERE token = ? AND outcome IS NULL")
    .run(JSON.stringify(progress), token).changes > 0

/** False: it was finished before. */
export const end = (db: Db, { token }: Pick<Link, "token">, outcome: LinkOutcome, now: number): boolean =>
  db
    .prepare("UPDATE connect_link SET outcome = ?, ended = ?, progress = '{}' WHERE token = ? AND outcome IS NULL")
    .run(outcome, now, token).changes > 0

/** Latest first. */
export const list = (db: Db): ReadonlyArray<Link> =>
  (db.prepare(`SELECT ${COLUMNS} FROM connect_link ORDER BY made DESC, token`).all() as ReadonlyArray<Row>).map(ofRow)

/** The status of a link. */
export const standing = (
  { ends, expires, outcome }: Link,
  now: number
): LinkOutcome | "open" | "opened" | "expired" => {
  if (outcome !== null) return outcome
  if (ends !== null) return ends > now ? "opened" : "expired"
  return expires > now ? "open" : "expired"
}

/** Links that were begun and have expired: what they left behind can be deleted. */
export const abandoned = (db: Db, now: number): ReadonlyArray<Link> =>
  (
    db
      .prepare(`SELECT ${COLUMNS} FROM connect_link WHERE session IS NOT NULL AND outcome IS NULL AND ends <= ?`)
      .all(now) as ReadonlyArray<Row>
  ).map(ofRow)
