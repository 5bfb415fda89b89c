/** A slot of a worker: a process that runs one tenant after the other, and is started again when it ends. */
import { Effect, type Scope } from "effect"
import { type ChildProcess, fork } from "node:child_process"
import type { RunOutcome, Slot } from "./Worker.ts"

/** What a worker tells a slot. */
export interface SlotAsk {
  readonly run: string
}

/** What a slot tells its worker. */
export type Said = { readonly beat: true } | { readonly outcome: RunOutcome }

/** How often a slot says that it is there, and how often the worker must have missed it. */
export const BEATS_MS = 1000
const MOST_MISSED = 60
/** How many more may be missing while it starts: a busy machine takes long. */
const STARTS = 240
/** How long a run may take to end when the worker stops. Milliseconds. */
const ENDS_MS = 20_000
/** A tenant that takes more memory ends its slot. */
const HEAP = "--max-old-space-size=1024"

const ended = (code: number | null, signal: NodeJS.Signals | null) =>
  `the process of its run ended: ${signal ?? `exit status ${code}`}`

class SlotProcess implements Slot {
  readonly #args: ReadonlyArray<string>
  readonly #variables: NodeJS.ProcessEnv
  #child: ChildProcess | undefined
  /** Counted in looks: a machine may be suspended. */
  #missed = 0
  #settle: ((outcome: RunOutcome) => void) | undefined

  constructor(args: ReadonlyArray<string>, variables: NodeJS.ProcessEnv) {
    this.#args = args
    this.#variables = variables
  }

  start(): ChildProcess {
    const child = fork(process.argv[1] ?? "", [...this.#args], {
      env: { ...process.env, ...this.#variables },
      execArgv: [...process.execArgv, HEAP],
      stdio: ["ignore", "inherit", "inherit", "ipc"]
    })
    this.#child = child
    this.#missed = -STARTS
    const over = (why: string) => {
      if (this.#child !== child) return
      this.#child = undefined
      this.#end({ type: "died", why })
    }
    child.on("message", (said: Said) => {
      this.#missed = 0
      if ("outcome" in said) this.#end(said.outcome)
    })
    child.on("exit", (code, signal) => over(ended(code, signal)))
    child.on("error", ({ message }) => over(`the process of its run could not be started: ${message}`))
    return child
  }

  look(): void {
    if (++this.#missed > MOST_MISSED) this.#child?.kill("SIGKILL")
  }

  readonly run = (tenant: string): Effect.Effect<RunOutcome> =>
    Effect.callback<RunOutcome>((resume) => {
      this.#settle = (outcome) => resume(Effect.succeed(outcome))
      const child = this.#child ?? this.start()
      child.send({ run: tenant } satisfies SlotAsk, (error) => {
        if (error !== null) child.kill("SIGKILL")
      })
      return this.stop
    })

  /** What is under way comes to its end. */
  get stop(): Effect.Effect<void> {
    return Effect.callback<void>((resume) => {
      const child = this.#child
      this.#settle = undefined
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
      const last = setTimeout(() => child.kill("SIGKILL"), ENDS_MS)
      child.once("exit", () => {
        clearTimeout(last)
        resume(Effect.void)
      })
      child.kill("SIGTERM")
    })
  }

  #end(outcome: RunOutcome): void {
    const settle = this.#settle
    this.#settle = undefined
    settle?.(outcome)
  }
}

/**
 * Slots that end with the scope.
 *
 * @param args with which this command is a slot
 * @param variables of its environment, by which it knows that it is one
 */
export const slotProcesses = (
  count: number,
  args: ReadonlyArray<string>,
  variables: NodeJS.ProcessEnv
): Effect.Effect<ReadonlyArray<Slot>, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const slots = Array.from({ length: count }, () => new SlotProcess(args, variables))
      for (const slot of slots) slot.start()
      const looks = setInterval(() => {
        for (const slot of slots) slot.look()
      }, BEATS_MS)
      return { slots, looks }
    }),
    ({ looks, slots }) =>
      Effect.andThen(
        Effect.sync(() => clearInterval(looks)),
        Effect.forEach(slots, (slot) => slot.stop, { concurrency: "unbounded" })
      )
  ).pipe(Effect.map(({ slots }) => slots))
