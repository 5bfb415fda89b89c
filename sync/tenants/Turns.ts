/**
 * Who goes next: tenants that wait for a turn, and the slots that turns hold. Decisions only: no clock, no effects.
 *
 * Fair: a tenant that has none under way goes before one that has; among these whoever was asked for by a person, then
 * who is due longest. No tenant holds more than half of the slots of a kind. A turn whose source keeps it waiting moves to
 * a slot of the slow kind, and those whose last source was slow begin there: nobody else waits for them.
 */
import { Heap, type Named } from "./Heap.ts"

export interface Slots {
  /** Turns side by side. */
  readonly atOnce: number
  /** Turns of slow sources that may begin, beside those. */
  readonly slow: number
  /** Turns of slow sources that there may be: more than may begin, as others turn out to be slow. */
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
  /** Since when it waited. */
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
  /** By tenant, how many turns it has under way. */
  readonly #own = new Map<string, number>()
  /** Tenants whose last source kept them waiting. */
  readonly #slow = new Set<string>()

  constructor(slots: Slots) {
    this.#slots = slots
  }

  get waiting(): number {
    return this.#waiting.quick.size + this.#waiting.slow.size
  }

  /** Turns that are under way. */
  get running(): ReadonlySet<Turn> {
    return this.#running
  }

  runningOf(name: string): number {
    return this.#own.get(name) ?? 0
  }

  isWaiting(name: string): boolean {
    return KINDS.some((kind) => this.#waiting[kind].get(name) !== undefined)
  }

  /** It waits for a turn from now on. Whoever waits already keeps its place. */
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

  /** It waits no more. */
  remove(name: string): void {
    for (const kind of KINDS) this.#waiting[kind].delete(name)
  }

  /** The next turn, which begins; undefined where none may. */
  take(): Turn | undefined {
    for (const kind of KINDS) {
      if (this.#held[kind] >= (kind === "quick" ? this.#slots.atOnce : this.#slots.slow)) continue
      const first = this.#waiting[kind].first()
      // The others have as many or more under way.
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

  /** Its source keeps it waiting: it gives its slot to others. False: there are as many slow ones as there may be. */
  slowed(turn: Turn): boolean {
    if (!this.#running.has(turn)) return false
    if (turn.kind === "slow") return true
    if (this.#held.slow >= this.#slots.slowMost) return false
    this.#held.quick--
    this.#held.slow++
    turn.kind = "slow"
    return true
  }

  /** It has ended. `slow`: its source kept it waiting; undefined: it asked none. */
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

  /** Where there are no slots for slow ones, they take those that there are. */
  #kindOf(name: string): Kind {
    return this.#slots.slow > 0 && this.#slow.has(name) ? "slow" : "quick"
  }

  /** A tenant may hold half of the slots of a kind. */
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
