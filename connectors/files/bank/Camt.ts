/**
 * Reads ISO 20022 camt.052 (intraday reports), camt.053 (statements) and camt.054 (notifications), versions 1 to 13. A few
 * members moved between versions; each is looked up in all of its places.
 */
import type * as Decimal from "../../../core/money/Decimal.ts"
import { type Day, isDay } from "../../../core/wire/Day.ts"
import {
  type Balance,
  type Entry,
  type Event,
  type Events,
  Fault,
  type Head,
  NotABankFile,
  referenceIn
} from "./Entry.ts"
import { present } from "../../Json.ts"
import { text } from "../../Bytes.ts"
import type { Source } from "../../Lines.ts"
import {
  chargesOf,
  codeOf,
  instructedOf,
  isReturn,
  moneyAt,
  originalOf,
  payerOf,
  reasonOf,
  textsOf
} from "./CamtMembers.ts"
import { type Node, type Record_, records } from "./Xml.ts"
import { all, at, textAt } from "../../XmlNodes.ts"

/** Message types by the element that holds a statement. */
const MESSAGES = {
  Stmt: { kind: "statement", rank: 3 },
  Rpt: { kind: "interim", rank: 2 },
  Ntfctn: { kind: "interim", rank: 1 }
} as const

const BODIES = /^BkToCstmr(?:Stmt|AcctRpt|DbtCdtNtfctn)(?:V01)?$/

/** An entry whose parts have not all been read. */
interface Open {
  readonly node: Node
  readonly nth: number
  parts: number
  sum: Decimal.Decimal | undefined
  /** The parts' charges, in addition to their amounts. */
  charges: Decimal.Decimal
  /** The part, if there is exactly one so far. */
  only: Node | undefined
}

export async function* camt({ encoding, mark, path }: Source): Events {
  let nth = 0
  let entry: Open | undefined
  let statement: Node | undefined
  let begun = false
  let found = false
  const begin = function* (): Generator<Event> {
    if (begun || statement === undefined) return
    begun = true
    yield { type: "begin", head: headOf(statement), line: statement.line }
  }
  for await (const one of records(text(path, encoding, mark), [...Object.keys(MESSAGES), "Ntry", "TxDtls"])) {
    const { around, node, raw, type } = one
    if (node.name in MESSAGES) {
      if (!BODIES.test(around.at(-1)?.name ?? "")) continue
      found = true
      if (type === "open") {
        statement = node
        begun = false
        continue
      }
      yield* begin()
      yield endOf(node, raw)
      statement = undefined
    } else if (statement === undefined) continue
    else if (node.name === "Ntry" && around.at(-1) === statement) {
      if (type === "open") {
        yield* begin()
        entry = { node, nth: ++nth, parts: 0, sum: 0n, charges: 0n, only: undefined }
      } else if (entry !== undefined) {
        yield entryOf(one, entry, statement)
        entry = undefined
      }
    } else if (node.name === "TxDtls" && type === "close" && entry !== undefined) {
      const part = partOf(one, entry, statement)
      if (part !== undefined) yield part
    }
  }
  if (!found)
    throw new NotABankFile(
      "it has no statement (Stmt), report (Rpt) or notification (Ntfctn) of camt.052, camt.053 or camt.054"
    )
}

const headOf = (node: Node): Head => {
  const account = at(node, "Acct")
  const currency = textAt(account, "Ccy") ?? all(node, "Bal").map((one) => at(one, "Amt")?.attributes["Ccy"])[0]
  return {
    account: (textAt(account, "Id/IBAN", "Id/Othr/Id", "Id/BBAN", "Id/PrtryAcct/Id") ?? "").replace(/\s/g, ""),
    ...MESSAGES[node.name as keyof typeof MESSAGES],
    ...present({
      currency,
      number: textAt(node, "ElctrncSeqNb", "LglSeqNb"),
      from: dayAt(node, "FrToDt/FrDtTm", "FrToDt/FrDt"),
      to: dayAt(node, "FrToDt/ToDtTm", "FrToDt/ToDt")
    })
  }
}

/** The calendar day of a date or time, in the bank's own time zone. */
const dayAt = (node: Node | undefined, ...paths: ReadonlyArray<string>): Day | undefined => {
  const text = textAt(node, ...paths)?.slice(0, 10)
  return text !== undefined && isDay(text) ? (text as Day) : undefined
}

const balanceAt = (node: Node, codes: ReadonlyArray<string>): Balance | undefined => {
  for (const code of codes) {
    const found = all(node, "Bal").find((one) => textAt(one, "Tp/CdOrPrtry/Cd", "Tp/Cd") === code)
    if (found === undefined) continue
    const { amount, currency } = moneyAt(found, "Amt")
    return { amount: textAt(found, "CdtDbtInd") === "DBIT" ? -amount : amount, currency }
  }
  return undefined
}

const endOf = (node: Node, raw: string): Event => {
  const isLast = (textAt(node, "StmtPgntn/LastPgInd", "RptPgntn/LastPgInd") ?? "true") === "true"
  const isFirst = (textAt(node, "StmtPgntn/PgNb", "RptPgntn/PgNb") ?? "1") === "1"
  try {
    const opening = balanceAt(node, isFirst ? ["OPBD", "PRCD"] : ["ITBD"])
    const closing = balanceAt(node, isLast ? ["CLBD"] : ["ITBD"])
    return {
      type: "end",
      raw,
      ...present({ opening, closing }),
      ...(isFirst && isLast ? {} : { incomparable: "it is one page of several" })
    }
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    return { type: "end", raw, incomparable: `its balance cannot be read: ${cause.why}` }
  }
}

