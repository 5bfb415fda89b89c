/**
 * What shows that a FEC is not whole, or was changed: the law has entries numbered without a gap (LPF A47 A-1, "séquence
 * continue"), over all journals or within each; and a customer's auxiliary account belongs to an account of third parties (4…).
 */
import { addTo, missingOf, mostMissing, type Numbers } from "../Numbers.ts"
import type { FecLine, Layout } from "./Lines.ts"

export class Oddities {
  readonly #journals = new Map<string, Numbers>()
  #all: Numbers | undefined
  #isNumbered = true
  #named = 0
  /** Lines with fewer columns than the first line names, and whether the last one is such. */
  #short = 0
  #isShort = false
  #odd = 0
  #first: { readonly line: number; readonly account: string } | undefined

  entry(journal: string, text: string): void {
    const [digits] = /\d{1,9}$/.exec(text) ?? []
    if (digits === undefined) this.#isNumbered = false
    else {
      const number = Number(digits)
      this.#journals.set(journal, addTo(this.#journals.get(journal), number))
      this.#all = addTo(this.#all, number)
    }
  }

  line({ cells, number }: FecLine, { at, width }: Layout): void {
    this.#isShort = cells.length < width
    if (this.#isShort) this.#short++
    if (at.aux < 0 || (cells[at.aux] ?? "").trim() === "") return
    this.#named++
    const account = (cells[at.account] ?? "").trim()
    if (account.startsWith("4")) return
    this.#odd++
    this.#first ??= { line: number, account }
  }

  get said(): ReadonlyArray<string> {
    const cut = "only its last line has fewer columns than the first line names: was the file cut off?"
    return [...this.#gaps(), ...this.#strays(), ...(this.#isShort && this.#short === 1 ? [cut] : [])]
  }

  #gaps(): ReadonlyArray<string> {
    const all = this.#all
    if (!this.#isNumbered || all === undefined || missingOf(all) === 0) return []
    const each = [...this.#journals].map(([journal, numbers]) => ({ journal, numbers, missing: missingOf(numbers) }))
    const said = (what: string, { count, least, most }: Numbers) =>
      `${what} numbered from ${least} to ${most}, and there are ${count}: entries may be missing from the file`
    const within = each.filter(({ missing }) => missing > 0)
    if (within.reduce((sum, { missing }) => sum + missing, 0) <= mostMissing(all.count))
      return within.map(({ journal, numbers }) => said(`entries of journal ${journal} are`, numbers))
    const missing = missingOf(all)
    return missing > 0 && missing <= mostMissing(all.count) ? [said("entries are", all)] : []
  }

  /** Some programs name the customer on every line of an entry; where it is on few others, an account is wrong. */
  #strays(): ReadonlyArray<string> {
    const first = this.#first
    return first !== undefined && this.#odd * 3 <= this.#named
      ? [
          `lines name a customer or supplier on an account of nobody (${this.#odd}, the first is line ${first.line}, account ${first.account}): they count for no customer`
        ]
      : []
  }
}
