/**
 * Lists of what a processor collected and paid out. Headings as in tests of public importers; the types of Shopify's list are those of
 * its admin interface (ShopifyPaymentsTransactionType), Adyen's those of its settlement details report.
 */
import type { Preset } from "./Preset.ts"

const SHOPIFY = {
  id: { content: ["Transaction Date", "Type", "Order", "Amount"] },
  date: "Transaction Date",
  amount: "Amount",
  currency: "Currency",
  reference: "Order"
}

/** What it sends to the bank, keeps, and takes for itself. */
const SHOPIFY_OWN = [
  "payout",
  "payout_failure",
  "payout_cancellation",
  "reserve",
  "reserved_funds",
  "transfer",
  "advance"
]

const ADYEN = {
  id: { content: ["Type", "Psp Reference", "Modification Reference", "Gross Debit (GC)", "Gross Credit (GC)"] },
  date: "Creation Date",
  amount: { credit: "Gross Credit (GC)", debit: "Gross Debit (GC)" },
  currency: "Gross Currency",
  reference: "Merchant Reference"
}

const ADYEN_OWN = [
  "Fee",
  "MiscCosts",
  "PaymentCost",
  "AuthorisationSchemeFee",
  "ManualCorrected",
  "MatchedStatement",
  "AdvancementCommissioned",
  "BankInstructionReturned",
  "PaidOut",
  "PaidOutReversed",
  "MerchantPayout",
  "MerchantPayin",
  "Balancetransfer",
  "InvoiceDeduction",
  "DepositCorrection",
  "ReserveAdjustment"
]

export const processors: ReadonlyArray<Preset> = [
  {
    // "Payout Status" says where the payout is, not the payment: that is the buyer's, whatever becomes of the payout.
    name: "shopify-payments",
    title: "Shopify Payments, transactions of payouts",
    needs: ["Transaction Date", "Type", "Order", "Payout Status", "Payout Date", "Amount", "Fee", "Net"],
    streams: [
      { stream: "payments", where: { Type: "charge" }, leave_out: { Type: SHOPIFY_OWN }, columns: SHOPIFY },
      {
        stream: "payments",
        where: { Type: ["refund", "chargeback", "dispute"], Amount: { sign: "negative" } },
        columns: { ...SHOPIFY, type: "Type" },
        types: { refund: "refund", chargeback: "chargeback", dispute: "chargeback" }
      }
    ]
  },
  {
    name: "adyen-settlement",
    title: "Adyen, settlement details",
    needs: ["Psp Reference", "Merchant Reference", "Creation Date", "Type", "Gross Debit (GC)", "Gross Credit (GC)"],
    streams: [
      {
        stream: "payments",
        where: {
          Type: [
            "Settled",
            "SettledInInstallments",
            "RefundedReversed",
            "ChargebackReversed",
            "SecondChargebackReversed"
          ]
        },
        leave_out: { Type: ADYEN_OWN },
        columns: ADYEN
      },
      {
        stream: "payments",
        where: { Type: ["Refunded", "RefundedInInstallments", "Chargeback", "SecondChargeback", "SettledReversed"] },
        columns: { ...ADYEN, type: "Type" },
        types: {
          Refunded: "refund",
          RefundedInInstallments: "refund",
          Chargeback: "chargeback",
          SecondChargeback: "chargeback",
          SettledReversed: "error"
        }
      }
    ]
  }
]
