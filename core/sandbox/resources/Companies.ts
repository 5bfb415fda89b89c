/**
 * Companies, countries, and the key's owner (DP 2.2, 4).
 */
import { given } from "../../Entry.ts"
import * as Country from "../../wire/Country.ts"
import { company } from "../store/Directory.ts"
import { notAChoice } from "./FieldFormats.ts"
import { check, type Handler, notFound, ok, type Problems } from "../store/Handler.ts"

export const companies = {
  search: (context) => {
    const { country, name, reg_number } = context.payload as {
      readonly country?: string
      readonly name?: string
      readonly reg_number?: string
    }
    const code = Country.parse(country ?? "")
    const problems: Problems = {}
    if (code === undefined) problems["country"] = notAChoice(country)
    const unread = context.unread.has("name") || context.unread.has("reg_number")
    if ((name ?? "") === "" && (reg_number ?? "") === "" && !unread) {
      problems["non_field_errors"] = ["Not enough information: give name or reg_number."]
    }
    check(problems)
    const found = context.directory.search({
      country: given(code, "the country"),
      ...(name === undefined ? {} : { name }),
      ...(reg_number === undefined ? {} : { reg_number })
    })
    return ok({ matches: found.map(([one, confidence]) => company(one, context.base, confidence)) })
  },
  get: (context) => {
    const found = context.directory.get(context.params["company_id"] ?? "", context.key)
    if (found === undefined) throw notFound()
    return ok(company(found, context.base))
  }
} satisfies Record<string, Handler>

const list = Country.codes()
  .map((code) => ({ code, name: Country.name(code) ?? code }))
  .toSorted((a, b) => (a.name < b.name ? -1 : 1))

/** Assumption: every ISO 3166-1 country is valid here. */
export const countries = { debtor: () => ok(list), customer: () => ok(list) } satisfies Record<string, Handler>

/** Assumption: the body is not shown. */
export const me = { get: () => ok({ name: "Sandbox platform", environment: "sandbox" }) } satisfies Record<
  string,
  Handler
>
