/**
 * Decides which waiting tenant gets the next turn, and manages the slots for turns. Decisions only: no clock, no effects.
 *
 * Fairness: a tenant with no turn in progress goes before one that has one; among these, first those that a person
 * requested, then the one that is overdue longest. No tenant holds more than half of the slots of a kind. A turn with a slow
 * source moves to a slot of the slow kind, and tenants whose last source was slow start there, so that nobody else waits for
 * them.
 */
import { Heap, type Named } from "./Heap.ts"

export interface Slots {
  /** How many turns run concurrently. */
  readonly atOnce: number
  /** How many turns with slow sources may start, in addition. */
  readonly slow: number
  /** How many turns with slow sources may run: more than may start, because others turn out to be slow. */
  readonly slowMost: number
}

export type Kind = "quick" | "slow"

interface Waiting extends Named {
  readonly due: number
  /** A person waits for it. */
  readonly urgent: boolean
  readonly running: number
}

export interface Turn {
  readonly name: string
  /** Since when it has been waiting. */
  readonly due: number
  kind: Kind
}

const before = (a: Waiting, b: Waiting): boolean =>
  a.running !== b.running
    ? a.running < b.running
    : a.urgent !== b.urgent
      ? a.urgent
      : a.due !== b.due
        ? a.due < b.due
        : a.name < b.name

const KINDS: ReadonlyArray<Kind> = ["quick", "slow"]

export class Turns {
  readonly #slots: Slots
  readonly #waiting: Readonly<Record<Kind, Heap<Waiting>>> = { quick: new Heap(before), slow: new Heap(before) }
  readonly #running = new Set<Turn>()
  readonly #held: Record<Kind, number> = { quick: 0, slow: 0 }
  /** How many turns each tenant has in progress. */
  readonly #own = new Map<string, number>()
  /** Tenants whose last source was slow. */
  readonly #slow = new Set<string>()

  constructor(slots: Slots) {
    this.#slots = slots
  }

  get waiting(): number {
    return this.#waiting.quick.size + this.#waiting.slow.size
  }

  /** Since when the one that has waited longest waits; undefined if none does. */
  get oldest(): number | undefined {
    let oldest: number | undefined
    for (const kind of KINDS)
      for (const { due } of this.#waiting[kind]) if (oldest === undefined || due < oldest) oldest = due
    return oldest
  }

  /** Turns in progress. */
  get running(): ReadonlySet<Turn> {
    return this.#running
  }

  runningOf(name: string): number {
    return this.#own.get(name) ?? 0
  }

  isWaiting(name: string): boolean {
    return KINDS.some((kind) => this.#waiting[kind].get(name) !== undefined)
  }

  /** Queues a tenant. One that is already waiting keeps its place. */
  add(name: string, due: number, urgent = false): void {
    const kind = this.#kindOf(name)
    const known = this.#waiting[kind].get(name)
    this.#waiting[kind].set({
      name,
      due: Math.min(due, known?.due ?? due),
      urgent: urgent || known?.urgent === true,
      running: this.runningOf(name)
    })
  }

  /** Removes a tenant from the queue. */
  remove(name: string): void {
    for (const kind of KINDS) this.#waiting[kind].delete(name)
  }

  /** Starts the next turn; undefined if none may start. */
  take(): Turn | undefined {
    for (const kind of KINDS) {
      if (this.#held[kind] >= (kind === "quick" ? this.#slots.atOnce : this.#slots.slow)) continue
      const first = this.#waiting[kind].first()
      // The others have at least as many in progress.
      if (first === undefined || first.running >= this.#share(kind)) continue
      this.#waiting[kind].delete(first.name)
      const turn = { name: first.name, due: first.due, kind }
      this.#running.add(turn)
      this.#held[kind]++
      this.#count(turn.name, 1)
      return turn
    }
    return undefined
  }

  /** Its source is slow: moves it to another slot. False: there are already as many slow ones as allowed. */
  slowed(turn: Turn): boolean {
    if (!this.#running.has(turn)) return false
    if (turn.kind === "slow") return true
    if (this.#held.slow >= this.#slots.slowMost) return false
    this.#held.quick--
    this.#held.slow++
    turn.kind = "slow"
    return true
  }

  /** Ends a turn. `slow`: whether its source was slow; undefined: it used none. */
  end(turn: Turn, slow: boolean | undefined): void {
    if (!this.#running.delete(turn)) return
    this.#held[turn.kind]--
    this.#count(turn.name, -1)
    if (slow === undefined) return
    if (slow) this.#slow.add(turn.name)
    else this.#slow.delete(turn.name)
    for (const kind of KINDS) {
      const waits = this.#waiting[kind].delete(turn.name)
      if (waits !== undefined) this.#waiting[this.#kindOf(turn.name)].set(waits)
    }
  }

  /** If there are no slots for slow turns, they use the ordinary ones. */
  #kindOf(name: string): Kind {
    return this.#slots.slow > 0 && this.#slow.has(name) ? "slow" : "quick"
  }

  /** How many slots of a kind one tenant may hold: half of them. */
  #share(kind: Kind): number {
    return Math.max(1, Math.floor((kind === "quick" ? this.#slots.atOnce : this.#slots.slow) / 2))
  }

  #count(name: string, change: number): void {
    const running = this.runningOf(name) + change
    if (running === 0) this.#own.delete(name)
    else this.#own.set(name, running)
    for (const kind of KINDS) {
      const waits = this.#waiting[kind].get(name)
      if (waits !== undefined) this.#waiting[kind].set({ ...waits, running })
    }
  }
}
