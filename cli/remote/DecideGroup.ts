/** Defines the decisions about plans, runs, attention items, matches, connections and alerts. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { needs, Conflict, Decides, NotFound, Unreachable } from "./Access.ts"
import { flag, string } from "../../sync/model/reports/Fields.ts"
import { PaymentAssigned, Decided, CompanyMatched } from "../../sync/model/reports/Matching.ts"
import { TestedChannels } from "../../sync/model/reports/State.ts"
import { Reconciled } from "../../sync/model/reports/Statement.ts"
import { decision, person, givenDigest, item, repeatable, optionalFlag, optionalText } from "./Parameters.ts"
import { Range } from "./PlanGroup.ts"

const name = { connection: Schema.String.annotate({ description: "A connection's name" }) }

const runs = [
  HttpApiEndpoint.post("decide", "/approvals/:connection", {
    params: name,
    headers: repeatable,
    payload: Schema.Struct({
      digest: givenDigest,
      decision: Schema.Literals(["approved", "rejected"]),
      by: Schema.optionalKey(person),
      documents: Schema.optionalKey(
        Schema.Array(Schema.String).annotate({
          description:
            "Approves only these documents of the plan, by key, number or id, with what they need. The rest is not sent, and waits again."
        })
      )
    }),
    success: Decided,
    error: [NotFound, Conflict]
  }).annotateMerge(
    needs(
      "approve",
      "Approves or rejects the plan that waits, or approves some of its documents. What is approved is sent by the run that follows."
    )
  ),
  HttpApiEndpoint.post("sync", "/connections/:connection/sync", {
    params: name,
    headers: repeatable,
    success: Schema.Struct({ connection: string, asked: flag }).pipe(HttpApiSchema.status(202)),
    error: NotFound
  }).annotateMerge(needs("approve", "Has the daemon run this connection now; see `events` for how it goes.")),
  HttpApiEndpoint.post("accept", "/connections/:connection/accept", {
    params: name,
    headers: repeatable,
    success: Schema.Struct({ connection: string, accepted: flag }),
    error: NotFound
  }).annotateMerge(
    needs("approve", "Confirms a connection's new source or owner, or that one that looks renamed is a new one.")
  ),
  HttpApiEndpoint.post("fix", "/reconcile/fix", {
    headers: repeatable,
    payload: Schema.Struct(Range),
    success: Reconciled,
    error: [NotFound, Conflict, Unreachable]
  }).annotateMerge(needs("approve", "Reads the service, and corrects the ledger where it differs."))
] as const

const items = [
  HttpApiEndpoint.post("resolve", "/attention/:id/resolve", {
    params: { id: item },
    headers: repeatable,
    payload: Schema.Struct({ note: Schema.String.annotate({ description: "What was done, for the record" }) }),
    success: Schema.Struct({ id: Schema.Int, resolved: flag }),
    error: NotFound
  }).annotateMerge(needs("approve", "Closes an attention item.")),
  HttpApiEndpoint.post("retry", "/attention/:id/retry", {
    params: { id: item },
    headers: repeatable,
    success: Schema.Struct({ id: Schema.Int, retried: flag }),
    error: NotFound
  }).annotateMerge(needs("approve", "Plans its document again, and sends a rejected call again.")),
  HttpApiEndpoint.post("assign", "/attention/:id/assign", {
    params: { id: item },
    headers: repeatable,
    payload: Schema.Struct({
      invoices: Schema.Array(Schema.String).annotate({
        description:
          "Invoices by number, id or key, `INV-7=10.00` for a part of the payment; an empty list for no invoice"
      }),
      sure: Schema.optionalKey(Schema.Boolean).annotate({
        description:
          "True once somebody has seen what follows from it; without it, one that takes an invoice from another payment, or pays more than it asks for, is refused with that as its message"
      })
    }),
    success: PaymentAssigned,
    error: Conflict
  }).annotateMerge(needs("approve", "Assigns the payment of an attention item to invoices.")),
  HttpApiEndpoint.post("sameMoney", "/attention/:id/same-money", {
    params: { id: item },
    headers: repeatable,
    payload: Schema.Struct({
      same_as: Schema.NullOr(Schema.String).annotate({
        description: "The key of the payment that it is the same money as; null: both were received"
      })
    }),
    success: Schema.Struct({ id: Schema.Int, compared: Schema.Array(string) }),
    error: Conflict
  }).annotateMerge(needs("approve", "Answers whether two payments are the same money.")),
  HttpApiEndpoint.post("ask", "/matches/ask", {
    headers: repeatable,
    payload: Schema.Struct({
      payment: Schema.String.annotate({ description: "The payment's key" }),
      sure: optionalFlag("True once somebody has seen that an invoice stays marked as paid; without it that is refused")
    }),
    success: Schema.Struct({ payment: string, invoices: Schema.Array(string) }),
    error: Conflict
  }).annotateMerge(
    needs(
      "approve",
      "Says that a payment is not for what it was matched with: it is taken away from there, and is an attention item until somebody assigns it."
    )
  ),
  HttpApiEndpoint.post("unassign", "/matches/undo", {
    headers: repeatable,
    payload: Schema.Struct({
      payment: Schema.String.annotate({ description: "The payment's key" }),
      same: optionalFlag("What was said to be other money is the same; if both are reported, one is taken back"),
      sure: optionalFlag("True once somebody has seen that an invoice stays marked as paid; without it that is refused")
    }),
    success: Schema.Struct({ payment: string, undone: flag }),
    error: [NotFound, Conflict]
  }).annotateMerge(
    needs(
      "approve",
      "Undoes such an assignment, or an answer whether two payments are the same money; the rules match the payment again, or it is asked about again."
    )
  ),
  HttpApiEndpoint.post("undo", "/decisions/:id/undo", {
    params: { id: decision },
    headers: repeatable,
    payload: Schema.Struct({ digest: givenDigest }),
    success: Schema.Struct({ id: Schema.Int, undone: flag }),
    error: Conflict
  }).annotateMerge(needs("approve", "Takes a decision back, exactly as `undoable` showed it.")),
  HttpApiEndpoint.post("match", "/debtors/match", {
    headers: repeatable,
    payload: Schema.Struct({
      connection: Schema.String,
      party: Schema.String.annotate({ description: "The debtor's `party`, as listed" }),
      company: Schema.NullOr(Schema.String).annotate({ description: "The company's id; null forgets the choice" })
    }),
    success: CompanyMatched,
    error: NotFound
  }).annotateMerge(needs("approve", "Stores which company a debtor is, or forgets it."))
] as const

const alerts = [
  HttpApiEndpoint.post("testAlerts", "/alerts/test", {
    headers: repeatable,
    payload: Schema.Struct({ channel: optionalText("A channel's name; default: all") }),
    success: TestedChannels,
    error: NotFound
  }).annotateMerge(needs("approve", "Sends a test over one channel or all of them.")),
  HttpApiEndpoint.post("retryAlerts", "/alerts/retry", {
    headers: repeatable,
    payload: Schema.Struct({
      ids: Schema.optionalKey(Schema.Array(Schema.Int).annotate({ description: "Messages; default: all" }))
    }),
    success: Schema.Struct({ ids: Schema.Array(Schema.Int) })
  }).annotateMerge(needs("approve", "Sends messages again that did not reach their channel."))
] as const

export const deciding = HttpApiGroup.make("approve")
  .add(...runs, ...items, ...alerts)
  .middleware(Decides)
  .annotateMerge(
    OpenApi.annotations({
      description: "Decisions. For tokens with the scope `approve`; each is recorded with its name."
    })
  )
