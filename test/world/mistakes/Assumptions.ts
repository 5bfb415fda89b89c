/** What a program might assume of the world, and is not so. */
import type { Mistake } from "./Mistake.ts"

const PROGRAMS = ["xero", "stripe", "quickbooks", "odoo"]
const PROCESSORS = ["gocardless", "paypal"]

/** A connector is read in lives with its vendor only. */
const one = (name: string, file: string, from: string, to: string): Mistake => {
  const [, connector = ""] = /^connectors\/(\w+)/.exec(file) ?? []
  const what = PROGRAMS.includes(connector) ? "program " : PROCESSORS.includes(connector) ? "api " : ""
  return { name, changes: [{ file, from, to }], where: `${what}${connector}` }
}

export const ASSUMPTIONS: ReadonlyArray<Mistake> = [
  one(
    "paid in part means settled",
    "sync/rules/Settled.ts",
    "const settled = balance <= 0n ||",
    "const settled = balance < due ||"
  ),
  one(
    "a debit that was submitted was received",
    "connectors/gocardless/Mapping.ts",
    'const CONFIRMED = ["confirmed"',
    'const CONFIRMED = ["submitted", "confirmed"'
  ),
  one(
    "a status implies a delivery",
    "connectors/woocommerce/WooCommerce.ts",
    'settings.shipped ?? ["completed"]',
    '["completed", "processing"]'
  ),
  one(
    "zero means absent",
    "sync/rules/Settled.ts",
    "const settled = balance <= 0n ||",
    "const settled = balance < 0n ||"
  ),
  one(
    "what is shipped in part left whole",
    "connectors/bigcommerce/Mapping.ts",
    'const LEFT = ["2", "10"]',
    'const LEFT = ["2", "3", "10"]'
  ),
  one("a due date is the day of issue", "sync/rules/InvoiceFields.ts", "due_date: lastDay", "due_date: invoice.issued"),
  one(
    "a payment that was deleted in Xero stays",
    "connectors/xero/Mapping.ts",
    'const ENDED = ["DELETED", "VOIDED", ',
    'const ENDED = ["VOIDED", '
  ),
  one(
    "what QuickBooks has not applied is for the invoice",
    "connectors/quickbooks/Mapping.ts",
    'const amount = line.major("Amount", currency)',
    'const amount = fields.major("TotalAmt", currency)'
  ),
  one(
    "what is pending at PayPal was received",
    "connectors/paypal/Mapping.ts",
    'meaning === undefined || status === "P"',
    "meaning === undefined"
  ),
  one(
    "what Odoo calls a credit note is money",
    "connectors/odoo/Mapping.ts",
    'const isMoney = isEntered || (type === "entry" && BANKS.includes(journal))',
    'const isMoney = isEntered || type !== ""'
  ),
  {
    name: "what a shop's plugin sends is never lost",
    changes: [
      {
        file: "sync/rules/OrderWatch.ts",
        from: "return all.filter(({ amount }) => amount > 0n)",
        to: "return all.slice(99)"
      }
    ],
    where: "plugin true",
    needs: ["the plugin loses a call"]
  }
]
