/**
 * A program that holds a state file until its standard input ends: `node Holder.ts FILE [write|read]`.
 */
import { Effect } from "effect"
import { Database } from "../../sync/state/Database.ts"

const [file = "", mode = "write"] = process.argv.slice(2)

await Effect.gen(function* () {
  const db = yield* Database
  const documents = db.prepare("SELECT count(*) FROM document").pluck().get()
  process.stdout.write(`holds it, ${String(documents)} documents\n`)
  yield* Effect.callback<void>((resume) => void process.stdin.on("end", () => resume(Effect.void)).resume())
}).pipe(
  Effect.provide(Database.layer({ file, mode: mode === "read" ? "read" : "write", command: "daybook sync" })),
  Effect.catch((error) => Effect.sync(() => void process.stdout.write(`${error.message}\n`))),
  Effect.runPromise
)
