/** The parameters that several operations share. */
import { Schema } from "effect"
import { nameProblem } from "../../sync/model/PersonName.ts"
import { LONGEST_SEARCH, tooLong } from "../../sync/reports/SearchText.ts"
import { MOST, ROWS } from "./OnePage.ts"

export const Whole = Schema.FiniteFromString.check(Schema.isInt())

/** An optional text. */
export const optionalText = (description: string) => Schema.optionalKey(Schema.String.annotate({ description }))

/** A setting that is off unless it is given. */
export const optionalFlag = (description: string) => Schema.optionalKey(Schema.Boolean.annotate({ description }))

/** A text that a list is searched by. */
export const searchText = (description: string) =>
  Schema.optionalKey(
    Schema.String.check(
      Schema.makeFilter((text: string) => tooLong(text) ?? true),
      Schema.isMaxLength(LONGEST_SEARCH)
    ).annotate({ description })
  )

export const limit = Schema.optionalKey(
  Whole.check(Schema.isBetween({ minimum: 1, maximum: MOST })).annotate({
    description: `The most rows to return, 1 to ${MOST}; default ${ROWS}`
  })
)
export const after = optionalText("The `next` of the page before")
export const connection = optionalText("A connection's name; default: all")
export const pages = { connection, limit, after }

export const item = Whole.check(Schema.isGreaterThanOrEqualTo(0)).annotate({ description: "The attention item's id" })
export const decision = Whole.annotate({ description: "A decision's id, as `undoable` lists it" })
export const invoice = Schema.String.annotate({
  description: "An invoice's number, id or key; write a slash as %2F",
  examples: ["INV-7"]
})

/** The person who decides. Recorded with the token's name. */
export const person = Schema.String.check(
  Schema.isPattern(/\S/u),
  Schema.isMaxLength(200),
  Schema.makeFilter((name: string) => nameProblem(name) ?? true)
).annotate({
  description: "The name of the person who decides; recorded with the token's name",
  examples: ["Ada Reed"]
})

export const givenDigest = Schema.String.annotate({ description: "The complete digest of what the person was shown" })

/** For requests that change something: the same key gets the same answer, and nothing is done twice. */
export const repeatable = {
  "idempotency-key": Schema.optionalKey(
    Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(255)).annotate({
      description:
        "A text of your own for this request. Sent again with the same key, the request is not carried out again: the first answer is returned."
    })
  )
}

/** A day of the calendar. */
export const Day = Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/u)).annotate({
  description: "A day, ISO 8601",
  examples: ["2026-03-04"]
})
