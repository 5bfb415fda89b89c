/**
 * Lists every connector: its name, which is also its folder's, and its module. A connector is loaded only when a configuration
 * names it, so that unused ones cost no start-up time.
 *
 * To add a connector, write its folder and add its line here; settings, help and documentation follow from that.
 */
import type { Glance } from "./tabular/Glance.ts"
import { type Entry, entryOf, type Helper, type Module } from "./Entry.ts"

const all: Array<Entry> = []

/** Adds a connector. Returns a helper for configurations in TypeScript: `source: files({ invoices: { ... } })`. */
const add = <const Name extends string, M extends Module<Name>>(
  name: Name,
  module: () => Promise<M>
): Helper<Name, M> => {
  all.push(entryOf(name, module, () => import(`./${name}/Sample.ts`)))
  return (settings) => ({ ...settings, connector: name })
}

export const adobecommerce = add("adobecommerce", () => import("./adobecommerce/AdobeCommerce.ts"))
export const adyen = add("adyen", () => import("./adyen/Adyen.ts"))
export const bigcommerce = add("bigcommerce", () => import("./bigcommerce/BigCommerce.ts"))
export const businesscentral = add("businesscentral", () => import("./businesscentral/BusinessCentral.ts"))
export const chargebee = add("chargebee", () => import("./chargebee/Chargebee.ts"))
export const economic = add("economic", () => import("./economic/Economic.ts"))
export const einvoice = add("einvoice", () => import("./einvoice/EInvoice.ts"))
export const exactonline = add("exactonline", () => import("./exactonline/ExactOnline.ts"))
export const files = add("files", () => import("./files/Files.ts"))
export const fortnox = add("fortnox", () => import("./fortnox/Fortnox.ts"))
export const freeagent = add("freeagent", () => import("./freeagent/FreeAgent.ts"))
export const gocardless = add("gocardless", () => import("./gocardless/GoCardless.ts"))
export const ledger = add("ledger", () => import("./ledger/Ledger.ts"))
export const lexware = add("lexware", () => import("./lexware/Lexware.ts"))
export const medusa = add("medusa", () => import("./medusa/Medusa.ts"))
export const mollie = add("mollie", () => import("./mollie/Mollie.ts"))
export const moneybird = add("moneybird", () => import("./moneybird/Moneybird.ts"))
export const netsuite = add("netsuite", () => import("./netsuite/NetSuite.ts"))
export const odoo = add("odoo", () => import("./odoo/Odoo.ts"))
export const odoosales = add("odoosales", () => import("./odoosales/OdooSales.ts"))
export const paypal = add("paypal", () => import("./paypal/PayPal.ts"))
export const pennylane = add("pennylane", () => import("./pennylane/Pennylane.ts"))
export const prestashop = add("prestashop", () => import("./prestashop/PrestaShop.ts"))
export const quickbooks = add("quickbooks", () => import("./quickbooks/QuickBooks.ts"))
export const sage = add("sage", () => import("./sage/Sage.ts"))
export const shopify = add("shopify", () => import("./shopify/Shopify.ts"))
export const shopware = add("shopware", () => import("./shopware/Shopware.ts"))
export const sql = add("sql", () => import("./sql/Sql.ts"))
export const stripe = add("stripe", () => import("./stripe/Stripe.ts"))
export const tryton = add("tryton", () => import("./tryton/Tryton.ts"))
export const vendure = add("vendure", () => import("./vendure/Vendure.ts"))
export const woocommerce = add("woocommerce", () => import("./woocommerce/WooCommerce.ts"))
export const xero = add("xero", () => import("./xero/Xero.ts"))
export const zohobooks = add("zohobooks", () => import("./zohobooks/ZohoBooks.ts"))

export const connectors: ReadonlyArray<Entry> = all

/** Reads the tables of a file before any configuration says how to read them. */
export const glance = async (path: string): Promise<ReadonlyArray<Glance>> =>
  (await import("./files/Glance.ts")).glance(path)

/** Whether a file is in a bank's format, which needs no configuration. */
export const isBank = async (path: string): Promise<boolean> => (await import("./files/Glance.ts")).isBank(path)

/** Why a file that is known is not read, and what to export instead. */
export const unread = async (path: string): Promise<string | undefined> =>
  (await import("./files/Glance.ts")).unread(path)

/** Which connector reads a file that describes itself, by its beginning: an electronic invoice, or a ledger that law prescribes. */
export const describedBy = async (path: string): Promise<"einvoice" | "ledger" | undefined> => {
  if (await (await import("./ledger/Kinds.ts")).isLedger(path)) return "ledger"
  return (await (await import("./einvoice/Kinds.ts")).isInvoice(path)) ? "einvoice" : undefined
}

/** Who issued electronic invoices. */
export const issuersOf = async (paths: ReadonlyArray<string>) =>
  (await import("./einvoice/Issuers.ts")).issuersOf(paths)

/** File name endings of files that describe themselves. */
export const describedEndings = async (): Promise<ReadonlyArray<string>> => [
  ...(await import("./ledger/Kinds.ts")).ENDINGS,
  ...(await import("./einvoice/Kinds.ts")).ENDINGS
]

/** File name endings of the bank formats. */
export const bankEndings = async (): Promise<ReadonlyArray<string>> =>
  (await import("./files/bank/Formats.ts")).BANK_ENDINGS
