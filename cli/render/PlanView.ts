/**
 * Renders a plan for a bookkeeper: what would be sent, by kind, with sums; what needs attention; what is not sent and why.
 * Keeps only a few rows of each kind in memory, however long the plan is.
 */
import { kindOf } from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import { type Attention, bodyOf, type Call } from "../../sync/model/Call.ts"
import { type Effect, effectOf } from "../../sync/model/Effect.ts"
import { attentionLines } from "./AttentionView.ts"
import type { Planned } from "../../sync/plan/Plan.ts"
import * as Figures from "../../sync/plan/Figures.ts"
import { option } from "../../sync/plan/FirstSync.ts"
import { type Stop, numbers } from "../../sync/plan/Guards.ts"
import { type Summary, total } from "../../sync/plan/Tally.ts"
import type { Output } from "./Output.ts"
import { grouped, plural } from "../../core/Plural.ts"
import { table } from "./Table.ts"

/** Sections in display order. */
const SECTIONS: Readonly<Record<Effect, string>> = {
  buyer: "Buyers to send",
  order: "Orders to create",
  offer: "Payment offers to ask for",
  owner: "Owners to create or update",
  create: "Invoices to create",
  draft: "Drafts to create",
  issue: "Drafts to issue",
  change: "Invoice updates",
  match: "Debtors to match to a company",
  received: "Payments received",
  back: "Reversals",
  paid: "Invoices to mark as paid",
  remove: "Invoices to delete",
  quote: "Quotes to ask for",
  buy: "Cover to buy",
  collect: "Collections to prepare",
  attach: "Documents to attach",
  handover: "Collections to hand over",
  look: "Deferred payments to read",
  capture: "Captures",
  void: "Voids",
  refund: "Refunds",
  rename: "Order references to update"
}

/** The amount of a call, in major units, if it has one. */
export const amountOf = (call: Call, currency: string): Decimal.Decimal | undefined => {
  if ("orderPosting" in call) return Currency.ofMinor(BigInt(call.orderPosting.amount), currency)
  if ("posting" in call) return call.posting.amount
  if (call.operation === "orders.create") {
    const { currency, total_amount } = call.body
    return Currency.fromMinor(Decimal.of(String(total_amount)), String(currency))
  }
  if (call.operation !== "transactions.create") return undefined
  const text = call.body["gross_amount"] ?? call.body["net_amount"]
  return typeof text === "string" ? Decimal.of(text) : undefined
}

/** `12,340.00 GBP` */
export const money = (amount: Decimal.Decimal, currency: string): string => Currency.say(amount, currency)

interface Held {
  count: number
  readonly rows: Array<ReadonlyArray<string>>
  readonly sums: Map<string, Decimal.Decimal>
}

export class PlanView {
  readonly #most: number
  readonly #sections = new Map<Effect, Held>()
  readonly #attention: Array<Attention> = []
  readonly #notSent = new Map<string, number>()
  #attentions = 0
  /** How many documents have calls, by kind. */
  readonly #counts = new Map<string, number>()

  /** @param most how many rows of each kind to show */
  constructor(most: number) {
    this.#most = most
  }

