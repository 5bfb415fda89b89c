/**
 * Describes why an export could not be written, and what to do. Exports never change the books.
 */
import { Schema } from "effect"

export class ExportError extends Schema.TaggedError<ExportError>()("ExportError", {
  kind: Schema.Literals(["ending", "no folder", "not a file", "not writable", "full", "too large", "failed"]),
  file: Schema.String,
  why: Schema.String
}) {
  override get message(): string {
    return `${this.file}: ${this.why}`
  }
}

/** Thrown by the writers when a format's own limit is exceeded. */
export class TooLarge extends Error {}

const WORDS: Readonly<Record<string, readonly [ExportError["kind"], string]>> = {
  ENOENT: ["no folder", "its folder does not exist; create it, or name a file elsewhere"],
  ENOTDIR: ["no folder", "part of its path is a file, not a folder; name a file elsewhere"],
  EISDIR: ["not a file", "this is a folder; name a file in it"],
  EACCES: ["not writable", "it cannot be written here; check the permissions of the file and of its folder"],
  EPERM: ["not writable", "it cannot be written here; check the permissions of the file and of its folder"],
  EROFS: ["not writable", "the disk is read-only; name a file elsewhere"],
  EBUSY: ["not writable", "another program has it open; close it there and export again"],
  ENOSPC: ["full", "the disk is full; nothing was left behind: free some space and export again"],
  EDQUOT: ["full", "your disk quota is used up; nothing was left behind: free some space and export again"],
  EFBIG: ["full", "the file is too large for this disk; name a file on another disk"],
  ENAMETOOLONG: ["failed", "the name is too long; choose a shorter one"],
  EMFILE: ["failed", "too many files are open on this machine; close some and export again"]
}

export const exportError = (file: string, cause: unknown): ExportError => {
  if (cause instanceof ExportError) return cause
  if (cause instanceof TooLarge) return new ExportError({ kind: "too large", file, why: cause.message })
  const code = String((cause as { code?: unknown } | undefined)?.code ?? "")
  const [kind, why] = WORDS[code] ?? [
    "failed",
    `it could not be written (${cause instanceof Error ? cause.message : String(cause)})`
  ]
  return new ExportError({ kind, file, why })
}
