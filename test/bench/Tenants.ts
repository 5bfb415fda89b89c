/**
 * What a tenant costs in one process, measured by the sides of `test/tenants/figures.ts`: a sync with nothing new of one that is open,
 * as a daemon's are, and of one that is opened for it and closed again. Processor time against 12 ms, which is 83 of them in a second
 * on one core; memory and descriptors of each that is open.
 */
import { atMost, type Figure, megabytes, seconds, shown } from "./Figure.ts"
import { run, serve } from "./Process.ts"
import type * as Sides from "../tenants/Sides.ts"

const sides = new URL("../tenants/Sides.ts", import.meta.url).href

/** Milliseconds of processor time. */
const MOST = 12

type Quiet = Awaited<ReturnType<typeof Sides.quiet>>

export const figures = async (folder: string, scale: number): Promise<ReadonlyArray<Figure>> => {
  const [few, many] = [Math.round(100 * scale) + 10, Math.round(1000 * scale)]
  const sandbox = await serve<string>(new URL("Apply.ts", import.meta.url).href, "sandbox")
  try {
    await run(sides, "folders", folder, sandbox.result, 1, "1 hour")
    await run(sides, "first", folder, 1)
    await run(sides, "clones", folder, 1, many)
    const small = (await run<Quiet>(sides, "quiet", folder, few)).result
    const large = (await run<Quiet>(sides, "quiet", folder, many)).result
    const each = large.syncs.toSorted((a, b) => a - b)[1]!
    const whole = each + large.open + large.close
    const of = (what: string, cpu: number) =>
      atMost(`tenants: ${what}; ${MOST} ms of processor time`, 1, {
        ours: seconds(cpu / 1000),
        baseline: seconds(MOST / 1000),
        ratio: cpu / MOST,
        note: `${Math.floor(1000 / cpu)} in a second on one core`
      })
    const more = many - few
    return [
      of("a sync with nothing new", each),
      of("the same, opened for it and closed", whole),
      shown(`tenants: memory of ${many} open, and of ${few}`, {
        ours: megabytes(large.megabytes),
        baseline: megabytes(small.megabytes),
        ratio: large.megabytes / small.megabytes,
        note: `${((large.megabytes - small.megabytes) / more).toFixed(1)} MB and ${((large.files - small.files) / more).toFixed(1)} descriptors for each more that is open; one that is closed has neither`
      })
    ]
  } finally {
    sandbox.stop()
  }
}
