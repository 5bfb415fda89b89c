/** `daybook tenants doctor`: checks what the tenants of a folder, or of a database, need to run. */
import { Cause, Effect, Option } from "effect"
import { Command } from "effect/cli"
import { join } from "node:path"
import { grouped, plural } from "../../core/Plural.ts"
import * as Operations from "../../sync/cluster/Operations.ts"
import { Exit, messageOf, UsageError } from "../../sync/library/Exit.ts"
import { hide } from "../../sync/library/Hidden.ts"
import { unsealed } from "../../sync/library/many/KeptTexts.ts"
import { tenantsFile } from "../../sync/library/many/TenantsFile.ts"
import { tenantIn } from "../../sync/library/many/TenantSource.ts"
import { kept, keptFigures } from "../../sync/state/replication/postgres/KeptSettings.ts"
import { fromEnvironment } from "../../sync/vault/Encryption.ts"
import * as CommandContext from "../CommandContext.ts"
import { checkApart } from "../tenants/CheckApart.ts"
import { clusterProblem } from "../tenants/ClusterUrl.ts"
import { folderOf, tenantsIn } from "../tenants/Folder.ts"
import { LATE_MS } from "./cluster.ts"
import { clusterFor, folderFlag } from "./tenantsFlags.ts"

/** What is wrong, by what it is about. */
type Wrong = ReadonlyArray<readonly [about: string, why: string]>

const problem = (error: unknown): string => hide(messageOf(error))

/** Tenants whose configuration cannot be used. */
const configurations = (folder: string, names: ReadonlyArray<string>) =>
  Effect.forEach(names, (name) => {
    const path = join(folder, name)
    const read = Effect.flatMap(tenantIn(path, name).read, ({ service }) => service.key)
    return Effect.matchCause(checkApart(path, read), {
      onFailure: (cause): Wrong => [[name, problem(Cause.squash(cause))]],
      onSuccess: (): Wrong => []
    })
  }).pipe(Effect.map((all) => all.flat()))

const database = (url: string) =>
  Effect.gen(function* () {
    const key = fromEnvironment(process.env)
    const sessions = yield* Operations.sessionsOf(url)
    const rows = yield* kept(sessions)
    const sealed = yield* Effect.forEach(rows, (row) =>
      key === undefined
        ? Effect.succeed<Wrong>([[row.name, "DAYBOOK_SEAL is not set, with which its configuration is sealed"]])
        : Effect.match(unsealed(row, key), {
            onFailure: ({ why }): Wrong => [[row.name, why]],
            onSuccess: (): Wrong => []
          })
    )
    const figures = yield* keptFigures(sessions)
    const late: Wrong =
      figures.lateMs > LATE_MS
        ? [["the database", "a tenant is due for more than ten minutes: start a worker (daybook tenants work)"]]
        : []
    const given = figures.held.map(
      ([tenant, why]) =>
        [tenant, `it is held back: ${why}; daybook tenants resume with --database has it tried again`] as const
    )
    const lost = (yield* Operations.where(sessions))
      .filter(({ tenant }) => !rows.some(({ name }) => name === tenant))
      .map(
        ({ tenant }) =>
          [
            tenant,
            "the database has its books and not its configuration: daybook tenants import brings that from its folder"
          ] as const
      )
    return { wrong: [...sealed.flat(), ...given, ...late, ...lost], kept: rows.length }
  })

export const doctor = Command.make(
  "doctor",
  { tenants: folderFlag, cluster: clusterFor("Checks what this PostgreSQL keeps of them as well") },
  Effect.fn(function* ({ cluster, tenants }) {
    const out = yield* CommandContext.output
    const folder = yield* folderOf(tenants)
    const names = tenantsIn(folder, undefined)
    const found: Array<Wrong[number]> = [...(yield* configurations(folder, names))]
    const settings = yield* Effect.result(tenantsFile(folder))
    if (settings._tag === "Failure") found.push(["all tenants", problem(settings.failure)])
    let more = ""
    if (Option.isSome(cluster)) {
      const wrong = clusterProblem(cluster.value)
      if (wrong !== undefined) return yield* new UsageError({ why: wrong })
      const looked = yield* Effect.result(Effect.scoped(database(cluster.value)))
      if (looked._tag === "Failure") found.push(["the database", looked.failure.why])
      else {
        found.push(...looked.success.wrong)
        more = `, ${grouped(looked.success.kept)} with their configuration in the database`
      }
      if (settings._tag === "Success" && settings.success.alerts === undefined)
        yield* out.say(
          "Nobody is told of tenants that are held back: name channels under alerts in daybook.tenants.json"
        )
    }
    for (const [about, why] of found) {
      yield* out.emit({ type: "check", name: about, ok: false, says: why })
      yield* out.say(`${out.style.red("BAD")}  ${about}: ${why}`)
    }
    yield* out.emit({ type: "checked", tenants: names.length, problems: found.length })
    yield* out.say(`${plural(names.length, "tenant")}${more}; ${plural(found.length, "problem")} found.`)
    if (found.length > 0) return yield* new Exit({ status: 1 })
  })
).pipe(
  CommandContext.help(
    "Check the configuration and the key of every tenant of a folder and daybook.tenants.json, without asking a source or the service. With --database: also the tables, whether this machine's seal opens what is sealed, which tenants are held back, and which nothing runs. Exit status 1: something is wrong.",
    "Check what all tenants need to run",
    "daybook tenants doctor --database postgres://daybook@db/daybook # Before an upgrade, or when one does not run"
  )
)
