/**
 * Bank statements that a test writes, in the dialects of several banks.
 */

export interface Movement {
  readonly ref?: string
  readonly amount: string
  readonly currency?: string
  readonly debit?: true
  readonly day?: string
  readonly status?: string
  readonly reversal?: true
  /** Members of the entry behind its status, as XML. */
  readonly more?: string
  /** Its transactions, as XML, and how many the bank says that there are. */
  readonly details?: ReadonlyArray<string>
  readonly items?: number
}

export interface Message {
  readonly message?: "052" | "053" | "054"
  readonly version?: number
  readonly account?: string
  readonly number?: string
  readonly opening?: string
  readonly closing?: string
  readonly currency?: string
  readonly entries: ReadonlyArray<Movement>
  /** Members before the entries, as XML. */
  readonly head?: string
}

const BODY = {
  "052": ["BkToCstmrAcctRpt", "Rpt"],
  "053": ["BkToCstmrStmt", "Stmt"],
  "054": ["BkToCstmrDbtCdtNtfctn", "Ntfctn"]
} as const

export const IBAN = "DE02120300000000202051"

const balance = (code: string, amount: string, currency: string): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="${currency}">${amount.replace("-", "")}</Amt><CdtDbtInd>${amount.startsWith("-") ? "DBIT" : "CRDT"}</CdtDbtInd><Dt><Dt>2026-02-03</Dt></Dt></Bal>`

const entry = (one: Movement, version: number): string => {
  const { amount, currency = "EUR", day = "2026-02-03", details = [], items, status = "BOOK" } = one
  const batch = items === undefined ? "" : `<Btch><NbOfTxs>${items}</NbOfTxs></Btch>`
  return `<Ntry>
  <Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${one.debit ? "DBIT" : "CRDT"}</CdtDbtInd>${one.reversal ? "<RvslInd>true</RvslInd>" : ""}
  <Sts>${version < 4 ? status : `<Cd>${status}</Cd>`}</Sts><BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt>
  ${one.ref === undefined ? "" : `<AcctSvcrRef>${one.ref}</AcctSvcrRef>`}${one.more ?? ""}
  ${details.length === 0 && batch === "" ? "" : `<NtryDtls>${batch}${details.map((text) => `<TxDtls>${text}</TxDtls>`).join("\n")}</NtryDtls>`}
</Ntry>`
}

const statement = (one: Message): string => {
  const { account = IBAN, closing, currency = "EUR", entries, head = "", message = "053", number, opening } = one
  return `<${BODY[message][1]}><Id>S-${number ?? 1}</Id>${number === undefined ? "" : `<ElctrncSeqNb>${number}</ElctrncSeqNb>`}<CreDtTm>2026-02-03T20:00:00</CreDtTm>
<Acct><Id><IBAN>${account}</IBAN></Id><Ccy>${currency}</Ccy></Acct>${head}
${opening === undefined ? "" : balance("OPBD", opening, currency)}${closing === undefined ? "" : balance("CLBD", closing, currency)}
${entries.map((each) => entry(each, one.version ?? 2)).join("\n")}
</${BODY[message][1]}>`
}

/** One message with these statements, all of one kind. */
export const camt = (...statements: ReadonlyArray<Message>): string => {
  const { message = "053", version = 2 } = statements[0]!
  const space = `urn:iso:std:iso:20022:tech:xsd:camt.${message}.001.${String(version).padStart(2, "0")}`
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="${space}"><${BODY[message][0]}><GrpHdr><MsgId>M-1</MsgId></GrpHdr>
${statements.map(statement).join("\n")}
</${BODY[message][0]}></Document>`
}

