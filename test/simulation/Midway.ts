/**
 * Events during any request of an apply: the books change and are pulled through the same database handle, a person decides,
 * the clock is set.
 */
import { Clock, Effect } from "effect"
import * as AttentionStore from "../../sync/apply/AttentionStore.ts"
import { Database, type StateError } from "../../sync/state/Database.ts"
import { alone } from "../../sync/decisions/ConnectionLocks.ts"
import * as AttentionActions from "../../sync/apply/AttentionActions.ts"
import * as Matching from "../../sync/matching/Run.ts"
import * as MatchCandidates from "../../sync/matching/Candidates.ts"
import * as MatchChoices from "../../sync/matching/Choices.ts"
import { configurationOf, reading } from "./Ways.ts"
import * as WebhookQueue from "../../sync/pull/WebhookQueue.ts"
import { reread } from "../../sync/pull/Refetch.ts"
import type { Connection } from "../../sync/model/Connection.ts"
import type { World } from "../sync/World.ts"
import type { Dice } from "./Dice.ts"
import type { Files } from "./Files.ts"
import { type MoveRates, wrongBy } from "./Moves.ts"
import { SETTLED } from "./Network.ts"
import type { Story } from "./Story.ts"

/** A person looks at one payment that was left open, and says which invoices it is for, or that it is for none. */
export const choosing = (world: World, dice: Dice) =>
  Effect.gen(function* () {
    const db = yield* Database
    const { subject } = dice.of(AttentionStore.list(db).filter(({ rule }) => MatchChoices.isMatchingItem(rule))) ?? {}
    if (subject === undefined) return "nothing is open"
    const found = [...MatchCandidates.candidates(db, subject).map(({ invoice }) => invoice)]
    for (const one of world.documents) if (one.kind === "invoice" && dice.chance(0.2)) found.push(one.id)
    const invoices = found.slice(0, dice.below(3)).map((invoice) => ({ invoice }))
    const choice = yield* db.transaction(() => MatchChoices.choose(db, subject, invoices, 0))
    yield* Matching.run
    return `${subject}: ${"why" in choice ? choice.why : choice.shares.map(([invoice]) => invoice).join(" and ")}`
  })

/** A person takes a choice back. */
const forgetting = (dice: Dice) =>
  Effect.gen(function* () {
    const db = yield* Database
    const payments = db.prepare("SELECT payment FROM choice ORDER BY 1").pluck().all() as ReadonlyArray<string>
    const payment = dice.of(payments)
    if (payment === undefined) return
    const now = yield* Clock.currentTimeMillis
    yield* db.transaction(() => MatchChoices.forget(db, payment, now))
    yield* Matching.run
  })

/** What a person says of an attention item that they settle. */
export const ACCEPTED = "a person accepts it"

/** A person settles an attention item: what others sent to the service is accepted, what was sent stands. */
const accepting = (dice: Dice, { accepted }: People) =>
  Effect.gen(function* () {
    const db = yield* Database
    const one = dice.of(AttentionStore.list(db))
    if (one === undefined) return
    const [, order] = /^books\/order\/(.*)$/.exec(one.subject) ?? []
    if (order !== undefined) accepted(order)
    yield* db.transaction(() => AttentionActions.resolve(db, one, ACCEPTED, 0))
  })

/** A person has something tried again. */
const retrying = (dice: Dice) =>
  Effect.gen(function* () {
    const db = yield* Database
    const one = dice.of(AttentionStore.list(db))
    if (one !== undefined) yield* db.transaction(() => AttentionActions.retry(db, one.id, 0))
    yield* Matching.run
  })

/** The service's webhook says that it has something new of some documents, and they are read again, one by one. */
export const hinting = (connection: Connection, dice: Dice) =>
  Effect.gen(function* () {
    const db = yield* Database
    const sql =
      "SELECT subject FROM ledger WHERE connection = ? AND held IS NOT NULL AND (subject LIKE '%/invoice/%' OR subject LIKE '%/order/%') ORDER BY 1"
    const keys = (db.prepare(sql).pluck().all(connection.id) as ReadonlyArray<string>).filter(() => dice.chance(0.5))
    const events = keys.map((key, n) => ({ about: `service:${key}`, event: `${dice.throw()} ${n}` }))
    yield* db.transaction(() => void WebhookQueue.enqueue(db, connection.id, events, 0))
    yield* reread(connection, { folder: "." })
  })

