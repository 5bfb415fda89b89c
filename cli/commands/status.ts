/** `daybook status`: connections, last runs, what is open. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import * as Approvals from "../../sync/plan/Approvals.ts"
import * as Attentions from "../../sync/apply/AttentionStore.ts"
import * as Completeness from "../../sync/Completeness.ts"
import { Database } from "../../sync/state/Database.ts"
import * as OrderCompleteness from "../../sync/OrderCompleteness.ts"
import * as Overview from "../../sync/reports/Status.ts"
import * as Turns from "../../sync/schedule/RunState.ts"
import * as Session from "../CommandContext.ts"
import * as Steps from "../Steps.ts"
import { approvalLine, approvalRecord } from "../render/ApprovalView.ts"
import { orderCompleteness } from "../render/OrderView.ts"
import * as View from "../render/ReportView.ts"
import type { Output } from "../render/Output.ts"
import { instant } from "../render/StoryView.ts"
import { plural, table } from "../render/Table.ts"

const COUNTS = [
  ["invoices", "Invoices"],
  ["payments", "Payments"],
  ["reversals", "Reversals"],
  ["credit_notes", "Credit notes"],
  ["orders", "Orders"],
  ["fulfilments", "Parcels"],
  ["cancellations", "Cancellations"],
  ["returns", "Returns"],
  ["told", "Told"],
  ["waiting", "To look at"],
  ["set_aside", "Set aside"]
] as const

const ALWAYS: ReadonlyArray<string> = ["told", "waiting", "set_aside"]
const OF_ORDERS: ReadonlyArray<string> = ["orders", "fulfilments", "cancellations", "returns"]

/** What there is of each connection. Columns of invoices stand aside where there are only orders, and the other way. */
const connectionTable = (connections: ReadonlyArray<Overview.ConnectionRow>, { style, width }: Output): string => {
  const any = (names: ReadonlyArray<string>) =>
    connections.some((one) => COUNTS.some(([name]) => names.includes(name) && one[name] > 0))
  const orders = any(OF_ORDERS)
  const invoices = !orders || any(["invoices", "payments", "reversals", "credit_notes"])
  const shown = COUNTS.filter(([name]) => ALWAYS.includes(name) || (OF_ORDERS.includes(name) ? orders : invoices))
  return table(
    [{ title: "Connection" }, { title: "Last read (UTC)" }, ...shown.map(([, title]) => ({ title, right: true }))],
    connections.map((one) => [
      one.connection,
      one.read === null ? "never" : instant(one.read),
      ...shown.map(([name]) => one[name].toLocaleString("en"))
    ]),
    style,
    width
  )
}

