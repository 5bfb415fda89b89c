/** `daybook match payments`: lists the invoices that people chose for payments, and undoes a choice. */
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { parseKey } from "../../connectors/Document.ts"
import type { Db } from "../../sync/state/Database.ts"
import type * as MatchChoices from "../../sync/matching/Choices.ts"
import * as MatchTrials from "../../sync/matching/Trials.ts"
import { grouped } from "../../core/Plural.ts"
import type { Configuration } from "../../sync/library/config/Configuration.ts"
import * as Items from "../../sync/decisions/Items.ts"
import * as Movements from "../../sync/decisions/Movements.ts"
import { NotDecided, UsageError } from "../../sync/library/Exit.ts"
import { iso } from "../../sync/library/Plain.ts"
import { confirm } from "../Ask.ts"
import type { Output } from "../render/Output.ts"
import * as CommandContext from "../CommandContext.ts"
import * as Flags from "../Flags.ts"
import { instant } from "../render/Instants.ts"
import { headings, table } from "../render/Table.ts"

const connection = Flags.text("connection", "ID", "Only this connection")

const choices = (db: Db, { connections }: Configuration, only: Option.Option<string>) =>
  connections
    .filter(({ id, pays }) => pays !== undefined && (Option.isNone(only) || only.value === id))
    .flatMap(({ id }) => Movements.choices(db, id))

const emitted = ({ chosen, ...choice }: MatchChoices.StoredChoice) => ({
  type: "choice",
  ...choice,
  chosen: iso(chosen)
})

const saidOf = ({ apart, asked, same, shares }: MatchChoices.StoredChoice): string =>
  asked === true
    ? "not for what it was matched with"
    : same !== undefined
      ? `the same money as ${same.join(", ")}`
      : apart !== undefined
        ? `other money than ${apart.join(", ")}`
        : shares.length === 0
          ? "none"
          : shares.map(({ amount, invoice }) => `${invoice} ${amount}`).join(", ")

const listAll = Effect.fn(function* ({ connection }: { connection: Option.Option<string> }) {
  const out = yield* CommandContext.output
  const configuration = yield* CommandContext.configuration
  yield* CommandContext.inState("read", "match payments", function* (db) {
    const all = yield* db.read(() => choices(db, configuration, connection))
    for (const one of all) yield* out.emit(emitted(one))
    yield* out.emit({ type: "summary", choices: all.length })
    if (all.length === 0) return yield* out.say("No payment was allocated or compared by hand.")
    yield* out.say(
      table(
        [{ title: "Payment" }, { title: "Invoices or money", flexible: true }, { title: "Chosen" }],
        all.map((one) => [one.payment, saidOf(one), instant(one.chosen).slice(0, 10)]),
        out
      )
    )
    yield* out.say(out.style.dim("\nUndo one: daybook match payments undo PAYMENT."))
  })
})

/** The choice for a payment, by its key or its id in the source. */
const find = (all: ReadonlyArray<MatchChoices.StoredChoice>, text: string): Effect.Effect<string, UsageError> => {
  const found = all.filter(({ payment }) => payment === text || parseKey(payment).id === text)
  const [first, second] = new Set(found.map(({ payment }) => payment))
  // Of two that were compared, either may be named.
  if (first === undefined && all.some(({ apart = [], same = [] }) => [...apart, ...same].includes(text)))
    return Effect.succeed(text)
  if (first === undefined)
    return Effect.fail(
      new UsageError({
        why: `there is no choice for payment ${JSON.stringify(text)}; daybook match payments lists them`
      })
    )
  return second === undefined
    ? Effect.succeed(first)
    : Effect.fail(
        new UsageError({
          why: `${JSON.stringify(text)} matches more than one payment: ${found.map(({ payment }) => payment).join(", ")}; give the whole key`
        })
      )
}

const list = Command.make("list", { connection }, listAll).pipe(
  CommandContext.help(
    "List the payments allocated by hand to invoices, or to none, and which are the same money",
    undefined,
    "daybook match payments list --json # The same for a program"
  )
)

/** Decides, and first asks where something stays that a person must know. */
const unlessStays = <A extends object | undefined, E, R>(
  out: Output,
  question: string,
  yes: boolean,
  decide: (sure: boolean) => Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const done = yield* decide(yes)
    if (done === undefined || !("follows" in done) || !("why" in done)) return done
    if (!(yield* confirm(out, `  ${done.why}\n${question}`)))
      return yield* new NotDecided({ why: `${done.why}. Nothing was saved; if it is right, run again with --yes` })
    return yield* decide(true)
  })

