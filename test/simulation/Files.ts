/**
 * What befalls the state file between two runs: it is backed up, an older copy of it takes its place, it is deleted. And
 * what the documentation asks for then: nothing is sent before `daybook reconcile --fix` has read the service.
 */
import { type Cause, Effect } from "effect"
import { copyFileSync, existsSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { audit } from "../../sync/reconciliation/Audit.ts"
import * as Backup from "../../sync/state/Backup.ts"
import { GuardError } from "../../sync/state/LedgerTrust.ts"
import type { World } from "../sync/World.ts"
import type { MoveRates } from "./Moves.ts"
import { SETTLED } from "./Network.ts"
import type { Story } from "./Story.ts"

const PARTS = ["", "-wal", "-shm"]

/** Whether a run ended because the ledger may lack what the service was told. */
export const isBehind = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) => reason._tag === "Fail" && reason.error instanceof GuardError)

export class Files {
  readonly #world: World
  readonly #story: Story
  readonly #rates: MoveRates
  readonly #copy: string
  /** The state file was lost or replaced at some time: receipts of what it had told are gone. */
  lost = false

  constructor(world: World, story: Story, rates: MoveRates) {
    this.#world = world
    this.#story = story
    this.#rates = rates
    this.#copy = join(dirname(dirname(world.file)), "backup.db")
  }

  /** Between two runs. */
  async between(round: number): Promise<void> {
    const world = this.#world
    const dice = this.#story.dice(`${round}.file`)
    if (!existsSync(world.file)) return
    const tell = (what: string) => this.#story.tell(`${round}.file`, what)
    if (existsSync(this.#copy) && dice.chance(this.#rates.file_older)) {
      if (!tell("an older copy of the state file is put back")) return
      this.#remove()
      copyFileSync(this.#copy, world.file)
      this.lost = true
    } else if (dice.chance(this.#rates.file_lost)) {
      if (!tell("the state file is deleted")) return
      this.#remove()
      this.lost = true
    } else if (this.#rates.file_older > 0 && dice.chance(0.5)) {
      await world.life(Backup.backup(this.#copy))
    }
  }

  #remove(): void {
    for (const part of PARTS) rmSync(this.#world.file + part, { force: true })
  }

  /** `daybook reconcile --fix`, as far as it gets. */
  async mend(): Promise<void> {
    await this.#world.life(
      audit(this.#world.connections, { mend: true, settleAfter: SETTLED, onFound: () => Effect.void })
    )
  }
}
