/**
 * `daybook demo`: runs the whole workflow once on this machine: a folder with example books, the service beside it, a
 * complete run, and a workbook. Everything stays in the folder, so that a second run shows that there is nothing to send,
 * and a run after editing a file shows what changes.
 */
import { Effect, Layer, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { copyFileSync, existsSync, mkdirSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Client } from "../../core/Client.ts"
import { start } from "../../core/sandbox/index.ts"
import { Database } from "../../sync/state/Database.ts"
import * as Plan from "../../sync/plan/Plan.ts"
import { Tally } from "../../sync/plan/Tally.ts"
import * as Status from "../../sync/reports/Status.ts"
import { Stream } from "effect"
import { load } from "../../sync/library/config/ConfigFile.ts"
import { UsageError } from "../../sync/library/Exit.ts"
import { exportTo } from "../../sync/export/index.ts"
import * as CommandContext from "../CommandContext.ts"
import * as ServiceClient from "../../sync/library/ServiceClient.ts"
import * as Steps from "../Steps.ts"
import * as KeptStatements from "../../sync/KeptStatements.ts"
import * as RunReport from "../RunReport.ts"
import { PlanView } from "../render/PlanView.ts"
import * as Flags from "../Flags.ts"

const KEY = "sandbox-key"
const PORT = 4010

export const demo = Command.make(
  "demo",
  {
    folder: Flags.needed("folder", "FOLDER", "Folder for the example books and all other files").pipe(
      Flag.withDefault("daybook-demo")
    )
  },
  Effect.fn(function* ({ folder }) {
    const out = yield* CommandContext.output
    const heading = (text: string) => out.say(`\n${out.style.bold(out.style.blue(`── ${text}`))}`)
    yield* unpack(folder)
    process.env["SERVICE_KEY"] ??= KEY
    const configuration = yield* load(join(folder, "daybook.config.json"))
    const state = Database.layer({ file: join(folder, "daybook.db"), mode: "write", command: "daybook demo" })
    yield* Effect.gen(function* () {
      const service = yield* sandbox(join(folder, "service.db"))
      const client = Client.layer({ url: service.url, key: Redacted.make(KEY), connections: 32 })
      yield* out.say(`The service runs at ${service.url} until the demo ends. Everything is in ${folder}/`)
      yield* Effect.gen(function* () {
        const db = yield* Database
        yield* heading("1. Read the books: invoices, payments and credit notes from three CSV files")
        yield* Steps.pull(configuration, out)
        yield* RunReport.oddities(out)

        yield* heading("2. Plan: what would be sent, and why")
        const view = new PlanView(4)
        const tally = new Tally()
        yield* Plan.stream(configuration.connections).pipe(
          Stream.runForEach((planned) =>
            Effect.sync(() => {
              tally.add(planned)
              view.add(planned)
            })
          )
        )
        yield* out.say(view.text(out, tally.summary()))

        yield* heading("3. Send it")
        const report = yield* Steps.apply(configuration, out)

        yield* heading("4. Prove that source, books and service agree")
        yield* RunReport.say(yield* KeptStatements.prove(configuration.connections), out)

        yield* heading("5. A workbook for the people who read spreadsheets")
        const file = join(folder, "books.xlsx")
        const { sheets } = yield* exportTo(db, file, { connections: Status.connections(db) })
        yield* out.say(`${file}: ${sheets.map(({ name, rows }) => `${name} (${rows})`).join(", ")}`)

        yield* heading("What to try next")
        yield* out.say(next(folder, report.done))
        yield* out.emit({
          type: "summary",
          done: report.done,
          failed: report.failed,
          attention: report.attention,
          workbook: file
        })
      }).pipe(Effect.provide(Layer.mergeAll(client, state, ServiceClient.outside)))
    }).pipe(Effect.scoped)
  })
).pipe(
  CommandContext.help(
    "Run the whole workflow on this machine: the service, example books, a first sync and a workbook, in one folder.",
    "Run the whole workflow with example data",
    "daybook demo # Run it twice: the second run sends nothing"
  )
)

const next = (folder: string, done: number): string =>
  [
    ...(done > 0 ? [["daybook demo", "again: nothing is sent, because nothing changed"] as const] : []),
    [`edit ${folder}/invoices.csv`, "change an amount, delete a row, and run the demo again"] as const,
    [`daybook explain INV-1010 --state ${folder}/daybook.db`, "the story of a payment that failed"] as const,
    [`daybook status --state ${folder}/daybook.db`, "what the books hold"] as const
  ]
    .map(([what, why]) => `  ${what.padEnd(44 + folder.length)}  ${why}`)
    .join("\n")

/** The service has its own file, so that it remembers between runs what was sent to it. */
const sandbox = (state: string) =>
  start({ port: PORT, state, keys: [KEY] }).pipe(Effect.catch(() => start({ port: 0, state, keys: [KEY] })))

/** Copies the example books to where they can be edited. Existing files stay. */
const unpack = (folder: string) =>
  Effect.try({
    try: () => {
      const from = ["../examples/1-demo", "../../examples/1-demo", "../../../../examples/1-demo"]
        .map((path) => fileURLToPath(new URL(path, import.meta.url)))
        .find(existsSync)
      if (from === undefined) throw new Error("the example books are missing from this installation")
      mkdirSync(folder, { recursive: true })
      for (const name of readdirSync(from))
        if (!existsSync(join(folder, name))) copyFileSync(join(from, name), join(folder, name))
    },
    catch: (cause) =>
      new UsageError({ why: `${folder} cannot be prepared: ${(cause as Error).message}; name another with --folder` })
  })
