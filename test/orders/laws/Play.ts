/**
 * States of an order, one after the other, in euros for the eye, and what comes of them.
 */
import { decide, type Line, type Memory, type Service, type State } from "./Numbers.ts"

export type Euro = number
export const c = (n: Euro) => Math.round(n * 100)
/** A line: price of all units, ordered, left, back, still; `unsure` of still. */
export const line = (
  id: string,
  gross: Euro,
  ordered: number,
  left: number | undefined,
  back = 0,
  still = ordered - (left ?? 0),
  unsure = 0
): Line => ({ id, gross: c(gross), ordered, left, back, still, unsure })
export const off = (id: string, gross: Euro, ordered = 1): Line => line(id, gross, ordered, 0, 0, 0)
interface Its {
  received?: Euro
  given?: Euro
  card?: Euro
  cardGiven?: Euro
  cancelled?: Euro
  end?: State["end"]
  outstanding?: Euro
  unclear?: string[]
  charges?: Euro
}
/** @param its `received` absent: the shop does not count the order as paid */
export const shop = (total: Euro, lines: Line[], its: Its = {}): State => ({
  currency: "EUR",
  says: "total",
  total: c(total),
  lines,
  own: { given: c(its.given ?? 0), ...(its.received === undefined ? {} : { received: c(its.received) }) },
  others: { received: c(its.card ?? 0), given: c(its.cardGiven ?? 0) },
  ...(its.cancelled === undefined ? {} : { cancelled: c(its.cancelled) }),
  ...(its.end === undefined ? {} : { end: its.end }),
  ...(its.outstanding === undefined ? {} : { outstanding: c(its.outstanding) }),
  ...(its.unclear === undefined ? {} : { unclear: its.unclear }),
  ...(its.charges === undefined ? {} : { charges: c(its.charges) })
})
export interface Right {
  captured?: Euro
  voided?: Euro
  refunded?: Euro
  net: Euro
  open: Euro
  asks?: string[]
  held?: boolean
}
/** Plays states one after the other against a payment; returns what came out. */
export const outcome = (
  authorised: Euro,
  states: State[],
  more: {
    memory?: Memory
    others?: Partial<Service>
    currency?: string
    answers?: Record<string, string>
    settings?: { archivedIsOver?: boolean }
  } = {}
) => {
  let v: Service = {
    currency: more.currency ?? "EUR",
    open: c(authorised) - (more.others?.captured ?? 0) - (more.others?.voided ?? 0),
    captured: 0,
    voided: 0,
    refunded: 0,
    expired: 0,
    ...more.others
  }
  let sent = { captured: 0, voided: 0, refunded: 0 }
  let memory: Memory = { began: c(authorised), rest: 0, left: {}, ...more.memory }
  let last = decide(states[0] as State, v, memory)
  for (const state of states) {
    const answers = { ...memory.answers }
    for (let again = 0; again < 2; again++) {
      last = decide(state, v, { ...memory, sent, answers }, more.settings)
      for (const { kind, about } of last.asks) {
        const answer = more.answers?.[kind]
        if (answer !== undefined) answers[about] = answer
      }
    }
    let rest = memory.rest ?? 0
    for (const { amount, op, rest: r = 0 } of last.steps) {
      if (op === "capture") {
        v = { ...v, captured: v.captured + amount, open: v.open - amount }
        sent = { ...sent, captured: sent.captured + amount }
      } else if (op === "void") {
        v = { ...v, voided: v.voided + amount, open: v.open - amount }
        sent = { ...sent, voided: sent.voided + amount }
      } else {
        v = { ...v, refunded: v.refunded + amount }
        sent = { ...sent, refunded: sent.refunded + amount }
      }
      rest += r
    }
    const stated = state.own.given + (state.cancelled ?? 0)
    const given = last.steps.some(({ op }) => op === "refund") ? Math.max(stated, memory.given ?? 0) : memory.given
    memory = {
      ...memory,
      rest,
      ...(given === undefined ? {} : { given }),
      answers,
      left: {
        ...memory.left,
        ...Object.fromEntries(
          state.lines.flatMap(({ id, left }) =>
            left === undefined ? [] : [[id, Math.max(left, memory.left?.[id] ?? 0)]]
          )
        )
      }
    }
  }
  return {
    captured: v.captured / 100,
    voided: v.voided / 100,
    refunded: v.refunded / 100,
    net: (v.captured - v.refunded) / 100,
    open: v.open / 100,
    asks: last.asks.map(({ kind }) => kind),
    held: last.held.length > 0
  }
}
