/**
 * Defines the operations on cover and collections. Lists need the scope `read`. Every decision that spends money or declares
 * something needs the scope `approve`, the name of a person, and the digest of what that person was shown.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { LARGEST_FILE_BYTES } from "../../core/insurance/DocumentTypes.ts"
import { COVER_STATES } from "../../sync/model/CoverStanding.ts"
import { needs, Conflict, Decides, NotFound, Reads, Unreachable } from "./Access.ts"
import {
  CollectionShown,
  CollectionPage,
  CoverDecided,
  CoveredInvoices,
  Deadlines,
  Exposures,
  LimitPage,
  OFFER_STANDINGS,
  Offers
} from "../../sync/model/reports/Cover.ts"
import { person, givenDigest, invoice, repeatable, pages, optionalText } from "./Parameters.ts"

const lists = [
  HttpApiEndpoint.get("offers", "/cover/offers", {
    query: { ...pages, standing: Schema.optionalKey(Schema.Literals(OFFER_STANDINGS)) },
    success: Offers,
    error: NotFound
  }).annotateMerge(needs("read", "Offers that were not bought, by the invoice's due date, and the month's budgets.")),
  HttpApiEndpoint.get("exposure", "/cover/exposure", {
    query: pages,
    success: Exposures,
    error: NotFound
  }).annotateMerge(needs("read", "Per buyer and currency: what is open, insured, offered and declined.")),
  HttpApiEndpoint.get("limits", "/cover/limits", { query: pages, success: LimitPage, error: NotFound }).annotateMerge(
    needs("read", "The insurer's limits of the buyers, as last read.")
  ),
  HttpApiEndpoint.get("deadlines", "/cover/deadlines", {
    query: pages,
    success: Deadlines,
    error: NotFound
  }).annotateMerge(needs("read", "Days on which an invoice's cover changes, the nearest first.")),
  HttpApiEndpoint.get("quotes", "/cover/invoices", {
    query: { ...pages, state: Schema.optionalKey(Schema.Literals(COVER_STATES)) },
    success: CoveredInvoices,
    error: NotFound
  }).annotateMerge(needs("read", "Invoices that are selected for cover or were covered: quote, policy and price."))
] as const

const collections = [
  HttpApiEndpoint.get("collections", "/collections", {
    query: pages,
    success: CollectionPage,
    error: NotFound
  }).annotateMerge(
    needs("read", "Late insured invoices that can be handed over, those that were, and those whose window has closed.")
  ),
  HttpApiEndpoint.get("collection", "/collections/:invoice", {
    params: { invoice },
    success: CollectionShown,
    error: NotFound
  }).annotateMerge(
    needs(
      "read",
      "What would be handed over, its documents, what is missing, and until when. Its digest is for `confirm`."
    )
  )
] as const

export const covering = HttpApiGroup.make("cover")
  .add(...lists, ...collections)
  .middleware(Reads)
  .annotateMerge(OpenApi.annotations({ description: "Cover and collections. For tokens with the scope `read`." }))

/** The service takes these types; the content decides, whatever the header says. */
const bytes = (contentType: string) => Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType }))

const step = {
  params: { invoice },
  headers: repeatable,
  success: CollectionShown,
  error: [NotFound, Conflict, Unreachable]
} as const

const isTrue = (description: string) => Schema.Literal(true).annotate({ description })

const steps = [
  HttpApiEndpoint.post("prepare", "/collections/:invoice/prepare", step).annotateMerge(
    needs("approve", "Gathers its documents again.")
  ),
  HttpApiEndpoint.post("attach", "/collections/:invoice/documents", {
    ...step,
    query: {
      name: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(200)).annotate({
        description: "The file's name; a file of the same name is replaced"
      }),
      type: Schema.String.annotate({ description: "`invoice`, `statement`, `proof_order`, `proof_delivery`, …" }),
      by: person
    },
    payload: [bytes("application/octet-stream"), bytes("application/pdf"), bytes("image/png"), bytes("image/jpeg")]
  }).annotateMerge(
    needs(
      "approve",
      `Adds a file: PDF, PNG or JPEG by its content, at most ${LARGEST_FILE_BYTES / 2 ** 20} MB. The body is the file itself.`
    )
  ),
  HttpApiEndpoint.post("detach", "/collections/:invoice/documents/remove", {
    ...step,
    payload: Schema.Struct({ name: Schema.String, by: person })
  }).annotateMerge(needs("approve", "Removes a file that a person added.")),
  HttpApiEndpoint.post("confirm", "/collections/:invoice/confirm", {
    ...step,
    payload: Schema.Struct({
      by: person,
      digest: givenDigest,
      disputed: Schema.Boolean.annotate({ description: "Whether the buyer disputes the invoice" }),
      reasons: optionalText("Why the buyer disputes it"),
      comments: optionalText("Anything else that the collectors should know"),
      actions_taken: optionalText("What was done to collect it so far"),
      debtor_contact_name: optionalText("The buyer's contact"),
      debtor_contact_email: optionalText("Its e-mail address"),
      debtor_contact_phone: optionalText("Its telephone number"),
      debtor_website: optionalText("The buyer's website"),
      confirm_correct: isTrue("The person declares that what was shown is correct"),
      collections_terms_acceptance: isTrue("The person accepts the terms of collection")
    })
  }).annotateMerge(
    needs(
      "approve",
      "Records a named person's two declarations about exactly what was shown. The run that follows hands it over, if it is still the same."
    )
  ),
  HttpApiEndpoint.post("withdraw", "/collections/:invoice/withdraw", {
    ...step,
    payload: Schema.Struct({ by: person })
  }).annotateMerge(
    needs(
      "approve",
      "Withdraws a confirmation that was not carried out yet: it is not handed over, and its window may lapse."
    )
  )
] as const

export const spending = HttpApiGroup.make("coverDecisions")
  .add(
    HttpApiEndpoint.post("decideCover", "/cover/offers/:invoice", {
      params: { invoice },
      headers: repeatable,
      payload: Schema.Struct({
        decision: Schema.Literals(["buy", "reject", "quote"]),
        digest: Schema.optionalKey(givenDigest),
        by: person
      }),
      success: CoverDecided,
      error: [NotFound, Conflict]
    }).annotateMerge(
      needs(
        "approve",
        "Records a named person's decision to buy or reject the offer with this digest, or requests another quote. It is bought at the price that was shown, or not at all, by the run that follows."
      )
    ),
    ...steps
  )
  .middleware(Decides)
  .annotateMerge(
    OpenApi.annotations({
      description: "A named person's decisions about cover and collections. For tokens with the scope `approve`."
    })
  )
