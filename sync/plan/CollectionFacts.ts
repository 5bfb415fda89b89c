/**
 * Reads from the state file the further input of the rules for collections: files, what is known about them, and a
 * person's confirmation.
 */
import { parseKey } from "../../connectors/Document.ts"
import type { CollectionContext, CollectionWord, Gathered } from "../model/CollectionContext.ts"
import type { Fields } from "../model/RemoteInvoice.ts"
import type { Db } from "../state/Database.ts"
import type { CoverDocument } from "../model/Cover.ts"
import * as UnknownCalls from "./UnknownCalls.ts"

/** Marks decisions about collections in `cover_decision`. */
export const ABOUT = "collection"

/** Marks who added and removed files there: evidence, which decides nothing. */
export const ABOUT_FILES = "file"

/** Lists each content once for each type: the same file under two names is one document. */
const filesOf = (db: Db, subject: string): ReadonlyArray<CoverDocument> =>
  db
    .prepare(
      `SELECT type, digest, name, mime FROM collection_file f WHERE subject = ? AND NOT EXISTS (
        SELECT 1 FROM collection_file b WHERE b.subject = f.subject AND b.type = f.type AND b.digest = f.digest AND b.slot < f.slot)
        ORDER BY slot`
    )
    .all(subject) as ReadonlyArray<CoverDocument>

export const gatheredOf = (db: Db, subject: string): Gathered | undefined => {
  const row = db.prepare("SELECT overdue, problems FROM collection_gathered WHERE subject = ?").get(subject) as
    | { readonly overdue: number; readonly problems: string }
    | undefined
  if (row === undefined) return undefined
  const problems = JSON.parse(row.problems) as ReadonlyArray<string>
  const account = db
    .prepare("SELECT mark FROM bank_account WHERE connection = ?")
    .pluck()
    .get(parseKey(subject).connection) as string | undefined
  return {
    documents: filesOf(db, subject),
    problems,
    overdue: row.overdue,
    ...(account === undefined ? {} : { account })
  }
}

/** Who took the latest confirmation back: whoever confirms it anew decides otherwise, and is told so. */
export const withdrawnOf = (db: Db, subject: string): { readonly who: string; readonly at: number } | undefined => {
  const row = db
    .prepare(
      "SELECT decision, who, decided AS at FROM cover_decision WHERE subject = ? AND about = ? ORDER BY id DESC LIMIT 1"
    )
    .get(subject, ABOUT) as { readonly decision: string; readonly who: string; readonly at: number } | undefined
  return row?.decision === "withdrawn" ? { who: row.who, at: row.at } : undefined
}

/** A person's latest confirmation, unless they withdrew it. */
export const wordOf = (db: Db, subject: string): CollectionWord | undefined => {
  const row = db
    .prepare(
      `SELECT id, who, decided AS at, digest, decision, shown FROM cover_decision
        WHERE subject = ? AND about = ? ORDER BY id DESC LIMIT 1`
    )
    .get(subject, ABOUT) as
    | (Omit<CollectionWord, "fields"> & { readonly decision: string; readonly shown: string })
    | undefined
  if (row?.decision !== "confirmed") return undefined
  const { at, digest, id, shown, who } = row
  const { said } = JSON.parse(shown) as { readonly said: Fields }
  const before = db.prepare("SELECT decided_before FROM state").pluck().get() as number | null
  return { id, who, at, digest, fields: said, ...(id <= (before ?? 0) ? { isOutdated: true as const } : {}) }
}

export const contextOf = (db: Db, subject: string): Pick<CollectionContext, "gathered" | "unknown" | "word"> => {
  const gathered = gatheredOf(db, subject)
  const word = wordOf(db, subject)
  return {
    ...(gathered === undefined ? {} : { gathered }),
    ...(word === undefined ? {} : { word }),
    ...(UnknownCalls.isHandover(db, subject) ? { unknown: true as const } : {})
  }
}
