/** `daybook match payers`: lists whose invoices payers pay beside their own, as people said, and forgets one. */
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import * as Aliases from "../../sync/matching/Aliases.ts"
import * as Payers from "../../sync/decisions/Payers.ts"
import * as NotOurs from "../../sync/matching/NotOurs.ts"
import * as Items from "../../sync/decisions/Items.ts"
import { UsageError } from "../../sync/library/Exit.ts"
import { iso } from "../../sync/library/Plain.ts"
import * as CommandContext from "../CommandContext.ts"
import * as Flags from "../Flags.ts"
import { instant } from "../render/Instants.ts"
import { headings, table } from "../render/Table.ts"

const connection = Flags.text("connection", "ID", "Only this connection")

const listAll = Effect.fn(function* ({ connection }: { connection: Option.Option<string> }) {
  const out = yield* CommandContext.output
  const { connections } = yield* CommandContext.configuration
  yield* CommandContext.inState("read", "match payers", function* (db) {
    const ids = connections.flatMap(({ id, pays }) =>
      pays !== undefined && (Option.isNone(connection) || connection.value === id) ? [id] : []
    )
    const { kinds, payers } = yield* db.read(() => ({
      payers: ids.flatMap((id) => Aliases.list(db, id)),
      kinds: ids.flatMap((id) => NotOurs.list(db, id))
    }))
    for (const { connection, customer, payer, since } of payers)
      yield* out.emit({ type: "payer", connection, payer, customer, since: iso(since) })
    for (const { connection, payer, payment, since, words } of kinds)
      yield* out.emit({ type: "not_for_invoices", connection, payer, words, payment, since: iso(since) })
    yield* out.emit({ type: "summary", payers: payers.length, kinds: kinds.length })
    if (payers.length + kinds.length === 0) return yield* out.say("No decision has said anything about a payer yet.")
    yield* out.say(
      table(
        headings("Connection, ~Payer, ~Pays, Since"),
        [
          ...payers.map((one) => [one.connection, one.payer, one.customer, instant(one.since).slice(0, 10)]),
          ...kinds.map((one) => [
            one.connection,
            one.payer,
            `nothing of yours${one.words === "" ? "" : `: ${one.words}`}`,
            instant(one.since).slice(0, 10)
          ])
        ],
        out
      )
    )
    yield* out.say(out.style.dim("\nForget one: daybook match payers forget PAYER CUSTOMER."))
  })
})

const list = Command.make("list", { connection }, listAll).pipe(
  CommandContext.help(
    "List whose invoices payers pay beside their own, and which payments are for no invoice",
    undefined,
    "daybook match payers list --json # The same for a program"
  )
)

const forget = Command.make(
  "forget",
  {
    payer: Argument.String("payer").pipe(Argument.withDescription("The payer, as daybook match payers lists it")),
    customer: Argument.String("customer").pipe(Argument.withDescription("The customer whose invoices it does not pay")),
    connection
  },
  Effect.fn(function* ({ connection, customer, payer }) {
    const out = yield* CommandContext.output
    const { connections } = yield* CommandContext.configuration
    yield* CommandContext.inState("decide", "match payers forget", function* () {
      const ids = connections.flatMap(({ id }) => (Option.isNone(connection) || connection.value === id ? [id] : []))
      const keys = ids.map((id) => `${id}/`)
      const done = yield* Items.decideAbout({ connections }, keys, (db, now) => {
        const done = ids.filter((id) => Payers.forget(db, { connection: id, payer, customer }, now))
        return done.length > 0 && done
      })
      if (done === false)
        return yield* new UsageError({
          why: `nothing says that ${JSON.stringify(payer)} pays the invoices of ${JSON.stringify(customer)}; daybook match payers lists what is known`
        })
      yield* out.emit({ type: "forgotten", payer, customer, connections: done })
      yield* out.say(`Forgotten: ${payer} no longer pays the invoices of ${customer}. What was reported stays.`)
    })
  })
).pipe(
  CommandContext.help(
    "Forget that a payer pays the invoices of a customer",
    undefined,
    "daybook match payers forget 'PayPal Europe' 'Harbour Tea' # It no longer does"
  )
)

export const payers = Command.make("payers", { connection }, listAll).pipe(
  CommandContext.help(
    "What decisions about payments said of their payers: whose invoices they pay beside their own, and which payments are for no invoice.",
    "What decisions said of payers",
    "daybook match payers # List it",
    "daybook match payers forget 'PayPal Europe' 'Harbour Tea' # Forget one"
  ),
  Command.withSubcommands([list, forget])
)
