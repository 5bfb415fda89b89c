/**
 * Company scores (II 2.1): a company's risk, from 1 to 5, and the figures behind it.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Authentication, Validation } from "../wire/Auth.ts"
import { BadRequestBody } from "../wire/Errors.ts"
import { CompanyId } from "../wire/Ids.ts"
import { maybe, nullable, open, openEnum } from "../wire/Open.ts"

/** Request of a score: preferably `company`; otherwise `country` with `name`, `reg_number` or both (II 4). */
export const ScoreRequest = Schema.Struct({
  company: nullable(CompanyId),
  country: nullable(Schema.String),
  name: nullable(Schema.String),
  reg_number: nullable(Schema.String),
  address: nullable(Schema.String)
})
export type ScoreRequest = typeof ScoreRequest.Type

/** The meaning of each score (II 2.1). */
export const MEANING: Readonly<Record<string, string>> = {
  "1": "Excellent",
  "2": "Fair",
  "3": "Acceptable",
  "4": "Caution",
  "5": "Danger"
}

/** A score (II 2.1). Dates may be empty strings. What the figures mean is not shown, so they stay plain numbers. */
export const Score = open({
  company: nullable(CompanyId),
  name: nullable(Schema.String),
  reg_number: nullable(Schema.String),
  address: nullable(Schema.String),
  country: nullable(Schema.String),
  creation_date: nullable(Schema.String),
  status: nullable(Schema.String),
  score: nullable(openEnum(["1", "2", "3", "4", "5"])),
  ultimate_parent_company: nullable(Schema.String),
  net_assets: nullable(Schema.Int),
  annualized_turnover: nullable(Schema.Int),
  change_net_assets: nullable(Schema.Int),
  change_annualized_turnover: nullable(Schema.Int),
  number_officers: nullable(Schema.Int),
  accounts_next_duedate: maybe(Schema.String),
  latest_financials_date: maybe(Schema.String)
})
export type Score = typeof Score.Type

export class ScoresApi extends HttpApiGroup.make("scores")
  .add(HttpApiEndpoint.post("create", "/", { payload: ScoreRequest, success: Score, error: BadRequestBody }))
  .middleware(Authentication)
  .middleware(Validation)
  .prefix("/v1/scores") {}