/** Decisions that others need to know of, or make. */
export interface People {
  /** Somebody looks at the plans that wait for approval. */
  readonly decide: (id: string) => Effect.Effect<void, StateError, Database>
  /** The connections, as the configuration has them. */
  readonly connections: () => ReadonlyArray<Connection>
  /** Another program plans with other settings. */
  readonly plan: (dice: Dice) => Effect.Effect<void, StateError, Database>
  /** Somebody accepted something about an order. */
  readonly accepted: (order: string) => void
}

export class Midway {
  readonly #world: World
  readonly #story: Story
  readonly #rates: MoveRates
  readonly #files: Files
  readonly #people: People
  /** The lock file was removed in this life or before it: whoever held it stops. */
  lockRemoved = false
  /** Changes what the sources hold. */
  readonly #change: (dice: Dice, id: string) => void

  constructor(
    world: World,
    story: Story,
    rates: MoveRates,
    { files, people }: { readonly files: Files; readonly people: People },
    change: (dice: Dice, id: string) => void
  ) {
    this.#world = world
    this.#story = story
    this.#rates = rates
    this.#files = files
    this.#people = people
    this.#change = change
  }

  /** A request is about to leave. */
  request(id: string): void {
    const [world, story] = [this.#world, this.#story]
    const dice = story.dice(`${id}.midway`)
    if (dice.chance(this.#rates.midway_pull)) {
      const one = dice.of(this.#people.connections())!
      if (story.happens(`${id}.pull`, `the books change before ${id}, and ${one.id} is pulled`)) {
        this.#change(story.dice(`${id}.pull`), `${id}.pull`)
        world.beside(reading(configurationOf(this.#people.connections(), 1), one))
      }
    }
    const hint = story.dice(`${id}.hint`)
    if (
      hint.chance(this.#rates.midway_hint) &&
      story.happens(`${id}.hint`, `webhooks of the service come before ${id}`)
    ) {
      const one = hint.of(this.#people.connections())!
      world.beside(this.#perhapsAlone(hint, hinting(one, hint)))
    }
    const settings = story.dice(`${id}.settings`)
    if (settings.chance(this.#rates.settings / 10) && story.happens(`${id}.settings`, `settings differ before ${id}`))
      world.beside(this.#people.plan(settings))
    if (dice.chance(this.#rates.midway_decision) && story.happens(`${id}.decision`, `a person decides before ${id}`))
      world.beside(this.#decision(`${id}.decision`))
    const lock = story.dice(`${id}.lock`)
    if (
      lock.chance(this.#rates.lock_removed) &&
      story.happens(`${id}.lock`, `the lock file is removed before ${id}, and a second process started`)
    ) {
      this.lockRemoved = true
      world.removeLock()
      world.second({ settleAfter: SETTLED, guarded: true })
    }
    const file = story.dice(`${id}.file`)
    if (file.chance(this.#rates.midway_file)) this.#files.midway(id, file)
    if (dice.chance(this.#rates.midway_clock)) {
      const by = wrongBy(dice)
      if (story.happens(`${id}.clock`, `the clock is set ${by} ms on before ${id}`)) {
        world.clock.set(world.clock.currentTimeMillisUnsafe() + by)
        // The service's time goes on.
        world.time.ahead += by
      }
    }
  }

  #decision(id: string): Effect.Effect<unknown, StateError, Database> {
    const dice = this.#story.dice(id)
    const what = this.#which(id, dice)
    return this.#perhapsAlone(dice, what)
  }

  /** As the library and the page do it: once nothing else is done there. The engine is right without that, too. */
  #perhapsAlone<A, E, R>(dice: Dice, work: Effect.Effect<A, E, R>): Effect.Effect<A, E | StateError, R | Database> {
    if (dice.chance(0.5)) return work
    return Effect.flatMap(Database, (db) => alone(db, this.#world.connections, work))
  }

  #which(id: string, dice: Dice): Effect.Effect<unknown, StateError, Database> {
    if (dice.chance(0.3)) return this.#people.decide(id)
    if (dice.chance(0.2)) return accepting(dice, this.#people)
    if (this.#world.connections.length === 1 || dice.chance(0.3)) return retrying(dice)
    return dice.chance(0.7) ? choosing(this.#world, dice) : forgetting(dice)
  }
}
