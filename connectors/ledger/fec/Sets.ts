/** Disjoint sets of numbers. */
export class Sets {
  readonly #parents: Array<number> = []

  add(): number {
    return this.#parents.push(this.#parents.length) - 1
  }

  find(one: number): number {
    let root = one
    for (let up = this.#parents[root]; up !== undefined && up !== root; up = this.#parents[root]) root = up
    for (let at = one; at !== root; ) {
      const up = this.#parents[at] ?? root
      this.#parents[at] = root
      at = up
    }
    return root
  }

  join(one: number, other: number): void {
    this.#parents[this.find(one)] = this.find(other)
  }
}
