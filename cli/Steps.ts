/**
 * Prints the progress of a sync: what was read from each source, how far sending is, what was sent.
 */
import { Clock, Effect } from "effect"
import type { Requirements } from "../connectors/Connector.ts"
import type { Client } from "../core/Client.ts"
import type { ServiceError } from "../core/ServiceError.ts"
import { nameOf } from "../sync/model/Connection.ts"
import type * as ApplyReport from "../sync/apply/Report.ts"
import type { Database } from "../sync/state/Database.ts"
import type { ConfigError, Configuration } from "../sync/library/config/Configuration.ts"
import { messageOf, statusOf } from "../sync/library/Exit.ts"
import { cause } from "../sync/library/AttentionRecords.ts"
import * as Sync from "../sync/Sync.ts"
import type { Output } from "./render/Output.ts"
import * as View from "./render/ReportView.ts"
import { grouped, plural } from "../core/Plural.ts"

const READING = "Reading the sources"
const PLANNING = "Planning, and asking the service what it has"

/** Shows the progress of reading a source, and the result. */
const reading = (out: Output) => ({
  onProgress: ({ id }: { readonly id: string }, { read }: { readonly read: number }) =>
    out.tick(`${id}: ${grouped(read)} read`),
  onRead: ({ connection, result }: Sync.Reading<Sync.ReadError | ServiceError>) =>
    Effect.gen(function* () {
      const { id } = connection
      yield* out.clear
      if (result._tag === "Failure") {
        const message = `${id}: ${messageOf(result.failure)}`
        yield* out.emit({ type: "error", connection: id, error: result.failure._tag, message })
        return yield* out.complain(`daybook: ${message}`)
      }
      const { followed: _, quarantined, ...taken } = result.success
      yield* out.emit({ type: "pull", connection: id, ...taken, quarantined })
      yield* out.say(View.pulled(nameOf(connection), result.success))
    })
})

/** The exit status of the worst failure. */
const worst = (readings: ReadonlyArray<Sync.Reading<unknown>>): number =>
  Math.max(0, ...readings.map(({ result }) => (result._tag === "Failure" ? statusOf(result.failure) : 0)))

/** Reads every connection; returns the worst exit status. */
export const pull = (
  configuration: Configuration,
  out: Output
): Effect.Effect<number, never, Database | Requirements> =>
  Effect.andThen(out.tick(READING), Sync.pullEach(configuration, configuration.connections, reading(out))).pipe(
    Effect.map(worst),
    Effect.onInterrupt(() => out.complain("daybook: stopped. What was read is kept; run again to read the rest."))
  )

export interface ApplyOptions
  extends Pick<ApplyReport.SendingOptions, "allow" | "collection" | "confirm" | "firstSync"> {
  readonly digest?: string
}

/** Counts receipts, shows the progress of sending, and finally prints what was sent. */
const sending = (out: Output) =>
  Effect.sync(() => {
    const done = new Map<string, number>()
    let started = 0
    let total = 0
    let n = 0
    let refused = 0
    return {
      onStart: ({ calls }: { readonly calls: number }) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          total = calls
          started = now
        }),
      onReceipt: ({ call, outcome, remote, status, why }: ApplyReport.CallReceipt) =>
        Effect.gen(function* () {
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
          yield* out.tick(`${grouped(n)} of ${plural(total, "call")}${left}`)
        }),
      said: (report: ApplyReport.Report) =>
        Effect.andThen(
          out.clear,
          Effect.suspend(() => out.say(View.applied(report, { done, refused }, out)))
        )
    }
  })

/** Sends what the plan contains, and prints what was sent. */
export const apply = (
  configuration: Configuration,
  out: Output,
  options: ApplyOptions = {},
  connections = configuration.connections
): Effect.Effect<ApplyReport.Report, Sync.SendError | ConfigError, Database | Client> =>
  Effect.gen(function* () {
    const { said, ...hooks } = yield* sending(out)
    const key = yield* configuration.service.key
    yield* out.tick(PLANNING)
    const report = yield* Sync.send(configuration, connections, key, { ...options, ...hooks }).pipe(
      Effect.onInterrupt(() => out.complain("daybook: stopped. What was sent is kept; run again to send the rest."))
    )
    yield* said(report)
    return report
  })

/** Reads, prints the output of `between`, and sends. */
export const sync = <A>(
  configuration: Configuration,
  out: Output,
  options: ApplyOptions,
  between: Effect.Effect<A, never, Database>
) =>
  Effect.gen(function* () {
    const { said, ...hooks } = yield* sending(out)
    const key = yield* configuration.service.key
    yield* out.tick(READING)
    let unread: A | undefined
    const { proof, readings, report, timing } = yield* Sync.sync(configuration, configuration.connections, key, {
      ...options,
      ...hooks,
      ...reading(out),
      beforeSend: Effect.flatMap(between, (found) => {
        unread = found
        return out.tick(PLANNING)
      })
    }).pipe(
      Effect.onInterrupt(() =>
        out.complain("daybook: stopped. What was read and sent is kept; run again for the rest.")
      )
    )
    yield* said(report)
    return { readings, report, proof, timing, status: worst(readings), between: unread }
  })
