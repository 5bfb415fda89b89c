/**
 * Faults of the state file between and during runs: it is backed up, copied with `cp`, replaced by an older copy, deleted, or
 * its copy is used beside it. Then does what the documentation asks for: nothing is sent before `daybook reconcile --fix` has
 * read the service.
 */
import { type Cause, Effect } from "effect"
import { copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { audit } from "../../sync/reconciliation/Audit.ts"
import * as Backup from "../../sync/state/Backup.ts"
import { GuardError } from "../../sync/state/LedgerTrust.ts"
import type { World } from "../sync/World.ts"
import type { Dice } from "./Dice.ts"
import type { MoveRates } from "./Moves.ts"
import { SETTLED } from "./Network.ts"
import type { Story } from "./Story.ts"

const PARTS = ["", "-wal", "-shm"]

/** Whether a run ended because the ledger may lack what was sent to the service. */
export const isBehind = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) => reason._tag === "Fail" && reason.error instanceof GuardError)

const remove = (file: string): void => {
  for (const part of PARTS) rmSync(file + part, { force: true })
}

/** As `cp` does it: the file and its log, and no lock. */
const copy = (from: string, to: string): void => {
  remove(to)
  for (const part of ["", "-wal"]) if (existsSync(from + part)) copyFileSync(from + part, to + part)
}

export class Files {
  readonly #world: World
  readonly #story: Story
  readonly #rates: MoveRates
  /** A backup, and a copy that says nothing of itself. */
  readonly #backup: string
  readonly #raw: string
  /** The state file was lost or replaced at some time: receipts of what it had sent are gone. */
  lost = false
  /** How often it was. */
  replaced = 0
  /** It was deleted or replaced while the latest run was at work: that run stops. */
  moved = false

  constructor(world: World, story: Story, rates: MoveRates) {
    this.#world = world
    this.#story = story
    this.#rates = rates
    const folder = dirname(dirname(world.file))
    this.#backup = join(folder, "backup.db")
    this.#raw = join(folder, "raw", "daybook.db")
    mkdirSync(dirname(this.#raw))
  }

  /** Between two runs. */
  async between(round: number): Promise<void> {
    this.moved = false
    const world = this.#world
    const dice = this.#story.dice(`${round}.file`)
    if (!existsSync(world.file)) return
    const happens = (what: string) => this.#story.happens(`${round}.file`, what)
    if (existsSync(this.#backup) && dice.chance(this.#rates.file_older)) {
      if (happens("an older copy of the state file is put back")) this.#replace(this.#backup)
    } else if (dice.chance(this.#rates.file_lost)) {
      if (happens("the state file is deleted")) this.#replace(undefined)
    } else if (this.#rates.file_older > 0 && dice.chance(0.5)) {
      await world.life(Backup.backup(this.#backup))
    }
    this.#copied(round)
  }

  #copied(round: number): void {
    const dice = this.#story.dice(`${round}.copy`)
    const file = this.#world.file
    if (this.#rates.file_copied === 0 || !existsSync(file)) return
    const again = existsSync(this.#raw) && dice.chance(this.#rates.file_copied)
    if (again && this.#story.happens(`${round}.copy`, "a copy of the state file that cp made is put back"))
      return this.#replace(this.#raw)
    if (dice.chance(0.5)) copy(file, this.#raw)
    if (dice.chance(this.#rates.file_copied) && this.#story.happens(`${round}.copy.used`, "a copy is used beside it")) {
      copy(file, this.#raw)
      this.#world.second({ settleAfter: SETTLED, guarded: true }, { file: this.#raw })
    }
  }

  /** While a run is at work. */
  midway(id: string, dice: Dice): void {
    const file = this.#world.file
    if (this.#world.dead || !existsSync(file)) return
    const by = [this.#backup, this.#raw, undefined][dice.below(3)]
    const there = by !== undefined && existsSync(by) ? by : undefined
    const what = there === undefined ? "deleted" : "replaced by an older copy"
    if (!this.#story.happens(`${id}.file`, `the state file is ${what} before ${id}`)) return
    this.#replace(there)
    this.moved = true
  }

  /** By another file, or by none. */
  #replace(by: string | undefined): void {
    remove(this.#world.file)
    if (by !== undefined) copy(by, this.#world.file)
    // It is moved: as long as what was used there is still there, this one is refused as its copy.
    if (by === this.#raw) remove(by)
    this.lost = true
    this.replaced++
  }

  /** `daybook reconcile --fix`, as far as it gets. */
  async mend(): Promise<void> {
    await this.#world.life(
      audit(this.#world.connections, { fix: true, settleAfter: SETTLED, onFound: () => Effect.void })
    )
  }
}
