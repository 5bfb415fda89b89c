/**
 * Connectors against a server that is made from their vendor's OpenAPI document: `node test/live/documents.ts DOCUMENTS
 * [FOLDER]`. Installs Prism from npm into the folder (a new one unless given), which answers with the document's examples
 * and says which requests the document does not allow; parameters that it does not name are looked for here, and members of
 * the fixtures. Queries in GraphQL are validated against the vendor's schema (`Queries.ts`). `DOCUMENTS` holds files of the vendors' repositories, by the names below; what is not there is passed over.
 */
import { randomBytes } from "node:crypto"
import { existsSync, mkdtempSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { end } from "../support/AtEnd.ts"
import { Effect } from "effect"
import { connectors } from "../../connectors/list.ts"
import { seal } from "../../connectors/OAuth.ts"
import * as Encryption from "../../sync/vault/Encryption.ts"
import * as Vault from "../../sync/vault/Vault.ts"
import { Document, type Exchange, type Known } from "./Document.ts"
import { books, packages } from "./Live.ts"
import { deliveries } from "./Deliveries.ts"
import { GRAPHQL, queries } from "./Queries.ts"

interface Vendor extends Known {
  readonly source: object
  readonly environment: Readonly<Record<string, string>>
  /** Below the source's address. */
  readonly base: string
  /** By the beginning of a path: the document's file, and where it is from. */
  readonly documents: ReadonlyArray<{ readonly at: string; readonly file: string; readonly from: string }>
  /** Whether it is authorised with OAuth 2: it then has a token already. */
  readonly isAuthorised?: boolean
}

interface Schema {
  $ref?: string
  readonly properties?: Readonly<Record<string, Schema>>
}

const ZOHO = "brunyeestudio/brunyee-studio-runrate at 194faf37: openapi-all"
const PRISM = { "@stoplight/prism-cli": "5.16.0" }

const VENDORS: Readonly<Record<string, Vendor>> = {
  mollie: {
    source: { connector: "mollie", key: { env: "KEY" } },
    environment: { KEY: "test_dHar4XY7LxsDOtmnkVtjNVWXLSlXsM" },
    base: "/v2",
    schemas: {
      payments: "components/schemas/entity-payment",
      refunds: "components/schemas/entity-refund",
      chargebacks: "components/schemas/entity-chargeback",
      captures: "components/schemas/entity-capture"
    },
    documents: [{ at: "", file: "mollie.yaml", from: "mollie/openapi: specs.yaml" }]
  },
  chargebee: {
    source: { connector: "chargebee", site: "acme-test", key: { env: "KEY" } },
    environment: { KEY: "test_key" },
    base: "",
    schemas: {
      invoices: "components/schemas/Invoice",
      transactions: "components/schemas/Transaction",
      credit_notes: "components/schemas/CreditNote"
    },
    documents: [
      { at: "/api/v2", file: "chargebee.json", from: "chargebee/openapi: spec/chargebee_api_v2_pc_v2_spec.json" }
    ]
  },
  bigcommerce: {
    source: { connector: "bigcommerce", store: "abc", token: { env: "KEY" } },
    environment: { KEY: "token" },
    base: "",
    schemas: {
      orders: "components/schemas/order_Resp",
      shipments: "components/schemas/orderShipment",
      refunds: "components/schemas/Refund"
    },
    forbids: [["sort=id%3Aasc", "sort=id", "the description of sort has it: add :asc or :desc"]],
    documents: [
      { at: "/stores/abc/v2", file: "bigcommerce-v2.yml", from: "bigcommerce/docs: reference/orders.v2.oas2.yml" },
      { at: "/stores/abc/v3", file: "bigcommerce-v3.yml", from: "bigcommerce/docs: reference/orders.v3.yml" }
    ]
  },
  paypal: {
    source: { connector: "paypal", client_id: { env: "ID" }, client_secret: { env: "KEY" }, since: "2026-11-01" },
    environment: { ID: "id", KEY: "secret" },
    base: "",
    schemas: { transactions: "components/schemas/transaction_info" },
    answers: { "/v1/oauth2/token": { access_token: "A21AA", token_type: "Bearer", expires_in: 32_400 } },
    documents: [
      {
        at: "/v1/reporting",
        file: "paypal-transactions.json",
        from: "paypal/paypal-rest-api-specifications: openapi/reporting_transactions_v1.json"
      },
      {
        at: "/v1/customer",
        file: "paypal-disputes.json",
        from: "paypal/paypal-rest-api-specifications: openapi/customer_disputes_v1.json"
      }
    ]
  },
  adobecommerce: {
    source: { connector: "adobecommerce", token: { env: "KEY" } },
    environment: { KEY: "token" },
    base: "",
    schemas: {
      orders: "definitions/sales-data-order-interface",
      shipments: "definitions/sales-data-shipment-interface",
      creditmemos: "definitions/sales-data-creditmemo-interface"
    },
    documents: [
      {
        at: "/rest",
        file: "adobecommerce.yaml",
        from: "AdobeDocs/commerce-webapi: src/openapi/admin-schema-2.4.8.yaml, with the folder intro beside it"
      }
    ]
  },
  sage: {
    source: { connector: "sage", client_id: { env: "ID" }, client_secret: { env: "SECRET" } },
    environment: { ID: "id", SECRET: "secret" },
    base: "",
    isAuthorised: true,
    schemas: {
      sales_invoices: "definitions/SalesInvoice",
      contact_payments: "definitions/ContactPayment",
      contact_allocations: "definitions/ContactAllocation"
    },
    // In it, records within a record are whole, and so without end; unless asked, Sage shows no more of them than this.
    simplify: ({ definitions }) => {
      const isRecord = (one: Schema) =>
        definitions[one.$ref?.split("/").pop() ?? ""]?.properties?.created_at !== undefined
      for (const { properties = {} } of Object.values<Schema>(definitions))
        for (const one of Object.values(properties)) if (isRecord(one)) one.$ref = "#/definitions/Base"
    },
    // It describes lists as arrays. Sage's page of pagination has these members, and its clients read them.
    around: (body) => (Array.isArray(body) ? { $total: body.length, $next: null, $items: body } : body),
    documents: [{ at: "/v3.1", file: "sage.json", from: "nook-io/python-sage: openapi.json, Sage's own document" }]
  },
  xero: {
    source: {
      connector: "xero",
      tenant: "45e4708e-d862-4111-ab3a-dd8cd03913e1",
      client_id: { env: "ID" },
      client_secret: { env: "SECRET" }
    },
    environment: { ID: "id", SECRET: "secret" },
    base: "/api.xro/2.0",
    isAuthorised: true,
    schemas: {
      Invoices: "components/schemas/Invoice",
      Payments: "components/schemas/Payment",
      CreditNotes: "components/schemas/CreditNote",
      Overpayments: "components/schemas/Overpayment",
      Prepayments: "components/schemas/Prepayment"
    },
    besides: {
      DateString: "answers of Xero write days twice, as public programs have recorded them",
      DueDateString: "answers of Xero write days twice, as public programs have recorded them"
    },
    documents: [{ at: "/api.xro/2.0", file: "xero.yaml", from: "XeroAPI/Xero-OpenAPI: xero_accounting.yaml" }]
  },
  medusa: {
    source: { connector: "medusa", key: { env: "KEY" } },
    environment: { KEY: "sk_test" },
    base: "",
    schemas: { orders: "components/schemas/AdminOrder" },
    besides: Object.fromEntries(
      ["canceled_at", "credit_lines", "is_draft_order", "items", "labels", "returns", "status"]
        .concat(["current_order_total", "original_order_total", "return_dismissed_total", "return_received_total"])
        .map((name) => [name, "answers of a real Medusa have it (medusa.ts), and its types of an order"])
    ),
    // It has the token in a header of its own; a real Medusa takes it as the user of basic authentication, as its pages say.
    simplify: ({ components: { securitySchemes } }) => {
      Object.assign(securitySchemes, { api_token: { type: "http", scheme: "basic" } })
    },
    documents: [
      {
        at: "",
        file: "medusa.yaml",
        from: "medusajs/medusa: www/apps/api-reference/specs/admin/openapi.full.yaml"
      }
    ]
  },
  moneybird: {
    source: { connector: "moneybird", administration: "123", token: { env: "KEY" } },
    environment: { KEY: "token" },
    base: "/123",
    schemas: { sales_invoices: "components/schemas/sales_invoice_response" },
    documents: [{ at: "", file: "moneybird.json", from: "moneybird/openapi: openapi.json" }]
  },
  economic: {
    source: {
      connector: "economic",
      app_secret: { env: "SECRET" },
      agreement_grant: { env: "GRANT" },
      currency: "DKK"
    },
    environment: { SECRET: "secret", GRANT: "grant" },
    base: "",
    schemas: {
      entries: "components/schemas/BookedEntry",
      pairs: "components/schemas/MatchedBookedEntriesPair",
      customers: "components/schemas/Customer"
    },
    besides: { id: "the sample's own: its server leaves it out" },
    documents: [
      {
        at: "/bookedEntriesapi/v4.0.0",
        file: "economic-entries.json",
        from: "Pogoe/EConomic.NET: specs/openapi/openapi-BookedEntries.json, e-conomic's own document"
      },
      {
        at: "/customersapi/v3.1.0",
        file: "economic-customers.json",
        from: "Pogoe/EConomic.NET: specs/openapi/openapi-Customers.json, e-conomic's own document"
      }
    ]
  },
  zohobooks: {
    source: {
      connector: "zohobooks",
      organization: "10234695",
      client_id: { env: "ID" },
      client_secret: { env: "SECRET" }
    },
    environment: { ID: "id", SECRET: "secret" },
    base: "",
    isAuthorised: true,
    schemas: {
      invoices: "components/schemas/list-invoices-response/properties/invoices/items",
      payments: "components/schemas/list-invoice-payments-response/properties/payments/items"
    },
    // Prism knows OAuth 2 by `Bearer` only. The example of an invoice is a draft, of which nothing is asked.
    simplify: ({ components: { schemas, securitySchemes } }) => {
      Object.assign(securitySchemes, { Zoho_Auth: { type: "apiKey", in: "header", name: "Authorization" } })
      if (schemas.balance === undefined) return
      Object.assign(schemas, { status: { type: "string", example: "paid" } })
      for (const [name, example] of Object.entries({ total: 40.6, balance: 0 }))
        Object.assign(schemas, { [name]: { type: "number", example } })
    },
    // So it is in answers of Zoho itself that public programs have recorded, where amounts are numbers.
    around: ({ page_context, ...body }) => ({
      ...body,
      page_context: [page_context].flat()[0],
      customerpayments: body.customer_payments
    }),
    documents: [
      { at: "/invoices", file: "zohobooks-invoices.yml", from: `${ZOHO}/invoices.yml` },
      { at: "/customerpayments", file: "zohobooks-payments.yml", from: `${ZOHO}/customer-payments.yml` }
    ]
  }
}

const [documents, folder = mkdtempSync(join(tmpdir(), "daybook-prism-"))] = process.argv
  .slice(2)
  .map((one) => resolve(one))
if (documents === undefined) throw new Error("name the folder with the vendors' documents")
packages(folder, { ...PRISM, ...GRAPHQL })

const SEAL = randomBytes(32).toString("base64")

/** Puts a token for the connection into the vault. */
const authorise = (folder: string, connector: string): Promise<void> => {
  const file = join(folder, "daybook.db.vault")
  const vault = Vault.make({ file, key: Encryption.key(SEAL, "DAYBOOK_SEAL"), name: "shop", connector })
  return Effect.runPromise(vault.put(seal({ access: "access", refresh: "refresh", expires: Date.now() + 3_600_000 })))
}

const listsOf = async (name: string) => {
  const { subject } = await connectors.find((one) => one.name === name)!.sample()
  return subject.open().source!.lists
}

/** One vendor: what was asked, what the documents say against it, and what became of the examples. */
const read = async (name: string, vendor: Vendor): Promise<ReadonlyArray<Exchange>> => {
  const missing = vendor.documents.filter(({ file }) => !existsSync(join(documents, file)))
  if (missing.length > 0) {
    console.log(`${name}: passed over, ${missing.map(({ file, from }) => `${file} (${from})`).join(", ")} is not there`)
    return []
  }
  const server = await Document.open(
    folder,
    vendor.documents.map(({ at, file }) => ({ begins: at, path: join(documents, file) })),
    vendor
  )
  try {
    const environment = { ...vendor.environment, DAYBOOK_SEAL: SEAL }
    const { folder: here, run } = await books({ ...vendor.source, url: `${server.url}${vendor.base}` }, environment)
    if (vendor.isAuthorised === true) await authorise(here, name)
    const { status, stderr, stdout } = await run("pull")
    console.log(`${name}: ${status}\n${(stdout + stderr).replaceAll(/^/gm, "  ")}`)
    for (const { asked, says } of server.exchanges)
      console.log(`  ${asked}${says.length === 0 ? "" : `: ${says.join("; ")}`}`)
    const fixtures = vendor.schemas === undefined ? [] : server.against(await listsOf(name))
    for (const { asked, says } of fixtures) console.log(`  ${asked}: ${says.join("; ")}`)
    return [...server.exchanges.filter(({ says }) => says.length > 0), ...fixtures]
  } finally {
    await server.close()
  }
}

try {
  const wrong: Array<Exchange> = []
  const webhooks = join(documents, "adyen-webhooks.json")
  if (existsSync(webhooks)) wrong.push(...deliveries(readFileSync(webhooks, "utf8")))
  else console.log("adyen: passed over, adyen-webhooks.json (Adyen/adyen-openapi: json/Webhooks-v1.json) is not there")
  wrong.push(...(await queries(documents, folder)))
  for (const [name, vendor] of Object.entries(VENDORS)) wrong.push(...(await read(name, vendor)))
  console.log(
    wrong.length === 0 ? "the documents allow every request" : `${wrong.length} requests are not as the documents say`
  )
  process.exitCode = wrong.length === 0 ? 0 : 1
} finally {
  await end()
}
