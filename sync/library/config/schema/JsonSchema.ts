/**
 * Generates the JSON Schema of the configuration for editors, from the schemas that decode it: every setting with its
 * description, those of a source by its connector, including third-party ones. What JSON Schema cannot express is checked
 * only by the decoder.
 */
import { JsonSchema, Schema } from "effect"
import type { Connector } from "../../../../connectors/Connector.ts"
import { ConfigurationFile } from "../Configuration.ts"
import { CONFIG_TEXTS } from "./ConfigTexts.ts"
import { SOURCE_TEXTS, STREAM_TEXTS, TABLE_TEXTS } from "./SourceTexts.ts"

/** The parts of a schema node that are used here. */
interface Node {
  readonly [keyword: string]: unknown
  readonly properties?: Readonly<Record<string, Node>>
  readonly allOf?: ReadonlyArray<Node>
  readonly anyOf?: ReadonlyArray<Node>
  readonly oneOf?: ReadonlyArray<Node>
  readonly items?: Node | ReadonlyArray<Node>
  readonly additionalProperties?: Node | boolean
  readonly description?: string
}

type TextOf = (path: ReadonlyArray<string>) => string | undefined

const draft07 = (schema: Schema.Top): Node =>
  JsonSchema.toDocumentDraft07(
    Schema.toJsonSchemaDocument(schema as Parameters<typeof Schema.toJsonSchemaDocument>[0], {
      onExcessProperty: "error"
    })
  ).schema as Node

/** Removes the bounds that every integer has; moves a description within `allOf` to where editors show it. */
const plain = (node: Node): Node => {
  const { allOf = [], maximum, minimum, ...rest } = node
  const said = allOf.find(({ description }) => description !== undefined)?.description
  const others = allOf.filter((one) => Object.keys(one).some((name) => name !== "description"))
  return {
    ...rest,
    ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
    ...(rest.description === undefined && said !== undefined ? { description: said } : {}),
    ...(others.length === 0 ? {} : { allOf: others })
  }
}

/** Adds a description to each property without one. */
const withTexts = (schema: Node, textOf: TextOf, path: ReadonlyArray<string> = []): Node => {
  const node = plain(schema)
  const each = (one: Node) => withTexts(one, textOf, path)
  const found: Record<string, unknown> = { ...node }
  for (const keyword of ["allOf", "anyOf", "oneOf"] as const)
    if (node[keyword] !== undefined) found[keyword] = node[keyword].map(each)
  if (Array.isArray(node.items)) found["items"] = node.items.map(each)
  else if (node.items !== undefined) found["items"] = each(node.items as Node)
  if (typeof node.additionalProperties === "object") found["additionalProperties"] = each(node.additionalProperties)
  if (node.properties !== undefined)
    found["properties"] = Object.fromEntries(
      Object.entries(node.properties).map(([name, one]) => {
        const at = [...path, name]
        const inner = withTexts(one, textOf, at)
        const text = inner.description ?? textOf(at)
        return [name, text === undefined ? inner : { ...inner, description: text }]
      })
    )
  return found
}

const own = (path: ReadonlyArray<string>): string | undefined =>
  CONFIG_TEXTS[path.join(".")] ?? CONFIG_TEXTS[`*.${path.at(-1)}`]

/** The description of a source's setting: of this connector, of a table in it, or of one that many connectors have. */
const ofSource =
  (connector: string): TextOf =>
  (path) => {
    const [first = "", ...rest] = path
    const last = path.at(-1) ?? ""
    const inTable = STREAM_TEXTS[first] === undefined ? undefined : rest
    // Conditions and amounts of several columns may be at any depth.
    const table =
      inTable === undefined
        ? undefined
        : rest.length === 0
          ? STREAM_TEXTS[first]
          : (TABLE_TEXTS[rest.join(".")] ?? TABLE_TEXTS[`columns.${last}`] ?? TABLE_TEXTS[`where.${last}`])
    return (
      SOURCE_TEXTS[`${connector}.${path.join(".")}`] ??
      table ??
      SOURCE_TEXTS[`*.${path.join(".")}`] ??
      SOURCE_TEXTS[`*.${last}`] ??
      (PATH.test(connector) ? undefined : `See the page of the connector ${connector}.`)
    )
  }

