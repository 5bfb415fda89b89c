/**
 * The objects of one platform and kind, in their wire form, and the texts of those that are sent often.
 */
import { entryOf } from "../../Entry.ts"
import { Kept } from "./Json.ts"

/** An object of the service, in its JSON form. */
export type Entity = { readonly id: string; readonly [member: string]: unknown }

/** What is written of an object to those who asked at one address. */
interface Shown {
  readonly base: string
  readonly kept: Kept
}

/** An object, and its text from when it was first sent until the object changes. */
interface Slot {
  entity: Entity
  shown: Shown | undefined
}

/** The most texts that are kept of a kind; one of a transaction has about a kilobyte. */
const MOST_SHOWN = 100_000

/** The ids of the objects that share a value; most values have one. */
type Ids = string | Set<string>

/**
 * The objects of one kind, in the order of creation, with indexes by a few members. An index is built on first use, because
 * most sandboxes never use most of them.
 */
export class Shelf {
  readonly #byId = new Map<string, Slot>()
  #shown = 0
  readonly #members: ReadonlyArray<string>
  readonly #indexes = new Map<string, Map<unknown, Ids>>()
  readonly #first: string
  /** Every id in the order of creation; built when a page is requested, and again after a deletion. */
  #order: Array<string> | undefined

  constructor(members: readonly [string, ...ReadonlyArray<string>]) {
    this.#first = members[0]
    this.#members = members
  }

  get size(): number {
    return this.#byId.size
  }
  /** The number of objects. */
  get length(): number {
    return this.#byId.size
  }
  /** Like `slice` of an array. */
  slice(from: number, to: number): Array<Entity> {
    this.#order ??= Array.from(this.#byId.keys())
    return this.#order.slice(from, to).map((id) => entryOf(this.#byId, id).entity)
  }
  get(id: string): Entity | undefined {
    return this.#byId.get(id)?.entity
  }
  /** Its text for those who ask at this address; `show` is called if there is none since its last change. */
  shown(id: string, base: string, show: (entity: Entity) => object): Kept | undefined {
    const slot = this.#byId.get(id)
    if (slot === undefined) return undefined
    if (slot.shown?.base === base) return slot.shown.kept
    const kept = new Kept(show(slot.entity))
    if (slot.shown === undefined && this.#shown >= MOST_SHOWN) return kept
    if (slot.shown === undefined) this.#shown++
    slot.shown = { base, kept }
    return kept
  }
  /** Drops its text, because something changed that is written with it. */
  changed(id: string): void {
    const slot = this.#byId.get(id)
    if (slot !== undefined) this.#drop(slot)
  }
  #drop(slot: Slot): void {
    if (slot.shown !== undefined) this.#shown--
    slot.shown = undefined
  }
  /** Every object with this value in a member (by default the first indexed one), in the order of creation. */
  by(value: unknown, member = this.#first): ReadonlyArray<Entity> {
    if (this.#byId.size === 0) return []
    const ids = (this.#indexes.get(member) ?? this.#index(member)).get(value)
    if (ids === undefined) return []
    return typeof ids === "string"
      ? [entryOf(this.#byId, ids).entity]
      : Array.from(ids, (id) => entryOf(this.#byId, id).entity)
  }
  *values(): IterableIterator<Entity> {
    for (const { entity } of this.#byId.values()) yield entity
  }
  set(entity: Entity): void {
    const { id } = entity
    const slot = this.#byId.get(id)
    const before = slot?.entity
    if (slot === undefined) {
      this.#byId.set(id, { entity, shown: undefined })
      this.#order?.push(id)
    } else {
      slot.entity = entity
      this.#drop(slot)
    }
    for (const [member, index] of this.#indexes) {
      if (before !== undefined) {
        if (before[member] === entity[member]) continue
        forget(index, before[member], id)
      }
      remember(index, entity[member], id)
    }
  }
  delete(id: string): void {
    const slot = this.#byId.get(id)
    if (slot === undefined) return
    this.#drop(slot)
    for (const [member, index] of this.#indexes) forget(index, slot.entity[member], id)
    this.#byId.delete(id)
    this.#order = undefined
  }

  #index(member: string): Map<unknown, Ids> {
    if (!this.#members.includes(member)) throw new RangeError(`objects are not indexed by ${member}`)
    const index = new Map<unknown, Ids>()
    for (const entity of this.values()) remember(index, entity[member], entity.id)
    this.#indexes.set(member, index)
    return index
  }
}

const remember = (index: Map<unknown, Ids>, value: unknown, id: string): void => {
  if (value === null || value === undefined) return
  const ids = index.get(value)
  if (ids === undefined) index.set(value, id)
  else if (typeof ids === "string") index.set(value, new Set([ids, id]))
  else ids.add(id)
}

const forget = (index: Map<unknown, Ids>, value: unknown, id: string): void => {
  const ids = index.get(value)
  if (typeof ids === "string") index.delete(value)
  else ids?.delete(id)
}
