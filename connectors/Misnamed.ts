/** Finds members of a declaration that nobody reads: misspelt ones, and ones that have another name today. Pure. */
import { nearest } from "../core/Nearest.ts"
import type { Capabilities } from "./Capabilities.ts"
import type { Limits } from "./Limits.ts"

type Keys<A> = A extends unknown ? keyof A : never

/** Every member of a type, or of each type of a union: one that is left out or too many does not compile. */
export type Known<A> = Readonly<Record<Keys<A>, true>>

/** What members were called in earlier versions, and what says the same now. */
const RENAMED: Readonly<Record<string, string>> = {
  perMinutePerApp: "app: { perMinute: ... }"
}

/** @param where the part that has the members, as in `limits` */
export const misnamed = (value: unknown, known: Known<object>, where: string): ReadonlyArray<string> => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return []
  const names = Object.keys(known)
  return Object.keys(value)
    .filter((name) => !Object.hasOwn(known, name))
    .map((name) => {
      const path = where === "" ? name : `${where}.${name}`
      const now = Object.hasOwn(RENAMED, name) ? RENAMED[name] : undefined
      if (now !== undefined) return `${path} has another name now: write ${now}`
      const meant = nearest(name, names)
      const hint = meant === undefined ? `known are ${names.join(", ")}` : `did you mean ${meant}?`
      return `${path} is not known, and nothing would read it; ${hint}`
    })
}

const SHARED: Known<NonNullable<Limits["app"]>> = { perMinute: true, perDay: true, atOnce: true }
const LIMITS: Known<Limits> = { ...SHARED, by: true, app: true, page: true }

export const inLimits = (limits: Limits | undefined, where: string): ReadonlyArray<string> => [
  ...misnamed(limits, LIMITS, where),
  ...misnamed(limits?.app, SHARED, `${where}.app`)
]

const CAPABILITIES: Known<Capabilities> = {
  kinds: true,
  deletions: true,
  blindSpots: true,
  linksByNumber: true,
  authorises: true,
  firstOfEach: true,
  onThisMachine: true,
  overlapSeconds: true,
  limits: true,
  requestsPerThousand: true
}

export const inCapabilities = (capabilities: Capabilities): ReadonlyArray<string> => [
  ...misnamed(capabilities, CAPABILITIES, "capabilities"),
  ...inLimits(capabilities.limits, "capabilities.limits")
]

/** Throws one error with all problems of a declaration, so that they can be corrected at once. */
export const refuse = (name: string, problems: ReadonlyArray<string>): void => {
  if (problems.length > 0) throw new Error(`the source ${name} is declared wrongly:\n  ${problems.join("\n  ")}`)
}
