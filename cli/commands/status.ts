/** `daybook status`: connections, last runs, what is open. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import * as Attentions from "../../sync/Attentions.ts"
import * as Completeness from "../../sync/Completeness.ts"
import { Database } from "../../sync/Database.ts"
import * as Overview from "../../sync/Overview.ts"
import * as Session from "../Session.ts"
import * as View from "../ui/ReportView.ts"
import { instant } from "../ui/StoryView.ts"
import { plural, table } from "../ui/Table.ts"

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
      const summary = {
        service,
        attention: Attentions.count(db),
        unsettled: Overview.unsettled(db),
        set_aside: Overview.setAsideCount(db)
      }
      yield* out.emit({ type: "summary", ...summary })
      yield* out.say(
        `${out.style.bold("State")} ${db.file}${service === null ? ", nothing sent yet" : `, of ${service}`}\n`
      )
      yield* out.say(
        table(
          [
            { title: "Connection" },
            { title: "Last read (UTC)" },
            { title: "Invoices", right: true },
            { title: "Payments", right: true },
            { title: "Reversals", right: true },
            { title: "Credit notes", right: true },
            { title: "Told", right: true },
            { title: "To look at", right: true },
            { title: "Set aside", right: true }
          ],
          connections.map((one) => [
            one.connection,
            one.read === null ? "never" : instant(one.read),
            ...[one.invoices, one.payments, one.reversals, one.credit_notes, one.told, one.waiting, one.set_aside].map(
              (n) => n.toLocaleString("en")
            )
          ]),
          out.style,
          out.width
        )
      )
      yield* out.say(`\n${View.completeness(Completeness.statements(db, ids), out)}`)
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
      if (summary.unsettled > 0)
        yield* out.say(
          `\n${plural(summary.unsettled, "call")} without a certain answer; the next run looks them up first.`
        )
      if (summary.set_aside > 0)
        yield* out.say(`\n${View.setAside(Overview.setAside(db, out.quiet ? 0 : 50), summary.set_aside, out)}`)
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
