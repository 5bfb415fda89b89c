/** What processors collected and paid out, as their lists of payouts have it. */
import { csv, paid, PAYMENT_SUMS } from "../Exports.ts"
import type { Layout } from "./Movements.ts"
import { money } from "./Processors.ts"

/** One of the payments went back. */
const WITH_REFUND = { ...PAYMENT_SUMS, reversal: [1, "78.30"] } as const

export const payouts: ReadonlyArray<Layout> = [
  money(
    "Shopify Payments, transactions of payouts, of which one is still to be paid out",
    "public importers' tests",
    "payment_transactions_export.csv",
    `Transaction Date,Type,Order,Card Brand,Card Source,Payout Status,Payout Date,Payout ID,Available On,Amount,Fee,Net,Checkout,Payment Method Name,Presentment Amount,Presentment Currency,Currency\r\n${csv(
      [
        ...paid.map(([, invoice, on, amount], n) => ["charge", invoice, on, amount, n === 0 ? "pending" : "paid"]),
        ["refund", "INV-2005", "2026-03-09", "-78.30", "pending"],
        ["payout", "", "2026-03-10", "-14000.00", "paid"]
      ].map(([type = "", order = "", on = "", amount = "", status = ""]) => [
        `${on} 10:12:31 +0100`,
        type,
        order,
        "visa",
        "online",
        status,
        on,
        "123456789",
        on,
        amount,
        "0.00",
        amount,
        "",
        "card",
        amount,
        "EUR",
        "EUR"
      ])
    )}`,
    WITH_REFUND
  ),
  money(
    "Adyen, settlement details",
    "public importers' tests",
    "settlement_detail_report.csv",
    `Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Creation Date,TimeZone,Type,Modification Reference,Gross Currency,Gross Debit (GC),Gross Credit (GC),Exchange Rate,Net Currency,Net Debit (NC),Net Credit (NC),Commission (NC),Markup (NC),Scheme Fees (NC),Interchange (NC),Batch Number\r\n${csv(
      [
        ...paid.map(([id, invoice, on, amount]) => [id, invoice, on, "Settled", "", amount]),
        ["PAY-3", "INV-2005", "2026-03-09", "RefundedInInstallments", "78.30", ""],
        ["PAY-3", "INV-2005", "2026-03-09", "PaymentCost", "0.10", ""],
        ["", "", "2026-03-10", "MerchantPayout", "", ""]
      ].map(([id = "", invoice = "", on = "", type = "", debit = "", credit = ""]) => [
        "Acme",
        "AcmeShop",
        id,
        invoice,
        "visa",
        `${on} 09:00:00`,
        "UTC",
        type,
        "",
        "EUR",
        debit,
        credit,
        "1",
        "EUR",
        debit,
        credit,
        "",
        "",
        "",
        "",
        "12"
      ])
    )}`,
    WITH_REFUND
  )
]
