/**
 * Connectors against a server that is made from their vendor's OpenAPI document: `node test/live/documents.ts DOCUMENTS
 * [FOLDER]`. Installs Prism from npm into the folder (a new one unless given), which answers with the document's examples
 * and says which requests the document does not allow; parameters that it does not name are looked for here. `DOCUMENTS`
 * holds files of the vendors' repositories, by the names below; what is not there is passed over.
 */
import { existsSync, mkdtempSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { end } from "../support/AtEnd.ts"
import { Document, type Exchange } from "./Document.ts"
import { books, packages } from "./Live.ts"

interface Vendor {
  readonly source: object
  readonly environment: Readonly<Record<string, string>>
  /** Below the source's address. */
  readonly base: string
  /** By the beginning of a path: the document's file, and where it is from. */
  readonly documents: ReadonlyArray<{ readonly at: string; readonly file: string; readonly from: string }>
  /** What its document forbids and says elsewhere: as it is asked, as it is passed on, and where. */
  readonly known?: ReadonlyArray<readonly [asked: string, passed: string, why: string]>
  /** What no document has, by its path. */
  readonly answers?: Readonly<Record<string, object>>
}

const PRISM = { "@stoplight/prism-cli": "5.16.0" }

const VENDORS: Readonly<Record<string, Vendor>> = {
  mollie: {
    source: { connector: "mollie", key: { env: "KEY" } },
    environment: { KEY: "test_dHar4XY7LxsDOtmnkVtjNVWXLSlXsM" },
    base: "/v2",
    documents: [{ at: "", file: "mollie.yaml", from: "mollie/openapi: specs.yaml" }]
  },
  bigcommerce: {
    source: { connector: "bigcommerce", store: "abc", token: { env: "KEY" } },
    environment: { KEY: "token" },
    base: "",
    known: [["sort=id%3Aasc", "sort=id", "the description of sort has it: add :asc or :desc"]],
    documents: [
      { at: "/stores/abc/v2", file: "bigcommerce-v2.yml", from: "bigcommerce/docs: reference/orders.v2.oas2.yml" },
      { at: "/stores/abc/v3", file: "bigcommerce-v3.yml", from: "bigcommerce/docs: reference/orders.v3.yml" }
    ]
  },
  paypal: {
    source: { connector: "paypal", client_id: { env: "ID" }, client_secret: { env: "KEY" }, since: "2026-11-01" },
    environment: { ID: "id", KEY: "secret" },
    base: "",
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
  }
}

const [documents, folder = mkdtempSync(join(tmpdir(), "daybook-prism-"))] = process.argv
  .slice(2)
  .map((one) => resolve(one))
if (documents === undefined) throw new Error("name the folder with the vendors' documents")
packages(folder, PRISM)

/** One vendor: what was asked, what the documents say against it, and what became of the examples. */
const read = async (name: string, vendor: Vendor): Promise<ReadonlyArray<Exchange>> => {
  const missing = vendor.documents.filter(({ file }) => !existsSync(join(documents, file)))
  if (missing.length > 0) {
    console.log(`${name}: passed over, ${missing.map(({ file, from }) => `${file} (${from})`).join(", ")} is not there`)
    return []
  }
  const server = await Document.open(
    folder,
    vendor.documents.map(({ at, file }) => {
      // Where its own paths begin with what the request's path begins with, nothing is taken off.
      const text = readFileSync(join(documents, file), "utf8")
      return { at: text.includes(`"${at}/`) ? "" : at, begins: at, path: join(documents, file), text }
    }),
    vendor.answers ?? {},
    vendor.known ?? []
  )
  try {
    const { run } = await books({ ...vendor.source, url: `${server.url}${vendor.base}` }, vendor.environment)
    const { status, stderr, stdout } = await run("pull")
    console.log(`${name}: ${status}\n${(stdout + stderr).replaceAll(/^/gm, "  ")}`)
    for (const { asked, says } of server.exchanges)
      console.log(`  ${asked}${says.length === 0 ? "" : `: ${says.join("; ")}`}`)
    return server.exchanges.filter(({ says }) => says.length > 0)
  } finally {
    await server.close()
  }
}

try {
  const wrong: Array<Exchange> = []
  for (const [name, vendor] of Object.entries(VENDORS)) wrong.push(...(await read(name, vendor)))
  console.log(
    wrong.length === 0 ? "the documents allow every request" : `${wrong.length} requests are not as the documents say`
  )
  process.exitCode = wrong.length === 0 ? 0 : 1
} finally {
  await end()
}
