/** Plays one history of a shop's order and checks the laws. */
import { Dice } from "../../simulation/Dice.ts"
import { type Kind, type Rounding, ROUNDINGS } from "./Arithmetic.ts"
import type { Decide, Decision, Memory } from "./Numbers.ts"
import { Payment } from "./Payment.ts"
import { Shop } from "./Shop.ts"

const KINDS: ReadonlyArray<Kind> = ["shopify", "magento", "woo"]

export interface Tally {
  steps: number
  syncs: number
  asked: number
  asks: Map<string, number>
  captures: number
  voids: number
  refunds: number
}
export const tally = (): Tally => ({ steps: 0, syncs: 0, asked: 0, asks: new Map(), captures: 0, voids: 0, refunds: 0 })

/** Shops by their arithmetic. */
export const ARITHMETICS: ReadonlyArray<readonly [kind: Kind, rounding?: Rounding | undefined]> = [
  ["shopify"],
  ["woo"],
  ...ROUNDINGS.map((rounding) => ["magento", rounding] as const)
]

/** @returns what a history breaks, with its story */
export const play = (
  decide: Decide,
  seed: number,
  count = tally(),
  [kind, rounding = ROUNDINGS[Math.floor(seed / 3) % ROUNDINGS.length]]: readonly [
    kind?: Kind,
    rounding?: Rounding | undefined
  ] = []
): ReadonlyArray<string> => {
  const r = new Dice(seed)
  const shop = new Shop(kind ?? (KINDS[seed % 3] as Kind), r, rounding)
  const cent = r.chance(0.1) ? r.of([-1, 1])! : 0
  const payment = new Payment(Math.max(0, Number(shop.placed) + cent))
  const late = new Payment(payment.authorised)
  const broken: Array<string> = []
  const say = (law: string) => broken.push(`${law}\n    ${shop.log.join("\n    ")}`)
  let memory: Memory = { began: Number(shop.placed), rest: 0 }
  const sent = new Set<string>()
  let asked = false
  /** An unpaid order was read in the middle of an edit, after goods had come back: what was refunded cannot be charged again. */
  let half = false

  // T0. Daybook may end between a call and its answer. What it claimed is sent again with its key before anything is planned.
  const crashes = seed % 5 === 0
  let claimed:
    | {
        readonly op: "capture" | "refund" | "void"
        readonly amount: number
        readonly key: string
        readonly rest?: number
      }
    | undefined
  const crash = () => {
    const [step] = decide(shop.state(), payment.seen, memory).steps
    if (step === undefined || claimed !== undefined) return
    half ||= shop.pending && shop.paid === "never" && shop.lost
    claimed = step
    const done = r.chance(0.5)
    if (done) payment.post(step.op, step.amount, step.key)
    shop.say(`  > ${step.op} ${step.amount}, and a crash ${done ? "after" : "before"} the service had it`)
  }
  const replay = () => {
    if (claimed === undefined) return
    const before = payment.captured + payment.refunded + payment.voided
    const refused = payment.post(claimed.op, claimed.amount, claimed.key)
    if (refused !== undefined) say(`L2 the service refuses ${refused}`)
    if (sent.has(claimed.key)) say(`L7 ${claimed.key} is sent twice`)
    sent.add(claimed.key)
    memory = { ...memory, rest: (memory.rest ?? 0) + (claimed.rest ?? 0) }
    shop.say(
      `  > ${claimed.op} ${claimed.amount} again, which ${payment.captured + payment.refunded + payment.voided === before ? "changes nothing" : "is done now"}`
    )
    claimed = undefined
  }
  const run = (to: Payment, its: Memory): { made: Decision; memory: Memory } => {
    const made = decide(shop.state(), to.seen, its)
    let rest = its.rest ?? 0
    for (const step of made.steps) {
      const refused = to.post(step.op, step.amount, step.key)
      if (refused !== undefined) say(`L2 the service refuses ${refused}`)
      if (to === payment) {
        if (sent.has(step.key)) say(`L7 ${step.key} is sent twice`)
        sent.add(step.key)
      }
      rest += step.rest ?? 0
      if (to === payment) shop.say(`  > ${step.op} ${step.amount} (${step.why})`)
    }
    return { made, memory: { ...its, rest } }
  }

  const sync = (isLast: boolean) => {
    count.syncs++
    replay()
    const before = payment.net
    half ||= shop.pending && shop.paid === "never" && shop.lost
    const first = run(payment, memory)
    memory = first.memory
    count.steps += first.made.steps.length
    for (const { op } of first.made.steps) count[`${op}s` as "captures" | "voids" | "refunds"]++
    for (const one of first.made.asks) {
      if (one.kind !== "short") asked = true
      count.asks.set(one.kind, (count.asks.get(one.kind) ?? 0) + 1)
    }
    if (first.made.held.length > 0) say(`L9 held: ${first.made.held.join("; ")}`)
    if (decide(shop.state(), payment.seen, memory).steps.length > 0) say("L7 a second plan is not empty")
    // L1
    if (payment.captured + payment.voided + payment.open !== payment.authorised)
      say("L1 captured + voided + open is not what was authorised")
    // L3: never beyond what left, at its price, with all that is charged besides; nothing before anything left.
    const left = shop.units.filter((u) => u.everLeft)
    const [balance, credit, delivery, kept, loose, owed, total] = [
      shop.balance(),
      shop.credit,
      shop.placing.shipping,
      shop.kept,
      shop.loose,
      shop.owed(),
      shop.total()
    ].map(Number) as [number, number, number, number, number, number, number]
    const byOwn = total - Number(shop.card.received - shop.card.given)
    const most =
      Number(shop.worth(left)) + (left.length === 0 ? 0 : delivery + Math.max(0, kept)) + shop.lines.length + credit
    if (payment.net > most && shop.end === undefined) say(`L3 ${payment.net} is charged, and ${most} left`)
    if (left.length === 0 && shop.end === undefined && payment.captured > 0)
      say(`L3 ${payment.captured} is captured, and nothing left`)
    // L3: what a capture leaves is no more than what is owed without the goods that are still to leave.
    const scale = total === 0 ? 0 : Math.min(1, owed / total)
    const goods = Number(shop.worth(shop.all("here")))
    const discount = Math.max(0, -kept) + Number(shop.placing.discount)
    if (
      shop.kind !== "magento" &&
      shop.end === undefined &&
      !shop.allLeft &&
      payment.net > before &&
      payment.net >
        Math.max(
          before,
          owed -
            Math.floor(Math.max(0, goods - discount) * scale) +
            shop.lines.length +
            2 +
            loose +
            credit +
            Math.max(0, byOwn - owed)
        )
    )
      say(`L3 ${payment.net} is charged, ${owed} is owed and goods for ${goods} are still here`)
    // L4
    if (payment.refunded > payment.captured) say("L4 more is refunded than captured")
    if (shop.paid === "at once" && payment.refunded + payment.voided - (memory.rest ?? 0) > Number(shop.own.given))
      say(`L4 ${payment.refunded} refunded and ${payment.voided} voided, and the shop gave back ${shop.own.given}`)
    // L4: a refund leaves what is owed for goods that stay with the buyer.
    const least = Math.min(owed, byOwn) - goods - delivery - Math.max(0, kept) - shop.lines.length - 1
    if (shop.paid === "at once" && payment.net < before && payment.net < Math.min(before, least))
      say(`L4 ${payment.net} is left after a refund, and goods for ${least} stay with the buyer`)
    // L11: as soon as the shop's money is in line with its total, so is the service's.
    if (
      shop.paid === "at once" &&
      balance === 0 &&
      !shop.pending &&
      shop.end?.how !== "cancelled" &&
      Math.abs(payment.net + payment.open - Math.min(owed, payment.authorised)) > Math.abs(cent)
    )
      say(`L11 ${owed} is owed by the shop's own books, and ${payment.net} is charged, ${payment.open} open`)
    // L5: what may still be owed can still be captured.
    const needed = Math.min(owed, payment.authorised)
    if (
      (shop.paid === "at once" || !shop.lost) &&
      shop.paid !== "as it ships" &&
      payment.net + payment.open < needed - Math.max(0, -cent)
    )
      say(`L5 ${needed} may be owed, and only ${payment.net + payment.open} is captured or open`)
    if (isLast) {
      const right = Math.min(owed, payment.authorised)
      if (
        half
          ? payment.net > right || (payment.net < right && payment.open > 0)
          : Math.abs(payment.net - right) > Math.max(0, -cent)
      )
        say(
          `L6 ${right} is owed in the end, and ${payment.net} is charged (captured ${payment.captured}, refunded ${payment.refunded}, voided ${payment.voided}, open ${payment.open})`
        )
      if (payment.open !== 0) say(`L6 ${payment.open} stays open`)
    }
  }

  // L9: a contradiction, at a random time.
  const contradict = () => {
    const s = shop.state()
    const bad = r.of([
      { ...s, currency: "USD" },
      { ...s, unclear: ["Invoice"] },
      { ...s, outstanding: (s.outstanding ?? 0) + 100_000 },
      { ...s, lines: s.lines.map((l) => ({ ...l, left: undefined, still: l.still + (l.left ?? 0) - l.back })) }
    ])!
    const made = decide(bad, payment.seen, memory)
    const what = (of: Decision) => of.steps.map(({ amount, op }) => `${op} ${amount}`).join()
    // Where it is unknown what left, what is the same either way may be sent, and is then what is true.
    const isUnknown = bad.lines.some(({ left }) => left === undefined)
    if (made.steps.length > 0 && (!isUnknown || what(made) !== what(decide(s, payment.seen, memory))))
      say("L9 something is sent although the state contradicts itself")
    const others = decide(s, payment.seen, {
      ...memory,
      sent: { captured: payment.captured - 5, voided: payment.voided, refunded: payment.refunded }
    })
    if (others.steps.some(({ op }) => op !== "capture")) say("L9 money is given up although others posted")
  }

  const often = r.of([0.15, 0.5, 1])!
  for (let n = 3 + r.below(10); n > 0; n--) {
    shop.step()
    if (r.chance(often)) sync(false)
    if (crashes && r.chance(0.2)) crash()
    if (r.chance(0.1)) contradict()
  }
  replay()
  shop.ends()
  sync(true)
  if (shop.end?.how === "complete")
    for (let n = r.below(3); n > 0; n--) {
      shop.after()
      sync(true)
    }
  // L8: reading it once, when all has happened, comes to the same.
  run(late, { began: Number(shop.placed), rest: 0 })
  if ((!half && Math.abs(late.net - payment.net) > Math.max(0, -cent)) || late.open !== payment.open)
    say(`L8 one reading leaves ${late.net} charged, many leave ${payment.net}`)
  if (asked) {
    count.asked++
    say("L10 a person was asked about an ordinary history")
  }
  return broken
}
