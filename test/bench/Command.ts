/**
 * The `daybook` command as people get it: the bundle in `dist`, built first when the sources are newer.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { delimiter } from "node:path"
import { text } from "node:stream/consumers"
import type { Readable } from "node:stream"
import { fileURLToPath } from "node:url"
import { profiling } from "./Process.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

export const bundle = fileURLToPath(new URL("../../dist/daybook.js", import.meta.url))

const environment = {
  ...process.env,
  PATH: `${root}node_modules/.bin${delimiter}${process.env["PATH"]}`,
  DAYBOOK_KEY: "sandbox-key"
}

let built = false

export const build = (): void => {
  if (built) return
  built = true
  execFileSync(process.execPath, [`${root}cli/build.js`], { stdio: ["ignore", "ignore", "inherit"], env: environment })
}

/** How long a run of Node with these arguments takes as a whole process, in seconds. */
export const took = (args: ReadonlyArray<string>, cwd?: string): number => {
  const started = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, {
    stdio: ["ignore", "ignore", "pipe"],
    env: environment,
    cwd
  })
  if (status !== 0) throw new Error(`node ${args.join(" ")} ended with ${status}: ${stderr}`)
  return (performance.now() - started) / 1000
}

export interface Watched {
  readonly seconds: number
  readonly stdout: string
  /** Processor time of the whole process, all threads, in seconds. */
  readonly worked: number
  /** The peak of the whole process, in megabytes. */
  readonly peak: number
  /** The most that was seen in each quarter of its time. */
  readonly quarters: ReadonlyArray<number>
}

/** Runs the command as a whole process, and watches its memory. */
export const watch = async (...args: ReadonlyArray<string>): Promise<Watched> => {
  const started = performance.now()
  const watcher = fileURLToPath(new URL("memory.js", import.meta.url))
  const child = spawn(process.execPath, [...profiling(args[0]!), "--import", watcher, bundle, ...args], {
    stdio: ["ignore", "pipe", "inherit", "pipe"],
    env: environment
  })
  const [stdout, seen, [status]] = await Promise.all([
    text(child.stdout!),
    text(child.stdio[3] as Readable),
    once(child, "exit")
  ])
  const seconds = (performance.now() - started) / 1000
  if (status !== 0) throw new Error(`daybook ${args.join(" ")} ended with ${status}: ${stdout}`)
  const { peak, samples, worked } = JSON.parse(seen) as Pick<Watched, "peak" | "worked"> & {
    readonly samples: ReadonlyArray<number>
  }
  const quarters = [0, 1, 2, 3].map((n) =>
    Math.max(0, ...samples.slice(Math.floor((n * samples.length) / 4), Math.floor(((n + 1) * samples.length) / 4)))
  )
  return { seconds, stdout, worked, peak, quarters }
}
