/** `daybook reconcile --independent`: runs the witness and prints what it found. */
import { Effect, Option } from "effect"
import { ATTENTION, Exit, messageOf, statusOf } from "../sync/library/Exit.ts"
import * as ServiceClient from "../sync/library/ServiceClient.ts"
import { nameOf } from "../sync/model/Connection.ts"
import * as Independent from "../sync/library/Independent.ts"
import * as CommandContext from "./CommandContext.ts"
import * as View from "./render/WitnessView.ts"

/** How many differences are shown; `--json` has all of them. */
const MOST = 50

/** The state file is used only to find the tokens beside it; nothing else of it is read. */
export const independent = Effect.gen(function* () {
  const out = yield* CommandContext.output
  const configuration = yield* CommandContext.configuration
  const file = Option.getOrElse(yield* CommandContext.stateFile, () => CommandContext.DEFAULT_STATE)
  const shown: Array<Independent.Difference> = []
  const unchecked: Array<Independent.NotChecked> = []
  let status = 0
  const looked = yield* Independent.look(configuration, configuration.connections, file, {
    onDifference: (one) => {
      if (shown.length < MOST) shown.push(one)
      return out.emit({ type: "difference", ...one })
    },
    onNotChecked: (one) => {
      if (unchecked.length < MOST) unchecked.push(one)
      return out.emit({ type: "not_checked", ...one })
    },
    onFailed: (connection, error) => {
      status = Math.max(status, statusOf(error))
      const message = `${nameOf(connection)}: ${messageOf(error)}`
      return Effect.andThen(
        out.emit({ type: "error", connection: connection.id, error: error._tag, message }),
        out.complain(`daybook: ${message}`)
      )
    },
    onProgress: out.tick
  }).pipe(Effect.provide([ServiceClient.client(configuration), ServiceClient.outside]))
  yield* out.clear
  yield* out.say(View.looked(looked, { shown, unchecked }, out))
  for (const { key: document, ...one } of looked.unread)
    yield* out.emit({ type: "quarantined", ...one, ...(document == null ? {} : { document }) })
  for (const sums of looked.sums) yield* out.emit({ type: "open_amounts", ...Independent.amounts(sums) })
  const { notChecked: not_checked, sums: _, unread, ...figures } = looked
  yield* out.emit({ type: "summary", ...figures, not_checked, quarantined: unread.length })
  if (status > 0) return yield* new Exit({ status })
  if (looked.differences > 0 || unread.length > 0) yield* new Exit({ status: ATTENTION })
})
