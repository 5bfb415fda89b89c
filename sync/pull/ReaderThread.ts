/**
 * What a thread begins with that reads a source, see `ReadingThread.ts`, and which connectors it reads; or that examines what is
 * not connected yet, see `KillableThread.ts`. Where none is given, everything is read in the thread that writes.
 */
import { Context } from "effect"

export interface ReaderEntry {
  readonly module: URL
  /** Their names. */
  readonly connectors: ReadonlyArray<string>
}

/** The connectors whose files may be large enough for a thread. */
export const WITH_LARGE_FILES = ["einvoice", "files", "ledger"]

export const ReaderThread = Context.Reference<ReaderEntry | undefined>("daybook/sync/ReaderThread", {
  defaultValue: () => undefined
})
