/** Direct debits: confirmed after days, failing late, tried again, charged back, refunded; and what the books make of them. */
import { Dice } from "../../simulation/Dice.ts"
import { type Day, iso, least, major, most, Told } from "../Values.ts"
import type { Share } from "./Money.ts"
import { type Author, LAST, type Written } from "./People.ts"

export const debit = (author: Author, invoice: Written, share: Share, dice: Dice): void => {
  const isStripe = author.style.books.program === "stripe"
  const linked = author.style.processor?.linked ?? true
  const drawn = dice.of([["ok"], ["ok"], ["ok"], ["late"], ["late", "ok"], ["back"], ["refund"]])!
  // What was paid in Stripe stays paid: nothing is charged for it again.
  const tries = isStripe ? drawn.slice(0, 1) : drawn
  let charged = Math.min(LAST - 20, invoice.due)
  tries.forEach((how, n) => {
    const id = `${invoice.id}.debit${n + 1}`
    const confirmed = charged + 3
    const link = linked ? invoice.number : undefined
    const day = charged
    author.say(
      id,
      day,
      "debit",
      `a debit of ${major(share.amount)} for ${invoice.number} is charged, and confirmed on ${iso(confirmed)}`,
      ({ money }) => {
        if (money.invoices.get(invoice.id)?.body.at(day) === undefined) return
        if (isStripe && !money.takes(invoice.id, share.amount, day)) return
        money.movements.set(id, {
          id,
          customer: invoice.customer.id,
          via: "debit",
          day: confirmed,
          for: [share],
          fee: 0n,
          refunds: []
        })
        money.attempts.set(`PM-${id}`, {
          id: `PM-${id}`,
          movement: id,
          link,
          text: linked ? "" : "Monthly fee",
          charged: day,
          confirmed
        })
      }
    )
    if (author.keepsBooks && (isStripe || dice.chance(0.8))) {
      const entered = isStripe ? confirmed : dice.chance(0.5) ? charged : confirmed + 2
      author.say(
        `P${id}.entered`,
        entered,
        entered === charged ? "debit booked when charged" : "debit booked",
        `the books have the debit of ${invoice.number}`,
        ({ money }) => {
          if (money.movements.has(id))
            money.entries.set(`P${id}`, {
              id: `P${id}`,
              movement: id,
              body: new Told(entered, { date: entered, amount: share.amount, invoice: share.invoice })
            })
        }
      )
      if (!isStripe && how !== "ok" && how !== "refund" && (tries.length > 1 || dice.chance(0.5)))
        author.say(
          `P${id}.deleted`,
          confirmed + 9,
          "failed debit deleted",
          `the books take the failed debit of ${invoice.number} out`,
          ({ money }) => money.entries.get(`P${id}`)?.body.say(confirmed + 9, undefined)
        )
    }
    if (isStripe && author.style.bank !== undefined) payout(author, id, confirmed, share)
    if (how === "late" || how === "back") {
      const died = how === "late" ? confirmed + 2 : confirmed + 8
      author.say(
        `${id}.died`,
        died,
        how === "late" ? "debit fails late" : "chargeback",
        `the debit of ${invoice.number} ${how === "late" ? "fails late" : "is charged back"}`,
        ({ money }) => {
          const movement = money.movements.get(id)
          if (movement !== undefined) movement.died = { day: died, how: how === "late" ? "failed" : "charged back" }
        }
      )
    }
    if (how === "refund") {
      const amount = most(1n, share.amount / BigInt(dice.of([1, 2, 4])!))
      // A program has a record of its own for it, or the payment is entered anew with what is left.
      const aside =
        isStripe || (author.style.books.program !== undefined && Dice.of(author.seed, `${id}.refund`).chance(0.5))
      author.say(
        `${id}.refunded`,
        confirmed + 6,
        "refund",
        `${major(amount)} of the debit of ${invoice.number} is refunded`,
        ({ money }) => {
          money.movements
            .get(id)
            ?.refunds.push({ id: `RF-${id}`, day: confirmed + 6, amount: least(amount, share.amount) })
          if (money.entries.has(`P${id}`))
            money.entries.set(`PR${id}`, {
              id: `PR${id}`,
              ...(aside ? { aside } : {}),
              movement: id,
              reverses: `P${id}`,
              body: new Told(confirmed + 6, { date: confirmed + 6, amount: -amount, invoice: share.invoice })
            })
        }
      )
    }
    charged = confirmed + 12
  })
}

/** What Stripe collected comes to the bank some days later, less its fee. */
const payout = (author: Author, id: string, confirmed: Day, { amount }: Share): void => {
  const net = amount - (amount * 14n) / 1000n - 25n
  const day = confirmed + 4
  author.say(`${id}.payout`, day, "payout", `Stripe pays out ${major(net)}`, ({ money }) => {
    if (money.movements.has(id) && net > 0n)
      money.lines.set(`L${id}`, {
        id: `L${id}`,
        day,
        amount: net,
        name: "STRIPE TECHNOLOGY EUROPE",
        iban: "DE02700202700010108669",
        text: "STRIPE Auszahlung"
      })
  })
}