const isCredit = (node: Node, path = "CdtDbtInd"): boolean => {
  const text = textAt(node, path)
  if (text === "CRDT" || text === "DBIT") return text === "CRDT"
  throw new Fault(path, `${JSON.stringify(text ?? "")} is neither CRDT nor DBIT`)
}

/** The amount of one part of an entry, in the entry's currency. */
const partMoney = (node: Node, entry: Balance): Decimal.Decimal | undefined => {
  for (const path of ["Amt", "AmtDtls/TxAmt/Amt", "AmtDtls/InstdAmt/Amt"]) {
    const found = at(node, path)
    if (found === undefined) continue
    const { amount, currency } = moneyAt(node, path)
    if (currency === entry.currency) return amount
  }
  return undefined
}

const partOf = ({ node, raw }: Record_, open: Open, statement: Node): Event | undefined => {
  const entry = open.node
  open.parts++
  open.only = open.parts === 1 ? node : undefined
  try {
    const whole = moneyAt(entry, "Amt")
    const amount = partMoney(node, whole)
    open.charges += chargesOf(node, whole)
    const credit = textAt(node, "CdtDbtInd") === undefined ? isCredit(entry) : isCredit(node)
    if (open.sum !== undefined)
      open.sum = amount === undefined ? undefined : open.sum + (credit === isCredit(entry) ? amount : -amount)
    if (amount === undefined) return undefined
    const money = { amount, currency: whole.currency }
    return {
      type: "part",
      entry: { ...made(entry, node, open, { credit, money, raw, statement, isPart: true }), line: node.line },
      whole: { amount: whole.amount, credit: isCredit(entry) }
    }
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    open.sum = undefined
    return undefined
  }
}

const entryOf = ({ node, raw }: Record_, open: Open, statement: Node): Event => {
  try {
    const money = moneyAt(node, "Amt")
    const entry = made(node, open.only, open, { credit: isCredit(node), money, raw, statement, isPart: false })
    const said = Number(all(node, "NtryDtls/Btch").reduce((sum, one) => sum + Number(textAt(one, "NbOfTxs") ?? 0), 0))
    const items = Math.max(open.parts, Number.isSafeInteger(said) ? said : 0)
    return {
      type: "entry",
      entry: { ...entry, ...(items > 1 ? { items } : {}) },
      parts: open.parts,
      ...(open.sum === undefined ? {} : { sum: withCharges(open.sum, entry, open.charges + chargesOf(node, money)) })
    }
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    return { type: "fault", line: node.line, raw, why: cause.why, field: cause.field }
  }
}

/** The sum of the parts, plus the banks' charges for returned items if that makes it equal the entry's amount. */
const withCharges = (sum: Decimal.Decimal, { amount, credit }: Entry, charges: Decimal.Decimal): Decimal.Decimal =>
  !credit && charges > 0n && sum + charges === amount ? amount : sum

interface Making {
  readonly credit: boolean
  readonly money: Balance
  readonly raw: string
  readonly statement: Node
  readonly isPart: boolean
}

/** Makes an entry; with `detail`, one of its transactions. */
const made = (
  entry: Node,
  detail: Node | undefined,
  open: Open,
  { credit, isPart, money, raw, statement }: Making
): Entry => {
  const day = dayAt(entry, "BookgDt/Dt", "BookgDt/DtTm", "ValDt/Dt", "ValDt/DtTm") ?? dayAt(statement, "FrToDt/ToDtTm")
  const reference =
    referenceIn(textAt(entry, "AcctSvcrRef")) ?? (isPart ? undefined : referenceIn(textAt(detail, "Refs/AcctSvcrRef")))
  const partReference = referenceIn(textAt(detail, "Refs/AcctSvcrRef", "Refs/TxId", "Refs/InstrId"))
  const trace = referenceIn(textAt(detail, "Refs/EndToEndId"))
  const [original, reason] = [originalOf(detail, money), reasonOf(detail)]
  const instructed = instructedOf(detail, money) ?? (isPart ? undefined : instructedOf(entry, money))
  return {
    nth: open.nth,
    ...(isPart ? { part: open.parts } : {}),
    line: entry.line,
    raw,
    credit,
    amount: money.amount,
    currency: money.currency,
    booked: (textAt(entry, "Sts/Cd", "Sts/Prtry", "Sts") ?? "BOOK") === "BOOK",
    reversal: isReturn(entry, detail),
    code: codeOf(entry, "BkTxCd") ?? "",
    text: textsOf(entry, detail, trace),
    payer: payerOf(detail),
    // Spread one by one, which is faster: this runs for every entry.
    ...(day === undefined ? {} : { day }),
    ...(reference === undefined ? {} : { reference }),
    ...(partReference === undefined ? {} : { partReference }),
    ...(trace === undefined ? {} : { trace }),
    ...(original === undefined ? {} : { original }),
    ...(instructed === undefined ? {} : { instructed }),
    ...(reason === undefined ? {} : { reason })
  }
}
