/**
 * The members of a camt entry that say what it is: its amounts, its kind, who paid, what was written and why it came back.
 */
import * as Currency from "../../../core/money/Currency.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import { type Balance, type Entry, Fault } from "./Entry.ts"
import { all, at, type Node, textAt } from "./Xml.ts"

/** An amount with its currency. Throws a `Fault`. */
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

/** Of the code list: what takes back another entry. */
const RETURNS = ["UPDD", "PRDD", "RCDD", "RRTN", "RPCR"]

/** The same in the words of banks: SWIFT's returned item, and the German codes of returned direct debits and transfers. */
const RETURNED = /\bNRTI\b|\bRTI\b|\+(?:108|109|159)\+/

/** Whether it takes back another entry, which was of the other sign. Families do not tell: banks use them either way. */
export const isReturn = (entry: Node, detail: Node | undefined): boolean =>
  ["true", "1"].includes(textAt(entry, "RvslInd") ?? "") ||
  at(detail, "RtrInf") !== undefined ||
  [codeOf(detail, "BkTxCd"), codeOf(entry, "BkTxCd")].some(
    (code = "") => RETURNS.includes(code.split("/")[2] ?? "") || RETURNED.test(code)
  )

export const reasonOf = (detail: Node | undefined): Entry["reason"] => {
  const found = at(detail, "RtrInf")
  if (found === undefined) return undefined
  const code = textAt(found, "Rsn/Cd", "Rsn/Prtry")
  const text = all(found, "AddtlInf")
    .map((one) => one.text.trim())
    .filter((one) => one !== "")
    .join(" ")
  return { ...(code === undefined ? {} : { code }), ...(text === "" ? {} : { text }) }
}

/** What went back without the charges of the banks, where that is less. */
export const originalOf = (detail: Node | undefined, { amount, currency }: Balance): Decimal.Decimal | undefined => {
  for (const path of ["AmtDtls/InstdAmt/Amt", "OrgnlTxRef/IntrBkSttlmAmt", "AmtDtls/TxAmt/Amt"]) {
    if (at(detail, path) === undefined) continue
    const one = moneyAt(detail, path)
    if (one.currency === currency && one.amount > 0n && one.amount < amount) return one.amount
  }
  return undefined
}

/** What Swiss banks say of how a slip was read. */
const MARK = /^\?[A-Z]+\?\d+$/

/** What the payer wrote, then references that may name an invoice, then the bank's own words where there is nothing else. */
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

/** Who paid: also of a payment that was returned, whose details are those of the payment. */
export const payerOf = (detail: Node | undefined): Entry["payer"] => {
  const parties = at(detail, "RltdPties")
  const name = textAt(parties, "UltmtDbtr/Pty/Nm", "UltmtDbtr/Nm", "Dbtr/Pty/Nm", "Dbtr/Nm")
  const account = textAt(parties, "DbtrAcct/Id/IBAN", "DbtrAcct/Id/Othr/Id")
  return { ...(name === undefined ? {} : { name }), ...(account === undefined ? {} : { account }) }
}

/** The banks' charges of an entry or of one of its parts, in the entry's currency. */
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
