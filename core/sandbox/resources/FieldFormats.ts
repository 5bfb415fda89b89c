/**
 * Members of a request whose text has a form: countries, a code or a name on input (DP 2.1) and the code from then on,
 * currencies, and addresses of email.
 */
import * as Currency from "../../money/Currency.ts"
import * as Country from "../../wire/Country.ts"
import type { Problems } from "../store/Handler.ts"

type Members = Readonly<Record<string, unknown>>

/** What is said of a value that is none of those that there are. */
export const notAChoice = (value: unknown): ReadonlyArray<string> => [`"${value}" is not a valid choice.`]

/** Names every member that is not a country. Nobody's country is an empty string or null. */
export const unknownCountries = (members: Members, ...names: ReadonlyArray<string>): Problems => {
  const problems: Problems = {}
  for (const name of names) {
    const value = members[name]
    if (typeof value === "string" && value !== "" && Country.parse(value) === undefined)
      problems[name] = notAChoice(value)
  }
  return problems
}

/** Names `currency` when it is no code of ISO 4217. */
export const unknownCurrency = ({ currency }: Members): Problems =>
  typeof currency === "string" && !Currency.isCurrency(currency) ? { currency: notAChoice(currency) } : {}

/** The members with codes in place of names. */
export const withCodes = (members: Members, ...names: ReadonlyArray<string>): Members => {
  let coded = members
  for (const name of names) {
    const value = members[name]
    if (typeof value === "string" && value !== "") coded = { ...coded, [name]: Country.parse(value) ?? value }
  }
  return coded
}

/** Names every member that is no address of email. Nobody's is an empty string or null. */
export const badEmails = (members: Members, ...names: ReadonlyArray<string>): Problems => {
  const problems: Problems = {}
  for (const name of names) {
    const value = members[name]
    if (typeof value === "string" && value !== "" && !/^[^\s@]+@[^\s@]+$/.test(value))
      problems[name] = ["Enter a valid email address."]
  }
  return problems
}
