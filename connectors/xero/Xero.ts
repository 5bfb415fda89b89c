/**
 * Xero: reads invoices, payments, credit notes, overpayments and prepayments. Records changed since the last pull are
 * requested with a header, in the order of their ids: an edit meanwhile may bring a record twice, but never hides one.
 */
import { Effect, Schema } from "effect"
import * as Http from "../Http.ts"
import * as Json from "../Json.ts"
import * as Rest from "../rest/index.ts"
import { again } from "./Again.ts"
import * as Mapping from "./Mapping.ts"

const Settings = Schema.Struct({
  /** The organisation's tenant id, as in Xero's list of connections. */
  tenant: Schema.NonEmptyString,
  ...Rest.app("XERO"),
  /** Replaces Xero's own address, for a proxy or a test server. */
  url: Schema.optionalKey(Http.Url)
})
type Settings = typeof Settings.Type

/** Whole seconds, in UTC. */
const time = (millis: number) => `${new Date(millis).toISOString().slice(0, 19)}Z`

const list = (name: string, id: string, where?: string) =>
  ({
    name,
    path: `/${name}`,
    records: name,
    id,
    query: { order: `${id} ASC`, where },
    size: { most: 1000, param: "pageSize" },
    pagination: { by: "page", param: "page", total: "pagination.itemCount", pages: "pagination.pageCount" },
    changes: { since: "if-modified-since", in: "header", format: time, inclusive: true }
  }) as const

/**
 * Apps made since 2 March 2026 have granular scopes only, and older ones until September 2027 both. `invoices` is for invoices
 * and credit notes, `payments` for payments, overpayments and prepayments: Xero's table of granular scopes, as Apideck
 * (apideck.com/blog/xero-scopes) and Codat (docs.codat.io, Xero's scopes) print it.
 */
const SCOPES = ["offline_access", "accounting.invoices.read", "accounting.payments.read", "accounting.contacts.read"]

const explain: Http.Options["explain"] = (status, body) => {
  const fields = Json.fieldsOf(body)
  const detail = [fields.get("Detail"), fields.get("Message")].find((one) => typeof one === "string") as
    | string
    | undefined
  const said = detail === undefined ? {} : { said: detail }
  if (/AuthorizationUnsuccessful|insufficient_scope/i.test(detail ?? ""))
    return { ...said, hint: `authorise it again with \`daybook connect\`, with the scopes ${SCOPES.join(", ")}` }
  if (status !== 403) return said
  return {
    ...said,
    hint: "check tenant: this authorisation knows other organisations only, or the organisation was disconnected"
  }
}

/** The organisations that an authorisation reaches. */
const reaches = (access: string) =>
  Effect.map(
    Http.make({
      connector: "xero",
      base: "https://api.xero.com",
      authority: {
        headers: Effect.succeed({ authorization: `Bearer ${access}` }),
        refused: "authorise it again with `daybook connect`"
      },
      limits: {}
    }).get("/connections"),
    ({ body }) =>
      Json.objects(body).map(({ tenantId, tenantName }) => ({
        setting: "tenant",
        value: String(tenantId),
        name: String(tenantName)
      }))
  )

export const xero = Rest.make({
  name: "xero",
  title: "Xero: invoices, payments, credit notes, over- and prepayments",
  settings: Settings,
  identity: ({ tenant }: Settings) => `tenant ${tenant}`,
  kinds: ["invoice", "payment", "credit_note"],
  deletions: "status",
  blindSpots: ["the due date of a partly paid invoice: Xero does not mark that as a change"],
  limits: { perMinute: 60, perDay: 5000, atOnce: 5, by: "account", app: { perMinute: 10_000 } },
  overlapSeconds: 300,
  base: ({ url }) => url ?? "https://api.xero.com/api.xro/2.0",
  authorise: Rest.oauth2({
    page: "https://login.xero.com/identity/connect/authorize",
    tokens: "https://identity.xero.com/connect/token",
    scopes: SCOPES,
    reaches
  }),
  headers: ({ tenant }: Settings) => ({ "xero-tenant-id": tenant }),
  explain,
  lists: [
    { ...list("Invoices", "InvoiceID", 'Type=="ACCREC"'), kind: "invoice", decode: () => Mapping.invoice },
    { ...list("CreditNotes", "CreditNoteID"), kind: "credit_note", decode: () => Mapping.creditNote },
    { ...list("Overpayments", "OverpaymentID"), kind: "payment", decode: () => Mapping.overpayment },
    { ...list("Prepayments", "PrepaymentID"), kind: "payment", decode: () => Mapping.prepayment },
    { ...list("Payments", "PaymentID"), kind: "payment", decode: () => Mapping.payment }
  ],
  // The ids are part of the URL.
  again: { most: 40, read: again },
  file: { kind: "invoice", path: "/Invoices/{id}", type: "application/pdf", ending: ".pdf" },
  webhook: {
    // Xero tests a new address with wrong signatures as well, and expects 401 for those ("intent to receive").
    signature: { header: "x-xero-signature", form: "base64" },
    events: (fields, _, { tenant }: Settings) =>
      Array.isArray(fields.get("events"))
        ? Json.objects(fields.get("events")).flatMap((one) => {
            const event = new Json.Fields(one)
            const [id, type, at] = ["resourceId", "eventType", "eventDateUtc"].map((name) => event.maybe(name))
            if (id === undefined || event.get("tenantId") !== tenant || event.get("eventCategory") !== "INVOICE")
              return []
            return [{ about: id, event: `${id} ${type ?? ""} ${at ?? ""}` }]
          })
        : undefined
  }
})
