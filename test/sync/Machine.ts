/**
 * A machine with a clock of its own and a state file, on which daemons live one after the other.
 */
import { Clock, Context, Effect, Exit, Fiber, Layer, Scope, Stream } from "effect"
import type { Connection } from "../../sync/model/Connection.ts"
import type { AroundReading } from "../../sync/schedule/RunSlots.ts"
import * as Scheduler from "../../sync/schedule/Scheduler.ts"
import { Database, type StateError } from "../../sync/state/Database.ts"
import type { Schedule } from "../../sync/model/Schedule.ts"
import { connection, connector } from "./Source.ts"
import { JumpingClock, turn } from "./Time.ts"

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const at = (text: string) => Date.parse(text)
export const iso = (time: number) => new Date(time).toISOString()

export const of = (id: string, every?: Schedule): Connection => ({
  ...connection(
    connector(() => Stream.empty),
    undefined,
    id
  ),
  ...(every === undefined ? {} : { every })
})

export interface Ran {
  readonly id: string
  readonly why: string
  readonly at: number
}

export class Machine {
  readonly clock: JumpingClock
  readonly ran: Array<Ran> = []
  readonly events: Array<Scheduler.RunEvent> = []
  connections: ReadonlyArray<Connection>
  /** What a turn does; an hour is long. */
  work: (
    connection: Connection,
    why: string,
    around: AroundReading
  ) => Effect.Effect<Scheduler.Done, Scheduler.Failure> = () =>
    Effect.as(Effect.sleep(1000), { outcome: "done", message: "" })
  runMs: number | undefined
  now = 0
  most = 0
  readonly atOnce: number
  readonly family: ((connection: Connection) => string) | undefined
  #daemon: Scheduler.Daemon | undefined
  #fiber: Fiber.Fiber<never, StateError> | undefined
  readonly #scope = Scope.makeUnsafe()
  db!: Database["Service"]

  constructor(
    start: string,
    connections: ReadonlyArray<Connection>,
    { atOnce = 4, family }: { readonly atOnce?: number; readonly family?: (connection: Connection) => string } = {}
  ) {
    this.clock = new JumpingClock(at(start))
    this.connections = connections
    this.atOnce = atOnce
    this.family = family
  }

  get daemon(): Scheduler.Daemon {
    return this.#daemon!
  }

  async open(): Promise<void> {
    const layer = Layer.buildWithScope(Database.layer({ file: ":memory:", mode: "share" }), this.#scope)
    this.db = Context.get(await Effect.runPromise(layer), Database)
  }

  async start(): Promise<void> {
    const machine = this
    const program = Effect.gen(function* () {
      const daemon = yield* Scheduler.make({
        atOnce: machine.atOnce,
        connections: Effect.sync(() => machine.connections),
        ...(machine.family === undefined ? {} : { family: machine.family }),
        onEvent: (event) => Effect.sync(() => void machine.events.push(event)),
        ...(machine.runMs === undefined ? {} : { runMs: machine.runMs }),
        work: (connection, why, around) =>
          Effect.gen(function* () {
            machine.ran.push({ id: connection.id, why, at: machine.clock.currentTimeMillisUnsafe() })
            machine.most = Math.max(machine.most, ++machine.now)
            return yield* machine.work(connection, why, around)
          }).pipe(Effect.ensuring(Effect.sync(() => void machine.now--)))
      })
      machine.#daemon = daemon
      return yield* daemon.run
    })
    this.#fiber = Effect.runFork(
      program.pipe(
        Effect.scoped,
        Effect.provideService(Database, this.db),
        Effect.provideService(Clock.Clock, this.clock)
      )
    )
    await this.rest()
  }

  async stop(): Promise<void> {
    const fiber = this.#fiber!
    fiber.interruptUnsafe()
    await this.rest()
    await Effect.runPromise(Fiber.await(fiber))
  }

  /** How the daemon ended by itself. */
  ended(): Promise<Exit.Exit<never, StateError>> {
    return Effect.runPromise(Fiber.await(this.#fiber!))
  }

  /** Until nothing moves without the clock. */
  async rest(): Promise<void> {
    for (let n = 0; n < 8; n++) await turn()
  }

  /** Lets time pass. */
  async pass(millis: number): Promise<void> {
    let left = millis
    while (left > 0) {
      const before = this.clock.currentTimeMillisUnsafe()
      const limit = this.clock.later(left, () => {})
      this.clock.jump()
      limit()
      left -= this.clock.currentTimeMillisUnsafe() - before
      await this.rest()
    }
  }

  close(): Promise<void> {
    return Effect.runPromise(Scope.close(this.#scope, Exit.void))
  }
}

export const machine = async (...args: ConstructorParameters<typeof Machine>) => {
  const made = new Machine(...args)
  await made.open()
  return made
}
