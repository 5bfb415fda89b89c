/**
 * What a BAI2 file says of itself: its accounts (49), its groups (98) and the file (99) each end with a total, with how many accounts or
 * groups it is of, and with how many records there are ("Cash Management Balance Reporting Specifications Version 2", BAI).
 */

interface Level {
  /** The total of what is in it, as its members' own ends state them; undefined once one does not. */
  sum: bigint | undefined
  members: number
  records: number
}

const level = (): Level => ({ sum: 0n, members: 0, records: 0 })

const numberIn = (text: string | undefined): bigint | undefined =>
  text !== undefined && /^[+-]?\d{1,20}$/.test(text) ? BigInt(text.replace("+", "")) : undefined

/** Which record each level begins with, and which one ends it. */
const BEGINS: Readonly<Record<string, string>> = { "03": "49", "02": "98", "01": "99" }
const ENDS = ["49", "98", "99"] as const

const NAMES = { "49": "account", "98": "group", "99": "file" } as const
const MEMBERS = { "98": "accounts", "99": "groups" } as const

export class Totals {
  readonly #levels = new Map<string, Level>()
  /** The first difference of each kind: who counts otherwise does so in every record. */
  readonly #differences = new Map<string, string>()
  #isOver = false

  /** @param records of which it is one: with those that continue it */
  take({ code, records }: { readonly code: string; readonly records: number }, fields: ReadonlyArray<string>): void {
    const begun = BEGINS[code]
    if (begun !== undefined) this.#levels.set(begun, level())
    for (const one of this.#levels.values()) one.records += records
    const end = ENDS.find((one) => one === code)
    if (end !== undefined) this.#end(end, fields)
  }

  #end(code: (typeof ENDS)[number], fields: ReadonlyArray<string>): void {
    const one = this.#levels.get(code)
    this.#levels.delete(code)
    if (code === "99") this.#isOver = true
    const total = numberIn(fields[0])
    const around = this.#levels.get(code === "49" ? "98" : "99")
    if (around !== undefined && code !== "99") {
      around.members++
      around.sum = around.sum === undefined || total === undefined ? undefined : around.sum + total
    }
    if (one === undefined) return
    if (code !== "49") {
      const what = MEMBERS[code]
      this.#compare(code, `a total of ${what}`, total, one.sum)
      this.#compare(code, what, numberIn(fields[1]), BigInt(one.members))
    }
    this.#compare(code, "records", numberIn(fields[code === "49" ? 1 : 2]), BigInt(one.records))
  }

  #compare(code: (typeof ENDS)[number], what: string, said: bigint | undefined, read: bigint | undefined): void {
    const key = `${code} ${what}`
    if (said === undefined || read === undefined || said === read || this.#differences.has(key)) return
    this.#differences.set(
      key,
      what.startsWith("a total")
        ? `the end of the ${NAMES[code]} (record ${code}) says ${what} of ${said}, and they come to ${read}: is one missing?`
        : `the end of the ${NAMES[code]} (record ${code}) says that it has ${said} ${what}, and it has ${read}: is one missing?`
    )
  }

  /** What differs from what the file says; at its end. */
  get differences(): ReadonlyArray<string> {
    const open = this.#isOver ? [] : ["the end of the file (record 99) is missing: get the whole file from the bank"]
    return [...this.#differences.values(), ...open]
  }
}
