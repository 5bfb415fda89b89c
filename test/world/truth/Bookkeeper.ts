/** The bookkeeper: enters what was paid late, wrong, twice or on account, and corrects it. */
import type { Dice } from "../../simulation/Dice.ts"
import { type Day, major, most, Told } from "../Values.ts"
import type { Share } from "./Money.ts"
import type { Author, Written } from "./People.ts"

/** The bookkeeper's side of a movement. */
export const books = (
  author: Author,
  id: string,
  day: Day,
  shares: ReadonlyArray<Share>,
  invoice: Written,
  dice: Dice
): void => {
  const entered = day + dice.of([0, 0, 1, 2, 5, 12])!
  const date = dice.chance(0.8) ? day : dice.chance(0.5) ? entered : day - 1
  const other = author.invoices.find(
    (one) => one !== invoice && one.customer === invoice.customer && one.issued <= entered
  )
  const drawn = dice.of([
    "well",
    "well",
    "well",
    "well",
    "wrong date",
    "wrong amount",
    "again",
    "wrong invoice",
    "on account",
    "twice",
    "unreadable"
  ])!
  const { program } = author.style.books
  // Stripe lets nobody correct what was paid, and programs show what they have.
  const habit = program === "stripe" || (drawn === "unreadable" && program !== undefined) ? "well" : drawn
  const later = entered + 1 + dice.below(12)
  shares.forEach((share, n) => {
    const entry = `P${id}${n === 0 ? "" : `.${n}`}`
    const right = { date, amount: share.amount, invoice: share.invoice as string | undefined }
    const wrong: Readonly<Record<string, typeof right>> = {
      "wrong date": { ...right, date: date + 1 },
      "wrong amount": { ...right, amount: most(1n, share.amount - 100n) },
      "wrong invoice": { ...right, invoice: other?.id ?? right.invoice },
      "on account": { ...right, invoice: undefined },
      unreadable: right
    }
    const first = wrong[habit]
    const garbled = habit === "unreadable" ? { garbled: true as const } : {}
    const enters = (suffix: string, from: Day, body: typeof right, kind: string, what: string) =>
      author.say(`${entry}${suffix}.entered`, from, kind, what, ({ money }) => {
        const its = body.invoice ?? share.invoice
        if (program === "stripe" && !money.takes(its, body.amount, from)) return
        if (money.movements.has(id) && money.invoices.has(its))
          money.entries.set(`${entry}${suffix}`, {
            id: `${entry}${suffix}`,
            movement: id,
            body: new Told(from, { ...body, ...garbled })
          })
      })
    const says = (suffix: string, from: Day, body: typeof right | undefined, kind: string, what: string) =>
      author.say(`${entry}${suffix}.${kind}`, from, kind, what, ({ money }) =>
        money.entries.get(`${entry}${suffix}`)?.body.say(from, body)
      )
    const shown = `${major(share.amount)} for ${author.invoices.find((one) => one.id === share.invoice)!.number}`
    enters(
      "",
      entered,
      first ?? right,
      habit === "well" ? "booked" : `booked: ${habit}`,
      `the books have ${shown}${habit === "well" ? "" : ` (${habit})`}`
    )
    if (first !== undefined) says("", later, right, `corrected: ${habit}`, `the books correct ${shown} (${habit})`)
    if (habit === "again") {
      says("", later, undefined, "entry deleted", `the books delete ${shown}`)
      enters("b", later, right, "entered again", `the books enter ${shown} again`)
    }
    if (habit === "twice") {
      enters("b", entered + dice.below(3), right, "entered twice", `the books enter ${shown} a second time`)
      says("b", later + 3, undefined, "second entry deleted", `the books delete the second ${shown}`)
    }
  })
}
