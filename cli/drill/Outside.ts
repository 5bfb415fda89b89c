/**
 * Judges a drill from outside: by the service's own log of calls and what it holds, compared with a service to which the same books
 * were sent without any disturbance. Nothing of what Daybook says about itself is used.
 */
import type { Journal } from "../../core/sandbox/index.ts"

export interface Held {
  readonly id: string
  readonly unique_id: string
  readonly [field: string]: unknown
}

/** What a service was told and what it has. */
export interface Seen {
  readonly calls: ReadonlyArray<Pick<Journal, "acted" | "method" | "path" | "status">>
  readonly holds: ReadonlyArray<Held>
}

export interface Judged {
  /** In words: what is missing on the service, and what is there twice or too much. */
  readonly lost: ReadonlyArray<string>
  readonly twice: ReadonlyArray<string>
  /** Calls that changed something. */
  readonly calls: number
}

/** An id that the service made: a UUID, or hexadecimal after a word as in the sandbox. */
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[a-z]+-[0-9a-f]{12,}/g

/** How often each call had an effect; ids of the service are replaced by the sellers' own. */
const effects = ({ calls, holds }: Seen): ReadonlyMap<string, number> => {
  const own = new Map(holds.map(({ id, unique_id }) => [id, unique_id]))
  const counts = new Map<string, number>()
  for (const { acted, method, path } of calls) {
    if (!acted || method === "GET") continue
    const key = `${method} ${path.replace(/\?.*/, "").replaceAll(ID, (id) => own.get(id) ?? "ID")}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

/** What a transaction says, without the service's own ids and times. */
const COMPARED = ["number", "gross_amount", "net_amount", "currency", "issue_date", "due_date", "paid_date", "status"]

const states = ({ holds }: Seen): ReadonlyMap<string, string> =>
  new Map(holds.map((one) => [one.unique_id, COMPARED.map((field) => String(one[field])).join(" ")]))

/** @param plain the service that nothing disturbed */
export const judge = (plain: Seen, drilled: Seen): Judged => {
  const [expected, found] = [effects(plain), effects(drilled)]
  const lost: Array<string> = []
  const twice: Array<string> = []
  for (const key of new Set([...expected.keys(), ...found.keys()])) {
    const [wanted, got] = [expected.get(key) ?? 0, found.get(key) ?? 0]
    if (got < wanted) lost.push(`${key}: ${got} instead of ${wanted}`)
    if (got > wanted) twice.push(`${key}: ${got} instead of ${wanted}`)
  }
  const [before, after] = [states(plain), states(drilled)]
  for (const [id, state] of before)
    if (after.get(id) !== state) lost.push(`${id}: ${after.get(id) ?? "not there"} instead of ${state}`)
  const ids = drilled.holds.map(({ unique_id }) => unique_id)
  for (const id of new Set(ids.filter((one, index) => ids.indexOf(one) !== index))) twice.push(`${id}: there twice`)
  return { lost, twice, calls: [...found.values()].reduce((sum, one) => sum + one, 0) }
}
