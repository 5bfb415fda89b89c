/** Exports of shops and payment processors. */
import type { Preset } from "./Preset.ts"

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
          customer: "Billing Name",
          customer_country: "Billing Country",
          issued: "Created at",
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
        stream: "payments",
        where: { Type: ["charge", "payment", "refund", "payment_refund", "adjustment", "payment_failure_refund"] },
        columns: {
          id: "id",
          invoice: "invoice (metadata)",
          date: "Created (UTC)",
          amount: "Amount",
          currency: "Currency",
          type: "Type",
          details: "Description",
          reference: "Description"
        },
        types: {
          charge: "settlement",
          payment: "settlement",
          refund: "refund",
          payment_refund: "refund",
          payment_failure_refund: "error",
          adjustment: "chargeback"
        }
      }
    ]
  },
  {
    name: "stripe-payouts",
    title: "Stripe, itemised payout reconciliation",
    needs: ["automatic_payout_id", "balance_transaction_id", "gross", "fee", "net", "reporting_category", "currency"],
    streams: [
      {
        stream: "payments",
        where: { reporting_category: ["charge", "refund", "dispute", "dispute_reversal", "charge_failure"] },
        columns: {
          id: "balance_transaction_id",
          invoice: "invoice_number",
          date: "created_utc",
          amount: "gross",
          currency: "currency",
          type: "reporting_category",
          customer: "customer_name",
          details: "description",
          reference: "description"
        },
        types: {
          charge: "settlement",
          refund: "refund",
          dispute: "chargeback",
          dispute_reversal: "settlement",
          charge_failure: "error"
        }
      }
    ]
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
