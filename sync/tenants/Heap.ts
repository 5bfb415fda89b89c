/** A heap with named items: finds the first item, and changes any item by name, in logarithmic time. */

export interface Named {
  readonly name: string
}

export class Heap<A extends Named> {
  readonly #before: (a: A, b: A) => boolean
  readonly #items: Array<A> = []
  readonly #places = new Map<string, number>()

  /** @param before whether one item comes before another; no two are equal */
  constructor(before: (a: A, b: A) => boolean) {
    this.#before = before
  }

  get size(): number {
    return this.#items.length
  }

  first(): A | undefined {
    return this.#items[0]
  }

  get(name: string): A | undefined {
    const place = this.#places.get(name)
    return place === undefined ? undefined : this.#items[place]
  }

  /** Adds an item, or replaces the one with the same name. */
  set(item: A): void {
    const place = this.#places.get(item.name) ?? this.#items.length
    this.#put(place, item)
    this.#settle(place)
  }

  delete(name: string): A | undefined {
    const place = this.#places.get(name)
    if (place === undefined) return undefined
    const gone = this.#items[place]
    const last = this.#items.pop()
    this.#places.delete(name)
    if (last !== undefined && last.name !== name) {
      this.#put(place, last)
      this.#settle(place)
    }
    return gone
  }

  [Symbol.iterator](): IterableIterator<A> {
    return this.#items.values()
  }

  #put(place: number, item: A): void {
    this.#items[place] = item
    this.#places.set(item.name, place)
  }

  #swap(a: number, b: number): void {
    const [one, other] = [this.#items[a] as A, this.#items[b] as A]
    this.#put(a, other)
    this.#put(b, one)
  }

  #comesBefore(a: number, b: number): boolean {
    return this.#before(this.#items[a] as A, this.#items[b] as A)
  }

  /** Moves the item at this position to where it belongs. */
  #settle(from: number): void {
    let place = from
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (!this.#comesBefore(place, parent)) break
      this.#swap(place, parent)
      place = parent
    }
    for (;;) {
      const [left, right] = [2 * place + 1, 2 * place + 2]
      if (left >= this.size) return
      const child = right < this.size && this.#comesBefore(right, left) ? right : left
      if (!this.#comesBefore(child, place)) return
      this.#swap(place, child)
      place = child
    }
  }
}
