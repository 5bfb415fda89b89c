/**
 * Groups what needs attention by cause: items of one connection with the same rule and advice, and, where the service refused
 * calls, the same answer; with the amount at stake. Read-only.
 */
import { createHash } from "node:crypto"
import * as Document from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import type * as Decimal from "../../core/money/Decimal.ts"
import type { OpenAttention } from "../apply/AttentionStore.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import { amountOf, currencyOf } from "./News.ts"

export interface AttentionGroup {
  /** Names it in addresses. */
  readonly cause: string
  readonly connection: string
  readonly rule: OpenAttention["rule"]
  /** As all of its items say it; where they differ in names and figures, without those. */
  readonly todo: string
  readonly why: string
  readonly items: ReadonlyArray<OpenAttention>
  /** When the oldest of them was found, in milliseconds since the epoch. */
  readonly since: number
  /** By currency: each payment, reversal or credit note once, or otherwise the open amount of each invoice. */
  readonly stake: ReadonlyMap<string, Decimal.Decimal>
}

/** What one item is about; counted once for all items about the same thing. */
export interface Stake {
  readonly of: string
  readonly currency: string
  readonly amount: Decimal.Decimal
}

/** A text without what differs between items of one cause: names in quotes, keys, numbers, amounts and days. */
const general = (text: string): string =>
  text
    .replace(/"[^"]*"/g, "…")
    .replace(/(?<![\w.#-])[\w.#-]+(?:\/[^\s/`,;:]+)+/g, "…")
    .replace(/(?<![\w-])[\w-]*\d[\w.,-]*(?<![.,-])(?: [A-Z]{3}\b)?/g, "…")

const connectionOf = ({ subject }: OpenAttention): string => subject.split("/", 1)[0] ?? ""

/** The names of causes: groups are made with each look at the page. */
const causeOf = (item: OpenAttention): string =>
  createHash("sha256")
    .update(JSON.stringify([connectionOf(item), item.rule, general(item.todo), item.refused ? general(item.why) : ""]))
    .digest("base64url")
    .slice(0, 10)

/** What all of them say. */
const common = (texts: ReadonlyArray<string>): string => {
  const [first = ""] = texts
  if (texts.every((one) => one === first)) return first
  return texts.every((one) => general(one) === general(first)) ? general(first) : ""
}

/** Groups items, largest groups first. Nothing is counted twice within a group. */
export const group = (
  items: ReadonlyArray<OpenAttention>,
  stakeOf: (item: OpenAttention) => Stake | undefined
): ReadonlyArray<AttentionGroup> =>
  [...Map.groupBy(items, causeOf)]
    .flatMap(([cause, some]): ReadonlyArray<AttentionGroup> => {
      const [first] = some
      if (first === undefined) return []
      const stake = new Map<string, Decimal.Decimal>()
      const counted = new Set<string>()
      for (const one of some.map(stakeOf)) {
        if (one === undefined || one.amount === 0n || counted.has(one.of)) continue
        counted.add(one.of)
        stake.set(one.currency, (stake.get(one.currency) ?? 0n) + one.amount)
      }
      const since = some.reduce((least, one) => Math.min(least, one.since), first.since)
      const [todo, why] = [common(some.map((one) => one.todo)), common(some.map((one) => one.why))]
      return [{ cause, connection: connectionOf(first), rule: first.rule, todo, why, items: some, since, stake }]
    })
    .toSorted((a, b) => b.items.length - a.items.length || a.since - b.since)

const MONEY: ReadonlyArray<string> = ["payment", "reversal", "credit_note"] satisfies ReadonlyArray<Document.Kind>

/** The document of a key, or of a key that names a part of a document: `books/payment/P-1/INV-1`. */
const documentOf = (
  db: Db,
  key: string
): { readonly key: string; readonly document: Document.Document } | undefined => {
  const whole = key.split("/")
  for (let parts = whole.length; parts >= 3; parts--) {
    const own = whole.slice(0, parts).join("/")
    const body = db.prepare("SELECT body FROM document WHERE key = ?").pluck().get(own)
    if (typeof body === "string") return { key: own, document: Body.read(body) }
  }
  return undefined
}

const openOf = (db: Db, subject: string): Stake | undefined => {
  const row = db
    .prepare(
      "SELECT currency, books_open AS books, service_open AS service FROM ledger WHERE subject = ? AND currency <> ''"
    )
    .safeIntegers()
    .get(subject) as { readonly currency: string; readonly books: bigint; readonly service: bigint } | undefined
  if (row === undefined) return undefined
  const minor = row.books === 0n ? row.service : row.books
  return { of: subject, currency: row.currency, amount: Currency.ofMinor(minor < 0n ? -minor : minor, row.currency) }
}

/** The amount at stake in an item. */
export const stakeOf = (db: Db, { fact, subject }: Pick<OpenAttention, "fact" | "subject">): Stake | undefined => {
  if (MONEY.includes(Document.kindOf(fact))) {
    const found = documentOf(db, fact)
    const currency = found === undefined ? "" : currencyOf(db, found)
    const amount = found === undefined ? undefined : amountOf(found.document)
    if (found !== undefined && amount !== undefined && currency !== "")
      return { of: found.key, currency, amount: amount < 0n ? -amount : amount }
  }
  return openOf(db, subject)
}
