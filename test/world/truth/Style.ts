/** Which systems a seller has, by seed, and how each of them writes. */
import { Dice } from "../../simulation/Dice.ts"
import type { Style } from "./Plan.ts"
import { ZONES } from "../Values.ts"

const PROGRAMS = ["xero", "stripe", "quickbooks", "odoo"] as const

const EXPORTS = ["xero", "zoho", "quickbooks", "freeagent", "sage accounting", "sage 50", "lexware", "sevdesk"] as const
const BANKS = ["sparkasse", "dkb", "n26"] as const

/** A list that names an invoice by its number only has no other ids. */
const exportOf = (seed: number, ids: Style["books"]["ids"]): Pick<Style["books"], "export"> => {
  const drawn = Dice.of(seed, "export").of([undefined, ...(ids === "same" ? EXPORTS : (["zoho"] as const))])
  return drawn === undefined ? {} : { export: drawn }
}

const tableOf = (seed: number): Pick<NonNullable<Style["bank"]>, "export"> => {
  const drawn = Dice.of(seed, "table").of([undefined, ...BANKS])
  return drawn === undefined ? {} : { export: drawn }
}

/** A quarter of the sellers keep their books in a program with an interface. */
const programOf = (seed: number): Style["books"]["program"] =>
  seed % 4 === 0 ? Dice.of(seed, "program").of(PROGRAMS) : undefined

const processorOf = (seed: number, drawn: "gocardless" | "csv") =>
  programOf(seed) !== undefined && Dice.of(seed, "processor").chance(0.4) ? ("paypal" as const) : drawn

/** Where a bank books sums and says apart what is in them, an entry has one reference in both. */
const notified = (seed: number, { format }: Pick<NonNullable<Style["bank"]>, "format">): Partial<Style["bank"]> =>
  format === "camt" && Dice.of(seed, "notified").chance(0.25) ? { files: "notified", references: "unique" } : {}

/** What Stripe and PayPal tell are instants. */
const zoned = (seed: number, { books, processor }: Pick<Style, "books" | "processor">): Pick<Style, "zone"> =>
  books.program === "stripe" || processor?.api === "paypal" ? { zone: Dice.of(seed, "zone").of(ZONES)! } : {}

export const styleOf = (seed: number): Style => {
  const dice = Dice.of(seed, "style")
  const drawn = dice.of(["books", "books+bank", "books+bank", "lists+bank", "books+debits", "books+debits+bank"])!
  const program = programOf(seed)
  // Stripe is a processor itself.
  const set = program === "stripe" ? drawn.replace("+debits", "") : drawn
  const payments = !set.startsWith("lists") || program !== undefined
  const books: Style["books"] = {
    ...(program === undefined ? {} : { program }),
    payments,
    word:
      program !== undefined
        ? "balance"
        : payments
          ? dice.of(["balance", "balance", "paid", "status", "none"] as const)!
          : dice.of(["none", "none", "balance"] as const)!,
    ids: program !== undefined ? "apart" : dice.of(["same", "same", "apart", "colliding"] as const)!,
    numbers: dice.of(["INV-", "INV-", "plain"] as const)!,
    rolling: program === undefined && dice.chance(0.2)
  }
  const bank: NonNullable<Style["bank"]> | undefined = set.includes("bank")
    ? {
        format: dice.of(["camt", "mt940", "csv"] as const)!,
        references: dice.of(["unique", "restarting", "none"] as const)!,
        files: dice.of(["apart", "overlapping", "interim", "formats"] as const)!
      }
    : undefined
  const style: Style = {
    books: { ...books, ...(program === undefined ? exportOf(seed, books.ids) : {}) },
    ...(bank === undefined
      ? {}
      : { bank: { ...bank, ...(bank.format === "csv" ? tableOf(seed) : notified(seed, bank)) } }),
    ...(set.includes("debits")
      ? { processor: { api: processorOf(seed, dice.of(["gocardless", "csv"] as const)!), linked: dice.chance(0.8) } }
      : {})
  }
  return { ...style, ...zoned(seed, style) }
}
