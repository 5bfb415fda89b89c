/**
 * Some of the cases by their items: `node test/orders/play.ts 12a 4b`, or through a shop's interface `node
 * test/orders/play.ts woocommerce 12a`. Ends with 1 when one does not hold, and tells its story.
 */
import { Program } from "../crash/Program.ts"
import { ALONE } from "./Alone.ts"
import { CASES } from "./Cases.ts"
import { Desk } from "./Desk.ts"
import { FRONTS } from "./Fronts.ts"
import { IDENTITIES } from "./Identities.ts"
import { proxy } from "./Proxy.ts"
import { Service } from "./Service.ts"
import { play, Tale } from "./Tale.ts"
import { TOTALS } from "./Totals.ts"

const words = process.argv.slice(2)
const shop = words.find((word) => word in FRONTS)
const items = words.filter((word) => word !== shop)
/** A desk of its own, before the files in it or before a shop. */
const deskOf = async (key: string, url: string) =>
  new Desk(program, { key, url, ...(shop === undefined ? {} : { front: await FRONTS[shop]!() }) })
const shared = [...CASES, ...IDENTITIES, ...TOTALS].filter(({ item }) => items.includes(item))
const alone = ALONE.filter(({ item }) => items.includes(item))
const unknown = items.filter((item) => ![...shared, ...alone].some((one) => one.item === item))
if (unknown.length > 0) throw new Error(`there is no case ${unknown.join(", ")}`)

const program = new Program()
const sandbox = await program.sandbox(["shared", ...alone.map(({ item }) => `alone-${item}`)])
let failed = false
const report = ({ found, log }: Tale) => {
  if (found.length === 0) return
  failed = true
  console.log([...found, ...log.map((one) => `    ${one}`)].join("\n"))
}
try {
  const desk = await deskOf("shared", sandbox.url)
  const service = new Service(sandbox.url, "shared")
  const tales = shared.map(({ item, plot }) => [new Tale(item, desk, service), plot] as const)
  if (tales.length > 0) await play(desk, tales)
  for (const [tale] of tales) report(tale)
  await desk.front.close()
  for (const { item, plot } of alone) {
    const between = await proxy(sandbox.url)
    const key = `alone-${item}`
    const [own, ownService] = [await deskOf(key, between.url), new Service(sandbox.url, key)]
    const plots = typeof plot === "function" ? { [item]: plot } : plot
    const plotted = Object.entries(plots).map(([name, one]) => [new Tale(name, own, ownService), one(between)] as const)
    await play(own, plotted)
    for (const [tale] of plotted) report(tale)
    await own.front.close()
    await between.close()
  }
} finally {
  await sandbox.end()
  await program.close()
}
if (!failed) console.log("everything held")
process.exitCode = failed ? 1 : 0
