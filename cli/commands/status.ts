/** `daybook status`: shows connections, last runs, and open amounts. */
import { Clock, Effect, Option } from "effect"
import { Command } from "effect/cli"
import * as Approvals from "../../sync/plan/Approvals.ts"
import * as AttentionStore from "../../sync/apply/AttentionStore.ts"
import { agrees, prove } from "../../sync/reconciliation/Proof.ts"
import { ATTENTION, Exit } from "../../sync/library/Exit.ts"
import { Database, type Db } from "../../sync/state/Database.ts"
import * as Status from "../../sync/reports/Status.ts"
import * as RunState from "../../sync/schedule/RunState.ts"
import * as CommandContext from "../CommandContext.ts"
import * as Flags from "../Flags.ts"
import * as RunReport from "../RunReport.ts"
import { approvalLine, approvalRecord } from "../render/ApprovalView.ts"
import { orderCompleteness } from "../render/OrderView.ts"
import { paymentCompleteness } from "../render/PaymentView.ts"
import * as View from "../render/ReportView.ts"
import type { Output } from "../render/Output.ts"
import { instant } from "../render/Instants.ts"
import { attentionCount, grouped, plural } from "../../core/Plural.ts"
import { table } from "../render/Table.ts"
import { dated } from "../../sync/library/Plain.ts"

const COUNTS = [
  ["invoices", "Invoices"],
  ["payments", "Payments"],
  ["reversals", "Reversals"],
  ["credit_notes", "Credit notes"],
  ["payouts", "Payouts"],
  ["orders", "Orders"],
  ["fulfilments", "Parcels"],
  ["cancellations", "Cancellations"],
  ["returns", "Returns"],
  ["sent", "Sent"],
  ["waiting", "To plan"],
  ["quarantined", "Quarantined"]
] as const

const ALWAYS: ReadonlyArray<string> = ["sent", "waiting", "quarantined"]
const OF_ORDERS: ReadonlyArray<string> = ["orders", "fulfilments", "cancellations", "returns"]

/** The counts of each connection. Without invoices or orders, their columns are left out. */
const connectionTable = (connections: ReadonlyArray<Status.ConnectionRow>, { style, width }: Output): string => {
  const any = (names: ReadonlyArray<string>) =>
    connections.some((one) => COUNTS.some(([name]) => names.includes(name) && one[name] > 0))
  const orders = any(OF_ORDERS)
  const invoices = !orders || any(["invoices", "payments", "reversals", "credit_notes"])
  const isShown = (name: string) =>
    ALWAYS.includes(name) || (name === "payouts" ? any([name]) : OF_ORDERS.includes(name) ? orders : invoices)
  const shown = COUNTS.filter(([name]) => isShown(name))
  return table(
    [{ title: "Connection" }, { title: "Last read (UTC)" }, ...shown.map(([, title]) => ({ title, right: true }))],
    connections.map((one) => [
      one.name ?? one.connection,
      one.read === null ? "never" : instant(one.read),
      ...shown.map(([name]) => grouped(one[name]))
    ]),
    { style, width }
  )
}

/** Reads the state file once. */
const stateOf = (db: Db, now: number) => {
  const ids = Status.connections(db)
  const approvals = Approvals.list(db)
  return {
    file: db.file,
    service: Status.service(db),
    connections: ids.map((id) => Status.connection(db, id)),
    runs: Status.runs(db, 5),
    turns: [...RunState.all(db).values()].filter(({ began }) => began !== null),
    approvals,
    ...prove(
      db,
      ids.map((id) => ({ id })),
      now
    ),
    checkouts: Status.checkouts(db),
    counts: {
      approvals: approvals.filter(({ decision }) => decision === null).length,
      attention: AttentionStore.count(db),
      pending_calls: Status.pendingCalls(db),
      quarantined: Status.quarantinedCount(db)
    }
  }
}

type State = ReturnType<typeof stateOf>

const emit = (state: State, out: Output) =>
  Effect.gen(function* () {
    for (const one of state.connections) yield* out.emit({ type: "connection", ...dated(one, "read") })
    for (const run of state.runs) {
      const { ended, figures, id, outcome, started } = dated(run, "started", "ended")
      const parsed = figures === null ? null : JSON.parse(figures)
      yield* out.emit({ type: "run", id, started, ended, outcome, figures: parsed })
    }
    for (const turn of state.turns) {
      const { dueFrom: _, ...shown } = dated(turn, "began", "ended", "succeeded")
      yield* out.emit({ type: "turn", ...shown })
    }
    for (const one of state.approvals) yield* out.emit(approvalRecord(one))
    yield* out.emit({ type: "summary", service: state.service, ...state.counts })
    for (const one of state.completeness)
      yield* out.emit({ type: "completeness", ...RunReport.completenessRecord(one) })
    for (const { more, pending, ...statement } of state.orders)
      yield* out.emit({ type: "orders", ...statement, more, pending })
    for (const { quarantined, ...statement } of state.payments)
      yield* out.emit({ type: "payments", ...statement, quarantined })
    if (state.chain !== undefined) yield* out.emit({ type: "chain", ...state.chain })
    if (state.checkouts.length > 0) {
      const statuses = Object.fromEntries(state.checkouts.map((one) => [one.status, one.orders]))
      yield* out.emit({ type: "checkouts", ...statuses })
    }
  })

