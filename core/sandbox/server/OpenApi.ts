/**
 * Generates the OpenAPI 3.1 document from the API definition, and adds what the definition does not contain: the purpose of
 * each operation, error bodies, numbers in queries, and requests sent to the platform.
 */
import type { Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { given } from "../../Entry.ts"
import { ServiceApi } from "../../Api.ts"
import { DeferredPaymentApi } from "../../deferred-payment/Api.ts"
import { InsuranceApi } from "../../insurance/Api.ts"
import { Organisation } from "../../insurance/Organisations.ts"
import { Webhook } from "../../insurance/Webhook.ts"
import { type Components, isObject, type Json, jsonOf, mend, refer } from "./Components.ts"
import type { Interface } from "./ApiProfile.ts"
import { SUMMARIES } from "./Summaries.ts"

const APIS = {
  both: () => OpenApi.fromApi(ServiceApi),
  "deferred-payment": () => OpenApi.fromApi(DeferredPaymentApi),
  insurance: () => OpenApi.fromApi(InsuranceApi)
} satisfies Record<Interface, unknown>

const PAGING: Readonly<Record<string, Json>> = {
  limit: { description: "How many at most.", schema: { type: "integer", minimum: 1, default: 25 } },
  offset: { description: "The index of the first.", schema: { type: "integer", minimum: 0, default: 0 } },
  expand: { description: "Members to expand from an identifier to the whole resource, separated by commas." },
  unique_id: { description: "Only those that bear this reference." },
  policy_id: { description: "Only those of this policy." },
  "idempotency-key": {
    description: "Makes retries safe: the same key, operation and body get the first answer again."
  }
}

const parameter = (one: Json): Json => ({ ...one, ...PAGING[String(one["name"])] })

const MESSAGES = { type: "array", items: { type: "string" } }

const ERRORS: Readonly<Record<string, Json>> = {
  Detail: {
    description: "What is wrong, in a sentence.",
    type: "object",
    properties: { detail: { type: "string" } },
    required: ["detail"]
  },
  Problems: {
    description: `Every member that is wrong, each with a list of messages, nested as the request was. \
\`non_field_errors\` is about no member, \`error\` about an idempotency key, \`detail\` about the request as a whole.`,
    type: "object",
    properties: { non_field_errors: MESSAGES, error: { type: "string" }, detail: { type: "string" } },
    additionalProperties: { anyOf: [MESSAGES, { type: "object" }, { type: "array" }] }
  }
}

const REFUSALS: Readonly<Record<string, Json>> = {
  "400": { description: "Something in the request is missing or wrong; every member at once." },
  "401": {
    description: "No key, or an unknown one.",
    headers: { "WWW-Authenticate": { schema: { type: "string" }, required: true } }
  },
  "402": { description: "The payment failed." },
  "404": { description: "No such object, or none of yours." },
  "409": { description: "The state of the object does not allow it." },
  "429": {
    description: "Too many requests; wait.",
    headers: { "Retry-After": { description: "Seconds.", schema: { type: "integer" } } }
  },
  "502": { description: "The payment processor failed." },
  "504": { description: "The payment provider did not answer in time." }
}

const SUCCESSES: Readonly<Record<string, string>> = { "200": "Done.", "201": "Created.", "204": "Done; no body." }

const refusal = (status: string): Json => ({
  ...REFUSALS[status],
  content: {
    "application/json": { schema: { $ref: `#/components/schemas/${status === "400" ? "Problems" : "Detail"}` } }
  }
})

const content = (body: unknown, components: Components): Json => {
  const { content: types, ...rest } = body as Json
  if (!isObject(types)) return rest
  return {
    ...rest,
    content: Object.fromEntries(
      Object.entries(types).map(([type, media]) => [
        type,
        { ...(media as Json), schema: refer(mend((media as Json)["schema"]), components) }
      ])
    )
  }
}

/** A body without required members may be omitted. */
const body = (one: Json, components: Components): Json => {
  const [media] = Object.values(one["content"] as Readonly<Record<string, { readonly schema: Json }>>)
  return { ...content(one, components), required: media?.schema["required"] !== undefined }
}

const operation = (one: Json, components: Components): Json => {
  const id = String(one["operationId"])
  const [group, name] = id.split(".") as [string, string]
  const summaries = SUMMARIES as Readonly<Record<string, Readonly<Record<string, string>>>>
  const whole = ANSWERS[id]
  const success = (response: unknown): Json =>
    whole === undefined
      ? content(response, components)
      : { content: { "application/json": { schema: refer(jsonOf(whole), components) } } }
  const responses = Object.entries(one["responses"] as Json).map(([status, response]) => [
    status,
    status in REFUSALS ? refusal(status) : { ...success(response), description: SUCCESSES[status] ?? "Done." }
  ])
  return {
    summary: given(summaries[group]?.[name], `a summary of ${id}`),
    ...one,
    parameters: ((one["parameters"] ?? []) as ReadonlyArray<Json>).map(parameter),
    ...(one["requestBody"] === undefined ? {} : { requestBody: body(one["requestBody"] as Json, components) }),
    responses: Object.fromEntries(responses),
    ...(CALLBACKS[id] === undefined ? {} : { callbacks: CALLBACKS[id] })
  }
}

const DESCRIPTION = `Paths work with and without a trailing slash. Unknown members of a request are ignored; \
answers may gain members, and enumerations values. Lists hold 25 results unless \`limit\` says otherwise.`

const TEXT = { type: "string" }

const objectOf = (properties: Json): Json => ({ type: "object", properties })

const delivery = (summary: string, schema: unknown): Json => ({
  post: {
    summary,
    requestBody: { content: { "application/json": { schema } } },
    responses: { "200": { description: "Received, as with any other 2xx; otherwise it is sent again." } }
  }
})

/** The notification sent to the address in an offer (DP 6.1). */
const NOTIFICATION = delivery(
  "A deferred payment of the offer changed",
  objectOf({
    created: TEXT,
    data: objectOf({
      order: objectOf({
        id: TEXT,
        unique_id: TEXT,
        total_amount: { type: "number" },
        deferred_payment: objectOf({ id: TEXT, number: TEXT, status: TEXT })
      })
    })
  })
)

/** The definition decodes only the part of an answer that it needs; these are the complete schemas (DP 4, note 2). */
const ANSWERS: Readonly<Record<string, Schema.Top>> = { "preferences.update": Organisation }

const CALLBACKS: Readonly<Record<string, Json>> = {
  "offers.create": { notification: { "{$request.body#/urls/notification}": NOTIFICATION } },
  "intents.create": { notification: { "{$request.body#/merchant_urls/notification}": NOTIFICATION } }
}

/** The webhook requests sent to the platform (II 6). */
const webhooks = (spoken: Interface, components: Components): Json =>
  spoken === "deferred-payment"
    ? {}
    : {
        webhooks: {
          transaction: delivery(
            "A transaction changed, or what hangs on it; its policy and quote are whole",
            refer(jsonOf(Webhook), components)
          )
        }
      }

const make = (spoken: Interface): Json => {
  const { components, info, paths, ...rest } = APIS[spoken]()
  const schemas: Components = {}
  const operations = Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, one]) => [method, operation(one as unknown as Json, schemas)])
      )
    ])
  )
  const heard = webhooks(spoken, schemas)
  return {
    ...rest,
    info: { ...info, description: DESCRIPTION },
    paths: operations,
    ...heard,
    components: {
      schemas: Object.fromEntries(Object.entries({ ...schemas, ...ERRORS }).toSorted(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: {
        token: { ...components.securitySchemes["token"], description: "`Authorization: Token <API_KEY>`" },
        basic: { ...components.securitySchemes["basic"], description: "The key as user name, an empty password" }
      }
    }
  }
}

const made = new Map<Interface, Json>()

/** The document of the active interface. Generated on first request; must not be modified. */
export const document = (spoken: Interface): Json => {
  let found = made.get(spoken)
  if (found === undefined) made.set(spoken, (found = make(spoken)))
  return found
}
