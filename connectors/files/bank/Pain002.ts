/**
 * Reads ISO 20022 pain.002: a bank's answer to the direct debits that were handed in (pain.008), which says which of them it
 * refuses. No money came for those, so nothing goes back, unless the books count a debit as paid once it is handed in.
 */
import * as Currency from "../../../core/money/Currency.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"
import { present } from "../../Json.ts"
import { all, at, textAt } from "../../XmlNodes.ts"
import { text } from "../../Bytes.ts"
import type { Source } from "../../Lines.ts"
import { moneyAt } from "./CamtMembers.ts"
import { type Balance, type Entry, type Event, type Events, Fault, NotABankFile, referenceIn } from "./Entry.ts"
import { type Node, type Record_, records } from "./Xml.ts"

const DEBIT = "TxInfAndSts"
const REFUSED = "RJCT"

export type Rejects = "reversal" | undefined

const AMOUNTS = ["OrgnlTxRef/Amt/InstdAmt", "OrgnlTxRef/Amt/EqvtAmt/Amt", "OrgnlTxRef/IntrBkSttlmAmt"] as const

const amountOf = (node: Node): Balance => moneyAt(node, ...AMOUNTS)

/** The report's group, and the payment information that a debit is in: what they say holds for all of its debits. */
const around = (stack: ReadonlyArray<Node>) => {
  const report = stack.find(({ name }) => name.startsWith("CstmrPmtStsRpt"))
  return {
    report,
    group: at(report, "OrgnlGrpInfAndSts"),
    batch: stack.find(({ name }) => name === "OrgnlPmtInfAndSts")
  }
}

/** Whether it is about debits that the seller collects, as opposed to transfers that it ordered. */
const isCollection = (group: Node | undefined, node: Node): boolean => {
  const message = textAt(group, "OrgnlMsgNmId")
  if (message !== undefined) return /pain\.008/i.test(message)
  return ["MndtRltdInf", "DrctDbtTx", "ReqdColltnDt"].some((name) => at(node, `OrgnlTxRef/${name}`) !== undefined)
}

const reasonOf = (node: Node, batch: Node | undefined): Entry["reason"] => {
  const found = at(node, "StsRsnInf") ?? at(batch, "StsRsnInf")
  const words = all(found, "AddtlInf").map((one) => one.text.trim())
  return present({ code: textAt(found, "Rsn/Cd", "Rsn/Prtry"), text: words.join(" ") || undefined })
}

const dayAt = (node: Node | undefined, path: string): Day.Day | undefined => {
  const day = textAt(node, path)?.slice(0, 10) ?? ""
  return Day.isDay(day) ? Day.of(day) : undefined
}

const entryOf = ({ around: stack, node, raw }: Record_, nth: number): Entry => {
  const { batch, report } = around(stack)
  const { amount, currency } = amountOf(node)
  const trace = referenceIn(textAt(node, "OrgnlEndToEndId"))
  const words = [...all(node, "OrgnlTxRef/RmtInf/Ustrd").map((one) => one.text.trim()), trace ?? ""]
  const reference = words.find((one) => one !== "")
  return {
    nth,
    line: node.line,
    raw,
    credit: false,
    amount,
    currency,
    booked: true,
    reversal: true,
    code: REFUSED,
    text: reference ?? "",
    payer: present({
      name: textAt(node, "OrgnlTxRef/Dbtr/Nm", "OrgnlTxRef/Dbtr/Pty/Nm"),
      account: textAt(node, "OrgnlTxRef/DbtrAcct/Id/IBAN")
    }),
    ...present({
      day: dayAt(report, "GrpHdr/CreDtTm"),
      trace,
      reason: reasonOf(node, batch),
      collected:
        reference === undefined ? undefined : { reference, ...present({ day: dayAt(node, "OrgnlTxRef/ReqdColltnDt") }) }
    })
  }
}

/** How many debits, and their sum; undefined where an amount could not be read. */
interface Counted {
  readonly count: number
  readonly sum: Decimal.Decimal | undefined
}

const NONE: Counted = { count: 0, sum: 0n }

const plus = ({ count, sum }: Counted, amount: Decimal.Decimal | undefined): Counted => ({
  count: count + 1,
  sum: sum === undefined || amount === undefined ? undefined : sum + amount
})

/** What a group or a batch says of its refused debits, against those that were read. */
const miscounted = (node: Node | undefined, { count, sum }: Counted): string | undefined => {
  const stated = all(node, "NbOfTxsPerSts").find((one) => textAt(one, "DtldSts") === REFUSED)
  if (stated === undefined) return undefined
  const [number, total] = [textAt(stated, "DtldNbOfTxs"), textAt(stated, "DtldCtrlSum")]
  const isCounted = number === undefined || Number(number) === count
  const isSum = total === undefined || sum === undefined || Decimal.parse(total) === sum
  return isCounted && isSum
    ? undefined
    : `it says (NbOfTxsPerSts, line ${stated.line}) that ${number ?? "?"} debits of ${total ?? "?"} are refused, and has ${count} of ${sum === undefined ? "?" : Decimal.format(sum, 2)}: get it from the bank again`
}

class Reader {
  readonly #rejects: Rejects
  #nth = 0
  /** The account of the statement that is open. */
  #account: string | undefined
  #refused = 0
  /** What was refused, by currency. */
  readonly #sums = new Map<string, Decimal.Decimal>()
  #unstated = 0
  /** How many a batch refuses, and what they come to, if it could be read. */
  #batch: Counted = NONE
  #all: Counted = NONE
  #wrong: string | undefined
  #transfers = 0
  found = false

