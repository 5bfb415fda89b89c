/**
 * Cover in a simulated history, from quote to collection: its settings, what time and people change between runs, faults of
 * calls about collections, and the properties that must hold.
 */
import { policyStatus } from "../../core/sandbox/resources/Insurance.ts"
import { CAN_HANDOVER } from "../../core/sandbox/rules/States.ts"
import type { Fault } from "../../core/sandbox/server/Faults.ts"
import * as Day from "../../core/wire/Day.ts"
import type { Connection, Planning } from "../../sync/model/Connection.ts"
import type { CoverSettings } from "../../sync/model/CoverSettings.ts"
import { lettersLoaded } from "../sync/OwnFiles.ts"
import type { World } from "../sync/World.ts"
import { handedOver, prepared } from "./CollectionLaws.ts"
import { Collector, HANDOVER, WINDOWS } from "./Collector.ts"
import { CoverMoves } from "./CoverMoves.ts"
import { BEGINS, bought, coverOf, daysPass, needless } from "./Covers.ts"
import type { Dice } from "./Dice.ts"
import type { Feed } from "./Feed.ts"
import type { MoveRates } from "./Moves.ts"
import { insure, SETTLED } from "./Network.ts"
import type { Story } from "./Story.ts"

const DAY_MS = 86_400_000

/** Whoever stands for the seller in a collection is a user: it needs no admin of an organisation. */
const OWNER: Planning["owner"] = {
  user: { email: "pat@tern.example", unique_id: "seller", name: "Tern & Sons", registered: "2020-01-01T00:00:00Z" }
}

/** What a history with cover is planned with. */
export const coverPlanning = (
  dice: Dice,
  currency: string
): { readonly cover: CoverSettings; readonly owner: Planning["owner"] } => ({
  cover: { ...coverOf(dice, currency), handover: HANDOVER },
  owner: OWNER
})

export class Insured {
  readonly #world: World
  readonly #story: Story
  readonly #moves: MoveRates
  readonly #settings: CoverSettings
  readonly #collector: Collector
  readonly #own: CoverMoves
  /** Quotes that were bought, whatever became of the state file. */
  readonly #ours = new Set<string>()

  private constructor(
    world: World,
    story: Story,
    moves: MoveRates,
    settings: CoverSettings,
    connections: () => ReadonlyArray<Connection>
  ) {
    this.#world = world
    this.#story = story
    this.#moves = moves
    this.#settings = settings
    this.#collector = new Collector({ world, story, connections })
    this.#own = new CoverMoves({ world, story, moves, connections })
  }

  static async begin(
    world: World,
    story: Story,
    moves: MoveRates,
    connections: () => ReadonlyArray<Connection>
  ): Promise<Insured | undefined> {
    const { cover } = world.connection.planning
    if (cover === undefined) return undefined
    await lettersLoaded()
    world.clock.set(BEGINS)
    return new Insured(world, story, moves, cover, connections)
  }

  /** Rounds in which what is insured becomes late, behind those in which it is bought. */
  get more(): number {
    return this.#story.dice("weeks").chance(0.25) ? 0 : 5 + this.#story.dice("weeks.n").below(5)
  }

  /** @param late which of the rounds it is in which what is insured becomes late, counted from 1 */
  async between(round: number, late: number): Promise<void> {
    const { moves, story, world } = { moves: this.#moves, story: this.#story, world: this.#world }
    const others = story.dice(`${round}.insured`)
    for (let n = late === 1 ? 1 + others.below(6) : 0; n > 0; n--)
      if (story.happens(`${round}.insured.${n}`, "somebody insures an invoice past Daybook"))
        await insure(world, others)
    if (late > 0) await this.#becomesLate(round)
    else await daysPass({ world, story, moves, round })
    await this.#own.between(round, late > 0)
    await this.#collector.between(round)
  }

  #replaced = 0

  /** @param replaced how often the state file was lost or replaced until now */
  restored(replaced: number): void {
    if (replaced > this.#replaced) this.#collector.restored()
    this.#replaced = replaced
  }

  /** Nothing changes any more. */
  settle(): void {
    this.#own.settle()
  }

  /** Behind a quiet run: no window opened or closed unannounced. */
  announced(): Promise<ReadonlyArray<string>> {
    return this.#own.announced()
  }

  /** A few days pass; or as many as it takes until something can be handed over. */
  async #becomesLate(round: number): Promise<void> {
    const [story, world] = [this.#story, this.#world]
    const now = world.time.now
    const policies = [...world.service.policy.values()]
    const isOpen = policies.some((one) => policyStatus({ now }, one) === CAN_HANDOVER)
    const opens = policies
      .filter(({ status }) => status === "active")
      .map(({ due_date }) => Day.toEpochMillis(Day.addDays(Day.of(String(due_date)), WINDOWS.late + 1)))
    const next = Math.min(...opens.filter((at) => at > now))
    const few = now + (1 + story.dice(`${round}.days`).below(4)) * DAY_MS
    const to = isOpen || next === Infinity ? few : next
    if (!story.happens(`${round}.days`, `it is ${Day.fromEpochMillis(to)}`)) return
    await world.clock.settle()
    world.clock.set(to + world.time.ahead)
  }

  /** A request leaves, whatever becomes of it. */
  leaves(method: string, path: string): void {
    this.#collector.leaves(method, path)
  }

  /** What befalls a request about a collection that leaves, beside what befalls any. */
  strikes(id: string, method: string, path: string): Omit<Fault, "id"> | undefined {
    const stuck = this.#own.strikes(method, path)
    if (stuck !== undefined) return stuck
    if (method === "GET" || !path.startsWith("/v1/collection")) return undefined
    const [moves, story, world] = [this.#moves, this.#story, this.#world]
    const dice = story.dice(`${id}.collect`)
    const steps = dice.below(4)
    if (
      dice.chance(moves.collect_kill) &&
      story.happens(`${id}.collect_kill`, `the machine dies around ${method} ${path}`)
    )
      world.killAt = world.steps.length + 1 + steps
    const kind = dice.of(["lose_request", "lose_response", "lose_response", "late", "garble"] as const)!
    const delay_ms = dice.below(SETTLED)
    if (!dice.chance(moves.collect_fault) || !story.happens(`${id}.collect_fault`, `${method} ${path}: ${kind}`))
      return undefined
    return kind === "late" ? { kind, delay_ms } : { kind }
  }

  /** Whether the weeks in which something may be handed over have a quiet day now and then. */
  isCalm(round: number, late: number): boolean {
    return late > 0 && this.#story.dice(`${round}.calm`).chance(0.5)
  }

  /** A person gives their word for whatever is ready. */
  async lastWord(): Promise<void> {
    await this.#collector.lastWord()
  }

  isHidden(refusal: string): boolean {
    return this.#own.isHidden(refusal)
  }

  /** How many invoices were handed over. */
  get sent(): number {
    return [...this.#world.service.collection.values()].filter(({ sent }) => sent !== null).length
  }

  /** @param lost the state file was lost, or replaced by an older one */
  always(lost: boolean): ReadonlyArray<string> {
    return [
      ...this.#own.always(lost),
      ...bought(this.#world, this.#settings, this.#ours),
      ...handedOver(this.#world, this.#collector, lost)
    ]
  }

  /** What must hold besides once nothing happens any more. */
  quiet(feed: Feed, lost: boolean): ReadonlyArray<string> {
    const left = lost ? [] : prepared(this.#world, this.#collector)
    return [...this.always(lost), ...needless(this.#world, feed), ...left]
  }
}