/** The settings of a connector, with the field that names it. */
const source = (name: string, settings: Node): Node => {
  const add = (node: Node): Node =>
    node.properties === undefined
      ? Object.fromEntries(
          Object.entries(node).map(([keyword, value]) => [
            keyword,
            ["anyOf", "oneOf"].includes(keyword) ? (value as ReadonlyArray<Node>).map(add) : value
          ])
        )
      : { ...node, properties: { connector: { const: name }, ...node.properties } }
  return add(settings)
}

/** If the first schema matches, editors report problems with the second. */
const implied = (first: object, second: object): Node =>
  Object.fromEntries([
    ["if", first],
    // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
    ["then", second]
  ])

/** The length from which on repeated parts are shared: conditions, amounts of several columns. */
const LONG = 300

/** Defines repeated parts only once: the file becomes a tenth as long, and loads as much faster. */
const shared = (schema: Node): Node => {
  const counts = new Map<string, number>()
  const bare = ({ description: _, ...node }: Node): string => JSON.stringify(node)
  const isLong = (node: Node, text: string) => text.length > LONG && (node.properties ?? node.anyOf) !== undefined
  const each = (value: unknown, visit: (node: Node) => unknown): unknown =>
    Array.isArray(value)
      ? value.map((one) => each(one, visit))
      : value !== null && typeof value === "object"
        ? visit(value as Node)
        : value
  const count = (node: Node): unknown => {
    const text = bare(node)
    if (isLong(node, text)) {
      counts.set(text, (counts.get(text) ?? 0) + 1)
      if (counts.get(text) !== 1) return node
    }
    for (const one of Object.values(node)) each(one, count)
    return node
  }
  count(schema)
  const names = new Map<string, string>()
  const definitions: Record<string, unknown> = {}
  const replace = (node: Node): unknown => {
    const text = bare(node)
    const inner = () => Object.fromEntries(Object.entries(node).map(([name, one]) => [name, each(one, replace)]))
    if (!isLong(node, text) || (counts.get(text) ?? 0) < 2) return inner()
    const name = names.get(text) ?? `shared-${names.size + 1}`
    if (!names.has(text)) {
      names.set(text, name)
      const { description: _, ...rest } = inner()
      definitions[name] = rest
    }
    return {
      ...(node.description === undefined ? {} : { description: node.description }),
      allOf: [{ $ref: `#/definitions/${name}` }]
    }
  }
  const whole = Object.fromEntries(Object.entries(schema).map(([name, one]) => [name, each(one, replace)]))
  return { ...whole, definitions: { ...(whole["definitions"] as object), ...definitions } }
}

/** Connectors in their own folder describe their settings themselves. */
const PATH = /[/@\\]/

/** An unknown name may be that of a package or a folder. */
const THIRD_PARTY = "[/@\\\\-]|^\\.{1,2}$"

export interface NamedConnector {
  /** The name in the configuration. */
  readonly name: string
  readonly connector: Connector
}

export const configSchema = (connectors: ReadonlyArray<NamedConnector>): Node => {
  const file = withTexts(draft07(ConfigurationFile), own)
  const connections = file.properties?.["connections"] as Node
  const item = connections.items as Node
  const names = connectors.map(({ connector: { title }, name }) => ({ const: name, description: title }))
  const one: Node = {
    ...item,
    properties: {
      ...item.properties,
      source: {
        type: "object",
        description: CONFIG_TEXTS["connections.source"] ?? "",
        properties: {
          connector: {
            description: CONFIG_TEXTS["connections.source.connector"] ?? "",
            anyOf: [
              ...names,
              { type: "string", pattern: THIRD_PARTY, description: "The folder or package of a connector" }
            ]
          }
        },
        required: ["connector"],
        allOf: connectors.map(({ name }) =>
          implied(
            { properties: { connector: { const: name } }, required: ["connector"] },
            { $ref: `#/definitions/${encodeURIComponent(name).replaceAll("~", "~0")}` }
          )
        )
      }
    },
    // A connection that pays for another is planned with it, and has its owner.
    ...implied({ not: { required: ["pays"] } }, { required: ["owner"] })
  }
  return shared({
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Daybook's configuration",
    ...file,
    properties: { ...file.properties, connections: { ...connections, items: one } },
    // If other people connect their own books, the first connection may still be to come.
    ...implied(
      { not: { required: ["daemon"], properties: { daemon: { required: ["connect"] } } } },
      { properties: { connections: { minItems: 1 } } }
    ),
    definitions: Object.fromEntries(
      connectors.map(({ connector, name }) => [
        name,
        { description: connector.title, ...source(name, withTexts(draft07(connector.settings), ofSource(name))) }
      ])
    )
  })
}
