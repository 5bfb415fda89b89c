/** Exports of shops and payment processors. */
import type { Proposal } from "../Tables.ts"
import type { Preset } from "./Preset.ts"

/** Movements of Stripe's balance that no buyer makes: payouts, fees, reserves, transfers between accounts. */
const STRIPE_OWN = (
  "payout payout_failure payout_cancel payout_reversal stripe_fee stripe_fx_fee fee tax_fee network_cost application_fee " +
  "application_fee_refund transfer transfer_refund transfer_cancel transfer_failure topup topup_reversal contribution " +
  "reserve_transaction reserved_funds risk_reserved_funds platform_earning platform_earning_refund connect_collection_transfer " +
  "advance advance_funding anticipation_repayment other_adjustment minimum_balance climate_order_purchase"
).split(" ")

const STRIPE = {
  id: "id",
  invoice: "invoice (metadata)",
  date: "Created (UTC)",
  amount: "Amount",
  currency: "Currency",
  reference: "Description"
}

const STRIPE_ITEMS = {
  id: "balance_transaction_id",
  invoice: "invoice_number",
  date: "created_utc",
  amount: "gross",
  currency: "currency",
  customer: "customer_name",
  reference: "description"
}

/** Words of WooCommerce: an order that is processed was paid and not shipped yet; one on hold waits for its payment. */
const WOOCOMMERCE = {
  states: {
    processing: "paid",
    completed: "paid",
    "on-hold": "open",
    "on hold": "open",
    pending: "open",
    "pending payment": "open",
    failed: "void",
    cancelled: "void",
    refunded: "paid",
    trash: "void",
    "checkout-draft": "draft",
    draft: "draft",
    "wc-processing": "paid",
    "wc-completed": "paid",
    "wc-on-hold": "open",
    "wc-pending": "open",
    "wc-failed": "void",
    "wc-cancelled": "void",
    "wc-refunded": "paid"
  }
}

/** A row for each charge, with what went back of it in a column. */
const CHARGES: Proposal = {
  stream: "payments",
  columns: {
    id: "id",
    date: { first: ["created", "Created date (UTC)", "Created (UTC)"] },
    amount: "amount",
    currency: "currency",
    refunded: "amount_refunded",
    status: "status",
    invoice: "invoice_number",
    reference: "description",
    customer: "customer_email"
  }
}

