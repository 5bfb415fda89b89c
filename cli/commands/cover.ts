/** `daybook cover`: shows what is insured and what is not, its cost, and the offers that wait for a person. */
import { Clock, Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import * as CoverDecisions from "../../sync/apply/CoverDecisions.ts"
import * as CoverInvoice from "../../sync/library/CoverInvoice.ts"
import { ATTENTION, Exit, UsageError } from "../../sync/library/Exit.ts"
import * as Cover from "../../sync/reports/Cover.ts"
import { Database } from "../../sync/state/Database.ts"
import { by, me } from "../By.ts"
import * as CommandContext from "../CommandContext.ts"
import * as Flags from "../Flags.ts"
import * as View from "../render/CoverReportView.ts"
import { offers } from "./coverOffers.ts"

/** Whether a person must act. */
const waits = ({ budgets, deadlines, offers }: Cover.CoverReport): boolean =>
  offers.some(({ standing }) => standing === "asks") ||
  budgets.some(({ blocked }) => blocked !== null) ||
  deadlines.some(({ what }) => what === "window closes")

const overview = Effect.fn(function* ({ asOf }: { readonly asOf: Option.Option<string> }) {
  const out = yield* CommandContext.output
  const configuration = yield* CommandContext.configuration
  const state = yield* CommandContext.state("read", "cover")
  if (Option.isSome(asOf)) {
    const { showCoverAsOf } = yield* Effect.promise(() => import("../ShowAsOf.ts"))
    return yield* Effect.provide(showCoverAsOf(asOf.value, configuration, out), state)
  }
  yield* Effect.gen(function* () {
    const db = yield* Database
    const now = yield* Clock.currentTimeMillis
    const report = yield* db.snapshot(() => Cover.report(db, configuration.connections, now))
    // What is covered is shown for as long as it is, whatever the configuration says.
    const lacks =
      Cover.watched(db, configuration.connections).length > 0 ? undefined : CoverInvoice.notConfigured(configuration)
    if (lacks !== undefined) return yield* new UsageError({ why: lacks })
    for (const record of View.records(report)) yield* out.emit(record)
    yield* out.say(View.overview(report, out))
    if (waits(report)) yield* new Exit({ status: ATTENTION })
  }).pipe(
    Effect.provide(state),
    Effect.catchTag("StateError", (error) => Effect.fail(CoverInvoice.orNotConfigured(configuration, error)))
  )
})

const quote = Command.make(
  "quote",
  {
    document: Argument.String("document").pipe(Argument.withDescription("An invoice's number, id or key")),
    by
  },
  Effect.fn(function* ({ by, document }) {
    const out = yield* CommandContext.output
    const configuration = yield* CommandContext.configuration
    yield* CommandContext.inState("decide", "cover quote", function* (db) {
      const now = yield* Clock.currentTimeMillis
      const found = yield* db.read(() => CoverInvoice.find(db, configuration, document))
      if ("why" in found) return yield* new UsageError(found)
      const { connection, subject } = found
      const choice = { decision: "quote", who: me(by) } as const
      const why = yield* db.transaction(() => {
        const refused = CoverDecisions.decide(db, connection, subject, choice, now)
        return refused === undefined ? undefined : { refused }
      })
      if (why !== undefined) return yield* new UsageError({ why: why.refused })
      const not = yield* db.read(() => CoverInvoice.asksForQuote(db, found, now))
      yield* out.emit({ type: "quote", document: subject, asked: not === undefined, why: not ?? null })
      yield* out.say(
        not === undefined
          ? `The next daybook sync asks for a quote of ${subject}.`
          : `Recorded, but no quote of ${subject} is asked for now: ${not}.`
      )
      if (not !== undefined) yield* new Exit({ status: ATTENTION })
    })
  })
).pipe(
  CommandContext.help(
    "Request a quote for an invoice that is not selected, or another one after a quote was declined or expired. The next daybook sync requests it.",
    "Request a quote",
    "daybook cover quote INV-1042 # Request a quote for this invoice"
  )
)

export const cover = Command.make(
  "cover",
  {
    asOf: Flags.text("as-of", "DAY", "What was insured, spent and due as it was known at the end of another day")
  },
  overview
).pipe(
  CommandContext.help(
    "Show the open amount of each buyer, and how much of it is insured, offered, declined or not selected; the cost of this month; offers that wait for a person; and deadlines. Exit status 3: an offer or a late invoice waits for a person.",
    "Show what is insured, offered and declined, deadlines, and costs",
    "daybook cover # Exposure, budget, offers and deadlines",
    "daybook cover --as-of 2026-10-31 # As it was known at the end of that day",
    "daybook cover buy INV-1042 # Show what the offer costs, and buy it"
  ),
  Command.withSubcommands([quote, offers("buy"), offers("reject")])
)
