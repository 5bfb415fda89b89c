/** What people approve by is something that they can type. */
import { assert, describe, it } from "@effect/vitest"
import { collectionDigest, type CollectionRecord } from "../../../sync/rules/CollectionFields.ts"
import { offerDigest } from "../../../sync/rules/CoverParts.ts"

const RECORD: CollectionRecord = {
  about: {},
  amounts: { net: null, gross: "1.00", credited: "0.00", received: "0.00", open: "1.00" },
  fields: {},
  prefilled: {},
  documents: [],
  others: []
}

describe("the digest of what a person is shown", () => {
  it("can be typed as the value of an option: it never begins with a hyphen", () => {
    const price = { currency: "GBP", total: "22.40" }
    for (let n = 0; n < 1000; n++) {
      assert.match(offerDigest({ id: `q-${n}`, status: "offered", price }, false), /^\w[\w-]+$/)
      assert.match(collectionDigest({ ...RECORD, fields: { partial_payment: String(n) } }), /^\w[\w-]+$/)
    }
  })
})
