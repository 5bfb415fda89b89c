/** `daybook plan`: what would be sent, and why. Changes nothing. */
import { Effect, Option, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { route } from "../../core/Client.ts"
import * as Account from "../../sync/Account.ts"
import { type Attention, type Call, resolve } from "../../sync/Call.ts"
import { Database } from "../../sync/Database.ts"
import * as Owners from "../../sync/Owners.ts"
import * as Plan from "../../sync/Plan.ts"
import * as Subjects from "../../sync/Subjects.ts"
import { Exit, SOMETHING_TO_DO } from "../Exit.ts"
import * as SavedPlan from "../SavedPlan.ts"
import * as Session from "../Session.ts"
import { PlanView } from "../ui/PlanView.ts"

const ROWS = 15

export const plan = Command.make(
  "plan",
  {
    save: Flag.String("save").pipe(
      Flag.withDescription("Write the plan to a file, for daybook apply --plan"),
      Flag.withMetavar("FILE"),
      Flag.optional
    ),
    all: Flag.Boolean("all").pipe(
      Flag.withDescription("List every call, not only the first of each kind"),
      Flag.withDefault(false),
      Flag.withoutNegation
    ),
    detailed: Flag.Boolean("detailed-exitcode").pipe(
      Flag.withDescription("End with 6 when there is something to do, 0 when there is not"),
      Flag.withDefault(false),
      Flag.withoutNegation
    )
  },
  Effect.fn(function* ({ all, detailed, save }) {
    const out = yield* Session.output
    const configuration = yield* Session.configuration
    const state = yield* Session.state("read", "plan")
    yield* Effect.gen(function* () {
      const db = yield* Database
      const other = Account.otherService(db, configuration.service.url)
      if (other !== undefined) return yield* other
      const saved = Option.isNone(save) ? undefined : yield* SavedPlan.writer(save.value)
      const tally = new Plan.Tally()
      const view = new PlanView(all ? Number.POSITIVE_INFINITY : ROWS)
      const people: Array<Attention> = []
      const write = (record: { readonly type: string; readonly [member: string]: unknown }) => {
        saved?.write(record)
        return out.emit(record)
      }
      let n = 0
      yield* Plan.stream(configuration.connections).pipe(
        Stream.runForEach((planned) =>
          Effect.gen(function* () {
            tally.add(planned)
            view.add(planned)
            if (!out.json && saved === undefined) return
            for (const call of planned.calls) yield* write(callRecord(db, call, planned.connection, ++n))
            people.push(...planned.attention)
          })
        )
      )
      for (const one of people) yield* write(attentionRecord(one))
      const summary = tally.summary()
      const { attention, calls, digest, documents } = summary
      const last = { type: "summary", calls, attention, documents, digest }
      yield* write(last)
      saved?.close()
      yield* out.say(view.text(out, summary))
      if (Option.isSome(save))
        yield* out.say(`Saved to ${save.value}; send it with: daybook apply --plan ${save.value}`)
      if (detailed && calls > 0) return yield* new Exit({ status: SOMETHING_TO_DO })
    }).pipe(Effect.provide(state))
  })
).pipe(
  Command.withDescription(
    "Show what would be sent to the service, and why. Reads the books; changes nothing and sends nothing."
  ),
  Command.withShortDescription("What would be sent, and why"),
  Command.withExamples([
    { command: "daybook plan", description: "Look before anything happens" },
    { command: "daybook plan --save monday.plan", description: "Save it, to be approved and applied as it is" }
  ])
)

/** Identifiers that exist already are filled in; those that a call of this plan will make stand as `<key>`. */
const callRecord = (db: Database["Service"], call: Call, connection: string, n: number) => {
  const find = (key: string) => (key.includes("/invoice/") ? Subjects.told(db, key)?.remote : Owners.find(db, key))
  const { method, path } = route(call.operation, resolve(call.params, find))
  const { because, fact, rule, subject: document } = call
  return { type: "call", n, connection, document, fact, rule, method, path, body: resolve(call.body, find), because }
}

const attentionRecord = ({ fact, rule, subject: document, todo, why }: Attention) => ({
  type: "attention",
  document,
  fact,
  rule,
  why,
  todo
})