const undo = Command.make(
  "undo",
  {
    payment: Argument.String("payment").pipe(Argument.withDescription("The payment's key, or its id in the source")),
    connection,
    same: Flags.yes("same", "What was said to be other money is the same; if both are reported, one is taken back"),
    yes: Flags.yes("yes", "Also where an invoice stays marked as paid on the service; without it you are asked")
  },
  Effect.fn(function* ({ connection, payment, same, yes }) {
    const out = yield* CommandContext.output
    const configuration = yield* CommandContext.configuration
    yield* CommandContext.inState("decide", "match payments undo", function* (db) {
      const key = yield* find(yield* db.read(() => choices(db, configuration, connection)), payment)
      const undone = yield* unlessStays(out, `Take it back all the same?`, yes, (sure) =>
        Items.unassign({ connections: [] }, key, { same, sure })
      )
      if (undone !== undefined && "why" in undone)
        return yield* new UsageError({ why: `${undone.why}: daybook match payments undo PAYMENT --same` })
      const { compared = [], shares = [] } = undone ?? {}
      yield* out.emit({ type: "unmatched", payment: key, shares, ...(compared.length === 0 ? {} : { compared, same }) })
      const now =
        same && compared.length > 0 ? `the same money as ${compared.join(", ")}` : "matched by the rules again"
      yield* out.say(`Undone: ${key} is ${now}. The next daybook apply or sync sends the result.`)
    })
  })
).pipe(
  CommandContext.help(
    "Undo a choice of invoices, or an answer whether two payments are the same money: the payment is matched by the rules again, or needs attention again",
    "Undo a choice of invoices, or an answer about the same money",
    "daybook match payments undo bank/payment/3 # The payment was for another invoice",
    "daybook match payments undo bank/payment/3 --same # It was the same money after all"
  )
)

const ask = Command.make(
  "ask",
  {
    payment: Argument.String("payment").pipe(
      Argument.withDescription("The payment's key, as daybook explain shows it")
    ),
    yes: Flags.yes("yes", "Also where an invoice stays marked as paid on the service; without it you are asked")
  },
  Effect.fn(function* ({ payment, yes }) {
    const out = yield* CommandContext.output
    yield* CommandContext.inState("decide", "match payments ask", function* () {
      const done = yield* unlessStays(out, `Is ${payment} for another invoice all the same?`, yes, (sure) =>
        Items.ask({ connections: [] }, payment, sure)
      )
      if ("why" in done) return yield* new UsageError({ why: done.why })
      yield* out.emit({ type: "asked", payment, invoices: done.invoices })
      const from = done.invoices.length === 0 ? "" : `${payment} is taken from ${done.invoices.join(", ")}. `
      yield* out.say(
        `${from}Say which invoice it is for: daybook attention. The next daybook apply or sync sends the result.`
      )
    })
  })
).pipe(
  CommandContext.help(
    "Say that a payment is not for what it was matched with: it is taken away from there, and needs attention until somebody says which invoice it is for",
    "Say that a payment was matched with the wrong invoice",
    "daybook match payments ask bank/payment/3 # It was matched with the wrong invoice"
  )
)

const settings = ({ discount, ...limits }: MatchTrials.Trial["limits"]): string =>
  JSON.stringify({ match: { ...limits, ...(discount === undefined ? {} : { discount }) } }).slice(1, -1)

const tryRules = Command.make(
  "try",
  { connection },
  Effect.fn(function* ({ connection }) {
    const out = yield* CommandContext.output
    const { connections } = yield* CommandContext.configuration
    yield* CommandContext.inState("read", "match payments try", function* (db) {
      const all = yield* db.read(() =>
        connections.flatMap(({ id, pays }) =>
          pays === undefined || (Option.isSome(connection) && connection.value !== id)
            ? []
            : MatchTrials.trials(db, id).map((trial) => ({ connection: id, ...trial }))
        )
      )
      for (const one of all) yield* out.emit({ type: "trial", ...one })
      yield* out.emit({ type: "summary", trials: all.length })
      if (all.length === 0) return yield* out.say("No connection pays for another.")
      yield* out.say(
        table(
          headings("Connection, ~Setting, >As you did, >Otherwise, >Untouched"),
          all.map((one) => [
            one.connection,
            settings(one.limits),
            grouped(one.same),
            grouped(one.otherwise),
            grouped(one.untouched)
          ]),
          out
        )
      )
      yield* out.say(out.style.dim("\nA setting that would have decided something otherwise is not safe to switch on."))
    })
  })
).pipe(
  CommandContext.help(
    "Try rules on the past payments of which it is known what they were for: what each would have decided as it was, and what otherwise. Nothing is changed",
    "Try rules on past payments",
    "daybook match payments try # Before switching a limit on"
  )
)

export const payments = Command.make("payments", { connection }, listAll).pipe(
  CommandContext.help(
    "Payments allocated to invoices by hand (daybook attention resolve NUMBER --invoice INVOICE), and answers whether two are the same money. A choice stays, whatever is read later, until it is undone.",
    "Payments allocated by hand",
    "daybook match payments # List the choices",
    "daybook match payments undo bank/payment/3 # Undo one"
  ),
  Command.withSubcommands([list, ask, undo, tryRules])
)