  add(planned: Planned): void {
    for (const call of planned.calls) this.#call(call, planned.kind === "owner" ? "" : planned.currency)
    if (planned.kind === "owner") return
    if (planned.calls.length > 0) {
      const kind = kindOf(planned.subject)
      this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1)
    }
    for (const attention of planned.attention) this.need(attention)
    // An attention item already explains why nothing is sent.
    if (planned.reason !== undefined && planned.calls.length === 0 && planned.attention.length === 0) {
      const reason = `${kindOf(planned.subject)}\n${planned.reason.replace(/\b\d{4}-\d{2}-\d{2}, /, "")}`
      this.#notSent.set(reason, (this.#notSent.get(reason) ?? 0) + 1)
    }
  }

  need(attention: Attention): void {
    this.#attentions++
    if (this.#attention.length < this.#most) this.#attention.push(attention)
  }

  #call(call: Call, currency: string): void {
    const section = effectOf(call)
    const held = this.#sections.get(section) ?? { count: 0, rows: [], sums: new Map<string, Decimal.Decimal>() }
    this.#sections.set(section, held)
    held.count++
    const amount = amountOf(call, currency)
    const stated = bodyOf(call)?.["currency"]
    const code = typeof stated === "string" ? stated : currency
    if (amount !== undefined) held.sums.set(code, (held.sums.get(code) ?? 0n) + amount)
    if (held.rows.length >= this.#most) return
    held.rows.push([call.subject, amount === undefined ? "" : money(amount, code), call.rule, call.reason])
  }

  /**
   * @param rest.next what to do next; default: how to send it
   * @param rest.quarantined records that could not be read, which the plan therefore does not include
   * @param rest.unknown calls of an earlier run whose outcome is not known
   */
  text(
    { style, width }: Output,
    summary: Summary,
    {
      next,
      quarantined = 0,
      unknown = 0
    }: { readonly next?: string | undefined; readonly quarantined?: number; readonly unknown?: number } = {}
  ): string {
    const then = next ?? `Nothing was sent. ${style.bold("daybook apply")} sends them.`
    const sentence = Figures.sentence(total(summary))
    const parts: Array<string> = sentence === "" ? [] : [`${style.bold(sentence)}\n`]
    for (const [section, title] of Object.entries(SECTIONS)) {
      const held = this.#sections.get(section as Effect)
      if (held === undefined) continue
      const sums = [...held.sums].map(([currency, sum]) => money(sum, currency)).join(", ")
      parts.push(`${style.bold(title)} ${style.dim(`(${grouped(held.count)})`)}${sums === "" ? "" : `  ${sums}`}`)
      const amounts = held.sums.size > 0
      const columns = [
        { title: "Document", flexible: true },
        ...(amounts ? [{ title: "Amount", right: true }] : []),
        { title: "Rule" },
        { title: "Why", flexible: true }
      ]
      const rows = amounts ? held.rows : held.rows.map((row) => row.toSpliced(1, 1))
      parts.push(indent(table(columns, rows, { style, width: width - 2 })))
      if (held.count > held.rows.length)
        parts.push(style.dim(`  and ${grouped(held.count - held.rows.length)} more (--all lists every one)`))
      parts.push("")
    }
    if (this.#attentions > 0) {
      parts.push(`${style.yellow(style.bold("Needs attention"))} ${style.dim(`(${grouped(this.#attentions)})`)}`)
      parts.push(...attentionLines(this.#attention, style))
      if (this.#attentions > this.#attention.length)
        parts.push(style.dim(`  and ${this.#attentions - this.#attention.length} more`))
      parts.push("")
    }
    if (this.#notSent.size > 0) {
      parts.push(`${style.bold("Not sent (out of scope)")}`)
      for (const [reason, count] of [...this.#notSent].slice(0, 10)) {
        const [what = "", why = ""] = reason.split("\n")
        parts.push(`  ${plural(count, what)}: ${why}`)
      }
      if (this.#notSent.size > 10) parts.push(style.dim(`  and ${this.#notSent.size - 10} more reasons`))
      parts.push("")
    }
    parts.push(
      summary.calls === 0
        ? quarantined > 0
          ? `Nothing to send of what could be read; ${plural(quarantined, "record")} could not be.`
          : unknown > 0
            ? "Nothing to send as far as is known."
            : "Nothing to send: the service is up to date."
        : `${plural(summary.calls, "call")} for ${this.#for()}. ${then}`
    )
    if (unknown > 0)
      parts.push(style.yellow(`${plural(unknown, "call")} without a known result; the next run checks them first.`))
    return parts.join("\n")
  }

  #for(): string {
    const parts = ["invoice", "order", "buyer"].flatMap((kind) => {
      const count = this.#counts.get(kind) ?? 0
      return count === 0 ? [] : [plural(count, kind)]
    })
    return parts.length < 2
      ? (parts[0] ?? plural(0, "invoice"))
      : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`
  }
}

/** The guards that would stop a run with this plan, and the option to pass them; empty if there are none. */
export const stopsText = (stops: ReadonlyArray<Stop>, { style }: Output, first = false): string =>
  stops.length === 0
    ? ""
    : [
        "",
        style.yellow(style.bold("Stopped by guards")),
        ...stops.map(({ connection, guard, why }) => `  ${connection} ${guard}: ${why}`),
        style.dim(
          `  If it is right: daybook sync ${first ? option(numbers(stops)) : `--allow ${numbers(stops).join(",")}`}`
        )
      ].join("\n")

const indent = (text: string): string =>
  text
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n")
