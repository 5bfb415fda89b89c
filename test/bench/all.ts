/**
 * The bench: every promised figure, measured against its baseline in one run, as a ratio.
 *
 *     npm run bench                    all of them
 *     npm run bench -- import apply    only some
 *
 * Ends with 1 when a limit is missed. It makes its own data, in a temporary folder that it removes. With
 * `BENCH_PROFILE=FOLDER` in the environment every measured process leaves a CPU profile there.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { availableParallelism, cpus, tmpdir, totalmem } from "node:os"
import { join } from "node:path"
import { type Figure, heading, line } from "./Figure.ts"
import * as Apply from "./Apply.ts"
import * as Checkout from "./Checkout.ts"
import * as Export from "./export.ts"
import * as Import from "./Import.ts"
import * as LookUp from "./LookUp.ts"
import * as Match from "./Match.ts"
import * as OrderPlan from "./OrderPlan.ts"
import * as Page from "./Page.ts"
import * as Plan from "./Plan.ts"
import * as Sandbox from "./Sandbox.ts"
import * as Version from "./Version.ts"

/** @param folder an empty one of its own */
type Bench = (folder: string) => Promise<ReadonlyArray<Figure>>

const benches: Readonly<Record<string, Bench>> = {
  state: (folder) => LookUp.figures(folder),
  import: (folder) => Import.figures(folder),
  plan: (folder) => Plan.figures(folder),
  match: (folder) => Match.figures(folder),
  orders: (folder) => OrderPlan.figures(folder),
  apply: (folder) => Apply.figures(folder),
  export: () => Export.figures(),
  page: (folder) => Page.figures(folder),
  checkout: Checkout.figures,
  version: Version.figures,
  sandbox: Sandbox.figures,
  client: (folder) => Apply.clientFigures(folder)
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !(name in benches))
if (unknown.length > 0) {
  console.error(`There is no figure ${unknown.join(", ")}; available: ${Object.keys(benches).join(", ")}`)
  process.exit(2)
}

console.log(
  `Node ${process.versions.node}, ${availableParallelism()} × ${cpus()[0]?.model ?? "processor"}, ${Math.round(totalmem() / 2 ** 30)} GB`
)
console.log(heading)
let missed = 0
for (const name of asked.length === 0 ? Object.keys(benches) : asked) {
  const folder = mkdtempSync(join(tmpdir(), "daybook-bench-"))
  try {
    for (const figure of await benches[name]!(folder)) {
      console.log(line(figure))
      if (!figure.held) missed++
    }
  } catch (cause) {
    // The others are still worth their while.
    console.log(`${name}: could not be measured: ${cause instanceof Error ? cause.message : String(cause)}`)
    missed++
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
console.log(missed === 0 ? "All limits held." : `${missed} ${missed === 1 ? "limit" : "limits"} MISSED.`)
process.exitCode = missed === 0 ? 0 : 1
