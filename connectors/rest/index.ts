/**
 * Makes a connector from a declaration: `Rest.make({ ... })`. Everything that the contract and the conformance kit require
 * is implemented here, once: pages and bookmarks, records deleted or edited during a read, rate limits, errors, children.
 */
import { Array as Arr, Schema, Stream } from "effect"
import * as Connector from "../Connector.ts"
import * as Http from "../Http.ts"
import * as Json from "../Json.ts"
import * as Signature from "../Signature.ts"
import { again, atOnce } from "./Again.ts"
import * as Asking from "./Asking.ts"
import { check } from "./Checked.ts"
import * as Cost from "./Cost.ts"
import type { Authorise, Declaration, Root } from "./Declaration.ts"
import * as Reading from "./Reading.ts"

export { httpOf, type Requesting } from "./Asking.ts"
export { problems } from "./Checked.ts"
export { csv } from "./Csv.ts"
export type {
  Again,
  Authorise,
  Changes,
  Child,
  Declaration,
  List,
  Pagination,
  Root,
  WebhookDeclaration
} from "./Declaration.ts"

/** A setting that names the environment variable of a secret, with an example of such a name. */
export const secret = (example: string) =>
  Schema.Struct({ env: Schema.NonEmptyString }).annotate({
    message: `a secret is not written here; name the variable that holds it, like { "env": "${example}" }`
  })

/** The settings of an app that is authorised with OAuth 2: environment variables, whose examples begin with `prefix`. */
export const app = (prefix: string) => ({
  client_id: secret(`${prefix}_CLIENT_ID`),
  client_secret: secret(`${prefix}_CLIENT_SECRET`),
  /** The refresh token of the first authorisation; later ones are in the vault. */
  refresh_token: Schema.optionalKey(secret(`${prefix}_REFRESH_TOKEN`))
})
type App = Schema.Struct<ReturnType<typeof app>>["Type"]

/** Authorises such an app. */
export const oauth2 = <Settings extends App>(
  its: Omit<Extract<Authorise<Settings>, { by: "oauth2" }>, "by" | "client" | "first">
): Authorise<Settings> => ({
  ...its,
  by: "oauth2",
  client: ({ client_id, client_secret }) => ({ id: client_id.env, secret: client_secret.env }),
  first: ({ refresh_token }) => refresh_token?.env
})

/** Authorises with a key, sent as a bearer token. */
export const bearer = <Settings>(setting: (settings: Settings) => { readonly env: string }): Authorise<Settings> => ({
  by: "key",
  variables: (settings) => [setting(settings).env],
  headers: (key) => ({ authorization: `Bearer ${key}` })
})

// biome-ignore lint/suspicious/noExplicitAny: see Connector
type Any = Declaration<string, any>

const webhookOf = (d: Any, reread: Connector.Webhook<never>["reread"]): Connector.Webhook<never> | undefined => {
  if (d.webhook === undefined) return undefined
  const { events, isTrial, signature } = d.webhook
  return {
    verify: (delivery, secret) => {
      if (isTrial?.(delivery) === true) return true
      if ("verify" in signature) return signature.verify(delivery, secret)
      const { body, headers } = delivery
      const { form, header, prefix = "" } = signature
      const wanted = Signature.hmac(secret, form, body)
      const given = (headers[header] ?? "").split(",").map((one) => one.trim())
      return given.some((one) => Signature.isSame(one.startsWith(prefix) ? one.slice(prefix.length) : one, wanted))
    },
    events: (delivery, settings) => {
      if (isTrial?.(delivery) === true) return []
      const fields = Signature.fields(delivery)
      try {
        return fields === undefined ? undefined : events(fields, delivery, settings)
      } catch (cause) {
        if (cause instanceof Json.Unfit) return undefined
        throw cause
      }
    },
    reread
  }
}

/** How a user authorises a source, if it uses OAuth 2. */
export const authorisation = (d: Pick<Any, "authorise">) => {
  const { authorise } = d
  if (authorise.by !== "oauth2") return {}
  const { client, inBody = false, page, reaches, scopes, tokens } = authorise
  const its = { scopes, inBody, ...Json.present({ reaches }) }
  return {
    authorisation: (settings: never) => ({
      ...its,
      page: Asking.ofSettings(page, settings),
      tokens: Asking.ofSettings(tokens, settings),
      client: client(settings)
    })
  }
}

/** The file of a document, if the declaration says where it is. */
const filing = (d: Any): { readonly documents?: NonNullable<Connector.Connector["documents"]> } => {
  if (d.file === undefined) return {}
  const { ending, kind, path, type } = d.file
  return {
    documents: (settings, { id, kind: of }, context, largest) => {
      if (of !== kind) return Stream.empty
      const { http } = Asking.open(d, settings as never, context)
      return Http.fileOf(http.file(path.replace("{id}", Http.segment(id)), type, largest), `${id}${ending}`)
    }
  }
}

const capabilities = (d: Any): Connector.Capabilities => ({
  kinds: d.kinds,
  deletions: d.deletions,
  blindSpots: d.blindSpots,
  authorises: d.authorise.by === "oauth2" ? "oauth2" : "key",
  firstOfEach: true,
  overlapSeconds: d.overlapSeconds,
  limits: { ...d.limits, page: Math.min(...d.lists.map(({ size }) => size.most)) },
  requestsPerThousand: Cost.perThousand(d)
})

// biome-ignore lint/suspicious/noExplicitAny: see Connector
export const make = <const Name extends string, S extends Schema.Codec<any, any>>(d: Declaration<Name, S>) => {
  check(d)
  const byId: Root<never> | undefined = d.lists.find(({ one }) => one !== undefined)
  const reread: Connector.Webhook<never>["reread"] = (settings, ids, context) => {
    const source = Asking.open(d, settings, context)
    const own = d.again
    if (own !== undefined)
      return Stream.mapEffect(Stream.fromIterable(Arr.chunksOf(ids, own.most)), (chunk) => own.read(source.http, chunk))
    // Without a list that can be read by id, webhooks cannot trigger a reread; the next pull shows the change.
    if (byId === undefined) return Stream.empty
    return Stream.mapEffect(Stream.fromIterable(Arr.chunksOf(ids, atOnce(byId))), (chunk) =>
      again({ settings, source }, byId, chunk)
    )
  }
  const webhook = webhookOf(d, reread)
  const swept = d.again === undefined ? byId?.kind : d.lists[0].kind
  const isSwept = swept === "invoice" || swept === "order"
  return Connector.make<Name, S, typeof Reading.Bookmark>({
    name: d.name,
    title: d.title,
    capabilities: capabilities(d),
    settings: d.settings,
    bookmark: Reading.Bookmark,
    ...(d.identity === undefined ? {} : { identity: d.identity }),
    ...(d.page === undefined ? {} : { page: d.page }),
    ...authorisation(d),
    ...(webhook === undefined ? {} : { webhook }),
    ...(isSwept ? { reread } : {}),
    ...filing(d),
    pull: (settings, after, context) => {
      const source = Asking.open(d, settings as never, context)
      const [first, ...rest] = d.lists
      const declaration = { ...d, lists: [first, ...rest.filter(({ when }) => when?.(settings) !== false)] as const }
      return Reading.pull({ declaration, settings: settings as never, source, wanted: context.first }, after)
    }
  })
}
