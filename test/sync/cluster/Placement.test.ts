/** Who has which tenant: shares, what a person wants, and nodes that leave. */
import { describe, expect, it } from "@effect/vitest"
import { type NodeSeen, placing, type TenantHeld } from "../../../sync/cluster/Placement.ts"

const node = (id: string, draining = false): NodeSeen => ({ id, name: `node-${id}`, draining })
const held = (from: number, to: number, wanted: string | null = null): ReadonlyArray<TenantHeld> =>
  Array.from({ length: to - from }, (_, n) => ({ id: `t${from + n}`, wanted }))
const tenants = new Set(held(0, 10).map(({ id }) => id))
const nobody = () => false

describe("who has which tenant", () => {
  it("is whoever is there, each its share", () => {
    expect(placing("a", { nodes: [node("a")], tenants, held: [] }, nobody)).toEqual({ release: [], room: 10 })
    expect(placing("a", { nodes: [node("a"), node("b"), node("c")], tenants, held: [] }, nobody).room).toBe(4)
    expect(placing("a", { nodes: [node("a"), node("b")], tenants, held: held(0, 5) }, nobody)).toEqual({
      release: [],
      room: 0
    })
  })

  it("changes for a node that joins: what goes beyond the share is let go of, what has no run under way first", () => {
    const { release, room } = placing(
      "a",
      { nodes: [node("a"), node("b")], tenants, held: held(0, 10) },
      (id) => id < "t5"
    )
    expect(release).toEqual(["t5", "t6", "t7", "t8", "t9"])
    expect(room).toBe(0)
  })

  it("is the node that a person wants, while that is there", () => {
    const wanted = held(0, 1, "node-b")
    const both = [node("a"), node("b")]
    expect(placing("a", { nodes: both, tenants, held: wanted }, nobody).release).toEqual(["t0"])
    expect(placing("b", { nodes: both, tenants, held: wanted }, nobody).release).toEqual([])
    expect(placing("a", { nodes: [node("a")], tenants, held: wanted }, nobody).release).toEqual([])
    expect(placing("a", { nodes: [node("a"), node("b", true)], tenants, held: wanted }, nobody).release).toEqual([])
    // More than its share, when they are wanted here.
    expect(placing("b", { nodes: both, tenants, held: held(0, 8, "node-b") }, nobody).release).toEqual([])
  })

  it("is nobody whose configuration does not have it any more", () => {
    expect(placing("a", { nodes: [node("a")], tenants: new Set(["t0"]), held: held(0, 2) }, nobody).release).toEqual([
      "t1"
    ])
  })

  it("is another for a node that drains", () => {
    const { release, room } = placing("a", { nodes: [node("a", true), node("b")], tenants, held: held(0, 5) }, nobody)
    expect(release.length).toBe(5)
    expect(room).toBe(0)
  })

  it("is not for a node that knows no tenant, and what nobody else would take is kept", () => {
    const empty = { ...node("b"), knows: 0, holds: 0 }
    expect(placing("a", { nodes: [node("a"), empty], tenants, held: [] }, nobody).room).toBe(10)
    expect(placing("a", { nodes: [node("a"), empty], tenants, held: held(0, 10) }, nobody).release).toEqual([])
    const older = { ...node("b"), knows: 2, holds: 2 }
    expect(placing("a", { nodes: [node("a"), older], tenants, held: held(2, 10) }, nobody).release).toEqual([])
    const room = { ...node("b"), knows: 2, holds: 1 }
    const orphans = held(2, 10).map((one) => ({ ...one, isOrphan: one.id !== "t5" }))
    expect(placing("a", { nodes: [node("a"), room], tenants, held: orphans }, nobody).release).toEqual(["t5"])
  })
})
