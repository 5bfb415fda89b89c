/** Defines the links by which customers connect their own books. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Connects, Invalid, needs } from "./Access.ts"
import { ConnectLink, Links } from "../../sync/model/reports/Matching.ts"
import { repeatable, optionalText } from "./Parameters.ts"

export const connecting = HttpApiGroup.make("connect")
  .add(
    HttpApiEndpoint.post("makeLink", "/connect-links", {
      headers: repeatable,
      payload: Schema.Struct({
        tenant: Schema.String.annotate({
          description: "Your own id of the customer; names of connections start with it"
        }),
        name: optionalText("The customer's name, where `owner` is left out"),
        owner: Schema.optionalKey(
          Schema.Record(Schema.String, Schema.Unknown).annotate({
            description: "Who owns the documents on the service, as in a connection"
          })
        ),
        connectors: Schema.optionalKey(
          Schema.Array(Schema.String).annotate({ description: "The sources to choose from; default: all" })
        ),
        expires: optionalText("How long it may be opened, like `24h`, which is the default"),
        return_url: optionalText("One of `daemon.connect.return_urls`; default: the first"),
        state: optionalText("Given back with the person, as it is"),
        email: optionalText("Only who types this e-mail address can open it; five wrong ones close it"),
        person: optionalText(
          "Your own id of the person. Only somebody whom you send to the link signed in, with a proof made with a token of this interface, can open it"
        )
      }),
      success: ConnectLink.pipe(HttpApiSchema.status(201)),
      error: Invalid
    }).annotateMerge(
      needs(
        "connect",
        "Makes a link by which a customer connects their own books. Its address is shown in this answer alone. Each request makes another link."
      )
    ),
    HttpApiEndpoint.get("links", "/connect-links", { success: Links }).annotateMerge(
      needs("connect", "Links that were made, the latest first, and how each stands; their addresses are not kept.")
    )
  )
  .middleware(Connects)
  .annotateMerge(OpenApi.annotations({ description: "For tokens with the scope `connect`." }))
