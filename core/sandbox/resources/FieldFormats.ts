/**
 * Validates members with a text format: countries (a code or a name in requests, DP 2.1, and a code afterwards), currencies,
 * and email addresses.
 */
import * as Currency from "../../money/Currency.ts"
import * as Country from "../../wire/Country.ts"
import type { Problems } from "../store/Handler.ts"

type Members = Readonly<Record<string, unknown>>

/** The message for a value that is not one of the choices. */
export const notAChoice = (value: unknown): ReadonlyArray<string> => [`"${value}" is not a valid choice.`]

/** Reports every member that is not a country. Empty strings and null mean no country. */
export const unknownCountries = (members: Members, ...names: ReadonlyArray<string>): Problems => {
  const problems: Problems = {}
  for (const name of names) {
    const value = members[name]
    if (typeof value === "string" && value !== "" && Country.parse(value) === undefined)
      problems[name] = notAChoice(value)
  }
  return problems
}

/** Reports `currency` if it is not an ISO 4217 code. */
export const unknownCurrency = ({ currency }: Members): Problems =>
  typeof currency === "string" && !Currency.isCurrency(currency) ? { currency: notAChoice(currency) } : {}

/** Replaces country names by codes. */
export const withCodes = (members: Members, ...names: ReadonlyArray<string>): Members => {
  let coded = members
  for (const name of names) {
    const value = members[name]
    if (typeof value === "string" && value !== "") coded = { ...coded, [name]: Country.parse(value) ?? value }
  }
  return coded
}

/** Reports every member that is not an email address. Empty strings and null mean no address. */
export const badEmails = (members: Members, ...names: ReadonlyArray<string>): Problems => {
  const problems: Problems = {}
  for (const name of names) {
    const value = members[name]
    if (typeof value === "string" && value !== "" && !/^[^\s@]+@[^\s@]+$/.test(value))
      problems[name] = ["Enter a valid email address."]
  }
  return problems
}
