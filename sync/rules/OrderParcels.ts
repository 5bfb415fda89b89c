/** What left of a shop's order, by the parcels of another system (`orders.ships`): their sums replace the shop's own. Pure. */
import type { LineState, Order, OrderFact } from "../../connectors/Document.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import { atLeastZero, min } from "./WholeUnits.ts"

/**
 * One line. The shop says how many units were taken off the order. It does not say whether they had been shipped, except for those
 * that it says came back.
 *
 * @param out undefined: all that was still to leave
 */
const lineBy = (its: LineState, ordered: bigint, out: bigint | undefined): LineState => {
  const { back: came, left = came, line, still: here, unsure: some = 0n } = its
  const kept = left - came + here - some
  if (out === undefined) return { line, left: kept + came, back: came, still: 0n }
  const back = min(came, out)
  const gone = atLeastZero(ordered - kept - back)
  const off = atLeastZero(gone - (out - back))
  const still = ordered - out - off
  const unsure = min(gone - off, atLeastZero(still))
  return { line, left: out, back: back + gone - off - unsure, still, unsure }
}

/** The order with what left of it; of files and databases as it is, whose parcels are added up anyway. */
export const asShipped = (order: Order, facts: ReadonlyArray<OrderFact>): Order => {
  const { lines, state } = order
  if (state === undefined) return order
  const parcels = facts.filter(({ kind }) => kind === "fulfilment")
  const isWhole = parcels.some((parcel) => parcel.lines.length === 0)
  const sum = (line: string): bigint =>
    Decimal.sum(parcels.flatMap((parcel) => parcel.lines.flatMap((one) => (one.line === line ? [one.quantity] : []))))
  return {
    ...order,
    state: {
      ...state,
      lines: state.lines.map((its) => {
        const ordered = lines.find(({ id }) => id === its.line)?.quantity ?? 0n
        return lineBy(its, ordered, isWhole ? undefined : sum(its.line))
      })
    }
  }
}
