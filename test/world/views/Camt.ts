/** ISO 20022: a statement (camt.053), a report of the day (camt.052) or a notification of what was booked (camt.054). */
import { type Currency, type Day, iso, major, type Minor } from "../Values.ts"
import type { Account, Entry, Part } from "./Bank.ts"

export const IBANS: Readonly<Record<Currency, string>> = {
  EUR: "DE02120300000000202051",
  USD: "DE98120300000000202069"
}

const MESSAGES = {
  "052": ["BkToCstmrAcctRpt", "Rpt"],
  "053": ["BkToCstmrStmt", "Stmt"],
  "054": ["BkToCstmrDbtCdtNtfctn", "Ntfctn"]
} as const

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
const side = (amount: Minor): string => (amount < 0n ? "DBIT" : "CRDT")
const positive = (amount: Minor): Minor => (amount < 0n ? -amount : amount)

const balance = (code: string, amount: Minor, day: Day, currency: Currency): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="${currency}">${major(positive(amount))}</Amt><CdtDbtInd>${side(amount)}</CdtDbtInd><Dt><Dt>${iso(day)}</Dt></Dt></Bal>`

/** What its payer sent, and at which rate it was exchanged. */
const exchanged = ({ amount, currency = "EUR", sent }: Entry, isPart: boolean): string => {
  if (sent === undefined && !isPart) return ""
  const said = sent === undefined ? "" : `<InstdAmt><Amt Ccy="${sent.currency}">${major(sent.amount)}</Amt></InstdAmt>`
  const rate =
    sent === undefined
      ? ""
      : `<CcyXchg><SrcCcy>${sent.currency}</SrcCcy><TrgtCcy>${currency}</TrgtCcy><XchgRate>${sent.rate}</XchgRate></CcyXchg>`
  return `<AmtDtls>${said}<TxAmt><Amt Ccy="${currency}">${major(positive(amount))}</Amt>${rate}</TxAmt></AmtDtls>`
}

const detail = (one: Entry, isPart: boolean): string => {
  const { e2e, iban, name, returned, text } = one
  const refs = e2e === undefined ? "" : `<Refs><EndToEndId>${e2e}</EndToEndId></Refs>`
  const parties = `<RltdPties><Dbtr><Nm>${escaped(name)}</Nm></Dbtr><DbtrAcct><Id><IBAN>${iban}</IBAN></Id></DbtrAcct></RltdPties>`
  const reason = returned === undefined ? "" : `<RtrInf><Rsn><Cd>${returned}</Cd></Rsn></RtrInf>`
  return `<TxDtls>${refs}${exchanged(one, isPart)}${parties}<RmtInf><Ustrd>${escaped(text)}</Ustrd></RmtInf>${reason}</TxDtls>`
}

const entry = (one: Entry): string => {
  const { amount, count, currency = "EUR", day, parts, reference, text } = one
  const money = `<Amt Ccy="${currency}">${major(positive(amount))}</Amt><CdtDbtInd>${side(amount)}</CdtDbtInd>`
  const batch =
    parts === undefined
      ? ""
      : `<Btch><NbOfTxs>${parts.length}</NbOfTxs><TtlAmt Ccy="${currency}">${major(positive(amount))}</TtlAmt><CdtDbtInd>${side(amount)}</CdtDbtInd></Btch>`
  const details = `<NtryDtls>${batch}${(parts ?? [one]).map((part) => detail(part, parts !== undefined)).join("")}</NtryDtls>`
  const dates = `<BookgDt><Dt>${iso(day)}</Dt></BookgDt><ValDt><Dt>${iso(day)}</Dt></ValDt>`
  const own = reference === undefined ? "" : `<AcctSvcrRef>${reference}</AcctSvcrRef>`
  const begun = `<Ntry>${money}<Sts>BOOK</Sts>${dates}${own}<BkTxCd><Prtry><Cd>166</Cd></Prtry></BkTxCd>`
  if (count === undefined) return `${begun}${details}</Ntry>`
  return `${begun}<NtryDtls><Btch><NbOfTxs>${count}</NbOfTxs></Btch></NtryDtls><AddtlNtryInf>${text}</AddtlNtryInf></Ntry>`
}

export const camt = (part: Part, { closing, currency, opening }: Account, entries: ReadonlyArray<Entry>): string => {
  const { from, message, number, seen, to } = part
  const [root, one] = MESSAGES[message]
  const made = `<CreDtTm>${iso(seen)}T06:00:00</CreDtTm>`
  const account = `<Acct><Id><IBAN>${IBANS[currency]}</IBAN></Id><Ccy>${currency}</Ccy></Acct>`
  const balances =
    message === "054"
      ? ""
      : balance("OPBD", opening, from, currency) + balance(message === "053" ? "CLBD" : "ITBD", closing, to, currency)
  const body = `<Id>S${number}</Id><ElctrncSeqNb>${number}</ElctrncSeqNb>${made}${account}${balances}${entries.map(entry).join("")}`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${message}.001.02"><${root}><GrpHdr><MsgId>M${part.number}</MsgId>${made}</GrpHdr><${one}>${body}</${one}></${root}></Document>\n`
}
