/** Money of nobody's, and what happens to Daybook, its settings and the service. */
import { Dice } from "../../simulation/Dice.ts"
import { major } from "../Values.ts"
import { type Author, LAST } from "./People.ts"

const STRANGERS = ["FINANZAMT MITTE", "STADTWERKE ERSTATTUNG", "ACME LTD SPARKONTO"]

export const stranger = (author: Author, n: number): void => {
  if (author.style.bank === undefined) return
  const dice = Dice.of(author.seed, `stranger.${n}`)
  const id = `S${n}`
  const day = dice.below(LAST)
  const amount = BigInt(1000 + dice.below(90_000))
  const name = dice.of(STRANGERS)!
  author.say(id, day, "money of nobody's", `${name} pays ${major(amount)}, which is for no invoice`, ({ money }) => {
    money.lines.set(id, {
      id,
      day,
      amount,
      name,
      iban: "DE02500105170137075030",
      text: dice.of(["STEUER 2026", "Umbuchung", "Erstattung"])!
    })
  })
}

/** What happens to Daybook, its settings and the service. */
export const trouble = (author: Author): void => {
  const dice = Dice.of(author.seed, "trouble")
  const day = 20 + dice.below(40)
  const { bank, processor } = author.style
  const paying = [...(bank === undefined ? [] : ["bank"]), ...(processor === undefined ? [] : ["debits"])]
  if (dice.chance(0.06)) {
    author.say(
      "backup",
      day,
      "backup",
      "a copy of the state file is taken",
      ({ desk }) => void desk.backups.push("take")
    )
    author.say(
      "restored",
      day + 10,
      "backup restored",
      "the copy is put back, and reconciled",
      ({ desk }) => void desk.backups.push("put back")
    )
  }
  if (dice.chance(0.06))
    author.say(
      "second",
      day,
      "second server",
      "a second server is set up anew",
      ({ desk }) => void (desk.second = true)
    )
  if (paying.length > 0 && dice.chance(0.05)) {
    const which = dice.of(paying)!
    const apart = dice.chance(0.5)
    author.say(
      "setting",
      day,
      apart ? "pays removed" : "connection removed",
      `${which} ${apart ? "no longer pays for the books" : "leaves the configuration"}`,
      ({ desk }) => void (apart ? desk.apart : desk.removed).add(which)
    )
  }
  if (bank !== undefined && bank.format !== "csv" && dice.chance(0.08))
    author.say(
      "refused",
      day,
      "statement does not add up",
      "for twelve days, the bank's last statement does not add up",
      ({ desk }) => void desk.refused.push({ from: day, until: day + 12 })
    )
  if (dice.chance(0.05) && author.invoices[0] !== undefined) {
    const invoice = dice.of(author.invoices)!
    author.say(
      "byhand",
      Math.max(day, invoice.issued + 5),
      "paid by hand on the service",
      `somebody records 5.00 for ${invoice.number} on the service by hand`,
      ({ desk }) => void desk.byHand.push({ invoice: invoice.number, amount: 500n })
    )
  }
}
