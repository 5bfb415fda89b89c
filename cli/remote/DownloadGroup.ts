/** Defines the downloads: exports, statements of account, and a copy of the state file. Each is sent as a stream. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Conflict, Decides, needs, NotFound, Reads } from "./Access.ts"
import { connection, Whole } from "./Parameters.ts"

const WORKBOOK = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
const file = (contentType: string) => HttpApiSchema.StreamUint8Array({ contentType })

const customer = { customer: Whole.annotate({ description: "The customer's id, as listed" }) }

export const downloading = HttpApiGroup.make("downloads")
  .add(
    HttpApiEndpoint.get("workbook", "/export.xlsx", {
      query: { connection },
      success: file(WORKBOOK),
      error: NotFound
    }).annotateMerge(needs("read", "The books as a workbook, as `daybook export` writes it.")),
    HttpApiEndpoint.get("csv", "/export/:sheet", {
      params: {
        sheet: Schema.String.annotate({
          description: "A sheet of the workbook with `.csv`",
          examples: ["invoices.csv"]
        })
      },
      query: { connection },
      success: file("text/csv; charset=utf-8"),
      error: NotFound
    }).annotateMerge(needs("read", "One sheet of the books as CSV.")),
    HttpApiEndpoint.get("views", "/views.sqlite", {
      query: { connection },
      success: file("application/vnd.sqlite3"),
      error: NotFound
    }).annotateMerge(
      needs(
        "read",
        "The books as tables and views of a SQLite file, for reporting tools, as `daybook views` writes it."
      )
    ),
    HttpApiEndpoint.get("accountPdf", "/customers/:customer/statement.pdf", {
      params: customer,
      query: { currency: Schema.String.annotate({ description: "ISO 4217", examples: ["EUR"] }) },
      success: file("application/pdf"),
      error: [NotFound, Conflict]
    }).annotateMerge(needs("read", "The statement of what a customer owes in one currency, to send to the customer.")),
    HttpApiEndpoint.get("account", "/customers/:customer/account.xlsx", {
      params: customer,
      success: file(WORKBOOK),
      error: NotFound
    }).annotateMerge(needs("read", "The whole account of a customer as a workbook."))
  )
  .middleware(Reads)
  .annotateMerge(OpenApi.annotations({ description: "Downloads. For tokens with the scope `read`." }))

export const saving = HttpApiGroup.make("backup")
  .add(
    HttpApiEndpoint.get("backup", "/backup", { success: file("application/vnd.sqlite3") }).annotateMerge(
      needs(
        "approve",
        "A checked copy of the state file as of one moment, without the vault. It is the operator's: hence the scope `approve`."
      )
    )
  )
  .middleware(Decides)
  .annotateMerge(OpenApi.annotations({ description: "For tokens with the scope `approve`." }))
