/** `daybook attention`: lists and resolves what no rule can resolve. */
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import * as AttentionStore from "../../sync/apply/AttentionStore.ts"
import * as AttentionActions from "../../sync/apply/AttentionActions.ts"
import * as Items from "../../sync/decisions/Items.ts"
import type { Db } from "../../sync/state/Database.ts"
import * as MatchCandidates from "../../sync/matching/Candidates.ts"
import * as MatchChoices from "../../sync/matching/Choices.ts"
import { ATTENTION, Exit, NotDecided, UsageError } from "../../sync/library/Exit.ts"
import * as FirstDecision from "../../sync/decisions/FirstDecision.ts"
import * as PaymentChoice from "../../sync/decisions/PaymentChoice.ts"
import { candidatesOf } from "../../sync/library/AttentionRecords.ts"
import { iso } from "../../sync/library/Plain.ts"
import { confirm } from "../Ask.ts"
import * as CommandContext from "../CommandContext.ts"
import * as Flags from "../Flags.ts"
import { candidateLines } from "../render/PaymentView.ts"
import { instant } from "../render/Instants.ts"
import { plural } from "../../core/Plural.ts"
import { headings, table } from "../render/Table.ts"

/** Nothing else works in this process. */
const ALONE: Items.DecisionContext = { connections: [] }

const id = Argument.Int("id").pipe(Argument.withDescription("The item's number, as listed by daybook attention"))

const show = ({ fact, id, refused, rule, since, subject: document, todo, why }: AttentionStore.OpenAttention) => ({
  type: "attention",
  id,
  document,
  fact,
  rule,
  why,
  todo,
  since: iso(since),
  refused
})

const listAll = Effect.fn(function* () {
  const out = yield* CommandContext.output
  yield* CommandContext.inState("read", "attention", function* (db) {
    const open = yield* db.read(() => AttentionStore.list(db))
    for (const one of open) yield* out.emit({ ...show(one), ...candidatesOf(db, one) })
    yield* out.emit({ type: "summary", attention: open.length })
    if (open.length === 0) return yield* out.say("Nothing needs attention.")
    const rows = open.map(({ id, rule, since, subject, why }) => [
      String(id),
      instant(since).slice(0, 10),
      subject,
      rule,
      why
    ])
    yield* out.say(table(headings(">#, Since, Document, Rule, ~Why"), rows, out))
    yield* out.say(
      out.style.dim(
        "\nShow one: daybook attention show NUMBER. Close it: daybook attention resolve NUMBER. Send again: daybook attention retry NUMBER."
      )
    )
    yield* new Exit({ status: ATTENTION })
  })
})

const list = Command.make("list", {}, listAll).pipe(
  CommandContext.help("List what needs attention", undefined, "daybook attention list --json # The same for a program")
)

const one = Command.make(
  "show",
  { id },
  Effect.fn(function* ({ id }) {
    const out = yield* CommandContext.output
    yield* CommandContext.inState("read", "attention", function* (db) {
      const found = yield* find(db, id)
      yield* out.emit({ ...show(found), ...candidatesOf(db, found) })
      yield* out.say(`${out.style.bold(found.subject)}  rule ${found.rule}, since ${instant(found.since)}`)
      if (found.fact !== found.subject) yield* out.say(`because of ${found.fact}`)
      yield* out.say(`\n${found.why}\n\n→ ${found.todo}\n\nThe whole story: daybook explain ${found.subject}`)
      if (MatchChoices.isMatchingItem(found.rule))
        yield* out.say(`\n${candidateLines(found.subject, MatchCandidates.candidates(db, found.subject, 10))}`)
    })
  })
).pipe(
  CommandContext.help(
    "Show one item: what, why, since when, what to do",
    undefined,
    "daybook attention show 3 # Show number 3"
  )
)

const find = (db: Db, id: number) =>
  Effect.flatMap(
    db.read(() => AttentionStore.list(db).find((one) => one.id === id)),
    (found) =>
      found === undefined
        ? Effect.fail(
            new UsageError({
              why: FirstDecision.words(db, id) ?? `there is no open attention item ${id}; daybook attention lists them`
            })
          )
        : Effect.succeed(found)
  )

