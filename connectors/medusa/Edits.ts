/**
 * Reads the edits of a Medusa order: what they removed, and the price of a line that was removed completely. The order itself
 * has only what is left; its changes are a separate list, which is requested if there may have been an edit. Pure.
 */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as Day from "../../core/wire/Day.ts"
import * as Instant from "../../core/wire/Instant.ts"
import * as Json from "../Json.ts"
import { money } from "../Shop.ts"
import type * as Withdrawals from "../Withdrawals.ts"

export const quantity = (fields: Json.Fields, path = "quantity"): bigint => {
  const value = Decimal.parse(fields.maybe(path) ?? "0", 3)
  if (typeof value === "string")
    throw new Json.Unfit(path, `${JSON.stringify(fields.text(path).slice(0, 40))} is not a quantity`)
  return value
}

/** Changes that are visible in the order itself; each creates a version of it. */
const shown = (order: Json.Fields): number => {
  const parcels = order.list("fulfillments").map((one) => {
    const marks = ["shipped_at", "delivered_at", "canceled_at"]
    return 1 + marks.filter((mark) => one.maybe(mark) !== undefined).length
  })
  const returns = order.list("returns").map((one) => (one.maybe("received_at") === undefined ? 1 : 2))
  const credits = order.list("credit_lines").length
  return [...parcels, ...returns, credits].reduce((sum, n) => sum + n, 1)
}

/** The amount of the line's returned goods. */
const cameBack = (item: Json.Fields, currency: string): bigint =>
  money(item, "return_received_total", currency) + money(item, "return_dismissed_total", currency)

/** Whether an edit may have changed its lines: its total changed, or it has versions without another explanation. */
export const isEdited = (order: Json.Fields): boolean => {
  if (order.maybe("status") === "canceled") return false
  if (Number(order.text("version")) > shown(order)) return true
  const currency = order.currency("currency_code")
  const back = Decimal.sum(order.list("items").map((item) => cameBack(item, currency)))
  const credits = Decimal.sum(order.list("credit_lines").map((line) => money(line, "amount", currency)))
  const now = money(order, "summary.current_order_total", currency) + credits + back
  return Currency.toMinor(Decimal.abs(money(order, "summary.original_order_total", currency) - now), currency) > 1n
}

/** A line that an edit changed, and by how much, up or down. */
interface Step {
  readonly line: string
  readonly by: bigint
  readonly isNew: boolean
}

interface Edit {
  readonly id: string
  readonly at: string
  readonly steps: ReadonlyArray<Step>
}

const stepOf = (action: Json.Fields): ReadonlyArray<Step> => {
  const line = action.maybe("details.reference_id")
  const isNew = action.text("action") === "ITEM_ADD"
  const by = isNew ? quantity(action, "details.quantity") : quantity(action, "details.quantity_diff")
  return line === undefined || by === 0n ? [] : [{ line, by, isNew }]
}

export const editsOf = (order: Json.Fields): ReadonlyArray<Edit> =>
  order
    .list("edits")
    .filter((change) => change.maybe("status") === "confirmed")
    .map((change) => ({
      id: change.text("id"),
      at: change.maybe("confirmed_at") ?? change.text("created_at"),
      steps: change
        .list("actions")
        .filter((action) => ["ITEM_ADD", "ITEM_UPDATE"].includes(action.text("action")))
        .flatMap(stepOf)
    }))

/** Removed units, edit by edit. */
export const withdrawnOf = (edits: ReadonlyArray<Edit>): ReadonlyArray<Withdrawals.Withdrawal> =>
  edits.flatMap(({ at, id, steps }) => {
    const lines = steps.flatMap(({ by, line }) => (by < 0n ? [{ line, quantity: -by }] : []))
    const millis = Instant.toEpochMillis(at)
    if (Number.isNaN(millis))
      throw new Json.Unfit("edits", `${JSON.stringify(at.slice(0, 40))} is not an ISO 8601 time`)
    return lines.length === 0 ? [] : [{ id: `withdrawn-${id}`, millis, date: Day.fromEpochMillis(millis), lines }]
  })

export interface Line {
  readonly id: string
  readonly quantity: bigint
  readonly gross: bigint
}

/**
 * The line that an edit removed completely. Medusa does not keep it; its price follows from the order's first total.
 *
 * @param lines the remaining lines, including what was removed from them
 * @param delivery the delivery charge
 */
export const forgotten = (
  order: Json.Fields,
  currency: string,
  { delivery, edits, lines }: { edits: ReadonlyArray<Edit>; lines: ReadonlyArray<Line>; delivery: bigint }
): Line | undefined => {
  const steps = edits.flatMap((edit) => edit.steps)
  const gone = [...new Set(steps.map(({ line }) => line))].filter((id) => !lines.some((line) => line.id === id))
  const [id, ...others] = gone.filter((id) => !steps.some((step) => step.line === id && step.isNew))
  if (id === undefined) return undefined
  if (others.length > 0)
    throw new Json.Unfit(
      "items",
      "edits took several lines off as a whole: what each cost is not in the order any more"
    )
  const added = (line: string, isRise: boolean) =>
    Decimal.sum(steps.flatMap((step) => (step.line === line && step.by > 0n === isRise ? [step.by] : [])))
  const first = lines.map((line) => {
    // The original quantity is everything ever ordered, less what edits added.
    const held = line.quantity - added(line.id, true)
    return held <= 0n
      ? 0n
      : Decimal.divide(Decimal.multiply(line.gross, held), line.quantity, Currency.decimals(currency))
  })
  const ever = -added(id, false)
  const held = ever - added(id, true)
  const rest = money(order, "summary.original_order_total", currency) - delivery - Decimal.sum(first)
  if (held <= 0n || rest < 0n)
    throw new Json.Unfit("items", "an edit took a line off as a whole: what it cost is not in the order any more")
  return { id, quantity: ever, gross: Decimal.divide(Decimal.multiply(rest, ever), held, Currency.decimals(currency)) }
}
