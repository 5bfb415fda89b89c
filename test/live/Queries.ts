/**
 * GraphQL queries of connectors against the schemas that their vendors publish: what each asks of its sample is validated by the
 * reference implementation, with the values of its variables.
 */
import { existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { connectors } from "../../connectors/list.ts"
import { run } from "../../connectors/testing/index.ts"
import type { Exchange } from "./Document.ts"

/** The file of the schema, as the answer to a query of introspection, and where it is from. */
const SCHEMAS: Readonly<Record<string, readonly [file: string, from: string]>> = {
  shopify: ["shopify.json", "@shopify/dev-mcp 1.16.0 of npm: dist/data/admin_2026-07.json.gz, unpacked"],
  vendure: ["vendure.json", "vendure-ecommerce/vendure: schema-admin.json"]
}

export const GRAPHQL = { graphql: "16.11.0" }

/** @param folder where the reference implementation is installed */
export const queries = async (documents: string, folder: string): Promise<ReadonlyArray<Exchange>> => {
  const reference = createRequire(join(folder, "package.json"))("graphql")
  const wrong: Array<Exchange> = []
  for (const [name, [file, from]] of Object.entries(SCHEMAS)) {
    const at = join(documents, file)
    if (!existsSync(at)) {
      console.log(`${name}: passed over, ${file} (${from}) is not there`)
      continue
    }
    const said = JSON.parse(readFileSync(at, "utf8"))
    const schema = reference.buildClientSchema(said.data ?? said)
    const { subject } = await connectors.find((one) => one.name === name)!.sample()
    const { asked } = await run(subject, subject.open())
    const bodies = new Set(asked.map(({ body }) => body).filter((body) => body !== ""))
    for (const body of bodies) {
      const { query, variables } = JSON.parse(body)
      const parsed = reference.parse(query)
      const errors = reference.validate(schema, parsed)
      const [operation] = parsed.definitions
      const values = reference.getVariableValues(schema, operation.variableDefinitions ?? [], variables ?? {})
      const says = [...errors, ...(values.errors ?? [])].map(({ message }: Error) => message)
      if (says.length > 0) wrong.push({ asked: `${name}: ${operation.name?.value}`, says })
    }
    console.log(`${name}: ${bodies.size} queries, against ${from}`)
  }
  for (const { asked, says } of wrong) console.log(`  ${asked}: ${says.join("; ")}`)
  return wrong
}
