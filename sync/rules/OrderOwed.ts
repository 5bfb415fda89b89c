/**
 * What an order's buyer owes by its deferred payment, in all and for what is still to leave (F1 to F4), and the contradictions
 * in which nothing may be sent (K1 to K6). Pure; whole minor units.
 */
import type { DeferredPayment } from "../model/DeferredPayment.ts"
import type { Standing } from "./OrderStanding.ts"
import { say } from "./PostingKinds.ts"
import { atLeastZero, max, min, round } from "./WholeUnits.ts"

/** What rounding may come to: a minor unit for each line, and one for the rest. */
export const rounding = ({ lines }: Pick<Standing, "lines">): bigint => BigInt(lines.length) + 1n

/** What the shop has of the buyer, by all methods. */
const kept = ({ others, own }: Standing): bigint => (own.received ?? 0n) - own.given + others.received - others.given

/** F1, if the shop does not say what is outstanding: its total is with or without what was given back. */
const totalWithout = ({ others, own, total }: Standing): bigint => {
  const paid = (own.received ?? 0n) + others.received
  const back = own.given + others.given
  return atLeastZero(total - atLeastZero(back - atLeastZero(paid - total)))
}

/** F1. The order's total now, by all methods. */
const totalNow = (its: Standing): bigint =>
  its.outstanding === undefined ? totalWithout(its) : atLeastZero(kept(its) + its.outstanding)

/** Finer than a minor unit, so that shares are rounded once. */
const FINE = 1000n

/** The price of a quantity of a line, in a thousandth of a minor unit. */
const finePrice = (gross: bigint, quantity: bigint, ordered: bigint): bigint => round(gross * quantity * FINE, ordered)

type Reading = "most" | "least"

/**
 * F3. The part of `amount` that is for goods still to leave, with most or fewest of them: all of it before anything left, and
 * nothing when nothing is to leave.
 */
const shareStill = (its: Standing, amount: bigint, reading: Reading): bigint => {
  const { gone, here, out, staying, units } = goodsOf(its, reading)
  if (out === 0n && its.end !== "complete") return amount
  if (units === 0n) return 0n
  const first = min(its.first ?? 0n, amount)
  const shared = here + staying === 0n ? amount - first : round((amount - first) * here, here + staying)
  return min(shared, max(0n, priceHere(its, { amount: shared, first, gone, here }))) + (out > 0n ? 0n : first)
}

/** Fine prices of the goods that are here, that stay with the buyer, and that ever left; units that are here, and that left. */
const goodsOf = ({ lines }: Standing, reading: Reading) => {
  let [here, staying, gone, units, out] = [0n, 0n, 0n, 0n, 0n]
  for (const { back: sure, gross, left = 0n, ordered, still: most, unsure = 0n } of lines) {
    if (ordered <= 0n) continue
    const back = sure + (reading === "most" ? unsure : 0n)
    const still = most - (reading === "most" ? 0n : unsure)
    here += finePrice(gross, still, ordered)
    staying += finePrice(gross, atLeastZero(left - back), ordered)
    gone += finePrice(gross, left, ordered)
    units += still
    out += left
  }
  return { here, staying, gone, units, out }
}

/**
 * What will not leave of an order that is over: at its price, because what was given back for no goods is for what left. Of what was
 * paid otherwise too, its share.
 */
export const priceOfRest = (its: Standing, still: bigint): bigint => {
  if (its.rest !== undefined) return max(its.rest, still)
  const now = totalNow(its)
  // What may have come back is not taken off again: what was given back says so.
  const { gone, here, out, units } = goodsOf(its, "least")
  const given = its.own.given + its.others.given
  // All of it was given back before anything left, and the shop kept some of the money, such as a fee.
  if (out === 0n && units === 0n && its.own.received !== undefined && given > 0n) return 0n
  if (out === 0n || now === 0n) return still
  const all = priceHere(its, { amount: 0n, first: its.first ?? 0n, gone, here })
  const others = max(0n, its.others.received - its.others.given)
  return max(still, round(all * atLeastZero(now - others), now))
}

/**
 * The price of goods still to leave with their share of the charges: money kept for goods that came back is not for these.
 */
const priceHere = (
  { charges, isCancelledWithCharges, lines }: Standing,
  { amount, first, gone, here }: { readonly [name in "amount" | "first" | "gone" | "here"]: bigint }
): bigint => {
  if (charges === undefined) return amount
  const all = isCancelledWithCharges === true ? FINE * lines.reduce((sum, { gross }) => sum + gross, 0n) : here + gone
  return all === 0n ? round(here, FINE) : round(here * all + FINE * (charges - first) * here, FINE * all)
}

/** The most that what ever left costs. Of a discount on the whole order, what was cancelled has lost its share. */
const priceGone = ({ charges, first = 0n, lines }: Standing): bigint | undefined => {
  if (charges === undefined) return undefined
  let [gone, all] = [0n, 0n]
  for (const { gross, left = 0n, ordered } of lines) {
    if (ordered <= 0n) continue
    gone += round(gross * left, ordered)
    all += gross
  }
  const shared = all === 0n ? 0n : round((charges - first) * gone, all)
  return gone + max(max(0n, charges), first + shared) + BigInt(lines.length)
}

