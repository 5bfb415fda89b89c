/**
 * The JSON Schema of the configuration, before a stranger: it accepts every configuration of the examples and pages, refuses
 * what the decoder refuses, and says of each setting what it is.
 */
import { assert, describe, it } from "@effect/vitest"
import { Ajv } from "ajv"
import { Effect, Schema } from "effect"
import { globSync, readFileSync } from "node:fs"
import { make } from "../../../connectors/Connector.ts"
import { connectors } from "../../../connectors/list.ts"
import { decode } from "../../../sync/library/config/Configuration.ts"
import { configSchema, type NamedConnector } from "../../../sync/library/config/schema/JsonSchema.ts"
import { configuration, NOWHERE } from "../../support/Cli.ts"
import { PAGES } from "../../support/Pages.ts"

// biome-ignore lint/suspicious/noExplicitAny: what is broken on purpose has no type
type Any = any

const acme = make({
  name: "acme",
  title: "Acme's books",
  capabilities: { kinds: ["invoice"], deletions: "not at all", blindSpots: [] },
  settings: Schema.Struct({
    ledger: Schema.NonEmptyString.annotateKey({ description: "The ledger's number." }),
    url: Schema.optionalKey(Schema.String)
  }),
  bookmark: Schema.Struct({}),
  pull: () => {
    throw new Error("it is never pulled")
  }
})

const all = async (): Promise<ReadonlyArray<NamedConnector>> => [
  ...(await Promise.all(connectors.map(async ({ load, name }) => ({ name, connector: await load() })))),
  { name: "./acme", connector: acme as unknown as NamedConnector["connector"] }
]

let compiled: ReturnType<Ajv["compile"]> | undefined

/** Dates and the like are the decoder's. */
const validator = async () =>
  (compiled ??= new Ajv({ strict: false, validateFormats: false }).compile(configSchema(await all())))

const decoded = (value: unknown) =>
  Effect.runPromise(
    Effect.match(decode(value, { file: "f", folder: "examples/1-demo", environment: {} }), {
      onSuccess: () => true,
      onFailure: () => false
    })
  )

/** The configuration of the contract with one thing changed. */
const changed = (change: (config: Any, connection: Any, invoices: Any) => void): unknown => {
  const config = structuredClone(configuration(NOWHERE))
  const [connection] = config.connections
  change(config, connection, connection!.source.invoices)
  return config
}

const MISTAKES: Readonly<Record<string, unknown>> = {
  "no service": changed((config) => delete config.service),
  "a service without an address": changed((config) => delete config.service.url),
  "a key that is written out": changed((config) => (config.service.key = "sk-live-1")),
  "a setting that nobody knows": changed((config) => (config.servce = {})),
  "no connections": changed((config) => (config.connections = [])),
  "a connection without an id": changed((_, connection) => delete connection.id),
  "a connection without an owner": changed((_, connection) => delete connection.owner),
  "an id with a blank": changed((_, connection) => (connection.id = "my books")),
  "a connector that is not there": changed((_, connection) => (connection.source.connector = "fils")),
  "a setting of another connector": changed((_, connection) => (connection.source.tenant = "x")),
  "a stream that is not there": changed((_, connection) => (connection.source.invoice = {})),
  "no path": changed((_, __, invoices) => delete invoices.path),
  "no columns": changed((_, __, invoices) => delete invoices.columns),
  "no column for the id": changed((_, __, invoices) => delete invoices.columns.id),
  "a column that nobody knows": changed((_, __, invoices) => (invoices.columns.nett = "Net")),
  "a state that is none": changed((_, __, invoices) => (invoices.statuses = { Sent: "sent" })),
  "a decimal sign that is none": changed((_, __, invoices) => (invoices.decimal = "point")),
  "a line of headings that is text": changed((_, __, invoices) => (invoices.header_row = "5")),
  "a line of headings before the first": changed((_, __, invoices) => (invoices.header_row = -1)),
  "an empty heading": changed((_, __, invoices) => (invoices.columns.id = "")),
  "lines that are neither": changed((_, __, invoices) => (invoices.lines = "all")),
  "a guard that is not there": changed((_, connection) => (connection.guards = { allow: ["G99"] })),
  "drafts as text": changed((_, connection) => (connection.scope = { drafts: "no" })),
  "a share as text": changed((_, connection) => (connection.guards = { share: "0.2" })),
  "an owner of both kinds": changed((_, connection) => (connection.owner = { organization: {} })),
  "requests below one": changed((_, connection) => (connection.requests_per_day = 0)),
  "a first sync that is neither": changed((_, connection) => (connection.first_sync = "now")),
  "a listener without a port": changed((config) => (config.daemon = { listen: "127.0.0.1" })),
  "too much at once": changed((config) => (config.daemon = { at_once: 65 })),
  "a third-party connector's setting that is missing": changed(
    (_, connection) => (connection.source = { connector: "./acme" })
  ),
  "cover without a price": changed((_, connection) => (connection.cover = { select: [{}] }))
}

describe("the JSON Schema of the configuration", () => {
  it("accepts the examples, and what the pages show", async () => {
    const validate = await validator()
    const examples = globSync("examples/*/daybook.config.json").map(
      (path) => [path, readFileSync(path, "utf8")] as const
    )
    const shown = PAGES.flatMap((page) =>
      [...readFileSync(page, "utf8").matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, text]) => [page, text!] as const)
    ).filter(([, text]) => /^\{\s*"service"/.test(text))
    assert.isAbove(examples.length, 4)
    assert.isAbove(shown.length, 1)
    for (const [path, text] of [...examples, ...shown])
      assert.isTrue(validate(JSON.parse(text)), `${path}: ${JSON.stringify(validate.errors?.slice(0, 3))}`)
    const third = changed((_, connection) => (connection.source = { connector: "./acme", ledger: "7" }))
    assert.isTrue(validate(third), JSON.stringify(validate.errors))
  })

  it("refuses what the decoder refuses", async () => {
    const validate = await validator()
    assert.isTrue(validate(changed(() => {})), JSON.stringify(validate.errors))
    assert.isTrue(await decoded(changed(() => {})))
    for (const [name, config] of Object.entries(MISTAKES)) {
      assert.isFalse(validate(config), name)
      assert.isFalse(await decoded(config), name)
    }
  })

  it("says of every setting what it is", async () => {
    const schema = configSchema(await all()) as Any
    const missing = new Set<string>()
    const seen = new Set<string>()
    const walk = (node: Any, path: string): void => {
      if (node === null || typeof node !== "object") return
      if (typeof node.$ref === "string" && !seen.has(`${path} ${node.$ref}`)) {
        seen.add(`${path} ${node.$ref}`)
        walk(schema.definitions[decodeURIComponent(node.$ref.replace("#/definitions/", ""))], path)
      }
      for (const keyword of ["anyOf", "oneOf", "allOf", "items", "additionalProperties", "then"])
        for (const one of [node[keyword]].flat()) walk(one, path)
      for (const [name, one] of Object.entries<Any>(node.properties ?? {})) {
        if (one.const === undefined && (one.description ?? "") === "" && one.then === undefined)
          missing.add(`${path}.${name}`)
        walk(one, `${path}.${name}`)
      }
    }
    walk({ properties: schema.properties }, "")
    for (const [name, one] of Object.entries(schema.definitions).filter(([name]) => !name.startsWith("shared-")))
      walk(one, name)
    assert.deepStrictEqual(
      [...missing].filter((path) => !path.endsWith(".connector")),
      []
    )
    assert.strictEqual(schema.definitions["./acme"].properties.ledger.description, "The ledger's number.")
  })
})
