/** What was found about payments, and brings it back. */
import { change, type Finding, finding } from "./Mistake.ts"

const JOIN = "sync/movements/Join.ts"
const LIMITS = "sync/movements/Limits.ts"

/** Payments of two lists are never the same money. */
const APART = [
  change(JOIN, "  if (a.list === b.list) return undefined\n", '  if (a.list !== "") return undefined\n'),
  change(LIMITS, "  if (lists.size < 2) return", "  if (lists.size < 99) return"),
  change(
    LIMITS,
    "const lists = listsOf(a)\n  if ([...listsOf(b)]",
    "const lists = listsOf(a)\n  if (lists.size < 99 || [...listsOf(b)]"
  ),
  change(LIMITS, "    (isPart || isLess) &&\n", "    (isPart || isLess) && lists.size > 99 &&\n")
]

const SAME = "sync/books/SameEntries.ts"

export const OF_MONEY: ReadonlyArray<Finding> = [
  finding(
    "engine 01 and 19, reality R1",
    "a payment that books and bank have counts twice",
    APART,
    "payments true, word"
  ),
  finding("apis 2", "a debit that Xero has as well counts twice", APART, "program xero", ["debit booked"]),
  finding(
    "engine 02",
    "an entry without a reference is another one in an overlapping statement",
    [
      change(
        SAME,
        "    if (contradicts(entry, one)) return 0\n",
        "    if (contradicts(entry, one) || (own(entry) === undefined && one.scan !== scan)) return 0\n"
      )
    ],
    "files overlapping"
  ),
  finding(
    "engine 03",
    "an invoice that leaves one file, and that another has, is deleted",
    [change("sync/books/Versions.ts", "unread.filter((row) => !this.statedElsewhere(row))", "unread")],
    "rolling true"
  ),
  finding(
    "engine 06, reality R3 and F12",
    "digits that are another customer's invoice number take the payment",
    [
      change(
        "sync/matching/ByText.ts",
        'relationTo(db, theirs, invoice) === "foreign"\n  const foreign',
        "invoice === undefined\n  const foreign"
      )
    ],
    "bank (",
    ["another customer's number in the text"]
  ),
  finding(
    "engine 23",
    "a credit note lowers nothing",
    [change("sync/rules/InvoiceFields.ts", "credited > total ? 0n : total - credited", "total")],
    "",
    ["credit note"]
  ),
  finding(
    "apis 1",
    "a debit that failed stays received where the books say so",
    [
      change("sync/rules/SourceFigures.ts", "  return least > 0n ? least : 0n\n", "  return 0n * least\n"),
      change(
        "sync/rules/Settled.ts",
        'Decimal.sum(reversals.flatMap(({ amount, document }) => (document.type === "refund" ? [] : [amount])))',
        "0n * BigInt(reversals.length)"
      )
    ],
    "processor (",
    ["debit fails late"]
  ),
  finding(
    "apis 1, stripe-chargeback",
    "a dispute takes no money",
    [
      change(
        "connectors/stripe/Mapping.ts",
        "const NO_CHARGEBACK = /^(warning_.*|prevented|charge_refunded)$/",
        "const NO_CHARGEBACK = /^.*$/"
      )
    ],
    "program stripe"
  ),
  finding(
    "apis 8",
    "what was paid outside of Stripe is no payment",
    [
      change("connectors/stripe/Mapping.ts", "  if (all <= listed) return none", "  if (all >= 0n) return none"),
      change(
        "connectors/stripe/Mapping.ts",
        '  for (const payment of paid(whole, "payments")) {\n',
        '  for (const payment of paid(whole, "payments").filter((one) => one.get("payment.payment_record") === undefined)) {\n'
      )
    ],
    "program stripe"
  ),
  finding(
    "reality R4, F12",
    "what is for no invoice differs for ever",
    [
      change(
        "sync/reconciliation/PaymentStatement.ts",
        "m.currency = ? AND m.matched <> m.amount",
        "m.currency = ? AND (m.matched <> m.amount OR m.how = 'none')"
      )
    ],
    "bank (",
    ["money of nobody's"]
  ),
  finding(
    "reality R15",
    "a link goes to the invoice with that id, whatever has that number",
    [change("sync/matching/Lookups.ts", "return row.number === number ? []", 'return number !== "" ? []')],
    "ids colliding"
  ),
  finding("reality R2", "a debit that another list has as well counts twice", APART, "api gocardless, linked true", [
    "debit booked when charged"
  ])
]