export const sales: ReadonlyArray<Preset> = [
  {
    name: "shopify-orders",
    title: "Shopify, orders with a row for each line",
    needs: ["Name", "Financial Status", "Created at", "Total", "Taxes", "Lineitem name", "Billing Name"],
    streams: [
      {
        stream: "invoices",
        lines: "same",
        columns: {
          id: "Name",
          customer: { first: ["Billing Company", "Billing Name"] },
          customer_country: "Billing Country",
          issued: "Created at",
          due: "Next Payment Due At",
          net: { plus: "Total", minus: "Taxes" },
          gross: "Total",
          currency: "Currency",
          status: "Financial Status",
          balance: "Outstanding Balance"
        }
      }
    ]
  },
  {
    name: "woocommerce-orders",
    title: "WooCommerce, orders (Advanced Order Export)",
    needs: ["Order Number", "Order Status", "Order Date", "Company (Billing)", "Order Total Amount"],
    streams: [
      {
        stream: "invoices",
        lines: "same",
        ...WOOCOMMERCE,
        columns: {
          id: "Order Number",
          customer: ["Company (Billing)", "First Name (Billing)", "Last Name (Billing)"],
          customer_country: "Country Code (Billing)",
          issued: "Order Date",
          net: { plus: "Order Total Amount", minus: "Order Total Tax Amount" },
          gross: "Order Total Amount",
          currency: "Currency",
          status: "Order Status"
        }
      }
    ]
  },
  {
    name: "woocommerce-export",
    title: "WooCommerce, orders (Order Export, Import Export Suite)",
    needs: ["order_number", "order_date", "status", "order_total", "order_currency", "billing_first_name"],
    streams: [
      {
        stream: "invoices",
        lines: "same",
        ...WOOCOMMERCE,
        columns: {
          id: "order_number",
          customer: ["billing_company", "billing_first_name", "billing_last_name"],
          customer_id: "customer_id",
          customer_country: "billing_country",
          issued: "order_date",
          net: { plus: "order_total", minus: "tax_total" },
          gross: "order_total",
          currency: "order_currency",
          status: "status"
        }
      }
    ]
  },
  // "id,Type,Source,Amount,Fee,Destination Platform Fee,Destination Platform Fee Currency,Net,Currency,Created (UTC),…", as
  // public importers of Stripe's "All transactions" have it.
  {
    name: "stripe-balance",
    title: "Stripe, balance history",
    needs: ["id", "Type", "Source", "Amount", "Fee", "Net", "Currency", "Created (UTC)"],
    streams: [
      {
        // A dispute that was won, and a refund that failed, bring the money back.
        stream: "payments",
        where: [
          { Type: ["charge", "payment", "refund_failure", "payment_refund_failure"] },
          { Type: "adjustment", Amount: { sign: "positive" } }
        ],
        leave_out: { Type: STRIPE_OWN },
        columns: STRIPE
      },
      {
        stream: "payments",
        where: {
          Type: ["refund", "payment_refund", "adjustment", "payment_failure_refund", "payment_reversal"],
          Amount: { sign: "negative" }
        },
        columns: { ...STRIPE, type: "Type", details: "Description" },
        types: {
          refund: "refund",
          payment_refund: "refund",
          payment_failure_refund: "error",
          payment_reversal: "error",
          adjustment: "chargeback"
        }
      }
    ]
  },
  {
    name: "stripe-payouts",
    title: "Stripe, itemised reconciliation of payouts or of the balance",
    needs: ["balance_transaction_id", "gross", "fee", "net", "reporting_category", "currency"],
    streams: [
      {
        stream: "payments",
        where: { reporting_category: ["charge", "dispute_reversal", "refund_failure", "partial_capture_reversal"] },
        leave_out: { reporting_category: STRIPE_OWN },
        columns: STRIPE_ITEMS
      },
      {
        stream: "payments",
        where: { reporting_category: ["refund", "dispute", "charge_failure"] },
        columns: { ...STRIPE_ITEMS, type: "reporting_category", details: "description" },
        types: { refund: "refund", dispute: "chargeback", charge_failure: "error" }
      }
    ]
  },
  // Stripe's own export of payments: the headings that public importers of it read, the older ones and those of 2024.
  {
    name: "stripe-charges",
    title: "Stripe, payments",
    needs: ["id", "amount", "amount_refunded", "currency", "fee", "status", "captured", "customer_id"],
    streams: [CHARGES]
  },
  {
    name: "gocardless-payouts",
    title: "GoCardless, events of payouts",
    needs: ["id", "created_at", "resource_type", "action", "payments.amount", "payments.reference"],
    streams: [
      {
        stream: "payments",
        where: { resource_type: "payments", action: ["paid_out", "paid"] },
        columns: {
          id: "id",
          date: "created_at",
          amount: "payments.amount",
          currency: "payments.currency",
          reference: ["payments.reference", "payments.description"],
          customer: "customers.company_name",
          customer_id: "customers.id"
        }
      },
      {
        stream: "payments",
        where: { resource_type: "payments", action: ["failed", "charged_back", "late_failure_settled"] },
        columns: {
          id: "id",
          date: "created_at",
          amount: {
            plus: "payments.amount",
            negative: { action: ["failed", "charged_back", "late_failure_settled"] }
          },
          currency: "payments.currency",
          type: "action",
          reference: ["payments.reference", "payments.description"],
          customer: "customers.company_name",
          customer_id: "customers.id",
          provider_code: "details.reason_code",
          details: "details.description"
        },
        types: { failed: "error", charged_back: "chargeback", late_failure_settled: "error" }
      }
    ]
  }
]
