/** Asks a daemon over HTTP, and checks each answer against the OpenAPI document that the daemon itself serves. */
import { assert } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"

export type Json = Readonly<Record<string, unknown>>

export interface Said {
  readonly status: number
  readonly answer: Json
  readonly headers: Headers
  readonly text: string
}

export interface Asking {
  readonly token?: string
  readonly body?: unknown
  /** A file, as it is. */
  readonly bytes?: Uint8Array<ArrayBuffer>
  readonly once?: string
}

export interface Checked {
  /** The routes that were asked and answered well, as `GET /status`. */
  readonly asked: Set<string>
  readonly document: Json
  /** `GET /documents?limit=2`; a status in the document is checked by its schema. */
  readonly ask: (route: string, asking?: Asking) => Promise<Said>
}

interface Operation {
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>
}

const escaped = (part: string): string => part.replaceAll("~", "~0").replaceAll("/", "~1")

/** The template of a path: `/collections/{invoice}`; a path without parameters comes first. */
const templateOf = (paths: ReadonlyArray<string>, path: string): string => {
  const fits = paths
    .filter((one) => new RegExp(`^${one.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`).test(path))
    .toSorted((a, b) => a.split("{").length - b.split("{").length)
  if (fits[0] === undefined) throw new Error(`no path of the document fits ${path}`)
  return fits[0]
}

export const checked = async (url: string, prefix = "/api/v1"): Promise<Checked> => {
  const document = (await (await fetch(`${url}${prefix}/openapi.json`)).json()) as Json
  const paths = document["paths"] as Readonly<Record<string, Readonly<Record<string, Operation>>>>
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ajv.addSchema({ ...document, $id: "daybook" })
  const asked = new Set<string>()
  const ask: Checked["ask"] = async (route, { body, bytes, once, token } = {}) => {
    const [method = "", address = ""] = route.split(" ")
    const response = await fetch(`${url}${prefix}${address}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(once === undefined ? {} : { "idempotency-key": once }),
        ...(bytes === undefined ? {} : { "content-type": "application/octet-stream" }),
        ...(body === undefined ? {} : { "content-type": "application/json" })
      },
      ...(bytes === undefined ? (body === undefined ? {} : { body: JSON.stringify(body) }) : { body: bytes })
    })
    const text = await response.text()
    const path = templateOf(Object.keys(paths), `${prefix}${address.split("?")[0]}`)
    const verb = method.toLowerCase()
    const described = paths[path]?.[verb]?.responses[response.status]
    const type = response.headers.get("content-type") ?? ""
    if (!type.startsWith("application/json")) {
      assert.isDefined(
        described?.content?.[type],
        `${route} answered ${response.status} ${type}: ${text.slice(0, 200)}`
      )
      asked.add(`${method} ${path.slice(prefix.length)}`)
      return { status: response.status, answer: {}, headers: response.headers, text }
    }
    const answer = JSON.parse(text) as Json
    const at = ["paths", path, verb, "responses", String(response.status), "content", "application/json", "schema"]
    const validate = ajv.getSchema(`daybook#/${at.map(escaped).map(encodeURIComponent).join("/")}`)
    if (validate === undefined) throw new Error(`${route} answered ${response.status}, which is not described: ${text}`)
    assert.isTrue(validate(answer), `${route}: ${ajv.errorsText(validate.errors)} in ${text.slice(0, 2000)}`)
    if (response.ok) asked.add(`${method} ${path.slice(prefix.length)}`)
    return { status: response.status, answer, headers: response.headers, text }
  }
  return { asked, document, ask }
}
