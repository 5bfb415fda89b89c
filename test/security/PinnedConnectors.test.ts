/** A connector that the operator pinned takes its address from wherever it likes: what it may be given is the operator's to say. */
import { assert, describe, it } from "@effect/vitest"
import { boundsProblems } from "../../sync/library/config/BoundsProblems.ts"

describe("a tenant's source by a pinned connector", () => {
  it("is given nothing of the daemon's unless the operator says so", async () => {
    const source = { connector: "erp", endpoint: "https://mine.example.com", key: { env: "K" } }
    const bounds = { file: "f", home: ".", folders: [], connectors: [], own: {}, daemon: new Set<string>() }
    const problems = (more: object) =>
      boundsProblems({ connections: [{ source }] }, ".", {
        ...bounds,
        privateAddresses: false,
        isTriedOut: false,
        ...more
      })
    assert.include((await problems({})).join(), "K of the daemon's environment may not be sent to erp")
    assert.deepStrictEqual(await problems({ variables: { K: "erp" } }), [])
  })
})
