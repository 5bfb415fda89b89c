/**
 * What is opened and closed is let go: a program with many tenants, each open for a moment, does not grow with them.
 *
 * Fails where `shelf` in sync/library/SharedHandles.ts lets nothing go: then a cycle leaves 7 KB, and 2 KB or less otherwise.
 */
import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { configuration, INVOICES, NOWHERE, PAYMENTS } from "../support/Cli.ts"

/** Of these the first warm the program up. */
const CYCLES = 120
const WARM = 60
/** Bytes that a cycle may leave: what is compiled and counted, and no library, client or state file. */
const MOST = 4500

describe("a program that opens and closes many tenants", () => {
  it("keeps nothing of those that are closed", { timeout: 240_000 }, () => {
    const files = JSON.stringify({ "invoices.csv": INVOICES, "payments.csv": PAYMENTS })
    const args = ["--expose-gc", join(import.meta.dirname, "Cycles.ts"), String(CYCLES), files]
    const said = execFileSync(process.execPath, [...args, JSON.stringify(configuration(NOWHERE))], { encoding: "utf8" })
    const used = JSON.parse(said) as ReadonlyArray<number>
    const warm = used[WARM / 20]!
    const grown = (used.at(-1)! - warm) / (CYCLES - WARM)
    assert.isBelow(grown, MOST, `bytes a cycle: ${used.map((n) => (n / 1e6).toFixed(2)).join(", ")} MB`)
    assert.isBelow(used.at(-1)! / warm, 1.1)
  })
})
