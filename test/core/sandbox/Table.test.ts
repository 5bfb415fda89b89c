/**
 * The routes that are found by their text, beside the router that knows every way to write a path: both find the same.
 */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import * as FindMyWay from "effect/http/FindMyWay"
import { ServiceApi } from "../../../core/Api.ts"
import { Table } from "../../../core/sandbox/server/Table.ts"

interface Route {
  readonly method: string
  readonly path: FindMyWay.PathInput
}

const routes: ReadonlyArray<Route> = [
  ...Object.values(ServiceApi.groups).flatMap(({ endpoints }) => Object.values(endpoints) as ReadonlyArray<Route>),
  { method: "GET", path: "/documents/:id/:name" },
  { method: "GET", path: "/referral/:secret" }
]

const table = new Table(routes)
const router = FindMyWay.make<Route>({ ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 4096 })
for (const route of routes) router.on(route.method, route.path, route)

const METHODS = ["DELETE", "GET", "PATCH", "POST", "PUT", "HEAD", "OPTIONS", "x"]

/** What may stand for a parameter, or be put between the segments of a path. */
const PARTS = [
  "trns-0123456789abcdef",
  "search",
  "a",
  "",
  "A_b-9",
  "%2F",
  "%41",
  "%",
  "ü",
  "a b",
  "a;b",
  "a#b",
  ":transaction_id",
  "__proto__",
  "x".repeat(64),
  "x".repeat(65),
  "x".repeat(5000)
]

const same = (method: string, path: string): boolean => {
  const [found, wanted] = [table.find(method, path), router.find(method, path)]
  assert.strictEqual(found?.route, wanted?.handler, `${method} ${path}`)
  assert.deepStrictEqual({ ...found?.params }, { ...wanted?.params }, `${method} ${path}`)
  return found !== undefined
}

describe("the table of routes", () => {
  it("finds every route however its path is written", () => {
    let found = 0
    for (const { path } of routes) {
      for (const part of PARTS) {
        const given = path.replaceAll(/:\w+/g, part)
        for (const written of [
          given,
          `${given}/`,
          `/${given}`,
          given.toUpperCase(),
          given.replace(/\/$/, ""),
          given.slice(1)
        ])
          for (const method of METHODS) if (same(method, written)) found++
      }
    }
    assert.isAbove(found, 5000)
  })

  it.prop(
    "finds what the router finds in paths that are made up",
    {
      parts: Arbitrary.schema(Schema.Array(Schema.Literals(["v1", "transactions", "companies", "confirm", ...PARTS]))),
      method: Arbitrary.schema(Schema.Literals(METHODS))
    },
    ({ method, parts }) => void same(method, `/${parts.join("/")}`),
    { arbitrary: { runs: 2000 } }
  )

  it("tells the methods of a path", () => {
    assert.deepStrictEqual(table.methods("/v1/transactions/trns-1"), ["DELETE", "GET", "PATCH"])
    assert.deepStrictEqual(table.methods("/v1/companies/search"), ["GET", "POST"])
    assert.deepStrictEqual(table.methods("/v1/nothing"), [])
  })
})