/** A person's answer whether two payments are the same money. */
const answered = Effect.fnUntraced(function* (
  db: Db,
  out: Effect.Success<typeof CommandContext.output>,
  { id }: AttentionStore.OpenAttention,
  { apart, same }: { readonly same: string | undefined; readonly apart: boolean }
) {
  if (apart && same !== undefined) return yield* new UsageError({ why: "give --same-as or --apart, not both" })
  const done = (yield* Items.sameMoney(ALONE, id, same)) ?? (yield* db.read(() => Items.undecided(db, id)))
  if ("why" in done) return yield* new UsageError(done)
  const { others, payment } = done
  yield* out.emit({ type: "answered", id, payment, same: same !== undefined, others })
  yield* out.say(
    same === undefined
      ? `${payment} and ${others.join(", ")} were both received. Saved; daybook apply sends it.`
      : `${payment} is the same money as ${same}. Saved; it is counted once.`
  )
})

/** Stores which invoices a payment is for. What it takes from other payments is shown first. */
const assigned = Effect.fnUntraced(function* (
  db: Db,
  out: Effect.Success<typeof CommandContext.output>,
  found: AttentionStore.OpenAttention,
  { invoices, yes }: { readonly invoices: ReadonlyArray<string>; readonly yes: boolean }
) {
  const choose = (sure: boolean) =>
    Effect.gen(function* () {
      const choice = yield* Items.assign(ALONE, found.id, invoices, sure)
      return choice ?? (yield* db.read(() => Items.undecided(db, found.id)))
    })
  let choice = yield* choose(yes)
  if ("why" in choice && choice.follows !== undefined) {
    const { follows, why } = choice
    if (
      !(yield* confirm(out, `${follows.map((one) => `  ${one}`).join("\n")}\nIs ${found.subject} for it all the same?`))
    )
      return yield* new NotDecided({ why: `${why}. Nothing was saved; if it is right, run again with --yes` })
    choice = yield* choose(true)
  }
  if ("why" in choice) return yield* new UsageError({ why: choice.why })
  yield* out.emit({ type: "matched", id: found.id, payment: found.subject, ...choice })
  yield* out.say(`${found.subject}: ${PaymentChoice.say(choice)}. Saved; daybook apply sends it.`)
})

/** Several payments of strangers are for no invoice: all of them, or nothing is saved. */
const none = Effect.fnUntraced(function* (
  out: Effect.Success<typeof CommandContext.output>,
  ids: ReadonlyArray<number>
) {
  const done = yield* Items.assignNone(ALONE, ids)
  if ("why" in done) return yield* new UsageError(done)
  for (const payment of done.payments) yield* out.emit({ type: "matched", payment, shares: [] })
  yield* out.say(
    `${plural(done.payments.length, "payment")} are for no invoice. Nothing like them is asked about again.`
  )
})

