/** The table of the library's methods over HTTP, and what every operation of the document has. */
import { assert, describe, it } from "@effect/vitest"
import { Validator } from "@seriousme/openapi-schema-validator"
import { readFileSync } from "node:fs"
import { OpenApi } from "effect/http-api"
import { HttpInterface, PREFIX } from "../../cli/remote/HttpInterface.ts"
import type { Api } from "../../sync/library/Api.ts"
import { METHODS } from "../support/Methods.ts"

const page = readFileSync(new URL("../../cli/remote/README.md", import.meta.url), "utf8")

interface Content {
  readonly [type: string]: { readonly schema: { readonly required?: ReadonlyArray<string> } }
}

interface Operation {
  readonly description: string
  readonly security: ReadonlyArray<{ readonly bearer: ReadonlyArray<string> }>
  readonly parameters: ReadonlyArray<{ readonly in: string; readonly name: string }>
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

const document = structuredClone(OpenApi.fromApi(HttpInterface)) as unknown as Record<string, unknown> & {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** `GET /status` for each operation. */
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    operation,
    route: `${method.toUpperCase()} ${path.slice(PREFIX.length)}`
  }))
)

const routesIn = (text: string) => [...text.matchAll(/`((?:GET|POST) [^`]+)`/g)].map(([, route]) => route ?? "")

/** The rows of the table by method. */
const rows = new Map(
  [...page.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].flatMap(([, method, cell]) =>
    /^(`(GET|POST) |no: )/.test(cell ?? "") ? [[method ?? "", cell ?? ""] as const] : []
  )
)

describe("the library over HTTP", () => {
  it("has a route for each method, or says why not", () => {
    const all: ReadonlyArray<keyof Api> = [...METHODS, "run", "events"]
    assert.deepStrictEqual([...rows.keys()].toSorted(), [...all].toSorted())
    for (const [method, cell] of rows)
      assert.isTrue(routesIn(cell).length > 0 || /^no: .{10}/.test(cell), `${method} has neither a route nor a reason`)
  })

  it("has each route that the page names, and the page names each route", () => {
    const routes = operations.map(({ route }) => route).toSorted()
    assert.deepStrictEqual([...new Set(routesIn(page))].toSorted(), routes)
  })

  it("describes each operation: its scope, what it does, and its answer", async () => {
    assert.deepInclude(await new Validator().validate(structuredClone(document)), { valid: true })
    for (const { operation, route } of operations) {
      assert.include(["read", "plan", "approve", "connect"], operation.security[0]?.bearer[0], route)
      assert.isAbove(operation.description.length, 20, route)
      const good = Object.entries(operation.responses).find(([status]) => status.startsWith("2"))?.[1]
      const schema = good?.content?.["application/json"]?.schema
      // Files and events are streams; every other answer is described member by member.
      if (schema !== undefined) assert.isTrue("$ref" in schema || "properties" in schema, route)
      else assert.isDefined(Object.values(good?.content ?? {})[0]?.schema, route)
    }
  })

  it("changes nothing with GET, and takes a key for each request that may change something", () => {
    for (const { operation, route } of operations) {
      const headers = operation.parameters.filter((one) => one.in === "header").map(({ name }) => name)
      assert.deepStrictEqual(headers, route.startsWith("POST") ? ["idempotency-key"] : [], route)
    }
  })

  it("has a named person and a digest for whatever spends or declares", () => {
    const bodyOf = (route: string) => {
      const found = operations.find((one) => one.route === route)?.operation
      return [...(found?.requestBody?.content["application/json"]?.schema.required ?? [])]
    }
    assert.includeMembers(bodyOf("POST /cover/offers/{invoice}"), ["decision", "by"])
    assert.includeMembers(bodyOf("POST /collections/{invoice}/confirm"), [
      "by",
      "digest",
      "disputed",
      "confirm_correct",
      "collections_terms_acceptance"
    ])
  })
})
