/** `daybook undo`: lists decisions that can be taken back, and takes one back. */
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import * as Undo from "../../sync/decisions/Undo.ts"
import { UsageError } from "../../sync/library/Exit.ts"
import { iso } from "../../sync/library/Plain.ts"
import * as CommandContext from "../CommandContext.ts"
import { instant } from "../render/Instants.ts"
import { table } from "../render/Table.ts"

const listAll = Effect.gen(function* () {
  const out = yield* CommandContext.output
  yield* CommandContext.inState("read", "undo", function* (db) {
    const offers = yield* db.read(() => Undo.offers(db, Undo.LATEST))
    for (const { at, connections, digest, id, words } of offers)
      yield* out.emit({ type: "decision", id, at: iso(at), connections, words, digest })
    yield* out.emit({ type: "summary", decisions: offers.length })
    if (offers.length === 0) return yield* out.say("There is nothing to undo.")
    const rows = offers.map(({ at, id, words }) => [String(id), instant(at), words])
    const columns = [{ title: "#", right: true }, { title: "When" }, { title: "Decision", flexible: true }]
    yield* out.say(table(columns, rows, out))
    yield* out.say(out.style.dim("\nTake one back: daybook undo NUMBER."))
  })
})

const takeBack = Effect.fnUntraced(function* (id: number) {
  const out = yield* CommandContext.output
  const { connections } = yield* CommandContext.configuration
  yield* CommandContext.inState("decide", "undo", function* (db) {
    const found = yield* db.read(() => Undo.offersOf(db, [String(id)])[0])
    if (found === undefined)
      return yield* new UsageError({
        why: `decision ${id} cannot be taken back: there is none, something was sent on it, or it was decided otherwise since; daybook undo lists those that can`
      })
    const done = yield* Undo.undo(connections, { id: String(id), digest: found.digest })
    if ("why" in done) return yield* new UsageError({ why: `decision ${id} was not taken back: ${done.why}` })
    yield* out.emit({ type: "undone", id, words: found.words })
    yield* out.say(`Taken back: ${found.words}. It is as it was before.`)
  })
})

export const undo = Command.make(
  "undo",
  {
    id: Argument.Int("id").pipe(
      Argument.withDescription("The number of a decision, as listed by daybook undo"),
      Argument.optional
    )
  },
  Effect.fn(function* ({ id }) {
    return yield* Option.isNone(id) ? listAll : takeBack(id.value)
  })
).pipe(
  CommandContext.help(
    "List the decisions that can be taken back, or take one back: closed items, answers, rejected plans, invoices chosen for payments, companies chosen for debtors, notes. One on which something was sent is not among them, nor is what was approved, bought or declared.",
    "Take back a decision on which nothing was sent yet",
    "daybook undo # List what can be taken back",
    "daybook undo 3 # Take decision 3 back"
  )
)
