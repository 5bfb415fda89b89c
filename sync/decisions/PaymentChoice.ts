/**
 * Parses and stores a person's choice of invoices for a payment: `INV-7`, or `INV-7=10.00` for a part of the payment; an empty
 * choice means that it is for no invoice.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import * as AttentionStore from "../apply/AttentionStore.ts"
import type { Db } from "../state/Database.ts"
import * as MatchChoices from "../matching/Choices.ts"
import { isStranger } from "../matching/NotOurs.ts"
import * as FirstDecision from "./FirstDecision.ts"
import type { ShareText } from "../model/reports/Matching.ts"

export type { ShareText }

/** The result of a choice. */
export interface Chosen {
  readonly shares: ReadonlyArray<ShareText>
  /** The part of the payment that is for none of the invoices; absent if there is none, or if it is for no invoice at all. */
  readonly unallocated?: { readonly amount: string; readonly currency: string }
}

/**
 * Stores a choice, or says why it is not possible. Needs the lock and a transaction; matching must run afterwards.
 *
 * @param sure whether the person has seen what follows from it
 */
export const choose = (
  db: Db,
  { id, rule, subject }: Pick<AttentionStore.OpenAttention, "id" | "rule" | "subject">,
  invoices: ReadonlyArray<string>,
  now: number,
  sure = true
): Chosen | MatchChoices.Unchosen => {
  if (!MatchChoices.isMatchingItem(rule)) return { why: `${subject} is not a payment that needs an invoice` }
  // Somebody else may have decided first.
  if (!AttentionStore.list(db, subject).some((one) => one.id === id))
    return { why: FirstDecision.words(db, id) ?? `there is no open attention item ${id}` }
  const wanted: Array<MatchChoices.ChosenShare> = []
  for (const text of invoices) {
    const [, invoice = text, part] = /^(.+)=([^=]+)$/.exec(text) ?? []
    const amount = part === undefined ? undefined : Decimal.parse(part.trim())
    if (typeof amount === "string") return { why: `${JSON.stringify(part)} in ${text} ${amount}` }
    wanted.push({ invoice: invoice.trim(), ...(amount === undefined ? {} : { amount }) })
  }
  const choice = MatchChoices.choose(db, subject, wanted, now, sure)
  if ("why" in choice) return choice
  const { currency, left } = choice
  const money = (amount: Decimal.Decimal) => ({ amount: Decimal.format(amount, 2), currency })
  const shares = choice.shares.map(([invoice, amount]) => ({ invoice, ...money(amount) }))
  return shares.length > 0 && left > 0n ? { shares, unallocated: money(left) } : { shares }
}

/**
 * Says of several strangers' payments that they are for no invoice, of all or of none. Needs the lock and a transaction; matching must run afterwards.
 *
 * @returns the keys of the payments, or why it cannot be said
 */
export const chooseNone = (
  db: Db,
  ids: ReadonlyArray<number>,
  now: number
): { readonly why: string } | { readonly payments: ReadonlyArray<string> } => {
  const items = [...new Set(ids)].map((id) => ({ id, item: AttentionStore.find(db, id) }))
  for (const { id, item } of items) {
    if (item === undefined) return { why: FirstDecision.words(db, id) ?? `there is no open attention item ${id}` }
    if (!isStranger(db, item.subject)) return { why: `number ${id} needs an answer of its own: ${item.why}` }
  }
  const payments = items.flatMap(({ item }) => item?.subject ?? [])
  for (const payment of payments) MatchChoices.choose(db, payment, [], now)
  return { payments }
}

/** `77.00 GBP for books/invoice/INV-9; 3.00 GBP is unallocated`. */
export const say = ({ shares, unallocated }: Chosen): string =>
  shares.length === 0
    ? "for no invoice"
    : [
        shares
          .map(({ amount, currency, invoice }) => `${amount} ${currency} for ${invoice}`.replace("  ", " "))
          .join(", "),
        ...(unallocated === undefined ? [] : [`${unallocated.amount} ${unallocated.currency} is unallocated`])
      ].join("; ")
