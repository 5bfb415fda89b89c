/** Defines the operations that plan, read the sources and compare; none of them sends or decides. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { needs, Conflict, NotFound, Plans, Unreachable } from "./Access.ts"
import { Previewed } from "../../sync/model/reports/Books.ts"
import { Checked, Companies, Pulled } from "../../sync/model/reports/Matching.ts"
import { PlanAnswer } from "../../sync/model/reports/Plan.ts"
import { Reconciled, WitnessAnswer } from "../../sync/model/reports/Statement.ts"
import { connection, Day, limit, repeatable, Whole } from "./Parameters.ts"

const name = { connection: Schema.String.annotate({ description: "A connection's name" }) }
const some = Schema.optionalKey(
  Schema.Array(Schema.String).annotate({ description: "Names of connections; default: all" })
)

export const Range = {
  connections: some,
  from: Schema.optionalKey(Day),
  to: Schema.optionalKey(Day)
}

export const planning = HttpApiGroup.make("plan")
  .add(
    HttpApiEndpoint.get("plan", "/plan", {
      query: { connection, limit },
      success: PlanAnswer,
      error: NotFound
    }).annotateMerge(
      needs("plan", "What the next run would send, with the sums, and what would stop it. Nothing is sent.")
    ),
    HttpApiEndpoint.get("check", "/connections/:connection/check", {
      params: name,
      success: Checked,
      error: [NotFound, Unreachable]
    }).annotateMerge(needs("plan", "What is wrong with a connection's source.")),
    HttpApiEndpoint.get("preview", "/connections/:connection/preview", {
      params: name,
      query: {
        show: Schema.optionalKey(
          Whole.check(Schema.isBetween({ minimum: 1, maximum: 200 })).annotate({
            description: "How many documents to show; default 20"
          })
        )
      },
      success: Previewed,
      error: [NotFound, Unreachable]
    }).annotateMerge(
      needs("plan", "The first records of the source beside the documents that they become. Nothing is stored or sent.")
    ),
    HttpApiEndpoint.post("pull", "/connections/:connection/pull", {
      params: name,
      headers: repeatable,
      success: Pulled,
      error: [NotFound, Unreachable]
    }).annotateMerge(
      needs("plan", "Reads the source into the books, and answers when it was read. Nothing is sent to the service.")
    ),
    HttpApiEndpoint.post("reconcile", "/reconcile", {
      headers: repeatable,
      payload: Schema.Struct(Range),
      success: Reconciled,
      error: [NotFound, Conflict, Unreachable]
    }).annotateMerge(
      needs("plan", "Reads the service and returns every difference from the ledger. Nothing is corrected.")
    ),
    HttpApiEndpoint.post("independent", "/reconcile/independent", {
      headers: repeatable,
      payload: Schema.Struct({ connections: some }),
      success: WitnessAnswer,
      error: [NotFound, Unreachable]
    }).annotateMerge(
      needs(
        "plan",
        "A witness that shares no rules with sync reads sources and service from their beginning, and names each difference."
      )
    ),
    HttpApiEndpoint.get("candidates", "/debtors/candidates", {
      query: {
        connection: Schema.String.annotate({ description: "The debtor's connection" }),
        party: Schema.String.annotate({ description: "The debtor's `party`, as listed" })
      },
      success: Companies,
      error: [NotFound, Unreachable]
    }).annotateMerge(needs("plan", "The companies of the service that a debtor may be, the most likely first."))
  )
  .middleware(Plans)
  .annotateMerge(
    OpenApi.annotations({
      description: "Plans, sources and comparisons. For tokens with the scope `plan`. Nothing is sent or decided."
    })
  )
