/** Documents as the books keep them: text, and back. */
import { assert, describe, it } from "@effect/vitest"
import * as Document from "../../../connectors/Document.ts"
import { samples } from "../../support/Samples.ts"

/** Texts that stand where an amount should. */
const left = (value: unknown, at = ""): ReadonlyArray<string> => {
  if (typeof value === "string") return /^-?\d+n$/.test(value) ? [at] : []
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, one]) => left(one, `${at}.${name}`))
}

describe("a document that was kept", () => {
  it("has every amount and quantity again, of every kind that any connector reads", async () => {
    const kinds = new Set<string>()
    for (const load of Object.values(samples)) {
      const { connector, golden } = (await load()).subject
      for (const text of golden) {
        const document = Document.decode(text)
        kinds.add(document.kind)
        assert.deepStrictEqual(left(document), [], `${connector.name}: ${text}`)
        assert.strictEqual(Document.encode(document), text)
      }
    }
    assert.sameMembers([...kinds], [...Document.KINDS])
  })

  it("keeps a name that looks like an amount", () => {
    const text = `{"kind":"invoice","id":"12n","number":"7n","status":"open","gross":"700000000n"}`
    const document = Document.decode(text)
    assert.strictEqual(document.kind === "invoice" && document.number, "7n")
    assert.strictEqual(document.kind === "invoice" && document.gross, 700000000n)
  })
})
