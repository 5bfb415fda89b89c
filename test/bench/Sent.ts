/**
 * Books of which everything was sent to the service, without a service: the ledger is pulled, and every call of its plan is
 * written down as made and answered. Several figures begin with a copy of them.
 */
import { copyFileSync, utimesSync } from "node:fs"
import { join } from "node:path"
import Sqlite from "better-sqlite3"
import { Effect, Layer, Stream } from "effect"
import { outside } from "../../sync/library/ServiceClient.ts"
import { advance } from "../../sync/model/Advance.ts"
import { bodyOf } from "../../sync/model/Call.ts"
import * as Claims from "../../sync/apply/Claims.ts"
import * as LedgerStore from "../../sync/apply/LedgerStore.ts"
import * as MonthStore from "../../sync/apply/MonthStore.ts"
import type { Connection } from "../../sync/model/Connection.ts"
import * as CallPages from "../../sync/state/calls/CallPages.ts"
import { Database } from "../../sync/state/Database.ts"
import * as Owners from "../../sync/plan/Owners.ts"
import * as Plan from "../../sync/plan/Plan.ts"
import { pull } from "../../sync/pull/Pull.ts"
import * as Invoices from "./Invoices.ts"
import { run } from "./Process.ts"

const NOW = Date.UTC(2026, 0, 1)

/** Writes a plan's calls down as made and answered, as `apply` would have. */
const record = (db: Database["Service"], planned: Plan.DocumentPlan): void => {
  const { calls, remote: before, subject } = planned
  let state = before
  for (const call of calls) {
    const id = Claims.claim(db, 1, call, NOW)
    const remote = `trns-${String(id).padStart(16, "0")}`
    const answer = { id: remote, status: "pending", ...bodyOf(call) }
    Claims.receipt(db, id, { outcome: "done", status: 201, answer, remote }, NOW)
    state = advance(state, call, { kind: "transaction", id: remote, status: "pending", stated: {} })
  }
  LedgerStore.write(db, planned, state)
  db.prepare("DELETE FROM changed WHERE subject = ?").run(subject)
}

/** Writes every call of the plan down as made and answered. */
export const tellAll = (connections: ReadonlyArray<Connection>) =>
  Effect.gen(function* () {
    const db = yield* Database
    const owners = new Map(connections.map(({ id, planning }) => [id, planning]))
    yield* Plan.stream(connections).pipe(
      Stream.grouped(1000),
      Stream.runForEach((some) =>
        db
          .transaction(() => {
            for (const planned of some) {
              if (planned.kind === "document") record(db, planned)
              else
                for (const call of planned.calls)
                  Owners.remember(db, call, "org-1", Owners.digest(owners.get(planned.connection)!))
            }
          })
          .pipe(Effect.andThen(db.transaction(() => CallPages.pack(db))))
      )
    )
    yield* MonthStore.keepAll(db)
  })

/** The ledger without an edit, written long ago. */
export const writeOld = async (csv: string, rows: number): Promise<void> => {
  await Invoices.write(csv, rows)
  utimesSync(csv, 1_700_000_000, 1_700_000_000)
}

/** Side: the books of so many invoices. */
export const build = async (folder: string, csv: string, state: string, rows: number): Promise<void> => {
  const { connections } = Invoices.configuration(folder, csv)
  await writeOld(csv, rows)
  const program = Effect.gen(function* () {
    const db = yield* Database
    yield* pull(connections[0]!, { folder })
    yield* db.transaction(() => Plan.rememberSettings(db, connections))
    yield* tellAll(connections)
  })
  await Effect.runPromise(
    program.pipe(Effect.provide(Layer.merge(Database.layer({ file: state, mode: "write" }), outside)))
  )
  // A copy of it is no copy of one that is used: where it was is forgotten.
  const db = new Sqlite(state)
  db.exec("UPDATE state SET place = NULL, clean = 1")
  db.close()
}

const built = new Map<string, Promise<unknown>>()

/**
 * A copy of the books of so many invoices, which are made once.
 *
 * @param shared a folder that lasts as long as the bench; the ledger lies there
 * @param state where the copy is to be
 */
export const copy = async (shared: string, rows: number, state: string): Promise<{ readonly csv: string }> => {
  const [csv, original] = [join(shared, `${rows}.csv`), join(shared, `${rows}.db`)]
  if (!built.has(original)) built.set(original, run(import.meta.url, "build", shared, csv, original, rows))
  await built.get(original)
  copyFileSync(original, state)
  return { csv }
}
