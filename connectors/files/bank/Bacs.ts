/**
 * Reads the reports of Bacs (United Kingdom) that say which direct debits failed: ARUDD (returned unpaid) and DDICA (claimed back
 * under the guarantee). Its other reports are about mandates, and move no money.
 *
 * Bacs publishes no schema; the elements' names are those that public readers use. A report does not say which payment failed: the
 * last one with its reference and amount is taken.
 */
import * as Currency from "../../../core/money/Currency.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"
import { present } from "../../Json.ts"
import { all, at, textAt } from "../../XmlNodes.ts"
import { text } from "../../Bytes.ts"
import type { Source } from "../../Lines.ts"
import { type Entry, type Event, type Events, Fault, type Head, NotABankFile, type Sum } from "./Entry.ts"
import { type Node, type Record_, records } from "./Xml.ts"

const ITEM = "ReturnedDebitItem"
const ACCOUNT = "OriginatingAccountRecord"
const CLAIMS = "NewAdvices"
const CANCELLED = "Cancellations"

/** `1,234.50`; pounds unless another currency is stated. */
const moneyOf = (written: string | undefined, field: string, currency = "GBP"): Decimal.Decimal => {
  const plain = (written ?? "").trim()
  const amount = Decimal.parse(/^\d{1,3}(?:,\d{3})+\.\d\d$/.test(plain) ? plain.replaceAll(",", "") : plain)
  if (typeof amount === "string") throw new Fault(field, `${JSON.stringify(plain)} ${amount}`)
  if (amount < 0n) throw new Fault(field, `${JSON.stringify(plain)} is negative`)
  if (!Currency.isCurrency(currency)) throw new Fault("currency", `${JSON.stringify(currency)} is not a currency`)
  return amount
}

const isTotal = (written: string | undefined, sum: Decimal.Decimal): boolean => {
  try {
    return moneyOf(written, "total") === sum
  } catch {
    return false
  }
}

/** `2026-03-04`, also without hyphens, and `04/03/2026`. */
const dayOf = (written: string | undefined): Day.Day | undefined => {
  const plain = (written ?? "").trim()
  const [, y, m, d] = /^(\d{4})-?(\d\d)-?(\d\d)/.exec(plain) ?? []
  if (y !== undefined) return Day.make(Number(y), Number(m), Number(d))
  const [, day, month, year] = /^(\d\d)[/-](\d\d)[/-](\d{4})$/.exec(plain) ?? []
  return year === undefined ? undefined : Day.make(Number(year), Number(month), Number(day))
}

/** An entry of a report, without what is the same in all of them. */
type Item = Pick<Entry, "amount" | "currency" | "day" | "code" | "payer" | "reason" | "why"> & {
  readonly reference: string
  readonly collected: Day.Day | undefined
}

const failed = ({ collected, reference, ...item }: Item): Omit<Entry, "nth" | "line" | "raw"> => ({
  ...item,
  credit: false,
  reversal: true,
  booked: true,
  text: reference,
  ...(reference === "" ? {} : { collected: { reference, ...present({ day: collected }) } })
})

const named = (text: string | undefined): string | undefined => {
  const one = text?.trim().replace(/\s+/g, " ")
  return one === "" ? undefined : one
}

const payerOf = (name?: string, sortCode = "", number = ""): Entry["payer"] =>
  present({ name: named(name), account: named(`${sortCode}${sortCode === "" ? "" : " "}${number}`) })

/** An item of ARUDD. The report's day is the one on which the money goes back. */
const returned = ({ attributes, children }: Node, day: Day.Day | undefined): Omit<Entry, "nth" | "line" | "raw"> => {
  const currency = attributes["currency"] ?? "GBP"
  const payer = children.find(({ name }) => name === "PayerAccount")?.attributes ?? {}
  return failed({
    amount: moneyOf(attributes["valueOf"], "valueOf", currency),
    currency,
    ...present({ day }),
    code: attributes["transCode"] ?? "",
    payer: payerOf(payer["name"], payer["sortCode"], payer["number"]),
    reason: present({ code: named(attributes["returnCode"]), text: named(attributes["returnDescription"]) }),
    reference: named(attributes["ref"]) ?? "",
    collected: dayOf(attributes["originalProcessingDate"])
  })
}

