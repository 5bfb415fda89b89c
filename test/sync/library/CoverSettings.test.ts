/** What a configuration says about cover: each mistake is named, with what to write there. */
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { problems } from "../../../sync/library/config/ConfigProblems.ts"
import { CoverSettings, readEveryMs } from "../../../sync/model/CoverSettings.ts"

const decode = Schema.decodeUnknownResult(CoverSettings, { errors: "all", onExcessProperty: "error" })

const mistakes = (value: unknown): Array<string> =>
  Result.match(decode(value), { onSuccess: () => [], onFailure: ({ issue }) => [...problems(issue, ["cover"])] })

const price = { currency: "GBP", per_month: "2000.00" }

describe("the configuration of cover", () => {
  it("needs which invoices and what may be spent, and nothing else", () => {
    const least = Result.getOrThrow(decode({ select: [{}], price }))
    assert.strictEqual(readEveryMs(least), 7 * 86_400_000)
    assert.deepStrictEqual(mistakes({}), ["cover.select: is missing", "cover.price: is missing"])
  })

  it("names each mistake with its place", () => {
    const found = mistakes({
      select: [{ countries: ["gb"], min: "-5", terms_days: 0, days: 3 }],
      price: { currency: "Pounds", per_month: 2000, of_net: "2" },
      pay_with: "tok_visa",
      approve: "sometimes",
      limits: { read_every: "now and then" },
      handover: {
        remind: [],
        contact: { name: "Jo" },
        bank: { name: "Acme", sortcode: "200000", number: { env: "BANK_NUMBER" } },
        documents: "invoices/all.pdf"
      }
    })
    assert.sameMembers(found, [
      "cover.select[0].days: is not a known setting; known settings are countries, min, max, terms_days, buyers, except",
      'cover.select[0].countries[0]: write an ISO 3166 code of two capital letters, like "GB"',
      'cover.select[0].min: write an amount as text, like "250.00"',
      "cover.select[0].terms_days: write a number of days, like 30; at most 366",
      'cover.price.currency: write an ISO 4217 code, like "GBP"',
      'cover.price.of_net: write a share from 0 to 1 as text, like "0.02" for two percent',
      'cover.price.per_month: write text in quotes, like "text"',
      'cover.pay_with: a secret is not written here; name the environment variable that holds it, like { "env": "COVER_PAYMENT" }',
      'cover.approve: write one of "always", "above", "never"',
      'cover.limits.read_every: write a duration like "7 days"',
      "cover.handover.contact.email: is missing",
      'cover.handover.bank.sortcode: a secret is not written here; name the environment variable that holds it, like { "env": "BANK_SORTCODE" }',
      'cover.handover.documents: write {number} or {id} in it, like "invoices/{number}.pdf"',
      "cover.handover.remind[0]: is missing"
    ])
  })

  it("names what the service would only refuse as an invoice is handed over", () => {
    const found = mistakes({
      select: [{}],
      price: { ...price, currency: "GBX" },
      handover: { contact: { name: " ", email: "nowhere" }, documents: { shipping: "terms.pdf" } }
    })
    assert.sameMembers(found, [
      'cover.price.currency: write an ISO 4217 code, like "GBP"',
      "cover.handover.contact.name: must not be empty",
      'cover.handover.contact.email: write an email address, like "jo@acme.example"',
      'cover.handover.documents.shipping: write {number} or {id} in it, like "invoices/{number}.pdf"'
    ])
  })
})
