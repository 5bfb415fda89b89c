/** ISO 20022: a statement (camt.053), a report of the day (camt.052) or a notification of what was booked (camt.054). */
import { type Day, iso, major, type Minor } from "../Values.ts"
import type { Entry, Part } from "./Bank.ts"

export const IBAN = "DE02120300000000202051"

const MESSAGES = {
  "052": ["BkToCstmrAcctRpt", "Rpt"],
  "053": ["BkToCstmrStmt", "Stmt"],
  "054": ["BkToCstmrDbtCdtNtfctn", "Ntfctn"]
} as const

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
const side = (amount: Minor): string => (amount < 0n ? "DBIT" : "CRDT")
const positive = (amount: Minor): Minor => (amount < 0n ? -amount : amount)

const balance = (code: string, amount: Minor, day: Day): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${major(positive(amount))}</Amt><CdtDbtInd>${side(amount)}</CdtDbtInd><Dt><Dt>${iso(day)}</Dt></Dt></Bal>`

/** Who paid what for what; within a sum, also how much. */
const details = ({ amount, e2e, iban, name, returned, text }: Entry, isPart: boolean): string => {
  const refs = `<Refs>${e2e === undefined ? "" : `<EndToEndId>${e2e}</EndToEndId>`}</Refs>`
  const its = isPart ? `<Amt Ccy="EUR">${major(positive(amount))}</Amt><CdtDbtInd>${side(amount)}</CdtDbtInd>` : ""
  const parties = `<RltdPties><Dbtr><Nm>${escaped(name)}</Nm></Dbtr><DbtrAcct><Id><IBAN>${iban}</IBAN></Id></DbtrAcct></RltdPties>`
  const reason = returned === undefined ? "" : `<RtrInf><Rsn><Cd>${returned}</Cd></Rsn></RtrInf>`
  return `<TxDtls>${e2e === undefined ? "" : refs}${its}${parties}<RmtInf><Ustrd>${escaped(text)}</Ustrd></RmtInf>${reason}</TxDtls>`
}

const entry = (one: Entry, message: Part["message"]): string => {
  const { amount, day, parts = [], reference } = one
  const batch = `<Btch><NbOfTxs>${parts.length}</NbOfTxs></Btch>`
  const shown =
    parts.length === 0
      ? details(one, false)
      : batch + (message === "054" ? parts.map((its) => details(its, true)).join("") : "")
  const dates = `<BookgDt><Dt>${iso(day)}</Dt></BookgDt><ValDt><Dt>${iso(day)}</Dt></ValDt>`
  const own = reference === undefined ? "" : `<AcctSvcrRef>${reference}</AcctSvcrRef>`
  return `<Ntry><Amt Ccy="EUR">${major(positive(amount))}</Amt><CdtDbtInd>${side(amount)}</CdtDbtInd><Sts>BOOK</Sts>${dates}${own}<BkTxCd><Prtry><Cd>166</Cd></Prtry></BkTxCd><NtryDtls>${shown}</NtryDtls></Ntry>`
}

export const camt = (part: Part, opening: Minor, closing: Minor, entries: ReadonlyArray<Entry>): string => {
  const { message } = part
  const [root, one] = MESSAGES[message]
  const made = `<CreDtTm>${iso(part.seen)}T06:00:00</CreDtTm>`
  const account = `<Acct><Id><IBAN>${IBAN}</IBAN></Id><Ccy>EUR</Ccy></Acct>`
  const balances =
    message === "054"
      ? ""
      : balance("OPBD", opening, part.from) + balance(message === "053" ? "CLBD" : "ITBD", closing, part.to)
  const body = `<Id>S${part.number}</Id><ElctrncSeqNb>${part.number}</ElctrncSeqNb>${made}${account}${balances}${entries.map((its) => entry(its, message)).join("")}`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${message}.001.02"><${root}><GrpHdr><MsgId>M${part.number}</MsgId>${made}</GrpHdr><${one}>${body}</${one}></${root}></Document>\n`
}