const sayStatements = (
  { chain, checkouts, completeness, connections, file, orders, payments, service }: State,
  out: Output
) =>
  Effect.gen(function* () {
    yield* out.say(`${out.style.bold("State")} ${file}${service === null ? ", nothing sent yet" : `, of ${service}`}\n`)
    yield* out.say(connectionTable(connections, out))
    if (completeness.length > 0 || orders.length === 0) yield* out.say(`\n${View.completeness(completeness, out)}`)
    if (orders.length > 0) yield* out.say(`\n${orderCompleteness(orders, out)}`)
    if (payments.length > 0) yield* out.say(`\n${paymentCompleteness(payments, out)}`)
    if (checkouts.length > 0) {
      const parts = checkouts.map(({ orders, status }) => `${grouped(orders)} ${status}`)
      yield* out.say(`\nOrders without an accepted plan: ${parts.join(", ")}`)
    }
    if (chain !== undefined) yield* out.say(out.style.dim(`\nLatest entry of the chain: ${chain.entry}:${chain.hash}`))
  })

interface Figures {
  readonly done?: number
  readonly failed?: number
  readonly stopped?: unknown
}

const sayRuns = ({ connections, runs, turns }: State, out: Output) =>
  Effect.gen(function* () {
    const called = (id: string) => connections.find(({ connection }) => connection === id)?.name ?? id
    if (runs.length > 0) yield* out.say(`\n${out.style.bold("Last runs")}`)
    for (const { ended, figures, outcome, started } of runs) {
      const { done = 0, failed = 0, stopped } = JSON.parse(figures ?? "{}") as Figures
      // The call that stopped a run was not rejected, and its reason is printed.
      const refused = stopped === undefined ? failed : 0
      const how =
        ended === null
          ? out.style.yellow("interrupted; the next run checks pending calls")
          : `${plural(done, "call")}${refused > 0 ? `, ${refused} refused` : ""}, ${stopped === undefined ? "" : "stopped: "}${outcome}`
      yield* out.say(`  ${instant(started)}  ${how}`)
    }
    if (turns.length > 0) yield* out.say(`\n${out.style.bold("Last runs of the daemon")}`)
    for (const { began, connection, ended, failures, message, outcome } of turns) {
      const how = ended === null ? "running, or interrupted" : `${outcome}: ${message}`
      const again = failures > 1 ? `, ${grouped(failures)} failures in a row` : ""
      const line = `  ${instant(ended ?? began ?? 0)}  ${called(connection)}: ${how}${again}`
      yield* out.say(failures > 0 ? out.style.red(line) : line)
    }
  })

const sayOpen = ({ approvals, counts }: State, out: Output) =>
  Effect.gen(function* () {
    if (approvals.length > 0) yield* out.say(`\n${out.style.bold("Plans that need approval")}`)
    for (const one of approvals) yield* out.say(`  ${approvalLine(one)}`)
    if (counts.approvals > 0) yield* out.say(out.style.dim("  Show one: daybook approve CONNECTION"))
    if (counts.pending_calls > 0)
      yield* out.say(
        `\n${plural(counts.pending_calls, "call")} without a known result; the next run checks them first.`
      )
    yield* RunReport.quarantined(out, 50)
    yield* RunReport.drift(out)
    yield* out.say(
      counts.attention === 0
        ? counts.quarantined === 0
          ? "\nNothing needs attention."
          : `\n${plural(counts.quarantined, "record")} could not be read; nothing else needs attention.`
        : `\n${attentionCount(counts.attention)}: daybook attention`
    )
  })

/** Whether a person is needed. While something is still unsent, statements differ because of that. */
const needsPerson = ({ connections, counts, ...proof }: State): boolean =>
  counts.attention + counts.quarantined + counts.approvals > 0 ||
  (connections.every(({ waiting }) => waiting === 0) && !agrees(proof))

export const status = Command.make(
  "status",
  {
    asOf: Flags.text(
      "as-of",
      "DAY",
      "The statements, and what was open by age, as they were known at the end of another day"
    )
  },
  Effect.fn(function* ({ asOf }) {
    const out = yield* CommandContext.output
    const file = yield* CommandContext.state("read", "status")
    if (Option.isSome(asOf)) {
      const { showAsOf } = yield* Effect.promise(() => import("../ShowAsOf.ts"))
      return yield* Effect.provide(showAsOf(asOf.value, out), file)
    }
    yield* Effect.gen(function* () {
      const db = yield* Database
      const now = yield* Clock.currentTimeMillis
      const state = yield* db.snapshot(() => stateOf(db, now))
      yield* emit(state, out)
      yield* sayStatements(state, out)
      yield* sayRuns(state, out)
      yield* sayOpen(state, out)
      if (needsPerson(state)) yield* new Exit({ status: ATTENTION })
    }).pipe(Effect.provide(file))
  })
).pipe(
  CommandContext.help(
    "Show the connections and when they were read, whether source, books and service agree, the last runs, and what is open. Exit status 3: something needs attention, a record could not be read, a plan waits for approval, or a statement differs.",
    "Show connections, last runs and open amounts",
    "daybook status --json # The same for a program",
    "daybook status --as-of 2026-10-31 # As it was known at the end of that day"
  )
)
