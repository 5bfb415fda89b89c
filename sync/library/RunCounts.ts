/** How far the runs that go on have come, for pages that follow them: in memory only, by state file. */
import type { Connection } from "../model/Connection.ts"
import type { Database } from "../state/Database.ts"

type Db = Pick<Database["Service"], "file">

export interface RunCounts {
  readonly connection: string
  /** Records read, and requests answered by the service. */
  readonly read: number
  readonly sent: number
  /** How many requests there are, where a person approved them. */
  readonly of?: number
}

const running = new Map<string, Map<string, RunCounts>>()

const NONE = { read: 0, sent: 0 }

/** Counts up what happened in a run. */
export const add = (db: Db, connection: string, more: Partial<Omit<RunCounts, "connection">>): void => {
  const all = running.get(db.file) ?? new Map<string, RunCounts>()
  const { read = 0, sent = 0, ...rest } = more
  const before = all.get(connection) ?? { connection, ...NONE }
  running.set(db.file, all.set(connection, { ...before, ...rest, read: before.read + read, sent: before.sent + sent }))
}

/** Also of the connection whose invoices it pays: the run was theirs. */
export const ended = (db: Db, { id, pays }: Pick<Connection, "id" | "pays">): void => {
  for (const one of [id, pays?.connection ?? id]) running.get(db.file)?.delete(one)
}

/** @param own the connections that somebody may see; undefined: all */
export const going = (db: Db, own?: ReadonlyArray<string>): ReadonlyArray<RunCounts> =>
  [...(running.get(db.file)?.values() ?? [])].filter(({ connection }) => own?.includes(connection) !== false)
