/** Nodes that are silent, and tenants that nobody takes, by a node's own clock. */
import { describe, expect, it } from "vitest"
import { Silence } from "../../../sync/cluster/Silence.ts"

const heard = (id: string, canary: string | null, leaseMs: number | null = 3000) => ({ id, canary, leaseMs })

describe("a node that does not renew its lease", () => {
  it("is silent once its lease must be over, counted from when it was first seen, and not if it says something else", () => {
    const silence = new Silence()
    expect(silence.silent([heard("a", "1"), heard("b", "1")], 0)).toEqual([])
    expect(silence.silent([heard("a", "1"), heard("b", "2")], 3000)).toEqual([])
    expect(silence.silent([heard("a", "1"), heard("b", "2")], 3001)).toEqual([{ id: "a", canary: "1" }])
    expect(silence.silent([heard("a", "2"), heard("b", "2")], 3002)).toEqual([])
    expect(silence.silent([heard("b", "2")], 6001)).toEqual([{ id: "b", canary: "2" }])
  })

  it("is not judged if it never said how long its lease is", () => {
    const silence = new Silence()
    for (const now of [0, 99_999]) expect(silence.silent([heard("a", "1", null), heard("b", null)], now)).toEqual([])
  })
})

describe("a tenant that nobody has", () => {
  it("is an orphan once nobody has taken it for a lease, and begins anew when somebody had it meanwhile", () => {
    const silence = new Silence()
    expect(silence.orphans(["x", "y"], 3000, 0)).toEqual([])
    expect(silence.orphans(["x"], 3000, 2000)).toEqual([])
    expect(silence.orphans(["x", "y"], 3000, 3001)).toEqual(["x"])
    expect(silence.orphans(["y"], 3000, 6002)).toEqual(["y"])
  })
})
