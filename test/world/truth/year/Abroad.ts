/** Customers abroad: what they are billed in, what they send, and what of it comes to which account. */
import { Dice } from "../../../simulation/Dice.ts"
import type { Day, Minor } from "../../Values.ts"
import type { Line } from "../Money.ts"
import type { Style } from "../Plan.ts"
import type { Buyer } from "./Sellers.ts"

/**
 * `dollars`: billed in dollars, which it pays into the account in dollars; `changed`: billed in dollars, which the bank changes into
 * euros; `euros`: billed in euros, which its own bank makes of dollars, now and then a little less.
 */
export type Abroad = "dollars" | "changed" | "euros"

/** Some of those who transfer what they owe are abroad. */
export const someAbroad = (seed: number, buyers: ReadonlyArray<Buyer>, bank: Style["bank"]): ReadonlyArray<Buyer> => {
  const ways: ReadonlyArray<Abroad> = [...(bank?.dollars === true ? (["dollars"] as const) : []), "changed", "euros"]
  return buyers.map((buyer, n) => {
    const dice = Dice.of(seed, `abroad.${n}`)
    const isAbroad = !buyer.debited && !buyer.batched && buyer.parent === undefined && dice.chance(0.08)
    return isAbroad ? { ...buyer, abroad: dice.of(ways)! } : buyer
  })
}

export const isBilledInDollars = ({ abroad }: Pick<Buyer, "abroad">): boolean =>
  abroad === "dollars" || abroad === "changed"

interface Arrived extends Pick<Line, "amount" | "currency" | "sent"> {
  /** What the payer's bank kept, in euros. */
  readonly fee: Minor
}

/**
 * Euros for a dollar on a day, in hundred thousandths: within some months it moves by an eighth, within a month by less than three
 * percent, as in the reference rates of the European Central Bank of 2025. Banks differ by half a percent.
 */
const rateOn = (day: Day, dice: Dice): bigint =>
  BigInt(Math.round(91_000 + 6000 * Math.sin(day / 70)) + dice.below(900) - 450)

/** What comes of a payment that is for so much of an invoice. */
export const arrived = (abroad: Abroad, amount: Minor, day: Day, dice: Dice): Arrived => {
  const rate = rateOn(day, dice)
  if (abroad === "dollars") return { amount, currency: "USD", fee: 0n }
  const said = `0.${rate}`
  if (abroad === "changed")
    return { amount: (amount * rate + 50_000n) / 100_000n, fee: 0n, sent: { amount, currency: "USD", rate: said } }
  const fee = amount > 20_000n && dice.chance(0.3) ? BigInt(20 + dice.below(1300)) : 0n
  const sent = { amount: (amount * 100_000n) / rate + 1n, currency: "USD" as const, rate: said }
  return { amount: amount - fee, fee, sent }
}
