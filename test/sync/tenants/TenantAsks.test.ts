/** What other processes ask of a daemon with many tenants, by files in the tenants' folder. */
import { assert, describe, it } from "@effect/vitest"
import { mkdirSync, mkdtempSync, rmdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { leaveAsk, takeAsks } from "../../../sync/library/many/TenantAsks.ts"
import { atEnd } from "../../support/AtEnd.ts"

const folderOfTenants = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "daybook-asks-"))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

describe("what is asked of a daemon", () => {
  it("is taken once, and left for the daemon whose tenant it is", () => {
    const folder = folderOfTenants()
    leaveAsk(folder, "acme", "sync")
    leaveAsk(folder, "other", "refresh")
    const isOurs = (name: string) => name === "acme"
    assert.deepStrictEqual(takeAsks(folder, isOurs), [{ tenant: "acme", ask: "sync" }])
    assert.deepStrictEqual(takeAsks(folder, isOurs), [])
    assert.deepStrictEqual(
      takeAsks(folder, () => true),
      [{ tenant: "other", ask: "refresh" }]
    )
  })

  it("is carried out once, also where it cannot be taken away", () => {
    const folder = folderOfTenants()
    // A folder in its place cannot be removed as a file, as nothing can be in a folder that is read-only.
    const asked = join(folder, ".daybook", "asks", "acme.refresh")
    mkdirSync(asked, { recursive: true })
    const all = () => takeAsks(folder, () => true)
    assert.deepStrictEqual(all(), [{ tenant: "acme", ask: "refresh" }])
    assert.deepStrictEqual(all(), [])
    rmdirSync(asked)
    leaveAsk(folder, "acme", "refresh")
    assert.deepStrictEqual(all(), [{ tenant: "acme", ask: "refresh" }])
  })
})
