/**
 * Simulates a person who approves or rejects plans while the books change. The digest of the plan that they looked at is kept,
 * and the decision is made later. Nothing may then be sent that they have not seen.
 */
import { Effect, Stream } from "effect"
import { existsSync } from "node:fs"
import * as Approvals from "../../sync/plan/Approvals.ts"
import * as Plan from "../../sync/plan/Plan.ts"
import { Tally } from "../../sync/plan/Tally.ts"
import { Database } from "../../sync/state/Database.ts"
import { open } from "../sync/InWorld.ts"
import type { Connection } from "../../sync/model/Connection.ts"
import type { World } from "../sync/World.ts"
import type { Dice } from "./Dice.ts"

/** Calls that change something; the others read. */
const CHANGES = "operation NOT LIKE '%.get' AND operation NOT LIKE '%.list'"

export class Approver {
  readonly #world: World
  /** The connections as the runs have them: another setting makes another plan. */
  readonly #connections: () => ReadonlyArray<Connection>
  /** What each plan that was looked at is about, by its digest. */
  readonly #seen = new Map<string, ReadonlySet<string>>()
  /** What was approved and may be sent. */
  #allowed = new Set<string>()
  #claims = 0
  /** The plan that was rejected last, which somebody may have saved before. */
  refused: { readonly connection: string; readonly digest: string } | undefined

  constructor(world: World, connections: () => ReadonlyArray<Connection>) {
    this.#world = world
    this.#connections = connections
  }

  /** Looks at the plan that waits, if it is still the one that there is. */
  get #look() {
    const seen = this.#seen
    return Effect.gen({ self: this }, function* () {
      const db = yield* Database
      for (const { connection, digest } of Approvals.list(db)) {
        const tally = new Tally()
        const subjects = new Set<string>()
        const mine = this.#connections().filter(({ id }) => id === connection)
        yield* Stream.runForEach(Plan.stream(mine), (planned) =>
          Effect.sync(() => {
            tally.add(planned)
            for (const { subject } of planned.calls) subjects.add(subject)
          })
        )
        if (tally.summary().digest === digest) seen.set(digest, subjects)
      }
    })
  }

  /** Looks at what waits, and says yes or no to what was looked at, now or before. */
  decide(dice: Dice) {
    return Effect.gen({ self: this }, function* () {
      const db = yield* Database
      yield* this.#look
      for (const { connection, digest, decision } of Approvals.list(db)) {
        const subjects = this.#seen.get(digest)
        if (decision !== null || subjects === undefined || dice.chance(0.2)) continue
        const said = dice.chance(0.85) ? "approved" : "rejected"
        const word = { connection, digest, decision: said, who: "a person" } as const
        yield* db.transaction(() => Approvals.decide(db, word, 0))
        if (said === "approved") for (const one of subjects) this.#allowed.add(one)
        else this.refused = { connection, digest }
      }
    })
  }

  /** Whether something waits for a word, or was refused: what is refused is asked about again once the books move. */
  get waits(): boolean {
    return this.#rows("SELECT 1 FROM approval").length > 0
  }

  /** Everybody agrees: there is nothing more to be refused. */
  get agree() {
    return Effect.gen({ self: this }, function* () {
      const db = yield* Database
      yield* db.transaction(() => db.prepare("UPDATE approval SET decision = NULL WHERE decision = 'rejected'").run())
      yield* this.#look
      for (const { connection, digest } of Approvals.list(db)) {
        const word = { connection, digest, decision: "approved", who: "a person" } as const
        yield* db.transaction(() => Approvals.decide(db, word, 0))
        for (const one of this.#seen.get(digest) ?? []) this.#allowed.add(one)
      }
    })
  }

  /** Before a run. */
  begins(): void {
    this.#claims = Number(this.#rows("SELECT max(id) AS id FROM claim")[0]?.["id"] ?? 0)
    // What was approved and not carried out to its end stands.
    if (this.#rows("SELECT 1 FROM approval WHERE decision = 'approved'").length === 0) this.#allowed = new Set()
  }

  /** Behind a run: what was sent that nobody approved. */
  unapproved(): ReadonlyArray<string> {
    const sent = this.#rows(`SELECT DISTINCT subject FROM claim WHERE id > ${this.#claims} AND ${CHANGES}`)
    return sent.flatMap(({ subject }) =>
      this.#allowed.has(String(subject)) ? [] : [`${String(subject)} was sent, and nobody had approved it`]
    )
  }

  #rows(sql: string) {
    if (!existsSync(this.#world.file)) return []
    const there = open(this.#world, "SELECT 1 FROM sqlite_schema WHERE name = 'approval'").length > 0
    return there ? open(this.#world, sql) : []
  }
}
