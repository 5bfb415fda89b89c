/**
 * Runs the witness (`sync/witness`) for `daybook reconcile --independent`, and for programs as `Daybook.independent`. It gives
 * the witness the connections and what their connectors need, and nothing of books and ledger.
 */
import { Effect } from "effect"
import type { SourceError } from "../../connectors/Connector.ts"
import * as Currency from "../../core/money/Currency.ts"
import type { Connection } from "../model/Connection.ts"
import * as ConnectorContext from "../pull/ConnectorContext.ts"
import * as Witness from "../witness/Witness.ts"
import { messageOf } from "./Exit.ts"

export type { Difference, Looked, NotChecked, Sums, Unread } from "../witness/Witness.ts"

/** The sums with their currency's decimals. */
export const amounts = ({
  connection,
  currency,
  differing,
  invoices,
  says,
  service,
  source,
  stated
}: Witness.Sums) => ({
  connection,
  currency,
  invoices,
  ...(stated === 0 ? {} : { source_says: Currency.format(says, currency) }),
  source: Currency.format(source, currency),
  service: Currency.format(service, currency),
  not_stated: invoices - stated,
  differing
})

/** @param state the state file, beside which tokens are; nothing else of it is read */
export const look = (
  place: ConnectorContext.Place,
  connections: ReadonlyArray<Connection>,
  state: string,
  options: Omit<Witness.Options, "contextOf" | "onFailed"> & {
    readonly onFailed: (connection: Connection, error: SourceError) => Effect.Effect<void>
  }
) => {
  const byId = new Map<Witness.Witnessed, Connection>(connections.map((one) => [one, one]))
  const its = (one: Witness.Witnessed): Connection => byId.get(one) as Connection
  return Effect.scoped(
    Witness.look(connections, {
      ...options,
      contextOf: (one) => ConnectorContext.of(place, its(one), state),
      onFailed: (one, error) => options.onFailed(its(one), error)
    })
  )
}

/** All results of the witness. */
export interface Independent extends Omit<Witness.Looked, "sums" | "differences" | "notChecked"> {
  /** Open amounts by connection and currency, as decimal text. */
  readonly amounts: ReadonlyArray<ReturnType<typeof amounts>>
  readonly found: ReadonlyArray<Witness.Difference>
  /** What could not be worked out, and why. */
  readonly notChecked: ReadonlyArray<Witness.NotChecked>
  /** Sources that could not be read: nothing of them was checked. */
  readonly failed: ReadonlyArray<{ readonly connection: string; readonly message: string }>
}

/** The same, gathered. */
export const gathered = (place: ConnectorContext.Place, connections: ReadonlyArray<Connection>, state: string) =>
  Effect.gen(function* () {
    const found: Array<Witness.Difference> = []
    const notChecked: Array<Witness.NotChecked> = []
    const failed: Array<Independent["failed"][number]> = []
    const looked = yield* look(place, connections, state, {
      onDifference: (one) => Effect.sync(() => void found.push(one)),
      onNotChecked: (one) => Effect.sync(() => void notChecked.push(one)),
      onFailed: ({ id: connection }, error) =>
        Effect.sync(() => void failed.push({ connection, message: messageOf(error) }))
    })
    const { differences: _, notChecked: __, sums, ...figures } = looked
    return { ...figures, amounts: sums.map(amounts), found, notChecked, failed } satisfies Independent
  })
