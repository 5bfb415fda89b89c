/**
 * Prints the end of a run, from the books alone: schema drift, what could not be read, the statements, what needs attention;
 * and determines the exit status.
 */
import { Clock, Effect } from "effect"
import { describe } from "../core/ServiceError.ts"
import type * as ApplyReport from "../sync/apply/Report.ts"
import * as AttentionStore from "../sync/apply/AttentionStore.ts"
import { agrees, prove as proofOf } from "../sync/reconciliation/Proof.ts"
import type { InvoiceStatement, Proof } from "../sync/model/reports/Statement.ts"
import { orderCompleteness } from "./render/OrderView.ts"
import { coverCompleteness } from "./render/CoverView.ts"
import { paymentCompleteness } from "./render/PaymentView.ts"
import { Database } from "../sync/state/Database.ts"
import type { QuarantinedRow } from "../sync/reports/QuarantinedRecords.ts"
import * as QuarantinedRecords from "../sync/reports/QuarantinedRecords.ts"
import * as Status from "../sync/reports/Status.ts"
import type { Timing } from "../sync/Timing.ts"
import type { Configuration, ServiceSettings } from "../sync/library/config/Configuration.ts"
import { ATTENTION, Exit } from "../sync/library/Exit.ts"
import { candidatesOf, cause } from "../sync/library/AttentionRecords.ts"
import { dated, iso } from "../sync/library/Plain.ts"
import type { Output } from "./render/Output.ts"
import * as View from "./render/ReportView.ts"
import { grouped } from "../core/Plural.ts"

/** Reports schema drift; records that cannot be read are reported by `quarantined`. */
export const drift = (out: Output): Effect.Effect<void, never, Database> =>
  Effect.gen(function* () {
    const db = yield* Database
    for (const { since, ...row } of Status.drift(db, 10)) yield* out.emit({ type: "drift", ...row, since: iso(since) })
    const lost = Status.lostMembers(db, 10)
    if (lost.length > 0) yield* out.say(`\n${out.style.bold("Sources that changed")}`)
    for (const row of lost) yield* out.say(out.style.yellow(View.drift(row)))
  })

/** Reports what could not be read, each problem once, for people. */
export const quarantined = (out: Output, most: number): Effect.Effect<void, never, Database> =>
  Effect.gen(function* () {
    const db = yield* Database
    const count = Status.quarantinedCount(db)
    if (count === 0 || out.json || out.quiet) return
    const alike = Status.quarantinedAlike(db, most)
    yield* out.say(`\n${View.quarantined(QuarantinedRecords.alone(db, most), alike, count, out)}`)
  })

/** Reports what could not be read, each with its record, for programs. */
export const unread = (out: Output): Effect.Effect<void, never, Database> =>
  Effect.gen(function* () {
    const db = yield* Database
    if (out.json)
      for (const row of QuarantinedRecords.all(db, 10_000))
        yield* out.emit({ type: "quarantined", ...dated(row, "since") })
    yield* quarantined(out, 10)
  })

/** The same for some records. */
export const unreadOf = (out: Output, rows: ReadonlyArray<QuarantinedRow>): Effect.Effect<void> =>
  Effect.gen(function* () {
    for (const row of rows) yield* out.emit({ type: "quarantined", ...dated(row, "since") })
    if (rows.length > 0) yield* out.say(`\n${View.quarantined(rows, [], rows.length, out)}`)
  })

/** Reports what could not be read, and what was read only partly. Returns whether a person is needed. */
export const oddities = (out: Output): Effect.Effect<boolean, never, Database> =>
  Effect.gen(function* () {
    const db = yield* Database
    const count = Status.quarantinedCount(db)
    yield* unread(out)
    yield* drift(out)
    for (const { connection, origin, scan, times, what } of Status.notices(db, 10)) {
      yield* out.emit({ type: "notice", connection, scan, what, origin, times })
      yield* out.say(
        out.style.dim(
          `${scan === "" ? "" : `${scan}: `}${what}${times > 1 ? ` (${grouped(times)} times, first in ${origin})` : ` (${origin})`}`
        )
      )
    }
    return count > 0
  })

