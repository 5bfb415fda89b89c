/** ISO 20022: a statement (camt.053) or a report of the day (camt.052). */
import { type Day, iso, major, type Minor } from "../Values.ts"
import type { Entry, Part } from "./Bank.ts"

export const IBAN = "DE02120300000000202051"

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
const side = (amount: Minor): string => (amount < 0n ? "DBIT" : "CRDT")
const positive = (amount: Minor): Minor => (amount < 0n ? -amount : amount)

const balance = (code: string, amount: Minor, day: Day): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${major(positive(amount))}</Amt><CdtDbtInd>${side(amount)}</CdtDbtInd><Dt><Dt>${iso(day)}</Dt></Dt></Bal>`

const entry = ({ amount, day, e2e, iban, name, reference, returned, text }: Entry): string => {
  const refs = `<Refs>${e2e === undefined ? "" : `<EndToEndId>${e2e}</EndToEndId>`}</Refs>`
  const parties = `<RltdPties><Dbtr><Nm>${escaped(name)}</Nm></Dbtr><DbtrAcct><Id><IBAN>${iban}</IBAN></Id></DbtrAcct></RltdPties>`
  const reason = returned === undefined ? "" : `<RtrInf><Rsn><Cd>${returned}</Cd></Rsn></RtrInf>`
  const details = `<NtryDtls><TxDtls>${e2e === undefined ? "" : refs}${parties}<RmtInf><Ustrd>${escaped(text)}</Ustrd></RmtInf>${reason}</TxDtls></NtryDtls>`
  const dates = `<BookgDt><Dt>${iso(day)}</Dt></BookgDt><ValDt><Dt>${iso(day)}</Dt></ValDt>`
  const own = reference === undefined ? "" : `<AcctSvcrRef>${reference}</AcctSvcrRef>`
  return `<Ntry><Amt Ccy="EUR">${major(positive(amount))}</Amt><CdtDbtInd>${side(amount)}</CdtDbtInd><Sts>BOOK</Sts>${dates}${own}<BkTxCd><Prtry><Cd>166</Cd></Prtry></BkTxCd>${details}</Ntry>`
}

export const camt = (part: Part, opening: Minor, closing: Minor, entries: ReadonlyArray<Entry>): string => {
  const [root, one, message] = part.isFinal ? ["BkToCstmrStmt", "Stmt", "053"] : ["BkToCstmrAcctRpt", "Rpt", "052"]
  const made = `<CreDtTm>${iso(part.seen)}T06:00:00</CreDtTm>`
  const account = `<Acct><Id><IBAN>${IBAN}</IBAN></Id><Ccy>EUR</Ccy></Acct>`
  const balances = balance("OPBD", opening, part.from) + balance(part.isFinal ? "CLBD" : "ITBD", closing, part.to)
  const body = `<Id>S${part.number}</Id><ElctrncSeqNb>${part.number}</ElctrncSeqNb>${made}${account}${balances}${entries.map(entry).join("")}`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${message}.001.02"><${root}><GrpHdr><MsgId>M${part.number}</MsgId>${made}</GrpHdr><${one}>${body}</${one}></${root}></Document>\n`
}
