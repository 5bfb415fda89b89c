/**
 * Reads members of a camt entry: its amounts, its kind, the payer, the texts, and why it was returned.
 */
import * as Currency from "../../../core/money/Currency.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import { present } from "../../Json.ts"
import { type Balance, type Entry, Fault } from "./Entry.ts"
import type { Node } from "./Xml.ts"
import { all, at, textAt } from "../../XmlNodes.ts"

/** Reads an amount with its currency. Throws a `Fault`. */
export const moneyAt = (node: Node | undefined, ...paths: ReadonlyArray<string>): Balance => {
  const found = paths.map((path) => at(node, path)).find((one) => one !== undefined)
  const [path] = paths as readonly [string]
  if (found === undefined) throw new Fault(path, "is missing; an amount is needed")
  const text = found.text.trim()
  const amount = Decimal.parse(text.replace(/^\+/, "").replace(/^\./, "0.").replace(/\.$/, ""))
  if (typeof amount === "string") throw new Fault(path, `${JSON.stringify(text)} ${amount}`)
  const currency = (found.attributes["Ccy"] ?? "").toUpperCase()
  if (!Currency.isCurrency(currency))
    throw new Fault(`${path}@Ccy`, `${JSON.stringify(currency)} is not an ISO 4217 currency code`)
  return { amount, currency }
}

export const codeOf = (node: Node | undefined, path: string): string | undefined => {
  const code = at(node, path)
  const domain = [textAt(code, "Domn/Cd"), textAt(code, "Domn/Fmly/Cd"), textAt(code, "Domn/Fmly/SubFmlyCd")]
  const own = textAt(code, "Prtry/Cd")
  return domain[0] === undefined ? own : domain.join("/")
}

/** Codes of the external code list for entries that reverse another entry. */
const RETURNS = ["UPDD", "PRDD", "RCDD", "RRTN", "RPCR"]

/** The same in proprietary codes: SWIFT's returned item, and the German codes of returned direct debits and transfers. */
const RETURNED = /\bNRTI\b|\bRTI\b|\+(?:108|109|159)\+/

/** Throws a `Fault` if it is neither. */
const isTrue = (text: string | undefined): boolean => {
  if (text === undefined || /^(?:true|false|[01])$/.test(text)) return text === "true" || text === "1"
  throw new Fault("RvslInd", `${JSON.stringify(text)} is neither true nor false`)
}

/** Whether it reverses an entry of the opposite sign. Family codes do not show this: banks use them for either direction. */
export const isReturn = (entry: Node, detail: Node | undefined): boolean =>
  isTrue(at(entry, "RvslInd")?.text.trim()) ||
  at(detail, "RtrInf") !== undefined ||
  [codeOf(detail, "BkTxCd"), codeOf(entry, "BkTxCd")].some(
    (code = "") => RETURNS.includes(code.split("/")[2] ?? "") || RETURNED.test(code)
  )

export const reasonOf = (detail: Node | undefined): Entry["reason"] => {
  const found = at(detail, "RtrInf")
  if (found === undefined) return undefined
  const text = all(found, "AddtlInf")
    .map((one) => one.text.trim())
    .filter((one) => one !== "")
    .join(" ")
  return present({ code: textAt(found, "Rsn/Cd", "Rsn/Prtry"), text: text || undefined })
}

/** The returned amount without the banks' charges, if that is less. */
export const originalOf = (detail: Node | undefined, { amount, currency }: Balance): Decimal.Decimal | undefined => {
  for (const path of ["AmtDtls/InstdAmt/Amt", "OrgnlTxRef/IntrBkSttlmAmt", "AmtDtls/TxAmt/Amt"]) {
    if (at(detail, path) === undefined) continue
    const one = moneyAt(detail, path)
    if (one.currency === currency && one.amount > 0n && one.amount < amount) return one.amount
  }
  return undefined
}

/** What the payer sent in another currency; undefined where it is not stated, or cannot be read: the account's amount counts. */
export const instructedOf = (detail: Node | undefined, { currency }: Balance): Balance | undefined => {
  const found = at(detail, "AmtDtls/InstdAmt/Amt")
  const its = (found?.attributes["Ccy"] ?? "").toUpperCase()
  const amount = Decimal.parse(found?.text.trim() ?? "")
  return typeof amount === "string" || amount <= 0n || its === currency || !Currency.isCurrency(its)
    ? undefined
    : { amount, currency: its }
}

/** Swiss banks' notes on how a payment slip was scanned. */
const MARK = /^\?[A-Z]+\?\d+$/

/** The payer's text, then references that may name an invoice; the bank's own text if there is nothing else. */
export const textsOf = (entry: Node, detail: Node | undefined, trace: string | undefined): string => {
  const remittance = all(detail, "RmtInf/Ustrd")
    .map((one) => one.text.trim())
    .join(" ")
    .trim()
  const structured = all(detail, "RmtInf/Strd").flatMap((one) => [
    ...all(one, "RfrdDocInf/Nb").map(({ text }) => text.trim()),
    textAt(one, "CdtrRefInf/Ref", "CdtrRefInf/CdtrRef") ?? "",
    ...all(one, "AddtlRmtInf").map(({ text }) => text.trim())
  ])
  const said = [remittance, ...structured, trace ?? ""].filter((one) => one !== "" && !MARK.test(one))
  if (said.length === 0) said.push(textAt(detail, "AddtlTxInf") ?? "", textAt(entry, "AddtlNtryInf") ?? "")
  return [...new Set(said.filter((one) => one !== ""))].join(" ")
}

/** The payer. A returned payment has the details of the original payment, so this also works for it. */
export const payerOf = (detail: Node | undefined): Entry["payer"] => {
  const parties = at(detail, "RltdPties")
  const name = textAt(parties, "UltmtDbtr/Pty/Nm", "UltmtDbtr/Nm", "Dbtr/Pty/Nm", "Dbtr/Nm")
  const account = textAt(parties, "DbtrAcct/Id/IBAN", "DbtrAcct/Id/Othr/Id")
  return { ...(name === undefined ? {} : { name }), ...(account === undefined ? {} : { account }) }
}

/** The banks' charges for an entry or one of its parts, in the entry's currency. */
export const chargesOf = (node: Node, { currency }: Balance): Decimal.Decimal => {
  const charges = at(node, "Chrgs")
  const total = all(charges, "TtlChrgsAndTaxAmt")
  const found = total.length > 0 ? total : [...all(charges, "Rcrd/Amt"), ...all(charges, "Amt")]
  return Decimal.sum(
    found.map((one) => {
      const amount = Decimal.parse(one.text.trim())
      return typeof amount === "string" || one.attributes["Ccy"] !== currency ? 0n : amount
    })
  )
}
