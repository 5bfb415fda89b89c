/** Every fault has a test, and the table that says which is not stale. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { FAULTS } from "../support/FaultRows.ts"
import { FILE, found, generate, missing } from "../support/faults.ts"

describe("the faults", () => {
  it("each has a test that is there", () => {
    assert.deepStrictEqual(FAULTS.flatMap(missing), [])
    assert.isAtLeast(FAULTS.length, 60)
  })

  it(`${FILE} is what \`node test/support/faults.ts\` writes`, () => {
    assert.strictEqual(readFileSync(FILE, "utf8"), generate())
  })

  it("are found by how the names of tests begin", () => {
    assert.deepStrictEqual(found(`it("a fault: named", f)\nit(\n  \`a fault of \${x}\`, f)`, "a fault"), [
      "a fault: named",
      "a fault of {x}"
    ])
    assert.deepStrictEqual(
      missing({ fault: "none", tests: [["faults/Table.test.ts", ["no", "test", "of", "this"].join(" ")]] }),
      ['none: faults/Table.test.ts has no test "' + 'no test of this"']
    )
  })
})
