/** Whether an answer has the shape of an operation's schema: the same as whether it can be decoded, for every operation. */
import { assert, describe, it } from "@effect/vitest"
import { Option, Schema, SchemaAST } from "effect"
import { fits } from "../../../core/wire/Fits.ts"
import { changed, type Codec, samples, schemas } from "./Bodies.ts"

/** Counts how often both say yes, and how often no. */
const compared = (schema: Codec) => {
  const decode = Schema.decodeUnknownOption(schema)
  const shape = fits(schema)
  const said = { yes: 0, no: 0 }
  const compare = (value: unknown) => {
    const can = Option.isSome(decode(value))
    if (shape(value) !== can) assert.fail(`${can ? "can" : "cannot"} be decoded: ${JSON.stringify(value)}`)
    said[can ? "yes" : "no"]++
  }
  return { compare, said }
}

describe("an answer has the shape of an operation exactly if it can be decoded", () => {
  it("for all operations", () => assert.isAbove(schemas.length, 60))
  it.each(schemas)("$operation", ({ schema }) => {
    const { compare, said } = compared(schema)
    for (const sample of samples(schema)) {
      compare(sample)
      let n = 0
      for (const other of changed(sample)) {
        compare(other)
        // An offer has thousands of parts.
        if (++n === 2000) break
      }
    }
    assert.isAbove(said.yes, 3)
    // What sending a collection answers is not documented.
    if (!SchemaAST.isUnknown(schema.ast)) assert.isAbove(said.no, 3)
  })
})
