/**
 * The bench: every promised figure, measured against its baseline in one run, as a ratio.
 *
 *     npm run bench                    all of them, at sizes that take minutes
 *     npm run bench -- import apply    only some
 *     npm run bench -- --full import   at the sizes of the promises: a million documents
 *     npm run bench -- --write         and puts the table into the README beside this file
 *
 * Ends with 1 when a limit is missed, or when a figure is worse by a fifth than in the table. It makes its own data, in
 * a temporary folder that it removes. With `BENCH_PROFILE=FOLDER` in the environment every measured process leaves a
 * CPU profile there.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { atMost, type Figure, heading, line, seconds, times } from "./Figure.ts"
import * as Apply from "./Apply.ts"
import { bundle } from "./Bundles.ts"
import * as Checkout from "./Checkout.ts"
import { build } from "./Command.ts"
import * as Cover from "./Cover.ts"
import * as Export from "./export.ts"
import * as Import from "./Import.ts"
import * as Fec from "./Fec.ts"
import * as FirstSync from "./FirstSync.ts"
import * as LookUp from "./LookUp.ts"
import * as Match from "./Match.ts"
import * as OrderPlan from "./OrderPlan.ts"
import * as Page from "./Page.ts"
import * as Plan from "./Plan.ts"
import * as Quiet from "./Quiet.ts"
import * as Reading from "./Reading.ts"
import * as Requests from "./Requests.ts"
import * as Sandbox from "./Sandbox.ts"
import * as Start from "./Start.ts"
import * as Table from "./Table.ts"
import * as Tenants from "./Tenants.ts"
import { explained, longest, type Part } from "./Why.ts"
import * as Xlsx from "./Xlsx.ts"

/**
 * @param folder an empty one of its own
 * @param scale 1 at the sizes of the promises
 * @param shared a folder for what several of them begin with
 */
type Bench = (folder: string, scale: number, shared: string) => Promise<ReadonlyArray<Figure>>

const benches: Readonly<Record<string, Bench>> = {
  requests: Requests.figures,
  state: LookUp.figures,
  import: (folder, scale) => Import.figures(folder, Math.min(1, 2 * scale)),
  xlsx: (folder, scale) => Xlsx.figures(folder, Math.min(1, 2 * scale)),
  fec: Fec.figures,
  plan: Plan.figures,
  quiet: Quiet.figures,
  match: Match.figures,
  orders: OrderPlan.figures,
  cover: Cover.figures,
  apply: Apply.figures,
  first: FirstSync.figures,
  reading: (folder, scale) => Reading.figures(folder, Math.min(1, 2 * scale)),
  export: (_, scale) => Export.figures(200_000 * scale),
  page: Page.figures,
  checkout: Checkout.figures,
  start: Start.figures,
  tenants: Tenants.figures,
  sandbox: Sandbox.figures,
  client: Apply.clientFigures
}

/** Unless the sizes of the promises are asked for. */
const SMALL = 0.1

/** All figures at their small sizes, on a machine that has nothing else to do. */
const LONGEST_SECONDS = 300

const { positionals: asked, values } = parseArgs({
  options: { full: { type: "boolean", default: false }, write: { type: "boolean", default: false } },
  allowPositionals: true
})
const unknown = asked.filter((name) => !(name in benches))
if (unknown.length > 0) {
  console.error(`There is no figure ${unknown.join(", ")}; available: ${Object.keys(benches).join(", ")}`)
  process.exit(2)
}

const page = join(import.meta.dirname, "README.md")
const before = Table.parse(readFileSync(page, "utf8"))
const machine = Table.machine()
const load = loadavg()[0] ?? 0
const circumstances = Table.circumstances(load)
const tooBusy = Table.tooBusy(load)
console.log(`${machine}; ${circumstances}`)
if (before.machine !== machine) console.log(`The table was measured on another machine: ${before.machine}`)
if (tooBusy !== undefined) console.log(tooBusy)
console.log(heading)

const measured: Array<Figure> = []
const count = { missed: 0, worse: 0, failed: 0 }
const taken: Array<Part> = []
const began = performance.now()

const show = (one: Figure): void => {
  const figure = explained(one, tooBusy !== undefined)
  console.log(line(figure))
  measured.push(figure)
  if (!figure.held) count.missed++
  const ratio = Table.worse(figure, before)
  if (ratio === undefined) return
  console.log(`    WORSE by more than a fifth: the table has ${ratio.toFixed(2)}`)
  count.worse++
}

const part = async (name: string, work: () => unknown): Promise<void> => {
  const started = performance.now()
  try {
    await work()
  } catch (cause) {
    // The others are still worth their while.
    console.log(`${name}: could not be measured: ${cause instanceof Error ? cause.message : String(cause)}`)
    count.failed++
  }
  taken.push({ name, seconds: (performance.now() - started) / 1000 })
}

const folders: Array<string> = []
const temporary = (): string => {
  folders.push(mkdtempSync(join(tmpdir(), "daybook-bench-")))
  return folders.at(-1)!
}
const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true })
process.once("exit", () => folders.forEach(remove))

const shared = temporary()
await part("build", async () => {
  build()
  await bundle(shared)
})
for (const name of asked.length === 0 ? Object.keys(benches) : asked)
  await part(name, async () => {
    const folder = temporary()
    for (const figure of await benches[name]!(folder, values.full ? 1 : SMALL, shared)) show(figure)
    remove(folder)
  })
const whole = (performance.now() - began) / 1000
const isWhole = asked.length === 0
// Those who measure now and then leave out what takes long.
if (isWhole && !values.full)
  show({
    ...atMost("bench: all of it; five minutes", 1, times({ ours: [whole], theirs: [LONGEST_SECONDS] })),
    note: longest(taken)
  })
console.log(`Took ${seconds(whole)}: ${taken.map((one) => `${one.name} ${seconds(one.seconds)}`).join(", ")}`)
if (values.write) {
  // With the whole of it goes what is not measured any more.
  const kept = isWhole && count.failed === 0 ? Table.EMPTY : before
  const table = Table.merge(kept, measured, machine, circumstances)
  writeFileSync(page, Table.write(readFileSync(page, "utf8"), table))
}
const { failed, missed, worse } = count
console.log(
  missed + worse + failed === 0
    ? "All limits held."
    : `Limits MISSED: ${missed}. WORSE than in the table by a fifth: ${worse}. Could not be measured: ${failed}.`
)
if (tooBusy !== undefined) console.log(tooBusy)
process.exitCode = missed + worse + failed === 0 ? 0 : 1
