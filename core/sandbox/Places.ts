/**
 * Members that hold a country: a code or a name on input (DP 2.1), the code from then on.
 */
import * as Country from "../wire/Country.ts"
import type { Problems } from "./Handler.ts"

type Members = Readonly<Record<string, unknown>>

/** Names every member that is no country. Nobody's country is an empty string or null. */
export const unknownCountries = (members: Members, ...names: ReadonlyArray<string>): Problems => {
  const problems: Problems = {}
  for (const name of names) {
    const value = members[name]
    if (typeof value === "string" && value !== "" && Country.parse(value) === undefined)
      problems[name] = [`"${value}" is not a valid choice.`]
  }
  return problems
}

/** The members with codes in place of names. */
export const withCodes = (members: Members, ...names: ReadonlyArray<string>): Members => {
  const codes: Record<string, unknown> = {}
  for (const name of names) {
    const value = members[name]
    if (typeof value === "string" && value !== "") codes[name] = Country.parse(value) ?? value
  }
  return { ...members, ...codes }
}
