/**
 * The steps of a run, with what is said about each: `pull`, `apply`, and the report at the end. `daybook sync` and
 * `daybook demo` take all of them.
 */
import { Clock, Effect } from "effect"
import type { Requirements } from "../connectors/Connector.ts"
import type { Client } from "../core/Client.ts"
import { describe } from "../core/ServiceError.ts"
import { nameOf } from "../sync/model/Connection.ts"
import * as Account from "../sync/apply/Account.ts"
import * as Apply from "../sync/apply/Apply.ts"
import type * as ApplyReport from "../sync/apply/Report.ts"
import * as AttentionStore from "../sync/apply/AttentionStore.ts"
import * as InvoiceStatement from "../sync/reconciliation/InvoiceStatement.ts"
import * as OrderStatement from "../sync/reconciliation/OrderStatement.ts"
import * as PaymentStatement from "../sync/reconciliation/PaymentStatement.ts"
import { orderCompleteness } from "./render/OrderView.ts"
import { paymentCompleteness } from "./render/PaymentView.ts"
import { Database } from "../sync/state/Database.ts"
import * as FirstSend from "../sync/apply/FirstSend.ts"
import * as Status from "../sync/reports/Status.ts"
import type { ConfigError, Configuration, ServiceSettings } from "../sync/library/config/Configuration.ts"
import { ATTENTION, Exit, messageOf, statusOf } from "../sync/library/Exit.ts"
import { candidatesOf, cause } from "../sync/library/PlanRecords.ts"
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

/** Where sources no longer say what they did. Answers in how many ways. */
export const drift = (out: Output): Effect.Effect<number, never, Database> =>
  Effect.gen(function* () {
    const rows = Status.drift(yield* Database, 10)
    for (const { since, ...row } of rows) {
      yield* out.emit({ type: "drift", ...row, since: new Date(since).toISOString() })
      yield* out.say(out.style.yellow(View.drift(row)))
    }
    return rows.length
  })

/** What could not be read, and what was read with something left out. Answers whether a person is needed. */
export const oddities = (out: Output): Effect.Effect<boolean, never, Database> =>
  Effect.gen(function* () {
    const db = yield* Database
    const count = Status.setAsideCount(db)
    if (out.json) for (const row of Status.setAside(db, 10_000)) yield* out.emit({ type: "set_aside", ...row })
    else if (count > 0) yield* out.say(`\n${View.setAside(Status.setAside(db, 10), count, out)}`)
    yield* drift(out)
    for (const { connection, origin, part, times, what } of Status.notices(db, 10)) {
      yield* out.emit({ type: "notice", connection, part, what, origin, times })
      yield* out.say(
        out.style.dim(
          `${part}: ${what}${times > 1 ? ` (${times.toLocaleString("en")} times, first in ${origin})` : ` (${origin})`}`
        )
      )
    }
    return count > 0
  })

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

/** The proof and what is open. Answers whether a person is needed. */
export const prove = (configuration: Configuration, out: Output): Effect.Effect<boolean, never, Database> =>
  Effect.gen(function* () {
    const db = yield* Database
    const statements = InvoiceStatement.statements(
      db,
      configuration.connections.map(({ id }) => id)
    )
    for (const { books, connection, currency, differences, more, pending, service, setAside, source } of statements) {
      yield* out.emit({
        type: "completeness",
        connection,
        currency,
        source,
        books,
        service,
        differences,
        ...(more === 0 ? {} : { more }),
        ...(pending === 0 ? {} : { pending }),
        ...(setAside === 0 ? {} : { set_aside: setAside })
      })
    }
    const orders = OrderStatement.statements(
      db,
      configuration.connections.map(({ id }) => id)
    )
    for (const { more, pending, ...statement } of orders) {
      yield* out.emit({
        type: "orders",
        ...statement,
        ...(more === 0 ? {} : { more }),
        ...(pending === 0 ? {} : { pending })
      })
    }
    const payments = PaymentStatement.statements(
      db,
      configuration.connections.filter(({ pays }) => pays !== undefined).map(({ id }) => id)
    )
    for (const { more, pending, setAside, ...statement } of payments) {
      yield* out.emit({
        type: "payments",
        ...statement,
        ...(more === 0 ? {} : { more }),
        ...(pending === 0 ? {} : { pending }),
        ...(setAside === 0 ? {} : { set_aside: setAside })
      })
    }
    if (statements.length > 0 || orders.length === 0) yield* out.say(`\n${View.completeness(statements, out)}`)
    if (orders.length > 0) yield* out.say(`\n${orderCompleteness(orders, out)}`)
    if (payments.length > 0) yield* out.say(`\n${paymentCompleteness(payments, out)}`)
    const count = AttentionStore.count(db)
    if (count > 0) {
      const open = AttentionStore.list(db)
      for (const one of open)
        yield* out.emit({
          type: "attention",
          id: one.id,
          document: one.subject,
          rule: one.rule,
          why: one.why,
          todo: one.todo,
          ...candidatesOf(db, one),
          ...cause(one.fact, one.subject)
        })
      yield* out.say(`\n${View.attention(open.slice(0, 10), count, out)}`)
    }
    return count > 0 || [...statements, ...orders, ...payments].some(({ differences }) => differences.length > 0)
  })

/** The last line, and the exit status that the run ends with. */
export const end = (
  report: ApplyReport.Report,
  { person, service, status }: { readonly person: boolean; readonly service: ServiceSettings; readonly status: number },
  out: Output
): Effect.Effect<void, Exit, Database> =>
  Effect.gen(function* () {
    const db = yield* Database
    const { done, failed, attention, settled, stopped, unknown } = report
    const set_aside = Status.setAsideCount(db)
    const why =
      stopped === undefined
        ? undefined
        : stopped._tag === "Unauthorized"
          ? `${service.url} does not accept the key (${stopped.status}: ${stopped.detail}); check the environment variable ${service.keyVariable}, which holds it`
          : describe(stopped)
    yield* out.emit({
      type: "summary",
      done,
      failed,
      attention,
      unknown,
      settled,
      set_aside,
      ...(why === undefined ? {} : { stopped: why })
    })
    if (why !== undefined) yield* out.complain(`daybook: stopped: ${why}`)
    const final = status > 0 ? status : why !== undefined || unknown > 0 ? 1 : person ? ATTENTION : 0
    if (final > 0) yield* new Exit({ status: final })
  })
