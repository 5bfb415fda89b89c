/** Random histories of orders in files: parcels, cancellations and returns, each stated, with amounts that may be 0; money back for no goods. */
import { type Decide, type Fact, type Memory, type Ordered, stateOf } from "./Numbers.ts"
import { Payment } from "./Payment.ts"
import { Dice } from "../../simulation/Dice.ts"

export const playFiles = (decide: Decide, seed: number): ReadonlyArray<string> => {
  const r = new Dice(seed)
  const lines: Array<Ordered> = []
  for (let n = 1 + r.below(3); n > 0; n--) {
    const quantity = 1 + r.below(5)
    lines.push({ id: `L${n}`, quantity, gross: r.below(20_000) })
  }
  const charges = r.chance(0.5) ? r.below(1500) : 0
  const total = lines.reduce((all, { gross }) => all + gross, 0) + charges
  const payment = new Payment(total)
  let facts: Array<Fact> = []
  let memory: Memory = { began: total, rest: 0 }
  let end: "cancelled" | undefined
  const log = [`files: ${lines.map((l) => `${l.quantity} of ${l.id} ${l.gross}`).join(", ")}, charges ${charges}`]
  const broken: Array<string> = []
  const say = (law: string) => broken.push(`${law}\n    ${log.join("\n    ")}`)
  const at = new Map(lines.map(({ id }) => [id, { left: 0, back: 0, off: 0 }]))
  const its = (id: string) => at.get(id) as { left: number; back: number; off: number }
  /** Stated by cancellations and returns. */
  let stated = 0
  const sync = () => {
    const state = stateOf("EUR", lines, charges, facts, end)
    const made = decide(state, payment.seen, memory)
    let rest = memory.rest ?? 0
    for (const { amount, op, rest: more = 0, why } of made.steps) {
      log.push(`  > ${op} ${amount} (${why})`)
      const refused = payment.post(op, amount)
      if (refused !== undefined) say(`L2 the service refuses ${refused}`)
      rest += more
    }
    memory = { ...memory, rest }
    if (made.held.length > 0) say(`L9 held: ${made.held}`)
    if (made.asks.length > 0) say(`L10 asked: ${made.asks[0]?.kind}`)
    if (decide(state, payment.seen, memory).steps.length > 0) say("L7 a second plan is not empty")
    if (payment.net + payment.open !== (closed === undefined ? Math.max(0, total - stated) : payment.net))
      say(`L11 ${total - stated} is left by what is stated, and ${payment.net} is charged, ${payment.open} open`)
    if ([...at.values()].every(({ left }) => left === 0) && payment.captured > 0) say("L3 captured, and nothing left")
  }
  let closed: number | undefined
  const price = ({ gross, quantity }: Ordered, count: number) => Math.round((gross * count) / quantity)
  const move = () => {
    const line = r.of(lines)!
    const it = its(line.id)
    const some = (most: number) => (most <= 0 ? 0 : 1 + r.below(most))
    const what = r.below(7)
    if (what <= 2) {
      const quantity = some(line.quantity - it.left - it.off)
      if (quantity === 0) return
      it.left += quantity
      facts.push({ kind: "parcel", lines: [{ line: line.id, quantity }] })
      log.push(`a parcel of ${quantity} of ${line.id}`)
    } else if (what === 3) {
      const quantity = some(line.quantity - it.left - it.off)
      if (quantity === 0) return
      it.off += quantity
      const amount = Math.min(price(line, quantity), total - stated)
      stated += amount
      facts.push({ kind: "cancellation", lines: [{ line: line.id, quantity }], amount })
      log.push(`a cancellation of ${quantity} of ${line.id}, ${amount}`)
    } else if (what === 4) {
      const quantity = some(it.left - it.back)
      if (quantity === 0) return
      it.back += quantity
      const amount = r.chance(0.3) ? 0 : Math.min(price(line, quantity), total - stated)
      stated += amount
      facts.push({ kind: "return", lines: [{ line: line.id, quantity }], amount })
      log.push(`a return of ${quantity} of ${line.id}, ${amount}`)
    } else if (what === 5) {
      const amount = r.below(Math.min(500, total - stated) + 1)
      stated += amount
      facts.push({ kind: "return", lines: [], amount })
      log.push(`${amount} is given back, for no goods`)
    } else {
      // A parcel is entered again under another id, or in two parts: nothing changes.
      const one = facts.find(({ kind }) => kind === "parcel")
      if (one === undefined) return
      facts = [
        ...facts.filter((fact) => fact !== one),
        ...one.lines.flatMap(
          ({ line: id, quantity }): ReadonlyArray<Fact> =>
            quantity > 1
              ? [
                  { kind: "parcel", lines: [{ line: id, quantity: 1 }] },
                  { kind: "parcel", lines: [{ line: id, quantity: quantity - 1 }] }
                ]
              : [one]
        )
      ]
      log.push("a parcel is entered again")
    }
  }
  for (let n = 2 + r.below(10); n > 0; n--) {
    move()
    if (r.chance(0.5)) sync()
  }
  sync()
  if (r.chance(0.5))
    for (const line of lines) {
      const it = its(line.id)
      const quantity = line.quantity - it.left - it.off
      if (quantity > 0) {
        it.left += quantity
        facts.push({ kind: "parcel", lines: [{ line: line.id, quantity }] })
      }
    }
  const rest = lines.flatMap(({ id, quantity }) => {
    const here = quantity - its(id).left - its(id).off
    return here > 0 ? [{ line: id, quantity: here }] : []
  })
  const without = [...facts, ...(rest.length === 0 ? [] : [{ kind: "cancellation" as const, lines: rest }])]
  const cancelled = decide(stateOf("EUR", lines, charges, without), payment.seen, memory)
  const taken = (op: string) => cancelled.steps.reduce((sum, one) => sum + (one.op === op ? one.amount : 0), 0)
  const expected = payment.net + taken("capture") - taken("refund")
  const all = lines.every(({ id, quantity }) => quantity === its(id).left + its(id).off)
  end = "cancelled"
  closed = 0
  log.push(`closed${all ? ", all of it left" : ""}`)
  sync()
  if (payment.open !== 0) say("L6 something stays open")
  if (all && [...at.values()].some(({ left }) => left > 0) && payment.net !== Math.max(0, total - stated))
    say(`L6 ${total - stated} is owed, and ${payment.net} is charged`)
  if (!all && Math.abs(payment.net - expected) > lines.length + 1)
    say(`L6 ${payment.net} is charged by closing it, and ${expected} by cancelling what is still here`)
  // After its end, what came back is refunded to the minor unit.
  for (let n = r.below(4); n > 0; n--) {
    const line = r.of(lines)!
    const it = its(line.id)
    if (it.left - it.back <= 0) continue
    const was = payment.net
    const amount = Math.min(price(line, 1), was)
    it.back++
    facts.push({ kind: "return", lines: [{ line: line.id, quantity: 1 }], amount })
    stated += amount
    log.push(`after its end a return of 1 of ${line.id}, ${amount}`)
    sync()
    if (Math.abs(payment.net - was + amount) > lines.length + 1)
      say(`L11 ${amount} is stated to be given back, and ${was - payment.net} is`)
  }
  return broken
}
