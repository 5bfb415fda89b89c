/** What samples have in common: their lists, the times of records, an amount that goes wrong, and OAuth tokens. */
import type { Stage } from "./Subject.ts"
import { type Answered, digits, type List, type Record, type Source } from "./Simulator.ts"

type Stamp = NonNullable<List["stamp"]>

const iso = (millis: number): string => new Date(millis).toISOString()

/** Sets a member to a time, in ISO 8601 unless said otherwise; a missing time is null. */
export const stamping =
  (member: string, write: (millis: number) => unknown = iso): Stamp =>
  (record, millis) => {
    record[member] = millis === null ? null : write(millis)
  }

/** Lists by name, with the member that identifies their records; those with a `stamp` can be queried for changes. */
export const listsOf = (
  all: Readonly<globalThis.Record<string, Array<Record>>>,
  id: string,
  stamps: Readonly<globalThis.Record<string, Stamp>> = {}
): Source["lists"] =>
  Object.fromEntries(
    Object.entries(all).map(([name, records]) => {
      const stamp = stamps[name]
      return [name, { records, id, ...(stamp === undefined ? {} : { stamp }) }]
    })
  )

/** An amount that a double cannot hold. */
const HUGE = "90071992547409.93"
const WORDS = "a hundred"

/** Sets an amount to words. */
export const wordsIn = (set: (value: string) => void) => (): string => {
  set(WORDS)
  return WORDS
}

/** Sets an amount to words, and to one that a double cannot hold, `written` as the source writes it. */
export const amountOf = (
  document: string,
  set: (value: unknown) => void,
  written: unknown = digits(HUGE)
): Required<Pick<Stage, "malform" | "enlarge">> => ({
  malform: wordsIn(set),
  enlarge: () => {
    set(written)
    return { document, amount: HUGE }
  }
})

/** Whether a request has one of the access tokens that `tokenGiver` gives. */
export const isAuthorised = (headers: Readonly<globalThis.Record<string, string | undefined>>): boolean =>
  ["Bearer access-held", "Bearer access-fresh"].includes(headers["authorization"] ?? "")

/** Exchanges refresh tokens, of which each is valid once: `refresh-held` first. `refused` is the status for any other. */
export const tokenGiver = (seconds: number, refused = 400) => {
  let held = "refresh-held"
  let given = 0
  return (body: string): Answered => {
    if (new URLSearchParams(body).get("refresh_token") !== held)
      return { status: refused, body: { error: "invalid_grant" } }
    held = `refresh-fresh-${++given}`
    return { body: { access_token: "access-fresh", refresh_token: held, expires_in: seconds } }
  }
}