export const status = Command.make(
  "status",
  {},
  Effect.fn(function* () {
    const out = yield* Session.output
    const state = yield* Session.state("read", "status")
    yield* Effect.gen(function* () {
      const db = yield* Database
      const ids = yield* db.read(() => Overview.connections(db))
      const service = Overview.service(db)
      const connections = ids.map((id) => Overview.connection(db, id))
      for (const one of connections)
        yield* out.emit({
          type: "connection",
          ...one,
          read: one.read === null ? null : new Date(one.read).toISOString()
        })
      const runs = Overview.runs(db, 5)
      for (const { ended, figures, id, outcome, started } of runs) {
        yield* out.emit({
          type: "run",
          id,
          started: new Date(started).toISOString(),
          ended: ended === null ? null : new Date(ended).toISOString(),
          outcome,
          figures: figures === null ? null : JSON.parse(figures)
        })
      }
      const turns = [...Turns.all(db).values()].filter(({ began }) => began !== null)
      const at = (millis: number | null) => (millis === null ? null : new Date(millis).toISOString())
      for (const { began, connection, ended, failures, message, outcome, succeeded } of turns)
        yield* out.emit({
          type: "turn",
          connection,
          began: at(began),
          ended: at(ended),
          outcome,
          message,
          failures,
          succeeded: at(succeeded)
        })
      const approvals = Approvals.list(db)
      for (const one of approvals) yield* out.emit(approvalRecord(one))
      const summary = {
        service,
        approvals: approvals.filter(({ verdict }) => verdict === null).length,
        attention: Attentions.count(db),
        unsettled: Overview.unsettled(db),
        set_aside: Overview.setAsideCount(db)
      }
      yield* out.emit({ type: "summary", ...summary })
      yield* out.say(
        `${out.style.bold("State")} ${db.file}${service === null ? ", nothing sent yet" : `, of ${service}`}\n`
      )
      yield* out.say(connectionTable(connections, out))
      const [invoices, orders] = [Completeness.statements(db, ids), OrderCompleteness.statements(db, ids)]
      if (invoices.length > 0 || orders.length === 0) yield* out.say(`\n${View.completeness(invoices, out)}`)
      for (const { more, pending, ...statement } of orders)
        yield* out.emit({ type: "orders", ...statement, more, pending })
      if (orders.length > 0) yield* out.say(`\n${orderCompleteness(orders, out)}`)
      const checkouts = Overview.checkouts(db)
      if (checkouts.length > 0) {
        yield* out.emit({ type: "checkouts", ...Object.fromEntries(checkouts.map((one) => [one.status, one.orders])) })
        const parts = checkouts.map(({ orders, status }) => `${orders.toLocaleString("en")} ${status}`)
        yield* out.say(`\nOrders whose buyer has not taken a plan: ${parts.join(", ")}`)
      }
      if (runs.length > 0) {
        yield* out.say(`\n${out.style.bold("Last runs")}`)
        for (const { ended, figures, outcome, started } of runs) {
          const {
            done = 0,
            failed = 0,
            stopped
          } = JSON.parse(figures ?? "{}") as {
            readonly done?: number
            readonly failed?: number
            readonly stopped?: unknown
          }
          // The call that stopped a run was not refused, and its reason is said.
          const refused = stopped === undefined ? failed : 0
          const how =
            ended === null
              ? out.style.yellow("did not end: what was under way is looked up by the next run")
              : `${plural(done, "call")}${refused > 0 ? `, ${refused} refused` : ""}, ${stopped === undefined ? "" : "stopped: "}${outcome}`
          yield* out.say(`  ${instant(started)}  ${how}`)
        }
      }
      if (turns.length > 0) {
        yield* out.say(`\n${out.style.bold("Last turns in the daemon")}`)
        for (const { began, connection, ended, failures, message, outcome } of turns) {
          const how = ended === null ? "at work, or cut off" : `${outcome}: ${message}`
          const again = failures > 1 ? `, ${failures.toLocaleString("en")} failures in a row` : ""
          const line = `  ${instant(ended ?? began!)}  ${connection}: ${how}${again}`
          yield* out.say(failures > 0 ? out.style.red(line) : line)
        }
      }
      if (approvals.length > 0) {
        yield* out.say(`\n${out.style.bold("Plans that need approval")}`)
        for (const one of approvals) yield* out.say(`  ${approvalLine(one)}`)
        if (summary.approvals > 0) yield* out.say(out.style.dim("  Look at one: daybook approve CONNECTION"))
      }
      if (summary.unsettled > 0)
        yield* out.say(
          `\n${plural(summary.unsettled, "call")} without a certain answer; the next run looks them up first.`
        )
      if (summary.set_aside > 0)
        yield* out.say(`\n${View.setAside(Overview.setAside(db, out.quiet ? 0 : 50), summary.set_aside, out)}`)
      if (Overview.drift(db, 1).length > 0) {
        yield* out.say(`\n${out.style.bold("Sources that changed")}`)
        yield* Steps.drift(out)
      }
      yield* out.say(
        summary.attention === 0
          ? "\nNothing needs a person."
          : `\n${plural(summary.attention, "matter")} for a person: daybook attention`
      )
    }).pipe(Effect.provide(state))
  })
).pipe(
  Command.withDescription(
    "Show what the state file holds: connections and when they were read, whether source, books and service agree, the last runs, what is open."
  ),
  Command.withShortDescription("Connections, last runs, what is open"),
  Command.withExamples([{ command: "daybook status --json", description: "The same for a program" }])
)
