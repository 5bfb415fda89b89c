/**
 * The configuration of the connections: their names, and settings that do not influence what is finally sent. Both change
 * between runs, and the settings also during a run.
 */
import { Effect } from "effect"
import { existsSync } from "node:fs"
import { renamedBy } from "../../sync/library/config/Renames.ts"
import type { Connection, Planning } from "../../sync/model/Connection.ts"
import { GUARDS as ALL } from "../../sync/model/Guard.ts"
import * as Plan from "../../sync/plan/Plan.ts"
import * as SourceBindings from "../../sync/plan/SourceBindings.ts"
import { Database, type StateError } from "../../sync/state/Database.ts"
import { day } from "../support/Documents.ts"
import { open, openTable } from "../sync/InWorld.ts"
import type { World } from "../sync/World.ts"
import type { Dice } from "./Dice.ts"
import type { MoveRates } from "./Moves.ts"
import type { Story } from "./Story.ts"
import { configurationOf, WAYS } from "./Ways.ts"

/** Everything is issued between these days. */
const SETTINGS: ReadonlyArray<Partial<Planning>> = [
  {},
  { scope: { issued_after: day("2020-01-01") } },
  { scope: { issued_before: day("2030-01-01") } },
  // Drafts that are sent then stay on the service as drafts, whatever the scope says later.
  { scope: { drafts: true } }
]

/** What is lowered, voided and refunded here is meant. */
const GUARDS = { number: 1000, share: 1000, allow: ALL }

export class Names {
  readonly #world: World
  readonly #story: Story
  readonly #rates: MoveRates
  #settings: Partial<Planning> = {}

  constructor(world: World, story: Story, rates: MoveRates) {
    this.#world = world
    this.#story = story
    this.#rates = rates
  }

  #planned(settings: Partial<Planning>): ReadonlyArray<Connection> {
    return this.#world.connections.map((one) => ({
      ...one,
      planning: { ...one.planning, guards: GUARDS, ...settings }
    }))
  }

  /** The connections as a program knows them that reads the configuration and the state file as they are now. */
  get connections(): ReadonlyArray<Connection> {
    return this.#named(
      this.#planned(this.#settings),
      (id, names) => [...names].find(([, key]) => key === id)?.[0] ?? id
    )
  }

  /** As the configuration names them, brought to the names that the state file knows them by. */
  #named(
    connections: ReadonlyArray<Connection>,
    nameIn: (id: string, names: ReadonlyMap<string, string>) => string
  ): ReadonlyArray<Connection> {
    const names = SourceBindings.names(this.#world.file)
    const nameOf = (id: string) => nameIn(id, names)
    const written = connections.map(
      ({ id, pays, ...one }): Connection => ({
        ...one,
        id: nameOf(id),
        ...(pays === undefined ? {} : { pays: { ...pays, connection: nameOf(pays.connection) } })
      })
    )
    return Effect.runSync(renamedBy(configurationOf(written, 1), names)).connections
  }

  /** Between two runs. Answers what does not hold. */
  async between(round: number): Promise<ReadonlyArray<string>> {
    const dice = this.#story.dice(`${round}.settings`)
    if (dice.chance(this.#rates.settings) && this.#story.happens(`${round}.settings`, "the settings change"))
      this.#settings = dice.of(SETTINGS)!
    const name = this.#story.dice(`${round}.name`)
    const one = name.of(this.#world.connections)!
    if (!name.chance(this.#rates.renamed) || !this.#knows(one.id)) return []
    if (!this.#story.happens(`${round}.name`, `${one.id} gets another name`)) return []
    const found = name.chance(0.5) ? await this.#forgotten(one.id, `name-${round}`) : []
    // The state file may have been deleted or replaced meanwhile.
    if (!this.#knows(one.id)) return found
    const [from] = [...SourceBindings.names(this.#world.file)].find(([, key]) => key === one.id) ?? [one.id]
    const to = name.chance(0.3) ? one.id : `name-${round}`
    const done = await this.#world.life(
      Effect.flatMap(Database, (db) => db.transaction(() => SourceBindings.rename(db, from, to)))
    )
    if (done._tag === "Success" && "why" in done.value) found.push(`${from} cannot be called ${to}: ${done.value.why}`)
    return found
  }

  /** The file is bound to it, so that another name is noticed. */
  #knows(id: string): boolean {
    if (!existsSync(this.#world.file)) return false
    const there = open(this.#world, "SELECT 1 FROM sqlite_schema WHERE name = 'source'").length > 0
    return (
      there &&
      open(this.#world, `SELECT 1 FROM source WHERE connection = '${id}' AND connector IS NOT NULL`).length > 0 &&
      open(this.#world, `SELECT 1 FROM document WHERE key > '${id}/' AND key < '${id}0' LIMIT 1`).length > 0
    )
  }

  /** Calls about what is of the first of these, or seems to be of the second. What others hold is theirs to send. */
  #claims(id: string, to: string): number {
    const about = [["subject", id] as const, ["subject", to] as const, ["fact", to] as const].map(
      ([column, name]) => `${column} LIKE '${name}/%'`
    )
    const [counted] = openTable(this.#world, "claim", `SELECT count(*) AS n FROM claim WHERE ${about.join(" OR ")}`)
    return Number(counted?.["n"] ?? 0)
  }

  /** The configuration has the new name, and nobody said that it is the same connection: it stops before anything is done. */
  async #forgotten(id: string, to: string): Promise<Array<string>> {
    const world = this.#world
    const before = this.#claims(id, to)
    const connections = this.#named(this.#planned(this.#settings), (one) => (one === id ? to : one))
    const way = this.#story.dice(`${to}.way`).chance(0.5) ? WAYS.strictly : WAYS.command
    const ids = connections.map((one) => one.id)
    const ended = await world.life(way(configurationOf(connections, 4), ids))
    // Somebody may have deleted the state file while it was at work.
    const mixed = openTable(world, "document", `SELECT 1 FROM document WHERE key > '${to}/' AND key < '${to}0' LIMIT 1`)
    return [
      ...(world.dead || way === WAYS.command || ended._tag === "Failure" ? [] : [`${to} does not stop`]),
      ...(mixed.length > 0 ? [`${id} was read as ${to}`] : []),
      ...(this.#claims(id, to) > before ? [`something was sent while ${id} was called ${to}`] : [])
    ]
  }

  /** Another program plans with other settings meanwhile. */
  midway(dice: Dice): Effect.Effect<void, StateError, Database> {
    const connections = this.#planned(dice.of(SETTINGS)!)
    return Effect.flatMap(Database, (db) => db.transaction(() => Plan.rememberSettings(db, connections)))
  }

  /** From now on the settings are those of the beginning. */
  settle(): void {
    this.#settings = {}
  }
}
