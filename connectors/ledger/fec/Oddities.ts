/**
 * What shows that a FEC is not whole, or was changed: the law has entries numbered without a gap (LPF A47 A-1, "séquence
 * continue"), over all journals or within each, and of one day; an account has one name; and a customer's auxiliary account belongs
 * to an account of third parties (4…).
 */
import { MOST_SERIES, mostOdd, Numbers, runningIn } from "../Numbers.ts"
import { copied } from "./Item.ts"
import type { FecLine, Layout } from "./Lines.ts"

/** Entries whose numbers begin alike. */
interface Series {
  readonly journals: Map<string, Numbers>
  readonly all: Numbers
}

interface Account {
  readonly name: string
  readonly line: number
  count: number
}

/** Of an account of few lines, another one of the same name has so many, or more. */
const SURELY = 3

export class Oddities {
  readonly #series = new Map<string, Series>()
  readonly #accounts = new Map<string, Account>()
  #entries = 0
  #uneven = { count: 0, line: 0 }
  #named = 0
  /** Lines with fewer columns than the first line names, and whether the last one is such. */
  #short = 0
  #isShort = false
  #odd = 0
  #first: { readonly line: number; readonly account: string } | undefined

  entry(journal: string, text: string): void {
    this.#entries++
    const { begins, number } = runningIn(text) ?? {}
    if (begins === undefined || number === undefined) return
    let series = this.#series.get(begins)
    if (series === undefined) {
      if (this.#series.size === MOST_SERIES) return
      this.#series.set(begins, (series = { journals: new Map(), all: new Numbers() }))
    }
    let numbers = series.journals.get(journal)
    if (numbers === undefined) series.journals.set(journal, (numbers = new Numbers()))
    numbers.add(number)
    series.all.add(number)
  }

  /** An entry whose debits and credits are equal, though those of each of its days are not. */
  uneven(line: number): void {
    this.#uneven = { count: this.#uneven.count + 1, line: this.#uneven.line === 0 ? line : this.#uneven.line }
  }

  line({ cells, number }: FecLine, { at, width }: Layout): void {
    this.#isShort = cells.length < width
    if (this.#isShort) this.#short++
    const account = (cells[at.account] ?? "").trim()
    const known = this.#accounts.get(account)
    if (known !== undefined) known.count++
    else if (at.accountName >= 0)
      this.#accounts.set(copied(account), { name: copied(cells[at.accountName] ?? ""), line: number, count: 1 })
    if (at.aux < 0 || (cells[at.aux] ?? "").trim() === "") return
    this.#named++
    if (account.startsWith("4")) return
    this.#odd++
    this.#first ??= { line: number, account }
  }

  get said(): ReadonlyArray<string> {
    const cut = "only its last line has fewer columns than the first line names: was the file cut off?"
    return [...this.#gaps(), ...this.#days(), ...this.#strays(), ...(this.#isShort && this.#short === 1 ? [cut] : [])]
  }

  #gaps(): ReadonlyArray<string> {
    const said = (begins: string, what: string, { count, least, most }: Numbers) =>
      `entries ${what}are numbered from ${begins}${least} to ${begins}${most}, and there are ${count}: entries may be missing from the file`
    return [...this.#series].flatMap(([begins, { all, journals }]) => {
      const each = [...journals]
      // Where a number is in several journals, each of them has its own.
      const isTogether = each.length > 1 && each.reduce((sum, [, { count }]) => sum + count, 0) === all.count
      return isTogether
        ? all.isTorn
          ? [said(begins, "", all)]
          : []
        : each.flatMap(([journal, numbers]) =>
            numbers.isTorn ? [said(begins, `of journal ${journal} `, numbers)] : []
          )
    })
  }

  #days(): ReadonlyArray<string> {
    const { count, line } = this.#uneven
    return count === 0 || count > mostOdd(this.#entries)
      ? []
      : [
          `an entry is balanced only over several days, and the law has one day for each (${count}, the first begins in line ${line}): lines may be missing from the file`
        ]
  }

  /** Some programs name the customer on every line of an entry; where it is on few others, an account is wrong. */
  #strays(): ReadonlyArray<string> {
    const first = this.#first
    if (first !== undefined && this.#odd * 3 <= this.#named)
      return [
        `lines name a customer or supplier on an account of nobody (${this.#odd}, the first is line ${first.line}, account ${first.account}): they count for no customer`
      ]
    return this.#misnamed()
  }

  /** A single line's account that has the name of another, from which one of its first digits differs. */
  #misnamed(): ReadonlyArray<string> {
    for (const [account, { count, line, name }] of this.#accounts) {
      if (count > 1 || name === "" || name === account) continue
      const like = this.#like(account, name)
      if (like !== undefined)
        return [
          `account ${account}, which only line ${line} has, has the name of account ${like} (${name}): was a digit of it changed?`
        ]
    }
    return []
  }

  #like(account: string, name: string): string | undefined {
    // Where customers have accounts of their own, one of them may be a supplier, too.
    const digits = this.#named > 0 ? [0, 1, 2] : [0]
    for (const at of digits)
      for (let digit = 1; digit <= 9; digit++) {
        const other = `${account.slice(0, at)}${digit}${account.slice(at + 1)}`
        const known = other === account ? undefined : this.#accounts.get(other)
        if (known !== undefined && known.name === name && known.count >= SURELY) return other
      }
    return undefined
  }
}
