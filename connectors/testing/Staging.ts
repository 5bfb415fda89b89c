/** What samples have in common: their lists, the times of records, an amount that goes wrong, and OAuth tokens. */
import { seal } from "../OAuth.ts"
import type { Stage, Subject } from "./Subject.ts"
import { type Answered, copy, digits, type List, type Record, type Source } from "./Simulator.ts"

type Stamp = NonNullable<List["stamp"]>

const iso = (millis: number): string => new Date(millis).toISOString()

/** `2026-02-01 09:00:00`, in UTC */
export const spaced = (millis: number): string => iso(millis).slice(0, 19).replace("T", " ")

/** Sets a member to a time, in ISO 8601 unless said otherwise; a missing time is null. */
export const stamping =
  (member: string, write: (millis: number) => unknown = iso): Stamp =>
  (record, millis) => {
    record[member] = millis === null ? null : write(millis)
  }

type Of<Name extends string, A> = Readonly<globalThis.Record<Name, A>>

export type Lists<Name extends string = string> = Of<Name, Array<Record>>

/** Adds a copy of a record to a list. */
export type Add = (list: string, record: object) => void

/** How the source of a sample answers and changes. */
interface Staging<Name extends string> {
  /** The member that identifies records, where a list does not say otherwise; `id` by default. */
  readonly id?: string
  readonly lists?: Partial<Of<Name, Partial<Omit<List, "records">>>>
  readonly answer: (all: Lists<Name>) => Source["answer"]
  /** Adds the nth of so many further records, from 0, and what belongs to it. */
  readonly grow: (add: Add, n: number, count: number) => void
  readonly changes: (all: Lists<Name>) => Omit<Stage, "source" | "grow">
}

/** Opens sources with copies of these fixtures, by the names of their lists. */
export const staged =
  <Name extends string>(
    fixtures: Of<Name, ReadonlyArray<object>>,
    { answer, changes, grow, id = "id", lists = {} }: Staging<NoInfer<Name>>
  ): Subject["open"] =>
  () => {
    const all = Object.fromEntries(
      Object.entries<ReadonlyArray<object>>(fixtures).map(([name, records]) => [name, copy(records)])
    ) as Lists<Name>
    const listOf = (name: Name): [string, List] => [name, { records: all[name], id, ...lists[name] }]
    const names = Object.keys(all) as Array<Name>
    const add: Add = (list, record) => void all[list as Name].push(...copy([record]))
    return {
      source: { lists: Object.fromEntries(names.map(listOf)), answer: answer(all) },
      grow: (count) => {
        for (let n = 0; n < count; n++) grow(add, n, count)
      },
      ...changes(all)
    }
  }

/** Sets members of a record, and names what has changed. */
export const setting = (record: Record, members: object, name: string) => (): string => {
  Object.assign(record, members)
  return name
}

/** The time at which a sample deletes a record: after the kit's reads began. */
export const LATER = Date.parse("2026-03-01T12:30:00Z")

/** Whether a time, if the record has one, is not before the queried one, if there is one. */
export const isSince = (time: unknown, least: string | null): boolean =>
  least === null || time === null || Date.parse(String(time)) >= Date.parse(least)

/** An amount that a double cannot hold. */
const HUGE = "90071992547409.93"
const WORDS = "a hundred"

/** Sets an amount to words, and to one that a double cannot hold, `written` as the source writes it. */
export const amountOf = (
  document: string,
  set: (value: unknown) => void,
  written: unknown = digits(HUGE)
): Required<Pick<Stage, "malform" | "enlarge">> => ({
  malform: () => {
    set(WORDS)
    return WORDS
  },
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

/** The tokens before the first request, of a source that answers a path as `tokenGiver` does. */
export const tokensAt = (path: string): NonNullable<Subject["oauth"]> => ({
  path,
  held: seal({ access: "access-held", refresh: "refresh-held", expires: Date.parse("2026-03-01T13:00:00Z") }),
  fresh: "access-fresh"
})