  constructor(rejects: Rejects) {
    this.#rejects = rejects
  }

  take(record: Record_): ReadonlyArray<Event> {
    const { around: stack, node, type } = record
    if (type === "open") return []
    const { batch, group } = around(stack)
    if (node.name !== DEBIT) return this.#whole(node, group)
    this.#debits++
    if (!stack.some(({ name }) => name.startsWith("CstmrPmtStsRpt"))) return []
    this.found = true
    const status = textAt(node, "TxSts") ?? textAt(batch, "PmtInfSts") ?? textAt(group, "GrpSts")
    if (status !== REFUSED) return []
    if (!isCollection(group, node)) {
      this.#transfers++
      return []
    }
    this.#refused++
    return this.#rejects === "reversal" ? this.#entry(record) : this.#count(node)
  }

  #counted(amount: Decimal.Decimal | undefined): void {
    this.#batch = plus(this.#batch, amount)
    this.#all = plus(this.#all, amount)
  }

  #seen = 0
  readonly #ids = new Set<string>()
  /** Debits of a batch. */
  #debits = 0

  /** A group or a batch that is refused without its debits. */
  #whole(node: Node, group: Node | undefined): ReadonlyArray<Event> {
    const isBatch = node.name === "OrgnlPmtInfAndSts"
    if (!isBatch && !node.name.startsWith("CstmrPmtStsRpt")) return []
    this.found = true
    const its = isBatch ? group : at(node, "OrgnlGrpInfAndSts")
    this.#wrong ??= miscounted(isBatch ? node : its, isBatch ? this.#batch : this.#all)
    this.#batch = NONE
    const status = isBatch ? textAt(node, "PmtInfSts") : textAt(its, "GrpSts")
    if (isBatch) {
      const own = textAt(node, "OrgnlPmtInfId") ?? ""
      if (this.#ids.has(own)) this.#wrong ??= "it has the same batch twice: get it from the bank again"
      this.#ids.add(own)
    } else if (status === undefined && this.#ids.size === 0)
      return [{ type: "notice", what: "an answer to debits has neither a status nor a batch; is it complete?" }]
    const isEmpty = isBatch && status === undefined && this.#debits === 0
    this.#debits = 0
    if (isEmpty)
      return [{ type: "notice", what: "a batch of debits has neither a status nor debits; is the answer complete?" }]
    const before = this.#seen
    this.#seen = this.#refused + this.#transfers
    if (status !== REFUSED || this.#seen > before || (!isBatch && this.#seen > 0)) return []
    const id = textAt(node, "OrgnlPmtInfId") ?? textAt(its, "OrgnlMsgId") ?? "?"
    return [
      {
        type: "notice",
        what: `a bank refused everything in ${id}, and does not name its debits: take back in the books what they count as paid of it`
      }
    ]
  }

  #entry(record: Record_): ReadonlyArray<Event> {
    const { node, raw } = record
    const { group } = around(record.around)
    const account = textAt(node, "OrgnlTxRef/CdtrAcct/Id/IBAN")?.replace(/\s/g, "")
    const named = account ?? textAt(group, "OrgnlMsgId") ?? "?"
    const before: Array<Event> = []
    if (this.#account !== named) {
      before.push(...this.end())
      this.#account = named
      const head = { account: named, kind: "report" as const, rank: 0 }
      const isAccountless = account === undefined ? { isAccountless: true as const } : {}
      before.push({ type: "begin", head: { ...head, ...isAccountless }, line: node.line })
    }
    try {
      const entry = entryOf(record, ++this.#nth)
      this.#counted(entry.amount)
      return [...before, { type: "entry", entry, parts: 0 }]
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause
      this.#counted(undefined)
      return [...before, { type: "fault", line: node.line, raw, why: cause.why, field: cause.field }]
    }
  }

  #count(node: Node): ReadonlyArray<Event> {
    try {
      const { amount, currency } = amountOf(node)
      this.#sums.set(currency, (this.#sums.get(currency) ?? 0n) + amount)
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause
      this.#unstated++
    }
    return []
  }

  end(): ReadonlyArray<Event> {
    if (this.#account === undefined) return []
    this.#account = undefined
    return [{ type: "end", raw: "", ...present({ wrong: this.#wrong }) }]
  }

  *notices(): Generator<Event> {
    if (this.#transfers > 0)
      yield {
        type: "notice",
        what: `transfers that this account ordered were refused (${this.#transfers}): they pay no invoice, and are left out`
      }
    if (this.#rejects === "reversal" || this.#refused === 0) return
    const sums = [...this.#sums].map(([currency, sum]) => Currency.say(sum, currency))
    const all = [...sums, ...(this.#unstated > 0 ? [`${this.#unstated} without an amount`] : [])].join(", ")
    yield {
      type: "notice",
      what: `a bank refused direct debits before they were settled (${this.#refused}: ${all}): no money came, so nothing went back. If the books count debits as paid once they are handed in, set "rejects": "reversal"`
    }
  }
}

export const pain002 = (rejects: Rejects) =>
  async function* ({ encoding, mark, path }: Source): Events {
    const reader = new Reader(rejects)
    const names = ["CstmrPmtStsRpt", "CstmrPmtStsRptV02", "CstmrPmtStsRptV03", "OrgnlPmtInfAndSts", DEBIT]
    for await (const one of records(text(path, encoding, mark), names)) yield* reader.take(one)
    yield* reader.end()
    if (!reader.found) throw new NotABankFile("it has no answer to payments (CstmrPmtStsRpt) of pain.002")
    yield* reader.notices()
  }