const resolve = Command.make(
  "resolve",
  {
    ids: Argument.Int("id").pipe(
      Argument.withDescription("The item's number, as listed by daybook attention; several with --none"),
      Argument.variadic({ min: 1 })
    ),
    note: Flags.text("note", "TEXT", "What you did about it"),
    answer: Flags.text("answer", "TEXT", "The answer to a question about an order: one of those that the item names"),
    invoices: Flags.several(
      "invoice",
      "INVOICE",
      "The invoice that a payment is for, by number, id or key; INVOICE=AMOUNT for a part of it"
    ),
    none: Flags.yes("none", "The payment is not for any invoice"),
    sameAs: Flags.text("same-as", "PAYMENT", "The payment is the same money as this one of another connection, by key"),
    apart: Flags.yes("apart", "Both payments were received"),
    yes: Flags.yes("yes", "Make the choice without asking, whatever it takes from other payments")
  },
  Effect.fn(function* ({ answer, apart, ids, invoices, none: isNone, note, sameAs, yes }) {
    const out = yield* CommandContext.output
    const [id = 0, ...more] = ids
    yield* CommandContext.inState("decide", "attention resolve", function* (db) {
      if (more.length > 0) {
        const alone = [answer, note, sameAs].every(Option.isNone) && invoices.length === 0 && !apart
        if (!isNone || !alone) return yield* new UsageError({ why: "give one number, or --none alone for several" })
        return yield* none(out, ids)
      }
      const found = yield* find(db, id)
      if (apart || Option.isSome(sameAs))
        return yield* answered(db, out, found, { same: Option.getOrUndefined(sameAs), apart })
      if (invoices.length > 0 || isNone) {
        if (isNone && invoices.length > 0) return yield* new UsageError({ why: "give --invoice or --none, not both" })
        return yield* assigned(db, out, found, { invoices, yes })
      }
      if (Option.isSome(answer)) {
        const choices = yield* db.read(() => AttentionActions.choicesOf(db, found))
        if (!choices.includes(answer.value))
          return yield* new UsageError({
            why:
              choices.length === 0
                ? `number ${id} is not a question; close it with --note`
                : `${JSON.stringify(answer.value)} is not an answer to it; write ${choices.map((one) => JSON.stringify(one)).join(" or ")}`
          })
      }
      if (MatchChoices.isMatchingItem(found.rule) && Option.isNone(note))
        return yield* new UsageError({
          why: `say what ${found.subject} is for: --invoice INVOICE, or --none; or close it with --note and the reason`
        })
      const how = Option.getOrElse(
        Option.orElse(answer, () => note),
        () => "resolved"
      )
      const done = yield* Items.resolve(ALONE, id, how)
      if (done === undefined) return yield* new UsageError(yield* db.read(() => Items.undecided(db, id)))
      yield* out.emit({ type: "resolved", id, ...(done.isAnswer ? { accepted: true } : {}) })
      yield* out.say(
        done.isAnswer
          ? `Closed ${id}. The answer is kept for ${found.subject}; daybook apply sends what follows from it.`
          : `Closed ${id}. It reopens if the problem is still there when its document next changes.`
      )
    })
  })
).pipe(
  CommandContext.help(
    "Close an item that you have dealt with. For an order, this accepts amounts that others sent to the service",
    undefined,
    'daybook attention resolve 3 --note "called them" # Close number 3',
    'daybook attention resolve 5 --answer "they left" # The answer to number 5',
    "daybook attention resolve 4 --invoice INV-7 # The payment of number 4 is for INV-7",
    "daybook attention resolve 6 7 8 --none # The payments of these are for no invoice"
  )
)

const retry = Command.make(
  "retry",
  {
    ids: Argument.Int("id").pipe(
      Argument.withDescription("Numbers as listed by daybook attention; default: all"),
      Argument.variadic()
    )
  },
  Effect.fn(function* ({ ids }) {
    const out = yield* CommandContext.output
    yield* CommandContext.inState("decide", "attention retry", function* (db) {
      const open = yield* db.read(() => AttentionStore.list(db))
      const wanted = ids.length === 0 ? open.map(({ id }) => id) : ids
      for (const id of ids) yield* find(db, id)
      yield* Items.retry(ALONE, wanted)
      yield* out.emit({ type: "retried", ids: wanted })
      yield* out.say(`${plural(wanted.length, "item")} will be planned again; daybook apply sends them.`)
    })
  })
).pipe(
  CommandContext.help(
    "Plan the document again, and resend what the service rejected",
    undefined,
    "daybook attention retry 3 # Send number 3 again with the next apply",
    "daybook attention retry # Send all of them again"
  )
)

export const attention = Command.make("attention", {}, listAll).pipe(
  CommandContext.help(
    "List the items that no rule can resolve: what is wrong, why, since when, and what you can do.",
    "What needs attention",
    "daybook attention show 3 # Show number 3"
  ),
  Command.withSubcommands([list, one, resolve, retry])
)
