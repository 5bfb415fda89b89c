/** Defines the operations that only read the state file. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { KINDS } from "../../connectors/Document.ts"
import { MonthName, MonthReport } from "../../sync/reports/CloseReport.ts"
import { CUSTOMER_SORTS } from "../../sync/reports/Customers.ts"
import { needs, NotFound, Reads } from "./Access.ts"
import { CustomersAnswer, DocumentPage, Stories } from "../../sync/model/reports/Books.ts"
import { CoverShown } from "../../sync/model/reports/Cover.ts"
import { ChoicePage, DebtorPage, UndoableDecisions } from "../../sync/model/reports/Matching.ts"
import { PayoutPage } from "../../sync/model/reports/Payouts.ts"
import {
  AlertsShown,
  Approvals,
  AttentionPage,
  QuarantinePage,
  RunEvent,
  Status
} from "../../sync/model/reports/State.ts"
import { Proof } from "../../sync/model/reports/Statement.ts"
import { after, connection, limit, optionalText, pages, searchText, Whole } from "./Parameters.ts"

/** The cursor of a list whose rows have numbers. */
const afterNumber = Schema.optionalKey(
  Whole.check(Schema.isGreaterThanOrEqualTo(0)).annotate({ description: "The `next` of the page before" })
)

const state = [
  HttpApiEndpoint.get("status", "/status", { success: Status }).annotateMerge(
    needs("read", "The connections and when they were read, the last runs, and what waits for a person.")
  ),
  HttpApiEndpoint.get("statement", "/statement", {
    query: { connection },
    success: Proof,
    error: NotFound
  }).annotateMerge(
    needs("read", "Per connection and currency: what is open in the source, in the books and on the service.")
  ),
  HttpApiEndpoint.get("attention", "/attention", {
    query: { limit, after: afterNumber },
    success: AttentionPage
  }).annotateMerge(needs("read", "What needs attention, the oldest first.")),
  HttpApiEndpoint.get("approvals", "/approvals", { success: Approvals }).annotateMerge(
    needs("read", "Plans that wait for approval, and what was decided about the last ones.")
  ),
  HttpApiEndpoint.get("alerts", "/alerts", { success: AlertsShown }).annotateMerge(
    needs("read", "Current and recent alerts, and messages that did not reach their channel.")
  ),
  HttpApiEndpoint.get("events", "/events", {
    success: HttpApiSchema.StreamSse({ data: RunEvent })
  }).annotateMerge(needs("read", "Runs as they begin and end, from now on, as server-sent events."))
] as const

const books = [
  HttpApiEndpoint.get("documents", "/documents", {
    query: {
      ...pages,
      kind: Schema.optionalKey(Schema.Literals(KINDS)),
      only: Schema.optionalKey(Schema.Literals(["all", "open", "differs"])),
      text: searchText("A part of the number, the reference, the id or the customer's name; or an amount")
    },
    success: DocumentPage,
    error: NotFound
  }).annotateMerge(
    needs("read", "Documents of one kind, invoices unless another is named, in the order of their keys.")
  ),
  HttpApiEndpoint.get("explain", "/explain", {
    query: { document: Schema.String.annotate({ description: "A number, an id or a key; or a call as `#12`" }) },
    success: Stories,
    error: NotFound
  }).annotateMerge(needs("read", "The whole story of a document or a call.")),
  HttpApiEndpoint.get("quarantine", "/quarantine", {
    query: {
      connection,
      limit,
      after,
      text: searchText("A part of the record, of its id or of its place in the source")
    },
    success: QuarantinePage,
    error: NotFound
  }).annotateMerge(needs("read", "Records that could not be read, each with what is wrong and what to do.")),
  HttpApiEndpoint.get("customers", "/customers", {
    query: {
      limit,
      after: afterNumber,
      text: searchText("A part of the name"),
      currency: optionalText("ISO 4217; default: all"),
      sort: Schema.optionalKey(Schema.Literals(CUSTOMER_SORTS))
    },
    success: CustomersAnswer
  }).annotateMerge(needs("read", "What each customer owes, per currency; the largest open amounts first.")),
  HttpApiEndpoint.get("debtors", "/debtors", {
    query: pages,
    success: DebtorPage,
    error: NotFound
  }).annotateMerge(needs("read", "Debtors that the service could not match with a company.")),
  HttpApiEndpoint.get("payouts", "/payouts", { query: pages, success: PayoutPage, error: NotFound }).annotateMerge(
    needs(
      "read",
      "What processors paid out, from the sale to the line at the bank; payouts in the order of their days."
    )
  ),
  HttpApiEndpoint.get("close", "/close", {
    query: { month: MonthName, connection },
    success: MonthReport,
    error: NotFound
  }).annotateMerge(
    needs("read", "A month's statement as of its last day: the balances and movements in source, books and service.")
  ),
  HttpApiEndpoint.get("matches", "/matches", { query: { limit, after }, success: ChoicePage }).annotateMerge(
    needs("read", "Payments that people assigned to invoices, or to none, and which they said are the same money.")
  ),
  HttpApiEndpoint.get("undoable", "/decisions", { success: UndoableDecisions }).annotateMerge(
    needs("read", "The latest decisions that can be taken back, with their digests.")
  ),
  HttpApiEndpoint.get("cover", "/cover", {
    query: { connection },
    success: CoverShown,
    error: NotFound
  }).annotateMerge(
    needs("read", "Cover per buyer, the month's budget, offers that wait, and deadlines: all of it in one answer.")
  )
] as const

export const reading = HttpApiGroup.make("read")
  .add(...state, ...books)
  .middleware(Reads)
  .annotateMerge(OpenApi.annotations({ description: "State, books and statements. For tokens with the scope `read`." }))
