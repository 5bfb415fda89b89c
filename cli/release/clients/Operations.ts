/** The operations of the daemon's HTTP interface, as its OpenAPI document (3.1) describes them, for those who write clients. */

/** A JSON Schema, as far as the document uses it. */
export interface Shape {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: ReadonlyArray<string>
  readonly anyOf?: ReadonlyArray<Shape>
  readonly allOf?: ReadonlyArray<Shape>
  readonly items?: Shape
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: Shape | boolean
  readonly description?: string
}

interface Content {
  readonly schema: Shape
}

interface Described {
  readonly operationId?: string
  readonly description?: string
  readonly parameters?: ReadonlyArray<{
    readonly name: string
    readonly in: "path" | "query" | "header"
    readonly required?: boolean
    readonly schema: Shape
  }>
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>>; readonly required?: boolean }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Shape>> }
}

export type Payload = { readonly kind: "json" | "events"; readonly shape: Shape } | { readonly kind: "file" }

export interface Parameter {
  readonly name: string
  readonly required: boolean
  readonly about: string
}

export interface Operation {
  readonly group: string
  readonly name: string
  readonly method: string
  readonly path: string
  readonly about: string
  readonly inPath: ReadonlyArray<Parameter>
  readonly query: ReadonlyArray<Parameter>
  /** It takes an `Idempotency-Key`, and so can be sent again. */
  readonly repeatable: boolean
  readonly body: Payload | undefined
  readonly bodyRequired: boolean
  readonly answer: Payload
}

const payload = (content: Readonly<Record<string, Content>> | undefined): Payload | undefined => {
  const [first] = Object.entries(content ?? {})
  if (first === undefined) return undefined
  const [type, { schema: shape }] = first
  if (type === "application/json") return { kind: "json", shape }
  return type === "text/event-stream" ? { kind: "events", shape: shape.properties?.["data"] ?? {} } : { kind: "file" }
}

const operation = (path: string, method: string, described: Described): Operation => {
  const [group = "", name = ""] = (described.operationId ?? "").split(".")
  const { parameters = [], requestBody, responses } = described
  const of = (where: string): ReadonlyArray<Parameter> =>
    parameters
      .filter((one) => one.in === where)
      .map((one) => ({ name: one.name, required: one.required === true, about: one.schema.description ?? "" }))
  const [, done] = Object.entries(responses).find(([status]) => status.startsWith("2")) ?? []
  const answer = payload(done?.content)
  if (name === "" || answer === undefined)
    throw new Error(
      `${method.toUpperCase()} ${path}: a client needs an operationId of the form group.name, and an answer`
    )
  return {
    group,
    name,
    method: method.toUpperCase(),
    path,
    about: described.description ?? "",
    inPath: of("path"),
    query: of("query"),
    repeatable: of("header").some((one) => one.name.toLowerCase() === "idempotency-key"),
    body: payload(requestBody?.content),
    bodyRequired: requestBody?.required === true,
    answer
  }
}

/** By group, in the document's order. */
export const operationsOf = ({ paths }: OpenApiDocument): ReadonlyMap<string, ReadonlyArray<Operation>> =>
  Map.groupBy(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]) => operation(path, method, described))
    ),
    ({ group }) => group
  )

/** The schema's name, where it has one. */
export const schemaName = ({ $ref }: Shape): string | undefined => $ref?.slice($ref.lastIndexOf("/") + 1)
