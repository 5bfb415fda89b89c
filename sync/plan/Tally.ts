/**
 * Adds up a plan while it is streamed: its digest, its figures, and what the guards check. Holds no document in memory.
 */
import { createHash } from "node:crypto"
import { kindOf } from "../../connectors/Document.ts"
import type { Day } from "../../core/wire/Day.ts"
import { bodyOf, isReading } from "../model/Call.ts"
import type { Guard } from "../model/Guard.ts"
import type { SentDay } from "../rules/Strange.ts"
import { FigureCounter, type Figures } from "./Figures.ts"
import type { Planned } from "./Plan.ts"

/** A day of one document, in words. */
export interface Extreme {
  readonly day: Day
  readonly subject: string
  readonly what: SentDay["what"]
}

/** How often an oddity occurs in a plan, and its first occurrence. */
export interface OddityCount {
  readonly count: number
  /** How many of them stop a run even on their own. */
  readonly alone: number
  /** Its key and the explanation. */
  readonly first: string
}

/** The part of one connection's plan that the guards check. */
export interface Guarded {
  /** How many invoices have calls. */
  readonly invoices: number
  /** Calls that change something on the service. */
  readonly changes: number
  /** The connections whose documents the calls follow from: this one, and what pays for it. */
  readonly sources: ReadonlySet<string>
  /** Calls that reduce what the service holds, by the connection whose documents they follow from. */
  readonly reductions: ReadonlyMap<string, number>
  readonly oddities: ReadonlyMap<Guard, OddityCount>
  /** The earliest day that is sent, the latest due date, and the latest other day. */
  readonly earliest?: Extreme
  readonly latest?: Extreme
  readonly latestDue?: Extreme
}

export interface Summary {
  readonly calls: number
  /** Calls that only read the service: they are no difference between books and service. */
  readonly readings: number
  readonly attention: number
  /** How many invoices were planned. */
  readonly documents: number
  readonly digest: string
  /** Calls that reduce what the service holds, by connection. */
  readonly reductions: ReadonlyMap<string, number>
  /** Orders that the service holds and for which something is sent for the first time, by connection. */
  readonly found: ReadonlyMap<string, number>
  readonly rules: ReadonlyMap<string, number>
  /** By connection. */
  readonly guarded: ReadonlyMap<string, Guarded>
  /** By connection. */
  readonly figures: ReadonlyMap<string, Figures>
}

/** The figures of all connections of a plan. */
export const total = ({ figures }: Pick<Summary, "figures">): Figures => {
  const counter = new FigureCounter()
  for (const one of figures.values()) counter.merge(one)
  return counter.figures()
}

const add = (counts: Map<string, number>, of: string): void => void counts.set(of, (counts.get(of) ?? 0) + 1)

/** Adds up what the guards check for one connection. */
class GuardedTally {
  #invoices = 0
  #changes = 0
  readonly #sources = new Set<string>()
  readonly #reductions = new Map<string, number>()
  readonly #oddities = new Map<Guard, OddityCount>()
  #earliest: Extreme | undefined
  #latest: Extreme | undefined
  #latestDue: Extreme | undefined

  add(planned: Planned): void {
    for (const call of planned.calls) {
      if (!isReading(call)) this.#changes++
      // What a reading finds may be captured in the same run.
      const source = call.fact.slice(0, call.fact.indexOf("/"))
      this.#sources.add(source)
      if (call.destructive) add(this.#reductions, source)
    }
    if (planned.kind === "owner" || planned.calls.length === 0) return
    const { strange, subject } = planned
    if (kindOf(subject) === "invoice") this.#invoices++
    for (const { alone, guard, why } of strange?.oddities ?? []) {
      const before = this.#oddities.get(guard)
      this.#oddities.set(guard, {
        count: (before?.count ?? 0) + 1,
        alone: (before?.alone ?? 0) + (alone ? 1 : 0),
        // One that stops a run on its own is the better example.
        first: before === undefined || (alone && before.alone === 0) ? `${subject} ${why}` : before.first
      })
    }
    for (const { day, what } of strange?.days ?? []) this.#day({ day, subject, what })
  }

  #day(one: Extreme): void {
    if (this.#earliest === undefined || one.day < this.#earliest.day) this.#earliest = one
    if (one.what === "due") {
      if (this.#latestDue === undefined || one.day > this.#latestDue.day) this.#latestDue = one
    } else if (this.#latest === undefined || one.day > this.#latest.day) this.#latest = one
  }

  value(): Guarded {
    return {
      invoices: this.#invoices,
      changes: this.#changes,
      sources: this.#sources,
      reductions: this.#reductions,
      oddities: this.#oddities,
      ...(this.#earliest === undefined ? {} : { earliest: this.#earliest }),
      ...(this.#latest === undefined ? {} : { latest: this.#latest }),
      ...(this.#latestDue === undefined ? {} : { latestDue: this.#latestDue })
    }
  }
}

const of = <A>(all: Map<string, A>, connection: string, make: () => A): A => {
  const found = all.get(connection) ?? make()
  all.set(connection, found)
  return found
}

export class Tally {
  #hash = createHash("sha256")
  #calls = 0
  #readings = 0
  #attention = 0
  #documents = 0
  readonly #reductions = new Map<string, number>()
  readonly #found = new Map<string, number>()
  readonly #rules = new Map<string, number>()
  readonly #guarded = new Map<string, GuardedTally>()
  readonly #figures = new Map<string, FigureCounter>()

  add(planned: Planned): void {
    this.#calls += planned.calls.length
    this.#hash.update(planned.subject)
    if (planned.kind === "document") {
      this.#documents++
      this.#attention += planned.attention.length
      const [first] = planned.calls
      if (planned.remote === undefined && first !== undefined && isReading(first)) add(this.#found, planned.connection)
      this.#hash.update(planned.fingerprint)
    }
    for (const call of planned.calls) {
      this.#hash.update(
        `${call.rule} ${call.operation} ${JSON.stringify(call.params)} ${JSON.stringify(bodyOf(call))}\n`
      )
      add(this.#rules, call.rule)
      if (isReading(call)) this.#readings++
      if (call.destructive) add(this.#reductions, planned.connection)
    }
    of(this.#guarded, planned.connection, () => new GuardedTally()).add(planned)
    of(this.#figures, planned.connection, () => new FigureCounter()).add(planned)
  }

  summary(): Summary {
    return {
      calls: this.#calls,
      readings: this.#readings,
      attention: this.#attention,
      documents: this.#documents,
      digest: this.#hash.copy().digest("hex"),
      reductions: this.#reductions,
      found: this.#found,
      rules: this.#rules,
      guarded: new Map([...this.#guarded].map(([id, one]) => [id, one.value()])),
      figures: new Map([...this.#figures].map(([id, one]) => [id, one.figures()]))
    }
  }
}
