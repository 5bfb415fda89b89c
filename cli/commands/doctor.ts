/** `daybook doctor`: checks everything that a run needs, and says how to fix what is wrong. */
import { Cause, Clock, DateTime, Effect, Option } from "effect"
import { Command } from "effect/cli"
import { HttpClient } from "effect/http"
import { existsSync } from "node:fs"
import { Client } from "../../core/Client.ts"
import { otherService } from "../../sync/apply/BoundService.ts"
import { Database } from "../../sync/state/Database.ts"
import * as Ingest from "../../sync/pull/Ingest.ts"
import * as LedgerTrust from "../../sync/state/LedgerTrust.ts"
import * as Status from "../../sync/reports/Status.ts"
import type { Configuration } from "../../sync/library/config/Configuration.ts"
import { Exit, messageOf } from "../../sync/library/Exit.ts"
import { hide } from "../../sync/library/Hidden.ts"
import { plain } from "../../sync/library/Plain.ts"
import { type Connection, nameOf } from "../../sync/model/Connection.ts"
import * as ConnectorContext from "../../sync/pull/ConnectorContext.ts"
import * as Preview from "../../sync/pull/Preview.ts"
import * as CommandContext from "../CommandContext.ts"
import { unidentifiedRequests } from "../daemon/Metrics.ts"
import type { Output } from "../render/Output.ts"
import * as View from "../render/PreviewView.ts"
import * as ServiceClient from "../../sync/library/ServiceClient.ts"
import { plural } from "../../core/Plural.ts"

interface Check {
  readonly name: string
  readonly ok: boolean
  readonly says: string
  /** Additional fields for programs. */
  readonly more?: Readonly<Record<string, unknown>>
  /** How many of the lines are about records that were not read as they stand. */
  readonly noticed?: number
  /** Additional lines for people. */
  readonly lines?: ReadonlyArray<string>
}

const good = (name: string, says: string): Check => ({ name, ok: true, says })
const bad = (name: string, says: string): Check => ({ name, ok: false, says })

/** Turns any failure into a finding. */
const finding = <R>(name: string, check: Effect.Effect<Check, unknown, R>): Effect.Effect<Check, never, R> =>
  Effect.catchCause(check, (cause) => Effect.succeed(bad(name, hide(messageOf(Cause.squash(cause))))))

export const doctor = Command.make(
  "doctor",
  {},
  Effect.fn(function* () {
    const out = yield* CommandContext.output
    const named = Option.getOrElse(yield* CommandContext.stateFile, () => "daybook.db")
    const state = yield* CommandContext.state("read", "doctor")
    let wrong = 0
    let notices = 0
    const report = ({ lines = [], more, name, noticed = 0, ok, says }: Check) => {
      if (!ok) wrong++
      notices += noticed
      const mark = ok ? out.style.green("ok ") : out.style.red("BAD")
      const text = [`${mark}  ${name.padEnd(14)} ${says}`, ...lines.map((line) => `     ${line}`)].join("\n")
      return Effect.andThen(out.emit({ type: "check", name, ok, says, ...more }), out.say(text))
    }
    yield* report(good("node", `${process.version} on ${process.platform} ${process.arch}`))
    const configuration = yield* Effect.result(CommandContext.configuration)
    if (configuration._tag === "Failure") yield* report(bad("configuration", messageOf(configuration.failure)))
    else {
      const found = configuration.success
      yield* report(good("configuration", `${found.file}: ${plural(found.connections.length, "connection")}`))
      for (const connection of found.connections)
        yield* report(yield* source(found, connection, { named, out }).pipe(Effect.provide(ServiceClient.outside)))
      // A check is skipped if the one that it depends on failed: one cause is one problem.
      const key = yield* finding("key", Effect.as(found.service.key, good("key", "set in the environment")))
      yield* report(key)
      if (key.ok) {
        const service = yield* finding("service", reach(found).pipe(Effect.provide(ServiceClient.client(found))))
        yield* report(service)
        if (service.ok) yield* report(yield* finding("clock", clock(found).pipe(Effect.provide(ServiceClient.outside))))
      }
    }
    if (configuration._tag === "Success") {
      const found = yield* senders(configuration.success).pipe(Effect.provide(ServiceClient.outside), Effect.option)
      if (Option.isSome(found)) yield* report(found.value)
      if (configuration.success.daemon.openId !== undefined)
        yield* report(yield* finding("sign-in", signIn(configuration.success)))
    }
    yield* report(
      existsSync(named)
        ? yield* finding(
            "state file",
            stateCheck(
              Option.getOrUndefined(
                configuration._tag === "Success" ? Option.some(configuration.success) : Option.none()
              )
            ).pipe(Effect.provide(state))
          )
        : good("state file", `${named} does not exist yet; the first pull or sync creates it`)
    )
    const found =
      wrong > 0
        ? `${plural(wrong, "problem")} found.`
        : notices > 0
          ? `A run would work; what is not read, or not as it stands, is in ${plural(notices, "notice")} above.`
          : "No problems found."
    yield* out.say(`\n${found}`)
    if (wrong > 0) yield* new Exit({ status: 1 })
  })
).pipe(
  CommandContext.help(
    "Check Node, configuration, sources, credentials, state file, clock and whether the service can be reached, and say how to fix what is wrong. The first thousand records of each source are read with its key, to say what they come to and what would be quarantined; nothing of them is stored.",
    "Check everything that a run needs",
    "daybook doctor --config acme.json # Before the first run"
  )
)

