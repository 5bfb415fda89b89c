/**
 * Countries are read from codes and from names as people write them (DP 2.1); what could be two countries is none.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Country from "../../../core/wire/Country.ts"

const read = [
  ["818", "EG"],
  ["036", "AU"],
  ["36", "AU"],
  ["4", "AF"],
  ["GB", "GB"],
  ["gb", "GB"],
  ["GBR", "GB"],
  [" United Kingdom ", "GB"],
  ["UK", "GB"],
  ["U.K.", "GB"],
  ["Scotland", "GB"],
  ["USA", "US"],
  ["U.S.", "US"],
  ["united states of america", "US"],
  ["Côte d'Ivoire", "CI"],
  ["COTE D IVOIRE", "CI"],
  ["Ivory Coast", "CI"],
  ["The Netherlands", "NL"],
  ["Holland", "NL"],
  ["Türkiye", "TR"],
  ["Turkey", "TR"],
  ["Czechia", "CZ"],
  ["Viet Nam", "VN"],
  ["Laos", "LA"],
  ["Syria", "SY"],
  ["Moldova", "MD"],
  ["Vatican City", "VA"],
  ["Bosnia & Herzegovina", "BA"],
  ["Bosnia and Herzegovina", "BA"],
  ["Macau", "MO"],
  ["Hong Kong", "HK"],
  ["Democratic Republic of the Congo", "CD"],
  ["Republic of the Congo", "CG"]
] as const

describe("Country", () => {
  for (const [text, code] of read) {
    it(`${JSON.stringify(text)} is ${code}`, () => assert.strictEqual(Country.parse(text), code))
  }

  for (const text of [
    "",
    "  ",
    "-",
    "&",
    "ZZ",
    "ZZZ",
    "0",
    "00",
    "999",
    "1e2",
    "NaN",
    "Atlantis",
    "Great",
    "日本",
    "constructor"
  ]) {
    it(`${JSON.stringify(text)} is none`, () => assert.isUndefined(Country.parse(text)))
  }

  it("a name that two countries bear says neither", () => assert.isUndefined(Country.parse("Congo")))

  it("every code and every name leads back to its country", () => {
    const codes = Country.codes()
    assert.isAbove(codes.length, 245)
    const display = new Intl.DisplayNames("en", { type: "region" })
    for (const code of codes) {
      assert.match(code, /^[A-Z]{2}$/)
      assert.strictEqual(Country.parse(code), code)
      assert.strictEqual(Country.parse(Country.name(code)!), code)
      assert.strictEqual(Country.parse(display.of(code)!), code)
    }
  })

  it("has no name for what is no country", () => assert.isUndefined(Country.name("ZZ")))
})
