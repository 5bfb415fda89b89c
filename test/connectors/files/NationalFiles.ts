/**
 * Files of banks that a test writes, in the formats of Belgium, Spain, France and the United Kingdom, and answers to direct debits.
 * Layouts are those of public descriptions and readers; names, accounts and amounts are invented.
 */

/** Money that moved; an amount in cents, negative if it went out. */
export interface Moved {
  readonly cents: number
  /** `yyyy-MM-dd` */
  readonly day?: string
  readonly name?: string
  readonly iban?: string
  readonly text?: string
  /** It returns a debit: CODA's communication 127, concept 14, a rejection code. */
  readonly returned?: string
  /** Of a sum: its parts. */
  readonly parts?: ReadonlyArray<Moved>
}

export interface Statement {
  readonly number?: number
  readonly opening: number
  readonly moved: ReadonlyArray<Moved>
  readonly account?: string
}

export const BELGIAN = "BE68539007547034"
export const DAY = "2026-03-09"

/** Writes texts at columns, counted from 1. */
export const record = (length: number, ...at: ReadonlyArray<readonly [column: number, text: string]>): string => {
  const cells = [..." ".repeat(length)]
  for (const [column, text] of at) for (const [n, one] of [...text].entries()) cells[column - 1 + n] = one
  return cells.slice(0, length).join("")
}

const digits = (cents: number, length: number): string => String(Math.abs(cents)).padStart(length, "0")

const dmy = (day: string): string => day.slice(2).split("-").toReversed().join("")
const ymd = (day: string): string => day.slice(2).replaceAll("-", "")

const closing = ({ moved, opening }: Statement): number => moved.reduce((sum, { cents }) => sum + cents, opening)

/** Three decimal places. */
const coded = (cents: number): string => `${digits(cents, 14)}0`
const sign = (cents: number): string => (cents < 0 ? "1" : "0")

const codaMovement = (one: Moved, nth: number, part: number, type: string): ReadonlyArray<string> => {
  const { cents, day = DAY, iban = "", name = "", returned, text = "" } = one
  const id = `${String(nth).padStart(4, "0")}${String(part).padStart(4, "0")}`
  const isReturned = returned !== undefined
  const words = isReturned ? `127${dmy(day)}314${"BE68ZZZ0403019261".padEnd(35)}${"MANDATE-7".padEnd(35)}${text}` : text
  const all = words.padEnd(149)
  return [
    record(
      128,
      [1, `21${id}REF${id}`],
      [32, `${sign(cents)}${coded(cents)}${dmy(day)}${type}${isReturned ? "0503" : "0150"}000`],
      [62, `${isReturned ? "1" : "0"}${all.slice(0, 53)}`],
      [116, dmy(day)]
    ),
    record(128, [1, `22${id}${all.slice(53, 106)}`], ...(isReturned ? ([[113, `2${returned}`]] as const) : [])),
    record(128, [1, `23${id}${iban}`], [45, "EUR"], [48, name], [83, all.slice(106)])
  ]
}

export const coda = (...statements: ReadonlyArray<Statement>): string =>
  statements
    .flatMap((one, nth) => {
      const { account = BELGIAN, moved, number = 43, opening } = one
      const numbered = String(number).padStart(3, "0")
      const end = closing(one)
      const movements = moved.flatMap((each, n) => [
        ...codaMovement(each, n + 1, 0, each.parts === undefined ? "0" : "1"),
        ...(each.parts ?? []).flatMap((part, m) => codaMovement(part, n + 1, m + 1, "5"))
      ])
      const sum = (isDebit: boolean) =>
        coded(moved.filter(({ cents }) => cents < 0 === isDebit).reduce((all, { cents }) => all + cents, 0))
      return [
        record(128, [1, "0000009032672505"], [25, "0000000001ACME"], [61, "KREDBEBB"], [128, "2"]),
        record(
          128,
          [1, `12${numbered}${account}`],
          [40, `EUR${sign(opening)}${coded(opening)}080326`],
          [126, numbered]
        ),
        ...movements,
        record(128, [1, `8${numbered}${account}`], [39, `EUR${sign(end)}${coded(end)}090326`], [128, "0"]),
        record(
          128,
          [1, "9"],
          [17, String(movements.length + 2).padStart(6, "0")],
          [23, `${sum(true)}${sum(false)}`],
          [128, nth === statements.length - 1 ? "2" : "1"]
        )
      ]
    })
    .join("\r\n")

export const SPANISH = "004900012210284651"

