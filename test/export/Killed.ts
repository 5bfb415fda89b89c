/**
 * An export that is killed in the middle of its invoices. Run as a program, with a state file and a workbook.
 */
import { Effect } from "effect"
import { exportTo } from "../../sync/export/index.ts"
import { Database } from "../../sync/state/Database.ts"

const [state, file] = process.argv.slice(2)

const work = Effect.flatMap(Database, (db) =>
  exportTo(db, file!, {
    onProgress: (sheet, rows) =>
      Effect.sync(() => {
        if (sheet === "Invoices" && rows > 500) process.kill(process.pid, "SIGKILL")
      })
  })
)
await Effect.runPromise(Effect.provide(work, Database.layer({ file: state!, mode: "read" })))
