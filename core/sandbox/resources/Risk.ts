/**
 * Scores and credit limits of the sandbox (II 2.1, 2.2, 4): the service's view of a company. Both follow from the directory's
 * decision about the company.
 */
import { given } from "../../Entry.ts"
import * as Decimal from "../../money/Decimal.ts"
import * as Country from "../../wire/Country.ts"
import { company, type Listed } from "../store/Directory.ts"
import { check, type Context, type Handler, missing, ok, type Problems } from "../store/Handler.ts"
import { notAChoice, unknownCurrency } from "./FieldFormats.ts"
import { exposure } from "./Insurance.ts"
import { rejection } from "../rules/Rejections.ts"

/** Without a match everything is null or an empty string (II 4). */
const NO_SCORE = {
  company: null,
  name: "",
  reg_number: "",
  address: "",
  country: "",
  creation_date: "",
  status: "",
  score: null,
  ultimate_parent_company: "",
  net_assets: null,
  annualized_turnover: null,
  change_net_assets: null,
  change_annualized_turnover: null,
  number_officers: null,
  accounts_next_duedate: "",
  latest_financials_date: ""
}

/** Decisions that mean danger; any other decision means caution. */
const DANGER = ["buyer-uncreditworthy", "buyer-high-risk", "buyer-status", "seller-status"]

/** Assumption: how a score is computed is not shown. For a good company it depends on the last digit of its number. */
const scoreOf = ({ decision, reg_number }: Listed): string =>
  decision === null ? String(1 + (Number(reg_number.slice(-1)) % 3 || 0)) : DANGER.includes(decision.code) ? "5" : "4"

const NO_FINANCIALS = ["buyer-no-financials", "seller-accounts", "buyer-accounts"]

const score = (one: Listed, base: string) => {
  const { address, city, creation_date, postcode, status } = company(one, base)
  const known = one.platform === undefined && !NO_FINANCIALS.includes(one.decision?.code ?? "")
  return {
    ...NO_SCORE,
    company: one.id,
    name: one.name,
    reg_number: one.reg_number,
    address: [address, city, postcode].filter((line) => line !== "").join(", "),
    country: one.country,
    creation_date: creation_date ?? "",
    status,
    score: scoreOf(one),
    ...(known
      ? {
          net_assets: 250_000,
          annualized_turnover: 1_200_000,
          change_net_assets: 4,
          change_annualized_turnover: 7,
          number_officers: 2,
          accounts_next_duedate: "2027-01-31",
          latest_financials_date: "2025-04-30"
        }
      : {})
  }
}

/** The one company that a request names, by id or by raw data; problems with both are reported. */
const subject = ({ directory, key, payload, unread }: Context): Listed | undefined => {
  const { company: id, country, name, reg_number } = payload
  if (typeof id === "string") {
    const found = directory.get(id, key)
    check(found === undefined ? { company: missing(id) } : {})
    return found
  }
  if (unread.has("company")) return undefined
  const problems: Problems = {}
  const code = typeof country === "string" ? Country.parse(country) : undefined
  if (typeof country !== "string" || country === "") problems["country"] = ["This field is required."]
  else if (code === undefined) problems["country"] = notAChoice(country)
  if (!name && !reg_number && !unread.has("name") && !unread.has("reg_number"))
    problems["non_field_errors"] = ["Not enough information: give company, or country with name or reg_number."]
  check(problems)
  return directory.match({ name, country, regnum: reg_number })
}

export const scores = {
  create: (context) => {
    const found = subject(context)
    return ok(found === undefined ? NO_SCORE : score(found, context.base))
  }
} satisfies Record<string, Handler>

const text = (amount: Decimal.Decimal): string => Decimal.format(amount, 2)

export const creditLimits = {
  /**
   * Assumption: the only identifier in the request is in its path, and an unknown one is answered with 400, as in II 7 for
   * credit limits, not 404. No rate limit is shown (II 8): a fault of kind `status` answers 429 on demand.
   */
  debtor: (context) => {
    const id = context.params["company_id"] ?? ""
    const currency = String(context.payload["currency"] ?? "EUR")
    const found = context.directory.get(id, context.key)
    check({ ...(found === undefined ? { company: missing(id) } : {}), ...unknownCurrency({ currency }) })
    const company = given(found, "the company")
    const { decision } = company
    const { available, current, maximum } = exposure(context, company)
    return ok({
      company: id,
      status: decision === null ? "eligible" : "declined",
      rejection_reason: decision === null ? null : rejection(decision),
      currency,
      available_insured_amount: decision === null ? text(available) : null,
      current_insured_amount: text(current),
      maximum_insured_amount: decision === null ? text(maximum) : null
    })
  }
} satisfies Record<string, Handler>