export const norma43 = (...statements: ReadonlyArray<Statement>): string => {
  const records = statements.flatMap((one) => {
    const { account = SPANISH, moved, opening } = one
    const end = closing(one)
    const total = (isDebit: boolean) => {
      const its = moved.filter(({ cents }) => cents < 0 === isDebit)
      return `${String(its.length).padStart(5, "0")}${digits(
        its.reduce((sum, { cents }) => sum + cents, 0),
        14
      )}`
    }
    const way = (cents: number) => (cents < 0 ? "1" : "2")
    return [
      record(80, [1, `11${account}260301260331${way(opening)}${digits(opening, 14)}9783ACME`]),
      ...moved.flatMap(({ cents, day = DAY, returned, text = "" }) => [
        record(80, [
          1,
          `22    0001${ymd(day)}${ymd(day)}${returned === undefined ? "04" : "14"}007${way(cents)}${digits(cents, 14)}0000000000`
        ]),
        record(80, [1, `2301${text}`])
      ]),
      record(80, [1, `33${account}${total(true)}${total(false)}${way(end)}${digits(end, 14)}978`])
    ]
  })
  return [...records, record(80, [1, `88${"9".repeat(18)}${String(records.length).padStart(6, "0")}`])].join("\r\n")
}

const signed = (cents: number): string => {
  const all = digits(cents, 14)
  return `${all.slice(0, 13)}${(cents < 0 ? "}JKLMNOPQR" : "{ABCDEFGHI")[Number(all.at(-1))]}`
}

export const FRENCH = "00010089736"

export const cfonb = (...statements: ReadonlyArray<Statement>): ReadonlyArray<string> =>
  statements.flatMap((one) => {
    const { account = FRENCH, moved, opening } = one
    const head = (code: string, ...at: ReadonlyArray<readonly [number, string]>) =>
      record(120, [1, `${code}30004`], [12, "00812EUR2"], [22, account], ...at)
    const balance = (code: string, cents: number) => head(code, [35, "010326"], [91, signed(cents)])
    return [
      balance("01", opening),
      ...moved.flatMap(({ cents, day = DAY, name, returned, text = "" }) => {
        const detail = (qualifier: string, words: string) =>
          head("05", [33, "05"], [35, dmy(day)], [46, `${qualifier}${words}`])
        return [
          head(
            "04",
            [33, "05"],
            [35, dmy(day)],
            [41, returned === undefined ? "" : "40"],
            [43, dmy(day)],
            [49, text.slice(0, 31)],
            [91, signed(cents)]
          ),
          ...(name === undefined ? [] : [detail("NPY", name)]),
          ...(text.length > 31 ? [detail("LCC", text.slice(31))] : []),
          ...(returned === undefined ? [] : [detail("REF", returned)])
        ]
      }),
      balance("07", closing(one))
    ]
  })

/** A returned or claimed debit of Bacs, in pence. */
export interface Failed {
  readonly ref: string
  readonly pence: number
  readonly code?: string
  readonly says?: string
  readonly payer?: string
  readonly collected?: string
}

const pounds = (pence: number): string => (pence / 100).toFixed(2)
const total = (all: ReadonlyArray<Failed>): number => all.reduce((sum, { pence }) => sum + pence, 0)

export const arudd = (
  failed: ReadonlyArray<Failed>,
  { day = "2026-03-04", count = failed.length, sum = total(failed) } = {}
): string =>
  `<?xml version="1.0" encoding="ISO-8859-1"?>
<!-- made up -->
<BACSDocument xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="newbacs-advices.xsd"><Data><ARUDD>
<Header reportType="REFT1019" adviceNumber="002" currentProcessingDate="${day}"></Header>
<AddresseeInformation name="ACME LTD"></AddresseeInformation><ServiceLicenseInformation userName="ACME LTD" userNumber="123456"></ServiceLicenseInformation>
<Advice><OriginatingAccountRecords><OriginatingAccountRecord>
<OriginatingAccount name="ACME LTD" number="12345678" sortCode="11-22-33" type="0" bankName="A BANK" branchName="A BRANCH"></OriginatingAccount>
${failed
  .map(
    ({ code = "1010", collected = "2026-03-02", payer = "ATELIER NORD", pence, ref, says = "REFER TO PAYER" }) =>
      `<ReturnedDebitItem ref="${ref}" transCode="17" returnCode="${code}" returnDescription="${says}" originalProcessingDate="${collected}" valueOf="${pounds(pence)}" currency="GBP"><PayerAccount number="87654321" ref="${ref}" name="${payer}" sortCode="33-22-11" bankName="B" branchName="C"></PayerAccount></ReturnedDebitItem>`
  )
  .join("\n")}
<Totals numberOf="${count}" valueOf="${pounds(sum)}" currency="GBP"></Totals></OriginatingAccountRecord></OriginatingAccountRecords></Advice></ARUDD></Data>
<SignatureMethod></SignatureMethod><Signature></Signature></BACSDocument>
`

