/** Names files that are met beside bank statements and are not read, with the reason and what to export instead. */

const SWEDEN = "ask the bank for camt.054 or camt.053"
const FINLAND = "ask the bank for camt.054 (reference payments) or camt.053 (statements)"
const STATEMENT = "export the bank's statements as camt.053, MT940 or OFX, or a list as CSV"

const UNREAD: ReadonlyArray<readonly [sign: RegExp, why: string, advice: string]> = [
  [
    /^01BGMAX/,
    "it is BgMax, which banks stopped on 27 November 2026; since 8 September 2026 it lacks payments without saying so",
    SWEDEN
  ],
  [
    /^NY0000[18]0/,
    "it is OCR giro, which does not say who paid, and which camt.054 replaced",
    "ask the bank for camt.054"
  ],
  [/^T00322100/, "it is a Finnish TITO statement, which camt replaced", FINLAND],
  [/^0\d{16}[^\r\n]{73}\r?\n[0-9]/, "it is a Finnish list of reference payments (KTL), which camt replaced", FINLAND],
  [
    /^!(?:Type:|Account|Option:|Clear:)/,
    "it is QIF, which names no account, has no ids, and leaves open whether day or month comes first",
    STATEMENT
  ],
  [
    /^!(?:TRNS|HDR|ACCNT|CUST|SPL|INVITEM|VEND|TIMERHDR)\t/,
    "it is IIF (QuickBooks Desktop), whose entries name no invoice that they pay",
    "export its reports of invoices and of payments received as CSV"
  ],
  [
    /^\s*#FLAGGA\s|^<\?xml[^>]*>\s*<(?:\w+:)?Sie(?:Entry)?[\s>]/,
    "it is SIE, which has sums of ledger accounts and seldom a customer, an invoice number or a due date",
    "export the lists of invoices and payments of the program as CSV or Excel"
  ],
  [
    /<(?:[\w.-]+:)?JPK[\s>]/,
    "it is JPK (Poland), which has neither due dates nor payments",
    "take the invoices themselves (KSeF's XML), and the bank's statements"
  ],
  [
    /<(?:[\w.-]+:)?AuditFile[\s>](?![\s\S]*StandardAuditFile-Tax:PT_)/,
    "it is a SAF-T of another country than Portugal, of which most have no payments by invoice",
    "export the lists of invoices and payments as CSV or Excel"
  ],
  [
    /<(?:[\w.-]+:)?Cstmr(?:DrctDbt|CdtTrf)Initn[\s>]/,
    "it is what was ordered at the bank (pain.008, pain.001), not what the bank did",
    "take its statements (camt.053)"
  ],
  [/^0{5}\d{6}\d{3}05.{111}[013-9]/, "it is CODA, but not of version 2", "ask the bank for version 2"],
  [
    /^3[14]\d{2}.{236}/,
    "it is CFONB 240, which lists transfers without the account's balance",
    "ask the bank for CFONB 120 or camt.053"
  ]
]

/** File name extensions of those, beside the ones of bank files. */
export const UNREAD_ENDINGS = [
  ".qif",
  ".iif",
  ".se",
  ".si",
  ".sie",
  ".bgm",
  ".bgmax",
  ".ktl",
  ".tito",
  ".nda",
  ".ocr",
  ".dat"
]

/** Why a file with this beginning is not read, and what to do; undefined if it is none of those that are known. */
export const unreadAs = (head: string): readonly [why: string, advice: string] | undefined => {
  const [, why, advice] = UNREAD.find(([sign]) => sign.test(head)) ?? []
  return why === undefined || advice === undefined ? undefined : [why, advice]
}