const TWICE = "the file has the report of this account twice: get it from Bacs again"

const UNSTATED = "a report of Bacs has no totals, so that its items were not counted"

class Reader {
  #nth = 0
  /** The account's record that is being read: its items so far. */
  #open: { readonly line: number; sum: Decimal.Decimal; items: number; faults: number; first?: Entry } | undefined
  /** The accounts of reports that were read. */
  readonly #reports = new Set<string>()
  found = false
  other: string | undefined

  take({ around, node, raw, type }: Record_): ReadonlyArray<Event> {
    const report = around.find(({ name }) => name === "ARUDD")
    if (type === "open") return []
    switch (node.name) {
      case ITEM:
        return report === undefined ? [] : this.#item(node, raw, report, around)
      case ACCOUNT:
        return report === undefined ? [] : this.#close(node, raw, report)
      case CLAIMS:
      case CANCELLED:
        return this.#claims(node, raw, around.at(-1))
      case "Data":
        this.other ??= node.children.find(({ name }) => name !== "Document" && name !== "ARUDD")?.name
        this.found ||= node.children.some(({ name }) => name === "ARUDD" || name === "Document")
        return this.#reports.size === 0 && node.children.some(({ name }) => name === "ARUDD")
          ? [{ type: "notice", what: UNSTATED }]
          : []
      default:
        return []
    }
  }

  #begin(record: Node | undefined): ReadonlyArray<Event> {
    if (this.#open !== undefined) return []
    const { number = "", sortCode = "" } = at(record, "OriginatingAccount")?.attributes ?? {}
    this.#open = { line: record?.line ?? 1, sum: 0n, items: 0, faults: 0 }
    const head: Head = { account: `${sortCode}${number}`.replace(/\s/g, ""), kind: "report", rank: 0 }
    return [{ type: "begin", head, line: record?.line ?? 1 }]
  }

  #item(node: Node, raw: string, report: Node, around: ReadonlyArray<Node>): ReadonlyArray<Event> {
    const before = this.#begin(around.findLast(({ name }) => name === ACCOUNT))
    const day = dayOf(at(report, "Header")?.attributes["currentProcessingDate"])
    return [...before, this.#entry({ node, raw }, () => returned(node, day))]
  }

  #entry({ node, raw }: Pick<Record_, "node" | "raw">, make: () => Omit<Entry, "nth" | "line" | "raw">): Event {
    const open = this.#open
    const { line } = node
    try {
      const entry: Entry = { ...make(), nth: ++this.#nth, line, raw }
      if (open !== undefined) {
        open.first ??= entry
        open.items++
        open.sum += entry.amount
      }
      return { type: "entry", entry, parts: 0 }
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause
      if (open !== undefined) open.faults++
      return { type: "fault", line, raw, why: cause.why, field: cause.field }
    }
  }