/** Claims, each of several collections: the amounts in pence, and the days. */
export const ddica = (
  claims: ReadonlyArray<{ readonly ref: string; readonly of: ReadonlyArray<readonly [day: string, pence: number]> }>,
  { cancelled = false, more = 0 } = {}
): string => {
  const sum = claims.flatMap(({ of }) => of).reduce((all, [, pence]) => all + pence, more)
  const name = cancelled ? "DDICCancellation" : "DDICAdvice"
  const all = claims.map(
    (
      { of, ref },
      n
    ) => `<${name}><SeqNo>${n + 1}</SeqNo><PayingBankReference>PB-${n}</PayingBankReference><SUReference>${ref}</SUReference>
<ReasonCode>5</ReasonCode><ReasonCodeMeaning>No instruction held</ReasonCodeMeaning><PayerSortCode>33-22-11</PayerSortCode><PayerName>CAFE SUD</PayerName><PayerAccount>87654321</PayerAccount>
<TotalAmount>${pounds(of.reduce((all, [, pence]) => all + pence, 0)).replace(/\B(?=(\d{3})+\.)/g, ",")}</TotalAmount><DDCollections>${of
      .map(
        ([day, pence]) =>
          `<DDCollection><DateOfDirectDebit>${day}</DateOfDirectDebit><Amount>${pounds(pence)}</Amount></DDCollection>`
      )
      .join("")}</DDCollections></${name}>`
  )
  const list = cancelled
    ? `<Cancellations><TotalValueOfCancellations>${pounds(sum)}</TotalValueOfCancellations>${all.join("\n")}</Cancellations>`
    : `<NewAdvices><DateOfDebit>2026-06-10</DateOfDebit><TotalValueOfDebits>${pounds(sum)}</TotalValueOfDebits>${all.join("\n")}</NewAdvices>`
  return `<?xml version="1.0" encoding="UTF-8"?><VocaDocument><Data><Document><ServiceUserNumber>123456</ServiceUserNumber>${list}</Document></Data></VocaDocument>`
}

/** What a batch says of its refused debits, which state their amounts. */
const refused = (debits: ReadonlyArray<{ readonly status?: string; readonly amount?: string }>): string => {
  const all = debits.filter(({ status }) => status === "RJCT")
  const sum = all.reduce((cents, { amount = "" }) => cents + Math.round(Number(amount) * 100), 0)
  return all.length === 0
    ? ""
    : `<NbOfTxsPerSts><DtldNbOfTxs>${all.length}</DtldNbOfTxs><DtldSts>RJCT</DtldSts><DtldCtrlSum>${pounds(sum)}</DtldCtrlSum></NbOfTxsPerSts>`
}

/** A bank's answer: of each debit its status, its end-to-end id and its amount. */
export const pain002 = (
  debits: ReadonlyArray<{ readonly status?: string; readonly id: string; readonly amount?: string }>,
  { batch = "PART", message = "pain.008.001.02" } = {}
): string => `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.03"><CstmrPmtStsRpt>
<GrpHdr><MsgId>A-1</MsgId><CreDtTm>2026-03-02T18:00:00</CreDtTm></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>MSG-1</OrgnlMsgId><OrgnlMsgNmId>${message}</OrgnlMsgNmId></OrgnlGrpInfAndSts>
<OrgnlPmtInfAndSts><OrgnlPmtInfId>BATCH-1</OrgnlPmtInfId><PmtInfSts>${batch}</PmtInfSts>${refused(debits)}
${debits
  .map(
    ({
      amount,
      id,
      status
    }) => `<TxInfAndSts><StsId>S-${id}</StsId><OrgnlEndToEndId>${id}</OrgnlEndToEndId>${status === undefined ? "" : `<TxSts>${status}</TxSts>`}
<StsRsnInf><Rsn><Cd>AC04</Cd></Rsn></StsRsnInf><OrgnlTxRef>${amount === undefined ? "" : `<Amt><InstdAmt Ccy="EUR">${amount}</InstdAmt></Amt>`}<ReqdColltnDt>2026-03-05</ReqdColltnDt>
<MndtRltdInf><MndtId>M-1</MndtId></MndtRltdInf><Dbtr><Nm>Atelier Nord</Nm></Dbtr><DbtrAcct><Id><IBAN>FR7630006000011234567890189</IBAN></Id></DbtrAcct>
<CdtrAcct><Id><IBAN>DE02120300000000202051</IBAN></Id></CdtrAcct></OrgnlTxRef></TxInfAndSts>`
  )
  .join("\n")}
</OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>
`
