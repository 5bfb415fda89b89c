/** Which systems a seller of a year has, by seed; half of them sell abroad, half have details of batches, half err now and then. */
import { Dice } from "../../../simulation/Dice.ts"
import type { Style } from "../Plan.ts"

/** How often a person who errs does. */
const MISTAKEN = 0.25

export const settingOf = (seed: number, dice: Dice): Style => {
  const kind = (["full", "full", "full", "books and bank", "lists"] as const)[seed % 5]!
  const more = Dice.of(seed, "setting")
  const [abroad, details, mistaken] = [more.chance(0.5), more.chance(0.5), more.chance(0.5)]
  const numbers = dice.of(["INV-", "plain"] as const)!
  const format = dice.of(["camt", "mt940", "csv"] as const)!
  const references = dice.of(["unique", "restarting", "none"] as const)!
  const files = (["overlapping", "interim", "formats", "apart"] as const)[seed % 4]!
  // A table of one account has neither details nor another currency.
  const hasCamt = format === "camt" || (format === "mt940" && files === "formats")
  return {
    books: {
      payments: kind !== "lists",
      word: kind === "lists" ? "none" : "balance",
      ids: "apart",
      numbers,
      rolling: false,
      ...(abroad ? { dollars: true } : {})
    },
    bank: {
      ...{ format, references, files },
      ...(abroad && format !== "csv" && more.chance(0.6) ? { dollars: true } : {}),
      ...(details && hasCamt ? { details: true } : {}),
      ...(kind === "lists"
        ? {
            undesignated: "oldest" as const,
            within: { several: 4, fee: "15.00", discount: { percent: "2", days: 14 } }
          }
        : {})
    },
    ...(kind === "books and bank"
      ? {}
      : { processor: { api: dice.of(["gocardless", "csv"] as const)!, linked: true } }),
    ...(mistaken ? { mistaken: MISTAKEN } : {})
  }
}
