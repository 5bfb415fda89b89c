/**
 * Describes what can be wrong with a state file, and what to do.
 */
import { Schema } from "effect"
import { accessSync, closeSync, constants, openSync } from "node:fs"
import { dirname } from "node:path"

export class StateError extends Schema.TaggedError<StateError>()("StateError", {
  kind: Schema.Literals([
    "foreign",
    "newer",
    "damaged",
    "locked",
    "read-only",
    "full",
    "other service",
    "other source",
    "replaced",
    "descriptors",
    "fenced",
    "unreachable",
    "failed"
  ]),
  file: Schema.String,
  why: Schema.String
}) {
  override get message(): string {
    return `state file ${this.file}: ${this.why}`
  }
}

/** Another node has it, or may have by now: that is no trouble of its own, and what was begun is made up for. */
export const isElsewhere = (error: unknown): boolean =>
  error instanceof StateError && (error.kind === "fenced" || error.kind === "unreachable")

/** Translates SQLite's codes into words that say what to do. */
export const stateError = (file: string, cause: unknown): StateError => {
  if (cause instanceof StateError) return cause
  const code = String((cause as { code?: unknown })?.code ?? "")
  const message = cause instanceof Error ? cause.message : String(cause)
  const make = (kind: StateError["kind"], why: string) => new StateError({ kind, file, why })
  if (code.startsWith("SQLITE_NOTADB") || code.startsWith("SQLITE_CORRUPT")) return damaged(file, message)
  if (code.startsWith("SQLITE_FULL") || code === "ENOSPC" || code === "SQLITE_IOERR_WRITE") {
    return make("full", "the disk is full; nothing that was committed is lost: free some space and run again")
  }
  if (code === "EMFILE" || code === "ENFILE" || (code.startsWith("SQLITE_CANTOPEN") && isExhausted())) {
    return make(
      "descriptors",
      "this process has as many files open as it may (EMFILE); raise the limit (`ulimit -n 65536`, or LimitNOFILE=65536 " +
        "under systemd), or keep fewer tenants open (max_open)"
    )
  }
  const shut = code.startsWith("SQLITE_CANTOPEN") && !isWritable(dirname(file))
  if (shut || code.startsWith("SQLITE_READONLY") || code === "EACCES" || code === "EROFS" || code === "EPERM") {
    return make("read-only", "it cannot be written here; check the permissions of the file and of its folder")
  }
  if (code.startsWith("SQLITE_BUSY") || code.startsWith("SQLITE_LOCKED")) {
    return make("locked", "another process is using it; wait until it ends and run again")
  }
  if (code.startsWith("SQLITE_CANTOPEN"))
    return make("failed", `it cannot be opened (${message}); does its folder exist?`)
  return make("failed", `${code} ${message}`.trim())
}

/** Whether the limit of open files is reached: SQLite only says that it could not open a file. */
const isExhausted = (): boolean => {
  try {
    closeSync(openSync(process.execPath, "r"))
    return false
  } catch (cause) {
    return ["EMFILE", "ENFILE"].includes(String((cause as { readonly code?: unknown }).code))
  }
}

const isWritable = (folder: string): boolean => {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

export const damaged = (file: string, what: string) =>
  new StateError({
    kind: "damaged",
    file,
    why:
      `it is damaged (${what}). Restore it from a backup. Do not start over with an empty file unless the service ` +
      "is empty too: what was already sent would be sent again"
  })
