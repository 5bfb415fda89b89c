/**
 * The steps of a run, with what is said about each: `pull`, `apply`, and the report at the end. `daybook sync` and
 * `daybook demo` take all of them.
 */
import { Clock, Effect } from "effect"
import type { Requirements } from "../connectors/Connector.ts"
import type { Client } from "../core/Client.ts"
import { nameOf } from "../sync/model/Connection.ts"
import * as Account from "../sync/apply/Account.ts"
import * as Apply from "../sync/apply/Apply.ts"
import type * as ApplyReport from "../sync/apply/Report.ts"
import type { Database } from "../sync/state/Database.ts"
import * as FirstSend from "../sync/apply/FirstSend.ts"
import type { ConfigError, Configuration } from "../sync/library/config/Configuration.ts"
import { messageOf, statusOf } from "../sync/library/Exit.ts"
import { cause } from "../sync/library/AttentionRecords.ts"
import { read } from "../sync/library/ConnectorContext.ts"
import type { Output } from "./render/Output.ts"
import * as View from "./render/ReportView.ts"
import { plural } from "../core/Plural.ts"

/** Reads every connection. One that fails does not keep the others from being read; answers the worst exit status. */
export const pull = (
  configuration: Configuration,
  out: Output
): Effect.Effect<number, never, Database | Requirements> =>
  Effect.gen(function* () {
    let worst = 0
    for (const connection of configuration.connections) {
      const result = yield* Effect.result(
        read(configuration, connection, ({ read }) => out.tick(`${connection.id}: ${read.toLocaleString("en")} read`))
      )
      yield* out.clear
      if (result._tag === "Failure") {
        worst = Math.max(worst, statusOf(result.failure))
        const message = `${connection.id}: ${messageOf(result.failure)}`
        yield* out.emit({ type: "error", connection: connection.id, error: result.failure._tag, message })
        yield* out.complain(`daybook: ${message}`)
        continue
      }
      const { setAside: set_aside, ...taken } = result.success
      yield* out.emit({ type: "pull", connection: connection.id, ...taken, set_aside })
      yield* out.say(View.pulled(nameOf(connection), result.success))
    }
    return worst
  }).pipe(
    Effect.onInterrupt(() => out.complain("daybook: stopped. What was read is kept; run again to read the rest."))
  )

export interface ApplyOptions {
  readonly digest?: string
  readonly allowReductions?: boolean
}

/** Sends what the plan says, and reports. Fails with `Exit` when a person is needed. */
export const apply = (
  configuration: Configuration,
  out: Output,
  options: ApplyOptions = {}
): Effect.Effect<ApplyReport.Report, Apply.ApplyError | ConfigError, Database | Client> =>
  Effect.gen(function* () {
    const { connections, service } = configuration
    yield* Account.bind(service.url, yield* service.key)
    const stopped = yield* FirstSend.ask(connections, connections, service.settleAfter)
    const done = new Map<string, number>()
    let total = 0
    let n = 0
    let refused = 0
    const started = yield* Clock.currentTimeMillis
    const report = yield* Apply.apply(connections, {
      stopped,
      ...options,
      concurrency: service.concurrency,
      settleAfter: service.settleAfter,
      onStart: ({ calls }) => Effect.sync(() => void (total = calls)),
      onReceipt: (receipt) =>
        Effect.gen(function* () {
          const { call, outcome, remote, status, why } = receipt
          n++
          if (outcome === "done") done.set(call.operation, (done.get(call.operation) ?? 0) + 1)
          if (outcome === "refused") refused++
          const { fact, rule, subject: document } = call
          yield* out.emit({
            type: "receipt",
            n,
            document,
            rule,
            status: status ?? null,
            remote: remote ?? null,
            ...cause(fact, document),
            ...(outcome === "done" ? {} : { outcome, why })
          })
          const seconds = ((yield* Clock.currentTimeMillis) - started) / 1000
          const left = seconds > 2 && n < total ? `, about ${Math.ceil((seconds / n) * (total - n))} s left` : ""
          yield* out.tick(`${n.toLocaleString("en")} of ${plural(total, "call")}${left}`)
        })
    }).pipe(
      Effect.onInterrupt(() => out.complain("daybook: stopped. What was sent is kept; run again to send the rest."))
    )
    yield* out.clear
    yield* out.say(View.applied(report, { done, refused }, out))
    return report
  })
