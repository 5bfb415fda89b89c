/** Writes a client of the daemon's HTTP interface in TypeScript: one file, without dependencies, for Node, browsers and others with `fetch`. */
import {
  type OpenApiDocument,
  schemaName,
  type Operation,
  operationsOf,
  type Parameter,
  type Payload,
  type Shape
} from "./Operations.ts"

const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))

const members = ({ properties = {}, required = [] }: Shape): string =>
  `{ ${Object.entries(properties)
    .map(([name, shape]) => `readonly ${key(name)}${required.includes(name) ? "" : "?"}: ${typeOf(shape)}`)
    .join("; ")} }`

const typeOf = (shape: Shape): string => {
  const name = schemaName(shape)
  if (name !== undefined) return name
  const { additionalProperties: more, allOf, anyOf, enum: values, items, properties, type } = shape
  if (values !== undefined) return values.map((one) => JSON.stringify(one)).join(" | ")
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeOf))].join(" | ")
  if (type === "array") return `ReadonlyArray<${items === undefined ? "unknown" : typeOf(items)}>`
  const own = properties === undefined ? [] : [members(shape)]
  if (allOf !== undefined) return [...own, ...allOf.map((one) => `(${typeOf(one)})`)].join(" & ")
  if (own[0] !== undefined) return own[0]
  if (typeof more === "object") return `Readonly<Record<string, ${typeOf(more)}>>`
  const plain: Readonly<Record<string, string>> = {
    string: "string",
    integer: "number",
    number: "number",
    boolean: "boolean",
    null: "null",
    object: "Readonly<Record<string, unknown>>"
  }
  return plain[type ?? ""] ?? "unknown"
}

const comment = (text: string, indent: string): string =>
  text === "" ? "" : `${indent}/** ${text.replaceAll("*/", "* /").replaceAll(/\s+/g, " ")} */\n`

const answerOf = (answer: Payload): string =>
  answer.kind === "file"
    ? "Promise<Blob>"
    : `${answer.kind === "events" ? "AsyncIterable" : "Promise"}<${typeOf(answer.shape)}>`

const bodyOf = (body: Payload | undefined): string | undefined =>
  body === undefined ? undefined : "shape" in body ? typeOf(body.shape) : "Blob | Uint8Array<ArrayBuffer>"

const optional = (all: ReadonlyArray<Parameter>): string => (all.some(({ required }) => required) ? "" : " = {}")

const method = (one: Operation): string => {
  const body = bodyOf(one.body)
  const query = one.query.map(({ name, required }) => `readonly ${key(name)}${required ? "" : "?"}: string | number`)
  const taken = [
    ...one.inPath.map(({ name }) => `${name}: string | number`),
    ...(body === undefined ? [] : [`body${one.bodyRequired ? "" : "?"}: ${body}`]),
    ...(query.length === 0 ? [] : [`query: { ${query.join("; ")} }${optional(one.query)}`]),
    ...(one.repeatable ? ["key: string = crypto.randomUUID()"] : [])
  ]
  const path = one.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `\${encodeURIComponent(${name})}`)
  const sent = [
    ...(body === undefined ? [] : ["body"]),
    ...(query.length === 0 ? [] : ["query"]),
    ...(one.repeatable ? ["key"] : [])
  ]
  const call = `this.#${one.answer.kind}("${one.method}", \`${path}\`, { ${sent.join(", ")} })`
  return `${comment(one.about, "    ")}    ${one.name}: (${taken.join(", ")}): ${answerOf(one.answer)} =>\n      ${call}`
}

const RUNTIME = `/** What the daemon answered in place of what was asked for; \`kind\` is the answer's \`_tag\`, as \`NotFound\`. */
export class DaybookError extends Error {
  override readonly name = "DaybookError"
  readonly status: number
  readonly kind: string
  constructor(status: number, kind: string, message: string) {
    super(message)
    this.status = status
    this.kind = kind
  }
}

interface Sent {
  readonly body?: unknown
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly key?: string
}

const RETRIES_MS = [500, 1000, 2000]
const AGAIN = [502, 503, 504]
`

