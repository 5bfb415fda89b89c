/** `daybook reconcile`: reads the service and compares it with the ledger. */
import { Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { Day } from "../../core/wire/Day.ts"
import * as Account from "../../sync/apply/Account.ts"
import { otherService } from "../../sync/apply/BoundService.ts"
import * as Audit from "../../sync/reconciliation/Audit.ts"
import { Database } from "../../sync/state/Database.ts"
import { ATTENTION, Exit, UsageError } from "../../sync/library/Exit.ts"
import { type Record, records } from "../../sync/library/PlanRecords.ts"
import * as CommandContext from "../CommandContext.ts"
import * as Flags from "../Flags.ts"
import * as ServiceClient from "../../sync/library/ServiceClient.ts"
import { independent } from "../Independent.ts"
import * as RunReport from "../RunReport.ts"
import * as View from "../render/AuditView.ts"
import { PlanView } from "../render/PlanView.ts"
import { grouped } from "../../core/Plural.ts"

/** How many differences are shown; `--json` has all of them. */
const MOST = 50

const day = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.withMetavar("YYYY-MM-DD"), Flag.optional)

const dayOf = (
  name: string,
  text: Option.Option<string>
): Effect.Effect<{ readonly [name: string]: Day }, UsageError> =>
  Option.isNone(text)
    ? Effect.succeed({})
    : Schema.decodeEffect(Day)(text.value).pipe(
        Effect.map((day) => ({ [name]: day })),
        Effect.mapError(
          () =>
            new UsageError({
              why: `--${name}: ${JSON.stringify(text.value)} is not a YYYY-MM-DD date; write it like 2026-01-31`
            })
        )
      )

const witness = (more: boolean) =>
  more
    ? Effect.fail(
        new UsageError({
          why: "--independent looks at everything and corrects nothing; leave out --fix, --from and --to"
        })
      )
    : independent

export const reconcile = Command.make(
  "reconcile",
  {
    from: day("from", "Only invoices issued and orders placed on this day or later"),
    to: day("to", "Only invoices issued and orders placed on this day or earlier"),
    fix: Flags.yes("fix", "Correct the ledger so that it matches the service. The service is never changed"),
    independent: Flags.yes(
      "independent",
      "Read every source and the service from the beginning, and compute every open amount with code that shares no rules with sync; books and ledger are not used"
    )
  },
  Effect.fn(function* ({ fix, from, independent, to }) {
    if (independent) return yield* witness(fix || Option.isSome(from) || Option.isSome(to))
    const out = yield* CommandContext.output
    const range = { ...(yield* dayOf("from", from)), ...(yield* dayOf("to", to)) }
    const configuration = yield* CommandContext.configuration
    const { connections, service } = configuration
    const state = yield* CommandContext.state(fix ? "write" : "read", "reconcile")
    yield* Effect.gen(function* () {
      const db = yield* Database
      const other = otherService(db, service.url)
      if (other !== undefined) return yield* other
      if (fix) yield* Account.bind(service.url, yield* service.key)
      const shown: Array<Audit.Found> = []
      const audited = yield* Audit.audit(connections, {
        ...range,
        fix,
        settleAfter: service.settleAfter,
        onFound: (found) =>
          Effect.suspend(() => {
            if (shown.length < MOST) shown.push(found)
            return out.emit({ type: "difference", ...found })
          }),
        onProgress: (read) => out.tick(`${grouped(read)} transactions compared`)
      })
      yield* out.clear
      yield* out.say(View.audited(audited, shown, out))

      // The plan shows what is still to be sent.
      const view = new PlanView(15)
      const plan = yield* records(connections, {
        see: (planned) => view.add(planned),
        need: (attention) => view.need(attention),
        ...(out.json ? { write: (one: Record) => (one.type === "summary" ? Effect.void : out.emit(one)) } : {})
      })
      if (plan.calls > 0 || plan.attention > 0) yield* out.say(`\nWhat not sent yet:\n\n${view.text(out, plan)}`)
      const quarantined = yield* RunReport.oddities(out)
      const person = yield* RunReport.prove(configuration, out)
      yield* out.emit({ type: "summary", ...audited, calls: plan.calls, attention: plan.attention })
      const open = audited.differences - audited.mended
      if (open > 0 || plan.calls > plan.readings || quarantined || person) yield* new Exit({ status: ATTENTION })
    }).pipe(Effect.scoped, Effect.provide([state, ServiceClient.client(configuration)]))
  })
).pipe(
  CommandContext.help(
    "Read the service, compare it with ledger, books and source, and list each difference. Every transaction with its payments and every deferred payment is compared with what was sent; then what the books have yet to send, and what could not be read from the source. Changes nothing, unless --fix corrects the ledger, so that the next plan closes the differences. Exit status 3: there are differences. --independent uses neither books nor ledger: it reads every source and the service from the beginning, with rules of its own, and lists each open amount on which they differ.",
    "Read the service and list every difference",
    "daybook reconcile # Everything",
    "daybook reconcile --from 2026-01-01 --to 2026-03-31 # The first quarter",
    "daybook sync && daybook reconcile --independent # Let an independent witness recalculate every open amount",
    "daybook reconcile --fix && daybook sync # Recover after changes made directly on the service"
  )
)
