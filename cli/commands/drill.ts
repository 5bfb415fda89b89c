/** `daybook drill`: lets happen, on a copy, what happens one day, and keeps what came of it. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { rmSync } from "node:fs"
import { join, resolve } from "node:path"
import { plural } from "../../core/Plural.ts"
import { keepDecision } from "../../sync/decisions/Recorded.ts"
import * as ConfigFile from "../../sync/library/config/ConfigFile.ts"
import * as ConnectionsFile from "../../sync/library/config/ConnectionsFile.ts"
import { Exit, UsageError } from "../../sync/library/Exit.ts"
import { HERE } from "../../sync/model/Person.ts"
import { sha256 } from "../../sync/state/chain/Entry.ts"
import { Database } from "../../sync/state/Database.ts"
import { copyWithoutService } from "../../sync/state/ForgetService.ts"
import { temporaryFolder } from "../../core/TemporaryFolder.ts"
import { by, me } from "../By.ts"
import * as CommandContext from "../CommandContext.ts"
import { drill as carryOut, type DrillReport } from "../drill/Drill.ts"
import type { Output } from "../render/Output.ts"

/** What came of it in one sentence, which is kept. */
const outcomeOf = ({ drills, judged: { calls, lost, twice }, left, ok, refused }: DrillReport): string => {
  const bad = drills.filter((one) => !one.ok).map((one) => one.drill)
  const parts = [
    lost.length === 0 ? "nothing lost" : `${lost.length} lost`,
    twice.length === 0 ? "nothing twice" : `${twice.length} twice`,
    ...(refused === 0 ? [] : [`${plural(refused, "call")} that the drill's service refuses`]),
    ...(left === 0 ? [] : [`${plural(left, "call")} left to send`]),
    ...(bad.length === 0 ? [] : [`failed: ${bad.join(", ")}`])
  ]
  const times = drills.map((one) => `${one.drill} ${(one.ms / 1000).toFixed(1)} s`).join(", ")
  return `${ok ? "passed" : "failed"}: ${parts.join(", ")} of ${plural(calls, "call")}; ${times}`
}

const text = (report: DrillReport, { style }: Output): string =>
  [
    ...report.drills.flatMap(({ drill, lost, ms, ok, recovered }) => [
      `${ok ? style.green("ok  ") : style.red("NO  ")}${style.bold(drill)} (${(ms / 1000).toFixed(1)} s)`,
      `      ${recovered}`,
      `      Not recovered: ${lost}`
    ]),
    ...[...report.judged.lost, ...report.judged.twice].slice(0, 20).map((one) => style.red(`      ${one}`)),
    "",
    `Judged by the service's own log, against the same books sent without a disturbance: ${outcomeOf(report)}.`
  ].join("\n")

/** The person's configuration as it is written, with the connections that others made by a link. */
const written = (file: string) =>
  Effect.gen(function* () {
    const found = yield* ConfigFile.written(file)
    if (found?.value === undefined) return yield* new UsageError({ why: `${file} cannot be read` })
    return ConnectionsFile.joined(found.value, ConnectionsFile.read(ConnectionsFile.fileOf(resolve(file)))).value
  })

/** Keeps it as evidence: an entry of the chain, with the digest of all that was found. */
const keep = (report: DrillReport, who: string) =>
  keepDecision(
    {
      who: { name: who, subject: who, issuer: HERE, how: "command line" },
      ...{ from: "", deed: "daybook drill", connections: [], causes: false },
      about: report.drills.map((one) => one.drill).join(", "),
      digest: sha256(JSON.stringify(report))
    },
    Effect.succeed(report),
    outcomeOf
  )

export const drill = Command.make(
  "drill",
  { by },
  Effect.fn(function* ({ by }) {
    const out = yield* CommandContext.output
    const { file } = yield* CommandContext.configuration
    const settings = yield* written(file)
    const books = yield* CommandContext.state("read", "drill")
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => temporaryFolder("trial")),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
    )
    const copy = join(folder, "books.db")
    yield* Effect.provide(
      Effect.flatMap(Database, (db) => copyWithoutService(db.file, copy)),
      books
    )
    const report = yield* Effect.tryPromise({
      try: () => carryOut(folder, copy, settings, (what) => void Effect.runFork(out.tick(what))),
      catch: (cause) => new UsageError({ why: (cause as Error).message })
    })
    yield* out.clear
    const state = yield* CommandContext.state("decide", "drill")
    yield* Effect.provide(keep(report, me(by)), state)
    const { drills, judged, ...summary } = report
    for (const one of drills) yield* out.emit({ type: "drill", ...one })
    yield* out.emit({ type: "summary", ...summary, ...judged, calls: report.calls, acted: judged.calls })
    yield* out.say(text(report, out))
    if (!report.ok) yield* new Exit({ status: 1 })
  }, Effect.scoped)
).pipe(
  CommandContext.help(
    "Let happen what happens one day, on a copy of the books in a temporary folder and a service in this process: the program is killed while it sends (SIGKILL), the service is away, the key is revoked, a backup is put back. Says of each what was recovered and how long it took, and judges by that service's own log whether anything was lost or sent twice. No source and no real service is asked, no key of yours is used, and the original is only read, until the result is kept in it: an entry of the chain. Exits with status 1 if a drill failed.",
    "Try on a copy what happens when things fail",
    "daybook drill # All of them; takes as long as sending the books twice"
  )
)
