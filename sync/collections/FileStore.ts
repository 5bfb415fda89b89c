/**
 * Stores the files of collections in the state file: each in a slot of its invoice, identified by the digest of its content. A
 * new file in the same slot replaces the earlier one, as long as nothing was handed over.
 */
import { hash } from "node:crypto"
import * as ChangedDocuments from "../books/ChangedDocuments.ts"
import { LARGEST_FILE_BYTES } from "../../core/insurance/DocumentTypes.ts"
import * as FileType from "../../core/wire/FileType.ts"
import type { Db } from "../state/Database.ts"
import type { StoredFile } from "../model/reports/Cover.ts"

export type { StoredFile }

export { LARGEST_FILE_BYTES }

/** The limit for all files of one invoice together. */
const LARGEST_TOGETHER_BYTES = 4 * LARGEST_FILE_BYTES

/** The size of each piece of a stored file except the last. Existing files keep theirs if this changes. */
const FILE_PIECE_BYTES = 256 * 1024

export interface NewFile {
  readonly slot: string
  /** II 2.11 */
  readonly type: string
  readonly name: string
  readonly bytes: Uint8Array
  /** Where it came from, in words. */
  readonly origin: string
}

export const digestOf = (bytes: Uint8Array): string => hash("sha256", bytes, "base64url")

const megabytes = (bytes: number): string => `${Math.ceil((10 * bytes) / 2 ** 20) / 10} MB`

/** A name without path separators, quotes and control characters. */
const tidy = (name: string): string => name.replace(/[\p{Cc}\p{Cf}/\\"]+/gu, "_").slice(0, 200) || "document"

/** What is wrong with a file and what to do; or its type. */
const inspected = (name: string, bytes: Uint8Array): FileType.FileType | { readonly why: string } => {
  if (bytes.length > LARGEST_FILE_BYTES)
    return {
      why: `${name} has ${megabytes(bytes.length)}, and at most ${megabytes(LARGEST_FILE_BYTES)} can be handed over: make it smaller`
    }
  const type = FileType.of(bytes)
  return "why" in type ? { why: `${name}: ${type.why}; give it as ${FileType.KNOWN}` } : type
}

export const list = (db: Db, subject: string): ReadonlyArray<StoredFile> =>
  db
    .prepare(
      "SELECT slot, type, digest, name, mime, origin, read, size FROM collection_file WHERE subject = ? ORDER BY slot"
    )
    .all(subject) as ReadonlyArray<StoredFile>

/** A stored file, read piece by piece. */
export interface KeptFile {
  readonly size: number
  /** Undefined after the last piece, or if the file was replaced meanwhile. */
  readonly piece: (n: number) => Buffer | undefined
}

export const kept = (db: Db, subject: string, digest: string): KeptFile | undefined => {
  const found = db
    .prepare("SELECT id, size FROM collection_file WHERE subject = ? AND digest = ?")
    .get(subject, digest) as { readonly id: number; readonly size: number } | undefined
  if (found === undefined) return undefined
  const read = db.prepare("SELECT bytes FROM collection_file_piece WHERE file = ? AND n = ?").pluck()
  return { size: found.size, piece: (n) => read.get(found.id, n) as Buffer | undefined }
}

const forget = (db: Db, subject: string, slot: string): void => {
  db.prepare(
    "DELETE FROM collection_file_piece WHERE file IN (SELECT id FROM collection_file WHERE subject = ? AND slot = ?)"
  ).run(subject, slot)
}

interface Row {
  readonly subject: string
  readonly slot: string
  readonly type: string
  readonly digest: string
  readonly name: string
  readonly mime: string
  readonly origin: string
  readonly now: number
  readonly size: number
}

/** Writes a file into its slot. */
const store = (db: Db, bytes: Uint8Array, row: Row): void => {
  // A reader of the replaced file notices it by the digest.
  forget(db, row.subject, row.slot)
  db.prepare("DELETE FROM collection_file WHERE subject = ? AND slot = ?").run(row.subject, row.slot)
  const { lastInsertRowid } = db
    .prepare(
      `INSERT INTO collection_file (subject, slot, type, digest, name, mime, origin, read, size)
        VALUES (:subject, :slot, :type, :digest, :name, :mime, :origin, :now, :size)`
    )
    .run({ ...row })
  const add = db.prepare("INSERT INTO collection_file_piece (file, n, bytes) VALUES (?, ?, ?)")
  for (let n = 0; n * FILE_PIECE_BYTES < bytes.length; n++)
    add.run(lastInsertRowid, n, Buffer.from(bytes.subarray(n * FILE_PIECE_BYTES, (n + 1) * FILE_PIECE_BYTES)))
}

/** Stores a file, and plans its invoice again if it is a different one. Returns why it cannot be stored, if so. */
export const keep = (db: Db, subject: string, file: NewFile, now: number): string | undefined => {
  const type = inspected(file.name, file.bytes)
  if ("why" in type) return type.why
  const digest = digestOf(file.bytes)
  const files = list(db, subject)
  const others = files.filter(({ slot }) => slot !== file.slot)
  const together = others.reduce((sum, { size }) => sum + size, file.bytes.length)
  if (together > LARGEST_TOGETHER_BYTES)
    return `${file.name}: with it the files of this invoice have ${megabytes(together)}, and at most ${megabytes(LARGEST_TOGETHER_BYTES)} are kept: remove one`
  const name = FileType.named(tidy(file.name), type)
  const same = files.find(({ slot }) => slot === file.slot)
  if (same?.digest === digest && same.type === file.type && same.name === name) {
    db.prepare("UPDATE collection_file SET read = ? WHERE subject = ? AND slot = ?").run(now, subject, file.slot)
    return undefined
  }
  store(db, file.bytes, {
    subject,
    slot: file.slot,
    type: file.type,
    digest,
    name,
    mime: type.type,
    origin: file.origin,
    now,
    size: file.bytes.length
  })
  ChangedDocuments.touch(db, subject)
  return undefined
}

/** Removes a file that is not needed any more, which changes nothing that is planned. Returns whether there was one. */
export const discard = (db: Db, subject: string, slot: string): boolean => {
  forget(db, subject, slot)
  return db.prepare("DELETE FROM collection_file WHERE subject = ? AND slot = ?").run(subject, slot).changes > 0
}

/** Returns whether there was one. */
export const remove = (db: Db, subject: string, slot: string): boolean => {
  const isRemoved = discard(db, subject, slot)
  if (isRemoved) ChangedDocuments.touch(db, subject)
  return isRemoved
}
