/**
 * What is to be captured, refunded and voided of an order's deferred payment, from the order's state as its source states it
 * now: T0 to T3. Pure: no clock, and no history but what the service holds, what was voided as a rest, and what persons
 * answered.
 *
 * The shop's own sums say what the buyer owes; goods only say when. Each step leads from one of the service's sums to another,
 * so it exists once, whatever becomes of the facts that it followed from. Amounts are whole minor units.
 */
import { OrderAccount } from "./OrderAccount.ts"
import type { DecisionSettings, Memory, OrderDecided, OrderFigures, Seen } from "./OrderDecided.ts"
import { contradictions } from "./OrderOwed.ts"
import { askedAbout, Questions } from "./OrderQuestions.ts"
import type { Standing } from "./OrderStanding.ts"

export type { DecisionSettings, Memory, OrderDecided, OrderFigures, OrderStep, Seen } from "./OrderDecided.ts"

const NONE: OrderFigures = { owe: 0n, still: 0n, due: 0n, short: 0n, ahead: 0n, toVoid: 0n, stays: 0n }

const remembered = (its: Standing, { left = {} }: Memory): Standing => ({
  ...its,
  lines: its.lines.map((line) => {
    const most = left[line.id] ?? (line.asBefore === true ? 0n : undefined)
    return line.left === undefined && most !== undefined ? { ...line, left: most } : line
  })
})

export const decide = (
  stated: Standing,
  seen: Seen,
  memory: Memory = {},
  settings: DecisionSettings = {}
): OrderDecided => {
  const its = remembered(stated, memory)
  const held = contradictions(its, seen)
  const questions = new Questions(memory.answers)
  if (held.length > 0) return { steps: [], asks: [], answered: [], held, figures: NONE }
  if (its.lines.every(({ left }) => left !== undefined))
    return new OrderAccount(its, seen, memory, settings, questions).decided
  const [gone, here] = [asIf(its, "gone"), asIf(its, "here")]
  const [one, other] = [gone, here].map((as) => decide(as, seen, memory, settings)) as [OrderDecided, OrderDecided]
  // Only what makes a difference is asked.
  if (print(one) === print(other)) return one
  const answer = questions.ask(askedAbout.left(its))
  if (answer !== undefined) {
    const found = answer === "they left" ? one : other
    return { ...found, answered: [...questions.answered, ...found.answered] }
  }
  const why = "the source's status does not say whether the goods left"
  const todo = "answer whether they left: `daybook attention` shows the choices"
  return { steps: [], asks: questions.open, answered: [], held: [{ code: "K6", why, todo }], figures: NONE }
}

/** The state if the goods of which the shop does not say whether they left all did, or none. */
const asIf = (its: Standing, place: "gone" | "here"): Standing => ({
  ...its,
  lines: its.lines.map((line) => {
    if (line.left !== undefined) return line
    return place === "gone" ? { ...line, left: line.back + line.still, still: 0n } : { ...line, left: line.back }
  })
})

const print = ({ asks, held, steps }: OrderDecided): string =>
  JSON.stringify([steps, asks, held], (_, value: unknown) => (typeof value === "bigint" ? `${value}` : value))
