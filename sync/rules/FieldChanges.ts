/**
 * Describes the changes to a transaction in words, for the person who approves them.
 */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Fields } from "../model/RemoteInvoice.ts"

/** Readable names of transaction fields; the others keep their own. */
const WORDS: Readonly<Record<string, string>> = {
  net_amount: "net",
  gross_amount: "gross",
  issue_date: "issued",
  due_date: "due",
  scheduled_payments: "instalments",
  debtor_name: "customer",
  pay_method: "method"
}

/** `due 2024-02-14 → 2024-03-01` for each changed field. A single instalment repeats amount and due date, so it is left out. */
export const describe = (before: Fields, after: Fields): string => {
  const was = String(before["currency"] ?? "")
  const is = String(after["currency"] ?? was)
  return Object.entries(after)
    .filter(([name, value]) => {
      const one = (list: unknown) => Array.isArray(list) && list.length === 1
      return name !== "scheduled_payments" || !one(value) || !one(before[name]) || Object.keys(after).length === 1
    })
    .map(([name, value]) => {
      const word = WORDS[name] ?? name.replaceAll("_", " ")
      return `${word} ${show(before[name], name, was)} → ${show(value, name, is)}`
    })
    .join(", ")
}

const show = (value: Fields[string] | undefined, name: string, currency: string): string => {
  if (value === undefined || value === null) return "nothing"
  if (name.endsWith("amount") && typeof value === "string") return Currency.say(Decimal.of(value), currency)
  if (Array.isArray(value)) {
    return value
      .map((one) =>
        Object.entries(one as Fields)
          .map(([name, value]) => show(value, name, currency))
          .join(" ")
      )
      .join(" + ")
  }
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}
