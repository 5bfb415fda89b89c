/**
 * The sides of a figure, each in a process of its own, so that neither warms up the other nor pays for its memory.
 *
 * A side is a function that a module of this folder exports. Its arguments and its answer travel as JSON. `Child.ts`
 * is the other end.
 */
import { fork, type ChildProcess } from "node:child_process"
import { fileURLToPath } from "node:url"

export interface Ran<A> {
  readonly result: A
  /** Processor time that the side took, all threads, in seconds. */
  readonly worked: number
  /** Peak of the whole process, in megabytes of a million bytes. */
  readonly peak: number
}

/** What a child is told to do. */
export interface Asked {
  readonly module: string
  readonly side: string
  readonly args: ReadonlyArray<unknown>
}

export type Answer<A> = Ran<A> | { readonly failed: string }

/** Modules that run as bundles, by the URL of their source, see `Bundles.ts`; what Node keeps of them, compiled. */
export const bundles: { readonly modules: Map<string, string>; cache?: string } = { modules: new Map() }

const CHILD = new URL("Child.ts", import.meta.url).href

const start = <A>(
  module: string,
  side: string,
  args: ReadonlyArray<unknown>,
  flags: ReadonlyArray<string>
): Promise<{ readonly child: ChildProcess; readonly ran: Ran<A> }> =>
  new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(bundles.modules.get(CHILD) ?? CHILD), [], {
      execArgv: ["--disable-warning=ExperimentalWarning", ...flags],
      env: { ...process.env, ...(bundles.cache === undefined ? {} : { NODE_COMPILE_CACHE: bundles.cache }) }
    })
    child.send({ module: bundles.modules.get(module) ?? module, side, args } satisfies Asked)
    child.once("message", (answer: Answer<A>) => {
      if ("failed" in answer) {
        child.disconnect()
        reject(new Error(`${side}: ${answer.failed}`))
      } else resolve({ child, ran: answer })
    })
    child.once("exit", (code, signal) => reject(new Error(`${side} ended with ${signal ?? code} before it answered`)))
  })

/** With `BENCH_PROFILE=FOLDER` every process leaves a CPU profile there, the last of each name. */
export const profiling = (name: string): ReadonlyArray<string> => {
  const folder = process.env["BENCH_PROFILE"]
  return folder === undefined ? [] : ["--cpu-prof", `--cpu-prof-name=${name}.cpuprofile`, "--cpu-prof-dir", folder]
}

/**
 * Runs one side to its end.
 *
 * @param module `import.meta.url` of the module that exports it
 */
export const run = async <A>(module: string, side: string, ...args: ReadonlyArray<unknown>): Promise<Ran<A>> => {
  const { child, ran } = await start<A>(module, side, args, profiling(side))
  await new Promise((resolve) => {
    child.once("exit", resolve)
    child.disconnect()
  })
  return ran
}

/** Starts a side that goes on after its answer, until it is stopped. */
export const serve = async <A>(
  module: string,
  side: string,
  ...args: ReadonlyArray<unknown>
): Promise<{ readonly result: A; readonly stop: () => void }> => {
  const { child, ran } = await start<A>(module, side, args, profiling(side))
  return { result: ran.result, stop: () => child.disconnect() }
}

/** Runs both sides in turns: what slows the machine down for a while then slows both. */
export const inTurns = async <A, B>(
  rounds: number,
  ours: (round: number) => Promise<A>,
  theirs: (round: number) => Promise<B>
): Promise<{ readonly ours: ReadonlyArray<A>; readonly theirs: ReadonlyArray<B> }> => {
  const results = { ours: [] as Array<A>, theirs: [] as Array<B> }
  for (let round = 0; round < rounds; round++) {
    results.ours.push(await ours(round))
    results.theirs.push(await theirs(round))
  }
  return results
}

/** How long `work` takes, in seconds. */
export const timed = async (work: () => unknown): Promise<number> => {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}
