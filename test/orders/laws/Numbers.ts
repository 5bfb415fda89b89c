/**
 * The order rules in numbers of minor units and whole units of goods, for histories that are easier to read and to write so.
 */
import type { Order, OrderFact } from "../../../connectors/Document.ts"
import * as Currency from "../../../core/money/Currency.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import { Day } from "../../../core/wire/Day.ts"
import * as Rules from "../../../sync/rules/OrderDecision.ts"
import * as Standing from "../../../sync/rules/OrderStanding.ts"

export type Minor = number

export interface Line {
  readonly id: string
  readonly gross: Minor
  readonly ordered: number
  readonly left: number | undefined
  readonly back: number
  readonly still: number
  readonly unsure?: number
}

export interface State {
  readonly currency: string
  readonly end?: "complete" | "cancelled" | "archived"
  readonly lines: ReadonlyArray<Line>
  readonly charges?: Minor
  readonly first?: Minor
  readonly total: Minor
  readonly own: { readonly received?: Minor; readonly given: Minor }
  readonly others: { readonly received: Minor; readonly given: Minor }
  readonly cancelled?: Minor
  readonly says: "total" | "events"
  readonly outstanding?: Minor
  readonly unclear?: ReadonlyArray<string>
}

export interface Service {
  readonly currency: string
  readonly open: Minor
  readonly captured: Minor
  readonly voided: Minor
  readonly refunded: Minor
  readonly expired: Minor
}

export interface Memory {
  readonly began?: Minor
  readonly rest?: Minor
  readonly given?: Minor
  readonly left?: Readonly<Record<string, number>>
  readonly sent?: Pick<Service, "captured" | "voided" | "refunded">
  readonly answers?: Readonly<Record<string, string>>
}

export interface Step {
  readonly op: "capture" | "refund" | "void"
  readonly amount: Minor
  readonly rest?: Minor
  readonly key: string
  readonly why: string
}

export interface Decision {
  readonly steps: ReadonlyArray<Step>
  readonly asks: ReadonlyArray<{
    readonly kind: string
    readonly about: string
    readonly why: string
    readonly choices: ReadonlyArray<string>
  }>
  readonly held: ReadonlyArray<string>
  readonly figures: { readonly [name in keyof Rules.OrderFigures]: Minor }
}

const QUANTITIES = ["ordered", "left", "back", "still", "unsure"]

/** Every number becomes a bigint; quantities become decimals. */
const exact = (value: unknown, name = ""): unknown => {
  if (typeof value === "number") return QUANTITIES.includes(name) ? Decimal.fromInteger(BigInt(value)) : BigInt(value)
  if (Array.isArray(value)) return value.map((one) => exact(one))
  if (typeof value !== "object" || value === null) return value
  const isLeft = name === "memory.left"
  return Object.fromEntries(Object.entries(value).map(([its, one]) => [its, exact(one, isLeft ? "left" : its)]))
}

const memoryOf = (memory: Memory): Rules.Memory => {
  const left = memory.left === undefined ? {} : { left: exact(memory.left, "memory.left") }
  return { ...(exact(memory) as Rules.Memory), ...left } as Rules.Memory
}

/** The rules, with numbers. */
export const decideWith =
  (decide: typeof Rules.decide) =>
  (state: State, seen: Service, memory: Memory = {}, settings: Rules.DecisionSettings = {}): Decision => {
    const { asks, figures, held, steps } = decide(
      exact(state) as Standing.Standing,
      exact(seen) as Rules.Seen,
      memoryOf(memory),
      settings
    )
    return {
      steps: steps.map(({ amount, from, rest, taking, to, why }) => ({
        op: taking,
        amount: Number(amount),
        key: `${taking} ${from}>${to}`,
        why,
        ...(rest === undefined ? {} : { rest: Number(rest) })
      })),
      asks,
      held: held.map(({ code, why }) => `${code} ${why}`),
      figures: Object.fromEntries(Object.entries(figures).map(([name, one]) => [name, Number(one)])) as never
    }
  }

export const decide = decideWith(Rules.decide)
export type Decide = typeof decide

export interface Part {
  readonly line: string
  readonly quantity: number
}
export interface Fact {
  readonly kind: "parcel" | "cancellation" | "return"
  readonly lines: ReadonlyArray<Part>
  readonly amount?: Minor
}
export interface Ordered {
  readonly id: string
  readonly quantity: number
  readonly gross: Minor
}

const DAY = Day.make("2026-03-02")

/** The state of an order in files, by the product's own sum of its facts; they happened in this order. */
export const stateOf = (
  currency: string,
  lines: ReadonlyArray<Ordered>,
  charges: Minor,
  facts: ReadonlyArray<Fact>,
  end?: State["end"]
): State => {
  const major = (minor: Minor) => Currency.ofMinor(BigInt(minor), currency)
  const order: Order = {
    kind: "order",
    id: "1",
    number: "1",
    status: end === undefined ? "open" : "closed",
    currency,
    placed: DAY,
    lines: [
      ...lines.map(({ gross, id, quantity }) => ({
        id,
        type: "product" as const,
        quantity: Decimal.fromInteger(BigInt(quantity)),
        gross: major(gross)
      })),
      ...(charges === 0
        ? []
        : [{ id: "charges", type: "shipping" as const, quantity: Decimal.one, gross: major(charges) }])
    ]
  }
  const its = facts.map(
    ({ amount, kind, lines: parts }, n): OrderFact => ({
      kind: kind === "parcel" ? "fulfilment" : kind,
      id: `${n}`.padStart(4, "0"),
      order: "1",
      date: DAY,
      currency,
      lines: parts.map(({ line, quantity }) => ({ line, quantity: Decimal.fromInteger(BigInt(quantity)) })),
      ...(amount === undefined ? {} : { amount: major(amount) })
    })
  )
  return plain(Standing.stateOf(order, its, {}))
}

const number = (value: unknown, name = ""): unknown =>
  typeof value === "bigint"
    ? Number(QUANTITIES.includes(name) ? value / Decimal.one : value)
    : Array.isArray(value)
      ? value.map((one) => number(one))
      : typeof value === "object" && value !== null
        ? Object.fromEntries(Object.entries(value).map(([its, one]) => [its, number(one, its)]))
        : value

/** A state as the rules have it, in numbers. */
export const plain = (standing: Standing.Standing): State => number(standing) as State