/** A statement as `--json` prints it: empty parts are left out. */
export const completenessRecord = (statement: InvoiceStatement) => {
  const { books, connection, credit, currency, differences, explained, more, pending } = statement
  const { quarantined, service, source, sourceSays, totals, unchecked } = statement
  return {
    connection,
    currency,
    source,
    books,
    service,
    differences,
    ...(totals === undefined ? {} : { totals }),
    ...(sourceSays === undefined ? {} : { source_says: sourceSays }),
    ...(sourceSays === undefined || unchecked === 0 ? {} : { unchecked }),
    ...(sourceSays === undefined || Number(explained) === 0 ? {} : { explained }),
    ...(credit.invoices === 0 ? {} : { credit }),
    ...(more === 0 ? {} : { more }),
    ...(pending === 0 ? {} : { pending }),
    ...(quarantined === 0 ? {} : { quarantined })
  }
}

/** Prints the statements and what needs attention. Returns whether a person is needed. */
export const prove = (configuration: Configuration, out: Output): Effect.Effect<boolean, never, Database> =>
  Effect.flatMap(Effect.all([Database, Clock.currentTimeMillis]), ([db, now]) =>
    say(proofOf(db, configuration.connections, now), out)
  )

/** Prints statements. */
export const statements = (
  { completeness, cover, orders, payments }: Omit<Proof, "chain">,
  out: Output,
  items?: View.Items
): Effect.Effect<void> =>
  Effect.gen(function* () {
    for (const statement of completeness) yield* out.emit({ type: "completeness", ...completenessRecord(statement) })
    for (const { more, pending, ...statement } of orders) {
      yield* out.emit({
        type: "orders",
        ...statement,
        ...(more === 0 ? {} : { more }),
        ...(pending === 0 ? {} : { pending })
      })
    }
    for (const { more, pending, quarantined, ...statement } of payments) {
      yield* out.emit({
        type: "payments",
        ...statement,
        ...(more === 0 ? {} : { more }),
        ...(pending === 0 ? {} : { pending }),
        ...(quarantined === 0 ? {} : { quarantined })
      })
    }
    for (const { more, ...statement } of cover)
      yield* out.emit({ type: "cover", ...statement, ...(more === 0 ? {} : { more }) })
    if (completeness.length > 0 || orders.length === 0)
      yield* out.say(`\n${View.completeness(completeness, out, items)}`)
    if (orders.length > 0) yield* out.say(`\n${orderCompleteness(orders, out, items)}`)
    if (payments.length > 0) yield* out.say(`\n${paymentCompleteness(payments, out, items)}`)
    if (cover.length > 0) yield* out.say(`\n${coverCompleteness(cover, out)}`)
  })

/** The same with existing statements. */
export const say = (proof: Proof, out: Output): Effect.Effect<boolean, never, Database> =>
  Effect.gen(function* () {
    const db = yield* Database
    const open = AttentionStore.list(db)
    const count = open.length
    const items = new Map(open.map(({ id, subject }) => [subject, id]))
    yield* statements(proof, out, items)
    if (proof.chain !== undefined) yield* out.emit({ type: "chain", ...proof.chain })
    if (count > 0) {
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
    return count > 0 || !agrees(proof)
  })

/** Prints where the time of a sync went. */
export const timing = (spent: Timing, out: Output): Effect.Effect<void> =>
  Effect.andThen(out.emit({ type: "timing", ...spent }), out.say(`\n${View.timing(spent, out)}`))

/** Prints the last line, and sets the exit status of the run. */
export const end = (
  report: ApplyReport.Report,
  { person, service, status }: { readonly person: boolean; readonly service: ServiceSettings; readonly status: number },
  out: Output
): Effect.Effect<void, Exit, Database> =>
  Effect.gen(function* () {
    const db = yield* Database
    const { done, failed, attention, recovered, stopped, unknown } = report
    const quarantined = Status.quarantinedCount(db)
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
      recovered,
      quarantined,
      ...(why === undefined ? {} : { stopped: why })
    })
    if (why !== undefined) yield* out.complain(`daybook: stopped: ${why}`)
    const final = status > 0 ? status : why !== undefined || unknown > 0 ? 1 : person || quarantined > 0 ? ATTENTION : 0
    if (final > 0) yield* new Exit({ status: final })
  })