/** Whether the provider at which people sign in can be used. Its client is large, so that it is loaded only here. */
const signIn = (configuration: Configuration) =>
  Effect.gen(function* () {
    const { openIdCheck, openIdOf } = yield* Effect.promise(() => import("../page/OpenIdSetup.ts"))
    const openId = yield* openIdOf(configuration)
    return openId === undefined ? good("sign-in", "here only") : { name: "sign-in", ...(yield* openIdCheck(openId)) }
  })

/** Checks that the source answers, accepts its key, and that its first records can be read. Stores nothing. */
const source = (
  configuration: Configuration,
  connection: Connection,
  { named, out }: { readonly named: string; readonly out: Output }
) => {
  const name = `source ${nameOf(connection)}`
  const { connector } = connection
  return finding(
    name,
    Effect.gen(function* () {
      const context = yield* ConnectorContext.of(configuration, connection, named)
      const problems = yield* Ingest.checked(connection, context)
      if (problems.length > 0) return bad(name, problems.join("; "))
      yield* out.tick(`${nameOf(connection)}: reading its first records`)
      const found = yield* Preview.preview(configuration, connection, named, { show: 0 })
      yield* out.clear
      const says = `${connector.name}: ${View.found(found)}`
      const { notices, quarantined, sums } = found
      const differs = View.differs(found)
      const wrong = [...(quarantined.length === 0 ? [] : [View.wouldBe(quarantined)]), ...differs]
      const lines = View.noticesOf(notices)
      return {
        name,
        noticed: lines.length,
        ok: wrong.length === 0,
        says: [says, ...wrong].join("; "),
        more: {
          sums: sums.map(plain),
          quarantined: quarantined.length,
          unread: quarantined,
          notices,
          differing: found.differing.map(plain)
        },
        lines: [...View.sumLines(found, out), ...lines.map((line) => out.style.dim(line))]
      }
    })
  )
}

const reach = ({ service }: Configuration) =>
  Effect.gen(function* () {
    const { me } = yield* Client
    yield* me.get({})
    return good("service", `${service.url} answers and accepts the key`)
  })

/** If the clocks differ by more than this, days near midnight would be wrong. Milliseconds. */
const MOST_APART_MS = 120_000

const clock = ({ service }: Configuration) =>
  Effect.gen(function* () {
    const http = yield* HttpClient.HttpClient
    const { headers } = yield* http.get(service.url)
    const now = yield* Clock.currentTimeMillis
    const there = DateTime.make(headers["date"] ?? "")
    if (Option.isNone(there)) return good("clock", "the service sends no time to compare with")
    const apart = Math.abs(DateTime.toEpochMillis(there.value) - now)
    return apart <= MOST_APART_MS
      ? good("clock", "agrees with the service's")
      : bad("clock", `${Math.round(apart / 1000)} seconds from the service's; set this machine's clock`)
  })

/** Whether a daemon that runs here knows who sends its requests; fails if there is none. */
const senders = ({ daemon: { host, port } }: Configuration) =>
  Effect.gen(function* () {
    const http = yield* HttpClient.HttpClient
    const here = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : host.includes(":") ? `[${host}]` : host
    const figures = yield* Effect.flatMap(http.get(`http://${here}:${port}/metrics`), ({ text }) => text)
    const [, count] = new RegExp(`^${unidentifiedRequests.id}(?:{.*})? ([1-9].*)$`, "m").exec(figures) ?? []
    return count === undefined
      ? good("senders", "the daemon knows who sends its requests")
      : bad(
          "senders",
          "a proxy forwards requests without saying for whom, so that everybody is one sender: let it set X-Forwarded-For, and if it is not on this machine, add it to daemon.proxies"
        )
  })

const stateCheck = (configuration: Configuration | undefined) =>
  Effect.gen(function* () {
    const db = yield* Database
    if (configuration !== undefined) {
      const other = otherService(db, configuration.service.url)
      if (other !== undefined) return bad("state file", other.message)
    }
    const check = yield* db.read(() => db.raw.pragma("quick_check(1)", { simple: true }))
    if (check !== "ok") return bad("state file", `${db.file} is damaged (${String(check)}); restore it from a backup`)
    const behind = LedgerTrust.behind(db)
    if (behind !== undefined) return bad("state file", behind.message)
    const pendingCalls = Status.pendingCalls(db)
    return good(
      "state file",
      `${db.file}: intact${pendingCalls === 0 ? "" : `, ${plural(pendingCalls, "call")} to check on the next run`}`
    )
  })