/** A transaction as version 2 writes it, or with `nested` as version 8 does. */
export const transfer = (
  amount: string,
  {
    name,
    nested,
    text,
    trace = "NOTPROVIDED",
    ...more
  }: {
    readonly name?: string
    readonly text?: string
    readonly trace?: string
    readonly nested?: true
    readonly ref?: string
    readonly reason?: string
  }
): string => {
  const party =
    name === undefined ? "" : nested ? `<Dbtr><Pty><Nm>${name}</Nm></Pty></Dbtr>` : `<Dbtr><Nm>${name}</Nm></Dbtr>`
  const money = nested
    ? `<Amt Ccy="EUR">${amount}</Amt>`
    : `<AmtDtls><TxAmt><Amt Ccy="EUR">${amount}</Amt></TxAmt></AmtDtls>`
  return `<Refs>${more.ref === undefined ? "" : `<AcctSvcrRef>${more.ref}</AcctSvcrRef>`}<EndToEndId>${trace}</EndToEndId></Refs>${money}
<RltdPties>${party}<DbtrAcct><Id><IBAN>FR7630006000011234567890189</IBAN></Id></DbtrAcct></RltdPties>
${text === undefined ? "" : `<RmtInf><Ustrd>${text}</Ustrd></RmtInf>`}
${more.reason === undefined ? "" : `<RtrInf><Rsn><Cd>${more.reason}</Cd></Rsn></RtrInf>`}`
}

export const GERMAN = `:20:STARTUMS
:25:12030000/0000202051
:28C:00031/001
:60F:C260202EUR1000,00
:61:2602030203CR119,00NDDTNONREF//2026020300000017
:86:171?00SEPA-BASISLASTSCHRIFT?109310?20EREF+DD-7?21MREF+M-1?22SVWZ+Rech
nung INV-7?30BYLADEM1001?31DE02120300000000202051?32ATELIER NORD
:61:2602100210DR122,00NRTINONREF//2026021000000003
:86:109?00SEPA-LASTSCHRIFT R.?20EREF+DD-7?21OAMT+EUR 119,00?22COAM+EU
R 3,00?23SVWZ+RUECKGABE AM04?31DE02120300000000202051?32ATELIER NORD
:61:2601020102DR50,00NTRFNONREF//2026010200000001
:86:116?00UEBERWEISUNG?20Miete
:61:2602100210RC10,00NTRFNONREF//2026021000000004
:61:2602100210ED10,00NTRFNONREF//2026021000000005
:62F:C260210EUR937,00
-
`

export const OFX1 = `OFXHEADER:100
DATA:OFXSGML
VERSION:102
ENCODING:USASCII
CHARSET:1252

<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>121000248<ACCTID>0123456<ACCTTYPE>CHECKING</BANKACCTFROM>
<BANKTRANLIST><DTSTART>20260201<DTEND>20260228
<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260203120000[-5:EST]<TRNAMT>1,250.00<FITID>7<NAME>Harbour &amp; Sons<MEMO>INV-12</STMTTRN>
<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260204<TRNAMT>-20.00<FITID>8<NAME>Rent</STMTTRN>
<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260205<TRNAMT>$5<FITID>9</STMTTRN>
</BANKTRANLIST><LEDGERBAL><BALAMT>99.00<DTASOF>20260228</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>
`

export const BAI2 = `01,121000248,ACME,260203,0600,1,,,2/
02,ACME,121000248,1,260203,,USD,2/
03,0123456,,010,100000,,,015,149500,,/
88,100,50000,1,/
16,165,50000,S,20000,20000,10000,2026020300017,CUST-1,ACH CREDIT
88,EREF: E2E-4
88,DBNM: Harbour Tea Inc
88,REMI: INV-12, thanks/
16,555,1000,Z,2026020300018,,DEPOSITED ITEM RETURNED/
16,475,500,Z,2026020300019,,CHECK PAID
49,300500,6/
98,300500,1,8/
99,300500,1,10/
`

/** The same with balances, totals and counts that agree. */
export const WHOLE_BAI2 = BAI2.replace("149500", "148500")
  .replace("49,300500,6", "49,350000,9")
  .replace("98,300500,1,8", "98,350000,1,11")
  .replace("99,300500,1,10", "99,350000,1,13")