  /** Of the same items, others may have the sum only. */
  #end(raw: string, wrong: string | undefined): Event {
    const { first, items = 0, sum = 0n } = this.#open ?? {}
    this.#open = undefined
    const sums: ReadonlyArray<Sum> =
      first?.day === undefined || items < 2 ? [] : [{ amount: sum, credit: false, day: first.day }]
    return { type: "end", raw, sums, ...present({ wrong }) }
  }

  /** What is left when the report ends. */
  end(): ReadonlyArray<Event> {
    return this.#open === undefined ? [] : [this.#end("", undefined)]
  }

  #close(record: Node, raw: string, report: Node): ReadonlyArray<Event> {
    const before = this.#begin(record)
    const { adviceNumber = "", currentProcessingDate = "" } = at(report, "Header")?.attributes ?? {}
    const { number = "", sortCode = "" } = at(record, "OriginatingAccount")?.attributes ?? {}
    const key = [adviceNumber, currentProcessingDate, sortCode, number].join(" ")
    const twice = this.#reports.has(key) ? TWICE : undefined
    this.#reports.add(key)
    const totals = all(record, "Totals")
    const unstated: ReadonlyArray<Event> = totals.length === 0 ? [{ type: "notice", what: UNSTATED }] : []
    return [...before, ...unstated, this.#end(raw, twice ?? this.#unequal(totals))]
  }

  #unequal(totals: ReadonlyArray<Node>): string | undefined {
    const { faults = 0, items = 0, sum = 0n } = this.#open ?? {}
    const [total] = totals
    if (total === undefined || faults > 0) return undefined
    const { currency = "GBP", numberOf = "?" } = total.attributes
    const value = total.attributes["valueOf"] ?? "?"
    if (isTotal(value, sum) && (numberOf === "?" || Number(numberOf) === items)) return undefined
    return `its totals (Totals, line ${total.line}) say ${numberOf} items of ${value} ${currency}, and it has ${items} of ${Currency.say(sum, currency)}: get the report from Bacs again`
  }

  /** The claims of DDICA, or those that were cancelled: money that comes back. */
  #claims(node: Node, raw: string, document: Node | undefined): ReadonlyArray<Event> {
    const isNew = node.name === CLAIMS
    const claims = all(node, isNew ? "DDICAdvice" : "DDICCancellation")
    if (claims.length === 0) return []
    const user = textAt(document, "ServiceUserNumber") ?? ""
    this.#open = { line: node.line, sum: 0n, items: 0, faults: 0 }
    const head: Head = { account: `SUN${user}`, isAccountless: true, kind: "report", rank: 0 }
    const day = dayOf(textAt(node, isNew ? "DateOfDebit" : "DateOfCredit"))
    const entries = claims.flatMap((claim) =>
      collectionsOf(claim).map((one) =>
        this.#entry({ node: one, raw }, () => ({
          ...claimed(claim, one, day),
          ...(isNew ? {} : { credit: true, reversal: false })
        }))
      )
    )
    const wrong = this.#unclaimed(claims, textAt(node, isNew ? "TotalValueOfDebits" : "TotalValueOfCancellations"))
    return [{ type: "begin", head, line: node.line }, ...entries, this.#end(raw, wrong)]
  }

  /** Every claim is the sum of its collections, and all of them are the total. */
  #unclaimed(claims: ReadonlyArray<Node>, total: string | undefined): string | undefined {
    const { faults = 0, sum = 0n } = this.#open ?? {}
    if (faults > 0) return undefined
    const other = claims.find((claim) => {
      const amounts = collectionsOf(claim).map((one) => moneyOf(textAt(one, "Amount"), "Amount"))
      return !isTotal(textAt(claim, "TotalAmount"), Decimal.sum(amounts))
    })
    if (other !== undefined)
      return `the collections of a claim do not add up to its TotalAmount (line ${other.line}): get the report from Bacs again`
    if (total === undefined || isTotal(total, sum)) return undefined
    return `its claims come to ${Currency.say(sum, "GBP")}, and its total says ${total} GBP: get the report from Bacs again`
  }
}

const collectionsOf = (claim: Node): ReadonlyArray<Node> => at(claim, "DDCollections")?.children ?? []

/** One of the collections that are claimed back. */
const claimed = (claim: Node, one: Node, day: Day.Day | undefined): Omit<Entry, "nth" | "line" | "raw"> =>
  failed({
    amount: moneyOf(textAt(one, "Amount"), "Amount"),
    currency: "GBP",
    ...present({ day }),
    code: "DDIC",
    payer: payerOf(textAt(claim, "PayerName"), textAt(claim, "PayerSortCode"), textAt(claim, "PayerAccount")),
    reason: present({ code: textAt(claim, "ReasonCode"), text: textAt(claim, "ReasonCodeMeaning") }),
    why: "chargeback",
    reference: named(textAt(claim, "SUReference")) ?? "",
    collected: dayOf(textAt(one, "DateOfDirectDebit"))
  })

export async function* bacs({ encoding, mark, path }: Source): Events {
  const reader = new Reader()
  const names = ["Data", "MessagingAdvice", ACCOUNT, ITEM, CLAIMS, CANCELLED]
  for await (const one of records(text(path, encoding, mark), names)) yield* reader.take(one)
  yield* reader.end()
  if (reader.found) return
  if (reader.other === undefined) throw new NotABankFile("it has no report (Data) of Bacs")
  const what = `a report of Bacs that is not about failed debits (${reader.other}): no money moved, and it is left out`
  yield { type: "notice", what }
}
