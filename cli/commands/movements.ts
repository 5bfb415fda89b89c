/** `daybook movements`: the money that several connections state, each movement once. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import * as Answers from "../../sync/decisions/Movements.ts"
import * as CommandContext from "../CommandContext.ts"
import * as Flags from "../Flags.ts"
import { table } from "../render/Table.ts"

const HOW: Readonly<Record<string, string>> = {
  answer: "a person said so",
  id: "the same identifier",
  invoice: "the same invoice and amount",
  payer: "the same payer and amount",
  doubt: "waits for an answer"
}

export const movements = Command.make(
  "movements",
  {
    waiting: Flags.yes("waiting", "Only payments that may be the same money, and wait for a person")
  },
  Effect.fn(function* ({ waiting }) {
    const out = yield* CommandContext.output
    yield* CommandContext.inState("read", "movements", function* (db) {
      const all = yield* db.read(() => Answers.list(db, waiting))
      for (const { payment, seen } of all) yield* out.emit({ type: "movement", payment, waiting, seen })
      yield* out.emit({ type: "summary", movements: all.length })
      if (all.length === 0)
        return yield* out.say(
          waiting ? "No payment waits for an answer." : "No payment is stated by more than one connection."
        )
      yield* out.say(
        table(
          [{ title: "Payment" }, { title: "Same money" }, { title: "Because", flexible: true }],
          all.flatMap(({ payment, seen }) =>
            seen.map(({ how, key }, n) => [n === 0 ? payment : "", key, HOW[how] ?? how])
          ),
          out
        )
      )
    })
  })
).pipe(
  CommandContext.help(
    "List payments that several connections state: each is counted once",
    undefined,
    "daybook movements --waiting # Those that may be the same money, and wait for an answer"
  )
)