const METHODS = `  readonly #address: string
  readonly #token: string
  readonly #fetch: typeof fetch

  /**
   * @param address like \`https://books.example.com\`, or \`https://books.example.com/t/acme\` of one of many tenants
   * @param token one of \`daemon.api\` in the configuration
   */
  constructor(address: string, token: string, options: { readonly fetch?: typeof fetch } = {}) {
    this.#address = address.replace(/\\/$/, "")
    this.#token = token
    this.#fetch = options.fetch ?? fetch
  }

  /** What is only read, or has a key, is asked for again where no answer came. */
  async #send(method: string, path: string, { body, key, query = {} }: Sent): Promise<Response> {
    const url = new URL(this.#address + path)
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, \`\${value}\`)
    const isFile = body instanceof Blob || body instanceof Uint8Array
    const headers = {
      authorization: \`Bearer \${this.#token}\`,
      ...(key === undefined ? {} : { "idempotency-key": key }),
      ...(body === undefined ? {} : { "content-type": isFile ? "application/octet-stream" : "application/json" })
    }
    const payload = body === undefined ? null : isFile ? (body as Blob) : JSON.stringify(body)
    for (let n = 0; ; n++) {
      const wait = method === "GET" || key !== undefined ? RETRIES_MS[n] : undefined
      try {
        const answer = await this.#fetch(url, { method, headers, body: payload, redirect: "error" })
        if (answer.ok) return answer
        if (wait === undefined || !AGAIN.includes(answer.status)) throw await refusal(answer)
        await answer.body?.cancel()
      } catch (cause) {
        if (wait === undefined || cause instanceof DaybookError) throw cause
      }
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }

  async #json<A>(method: string, path: string, sent: Sent): Promise<A> {
    return (await (await this.#send(method, path, sent)).json()) as A
  }

  async #file(method: string, path: string, sent: Sent): Promise<Blob> {
    return await (await this.#send(method, path, sent)).blob()
  }

  async *#events<A>(method: string, path: string, sent: Sent): AsyncGenerator<A, void> {
    const { body } = await this.#send(method, path, sent)
    let rest = ""
    for await (const text of (body ?? new ReadableStream<never>()).pipeThrough(new TextDecoderStream())) {
      const parts = (rest + text).split(/\\r?\\n\\r?\\n/)
      rest = parts.pop() ?? ""
      for (const part of parts) {
        const data = part.split(/\\r?\\n/).flatMap((line) => (line.startsWith("data:") ? [line.slice(5).trim()] : []))
        if (data.length > 0) yield JSON.parse(data.join("\\n")) as A
      }
    }
  }
`

const REFUSAL = `const refusal = async (answer: Response): Promise<DaybookError> => {
  const text = await answer.text()
  try {
    const { _tag, message } = JSON.parse(text) as { readonly _tag?: string; readonly message?: string }
    return new DaybookError(answer.status, _tag ?? "", message ?? text)
  } catch {
    return new DaybookError(answer.status, "", text)
  }
}
`

/** @returns the file's text */
export const typeScriptClient = (document: OpenApiDocument, version: string): string => {
  const types = Object.entries(document.components.schemas).map(
    ([name, shape]) => `${comment(shape.description ?? "", "")}export type ${name} = ${typeOf(shape)}\n`
  )
  const groups = [...operationsOf(document)].map(
    ([group, all]) => `  readonly ${group} = {\n${all.map(method).join(",\n")}\n  }\n`
  )
  return [
    `// A client of Daybook ${version}, made from its OpenAPI document. Amounts are decimal text, instants ISO 8601 in UTC.\n`,
    RUNTIME,
    REFUSAL,
    ...types,
    `/** Each group of operations is a member, as \`daybook.read.status()\`. Rejects with \`DaybookError\`. */\nexport class Daybook {\n${METHODS}\n${groups.join("\n")}}\n`
  ].join("\n")
}
