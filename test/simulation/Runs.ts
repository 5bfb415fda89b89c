/** The runs of a history: in which way each is made, and what a person says of its plan where they are asked. */
import { Effect, type Exit } from "effect"
import type { World } from "../sync/World.ts"
import { Approver } from "./Approver.ts"
import type { MoveRates } from "./Moves.ts"
import type { Names } from "./Names.ts"
import type { Story } from "./Story.ts"
import { configurationOf, saves, WAYS, type Way } from "./Ways.ts"

export interface Run {
  readonly round: number
  readonly concurrency: number
  /** It sends what the books hold although a source could not be read. */
  readonly evenSo: boolean
  /** The connections that it reads, by id and in this order. */
  readonly reads: ReadonlyArray<string>
}

/** How often a person is asked until they have agreed to everything. */
const MOST_ASKED = 12

export class Runs {
  readonly #world: World
  readonly #story: Story
  readonly #rates: MoveRates
  readonly #approver: Approver | undefined
  readonly #names: Names
  /** What was done without asking. */
  readonly found: Array<string> = []

  constructor(world: World, story: Story, rates: MoveRates, names: Names) {
    this.#names = names
    this.#world = world
    this.#story = story
    this.#rates = rates
    const asks = story.dice("approval").chance(rates.approval)
    this.#approver =
      asks && story.happens("approval", "every plan is approved by a person")
        ? new Approver(world, () => this.#asking)
        : undefined
  }

  /** Every plan is laid before a person. */
  get asks(): boolean {
    return this.#approver !== undefined
  }

  /** Whether a second process waits for its turn; it asks nobody. */
  mayWait(id: string): boolean {
    return !this.asks && this.#story.dice(`${id}.waits`).chance(this.#rates.second_waits)
  }

  /** A person looks at the plans that wait. */
  decide(id: string) {
    return this.#approver?.decide(this.#story.dice(`${id}.approver`)) ?? Effect.void
  }

  /** The connections, each of which asks. */
  get #asking() {
    return this.#names.connections.map((one) => ({ ...one, approve: true }))
  }

  #configuration(concurrency: number) {
    const connections = this.#approver === undefined ? this.#names.connections : this.#asking
    return configurationOf(connections, concurrency, this.#world.folder)
  }

  #way({ evenSo, round }: Run): Way {
    const dice = this.#story.dice(`${round}.way`)
    if (this.#approver !== undefined) return "turns"
    if (
      dice.chance(this.#rates.handles) &&
      this.#story.happens(`${round}.way`, "two handles of the library work at once")
    )
      return "handles"
    return dice.chance(this.#rates.turns) && this.#story.happens(`${round}.way`, "it is the turn of each connection")
      ? "turns"
      : evenSo
        ? "command"
        : "strictly"
  }

  /** @param lawful whether nobody else may have sent something at the same time */
  async go(run: Run, lawful: () => boolean): Promise<Exit.Exit<unknown, unknown>> {
    this.#approver?.begins()
    const saved = this.#approver?.refused
    if (saved !== undefined && this.#story.dice(`${run.round}.saved`).chance(0.5))
      await this.#world.life(saves(this.#configuration(run.concurrency), saved.connection, saved.digest))
    const work: Parameters<World["beside"]>[0] = WAYS[this.#way(run)](this.#configuration(run.concurrency), run.reads)
    const ended = await this.#world.life(work)
    if (this.#approver !== undefined && lawful()) this.found.push(...this.#approver.unapproved())
    return ended
  }

  /** A run in which nothing goes wrong, and to whose plan everybody agrees. */
  async quiet(): Promise<Exit.Exit<unknown, unknown>> {
    const world = this.#world
    this.#names.settle()
    const ids = world.connections.map(({ id }) => id)
    if (this.#approver === undefined) return world.life(WAYS.command(this.#configuration(4), ids))
    for (let n = 0; ; n++) {
      const ended = await world.life(WAYS.turns(this.#configuration(4), ids))
      if (ended._tag === "Failure" || !this.#approver.waits || n === MOST_ASKED) return ended
      await world.life(this.#approver.agree)
    }
  }
}
