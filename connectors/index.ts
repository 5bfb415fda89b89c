/**
 * Every connector there is. To add one, write its folder and add its name to this list; settings, help and
 * documentation follow.
 */
import { type Connector as AnyConnector, source } from "./Connector.ts"
import * as Files from "./files/Files.ts"
import * as GoCardless from "./gocardless/GoCardless.ts"
import * as QuickBooks from "./quickbooks/QuickBooks.ts"
import * as Shopify from "./shopify/Shopify.ts"
import * as Sql from "./sql/Sql.ts"
import * as Stripe from "./stripe/Stripe.ts"
import type { Subject } from "./testing/Subject.ts"
import * as Tryton from "./tryton/Tryton.ts"
import * as WooCommerce from "./woocommerce/WooCommerce.ts"
import * as Xero from "./xero/Xero.ts"

export const connectors: ReadonlyArray<AnyConnector> = [
  Files.files,
  GoCardless.gocardless,
  QuickBooks.quickbooks,
  Shopify.shopify,
  Sql.sql,
  Stripe.stripe,
  Tryton.tryton,
  WooCommerce.woocommerce,
  Xero.xero
]

/** What the conformance kit tries each of them on; read only when it is asked for. */
export const samples: Readonly<Record<string, () => Promise<{ readonly subject: Subject }>>> = {
  files: () => import("./files/Sample.ts"),
  gocardless: () => import("./gocardless/Sample.ts"),
  quickbooks: () => import("./quickbooks/Sample.ts"),
  shopify: () => import("./shopify/Sample.ts"),
  sql: () => import("./sql/Sample.ts"),
  stripe: () => import("./stripe/Sample.ts"),
  tryton: () => import("./tryton/Sample.ts"),
  woocommerce: () => import("./woocommerce/Sample.ts"),
  xero: () => import("./xero/Sample.ts")
}

/** For configurations in TypeScript, each under its own name: `source: files({ invoices: { ... } })`. */
export const files = source(Files.files)
export const gocardless = source(GoCardless.gocardless)
export const quickbooks = source(QuickBooks.quickbooks)
export const shopify = source(Shopify.shopify)
export const sql = source(Sql.sql)
export const stripe = source(Stripe.stripe)
export const tryton = source(Tryton.tryton)
export const woocommerce = source(WooCommerce.woocommerce)
export const xero = source(Xero.xero)

export * as Connector from "./Connector.ts"
export * as Document from "./Document.ts"
export * as Http from "./Http.ts"
export * as Json from "./Json.ts"
export * as OAuth from "./OAuth.ts"