/** Everything that left came back. */
export const staysNothing = ({ lines }: Standing, reading: Reading): boolean =>
  lines.every(({ back, left = 0n, unsure = 0n }) => left <= back + (reading === "most" ? unsure : 0n))

/** Something is still to leave: what rounding leaves of the shares is for that where nothing stays. */
const hasStill = ({ lines }: Standing, reading: Reading): boolean =>
  lines.some(({ still, unsure = 0n }) => still > (reading === "most" ? 0n : unsure))

export interface Owed {
  /** F2. By this method, in all. */
  readonly owe: bigint
  /** F3. Of that, for goods that are still to leave: in the reading with most of them, and in the other. */
  readonly still: bigint
  readonly least: bigint
  /** What the order comes to beyond what is authorised. */
  readonly short: bigint
}

/** F1 to F3. */
export const owed = (its: Standing, authorised: bigint): Owed => {
  const now = totalNow(its)
  const others = its.others.received - its.others.given
  const all = atLeastZero(now - others)
  const { given, received } = its.own
  // Once the shop counts this method as paid, what it kept of it is all that is owed by it; more is paid otherwise.
  const paid = received !== undefined && received + rounding(its) >= min(authorised, all + given)
  const owe = min(all, paid ? atLeastZero((received ?? 0n) - given) : all)
  const stillIn = (reading: Reading) => {
    const still = min(owe, atLeastZero(shareStill(its, others > 0n ? all : now, reading) - (all - owe)))
    return owe - still <= rounding(its) && staysNothing(its, reading) && hasStill(its, reading) ? owe : still
  }
  const [one, other] = [stillIn("most"), stillIn("least")]
  // Until it has ended, no more than what ever left costs: what the shop kept beyond that, it may still give back.
  const gone = its.end === undefined ? priceGone(its) : undefined
  const most = gone === undefined ? owe : gone + atLeastZero(-others)
  return {
    owe,
    still: max(one, other, owe - most),
    least: min(one, other),
    short: atLeastZero(all - min(owe, authorised))
  }
}

/** What the shop says was given back or cancelled of this payment. */
export const statedBack = ({ cancelled = 0n, own }: Standing): bigint => own.given + cancelled

/** The price of goods that came back. */
export const worthBack = ({ lines }: Standing): bigint =>
  lines.reduce(
    (sum, { back, gross, ordered, unsure = 0n }) =>
      ordered > 0n ? sum + round(gross * (back + unsure), ordered) : sum,
    0n
  )

/** What was given back of what had been charged, as its source states it. */
export const givenBack = (its: Standing): bigint => its.returned ?? statedBack(its)

/** Why nothing of an order may be sent, and what can be done about it. */
export interface Held {
  readonly code: "K1" | "K2" | "K3" | "K4" | "K5" | "K6"
  readonly why: string
  readonly todo: string
}

const CORRECT = "correct the order in the source; nothing is sent for it until then"

/** K1 to K5. */
export const contradictions = (its: Standing, seen: Pick<DeferredPayment, "currency">): ReadonlyArray<Held> => {
  const found: Array<Held> = []
  const add = (code: Held["code"], why: string, todo = CORRECT) => void found.push({ code, why, todo })
  if (seen.currency !== "" && seen.currency !== its.currency)
    add(
      "K1",
      `the order is in ${its.currency}, and its deferred payment in ${seen.currency}`,
      "nothing of this order is sent: correct its currency in the source or its deferred payment, or read the shop's other currency (setting money)"
    )
  for (const { back, gross, id, left, still } of its.lines) {
    if (still < 0n) add("K2", `more of line ${id} left or was cancelled than was ordered`)
    if (back < 0n || back > (left ?? back)) add("K2", `more of line ${id} came back than left`)
    if (gross < 0n) add("K2", `line ${id} has a negative price`)
  }
  const { given, received } = its.own
  if (received !== undefined && given > received)
    add("K3", `${say(given, its)} was given back by this method, and only ${say(received, its)} was paid by it`)
  if (its.unclear !== undefined && its.unclear.length > 0)
    add(
      "K4",
      `money moved by ${its.unclear.join(", ")}, and whether that is the deferred payment is not known`,
      "name the deferred payment's method in the connection's setting method; all others then count as paid otherwise"
    )
  if (its.outstanding !== undefined) {
    const out = its.outstanding
    const apart = (total: bigint) => {
      const difference = total - kept(its) - out
      return max(difference, -difference) > rounding(its)
    }
    if (apart(its.total) && apart(totalWithout(its)))
      add(
        "K5",
        `the order comes to ${say(its.total, its)}, ${say(kept(its), its)} is paid, and the source says that ${say(out, its)} is outstanding`,
        "these do not add up: check the order's payments in the source; nothing is sent for it until they do"
      )
  }
  return found
}
