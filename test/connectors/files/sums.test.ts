/** A sum that a bank writes in one format, and its details in another: one of the two is read. */
import { describe, expect, it } from "vitest"
import { camt, IBAN, transfer } from "./Statements.ts"
import { pull } from "./support.ts"

describe("a sum", () => {
  const details = ["30.00", "70.00"].map((amount) => transfer(amount, { text: `INV-${amount}` }))
  const batch = { ref: "2026020300000020", amount: "100.00", items: 2 }

  it.each(["SAMMLER ANZAHL 2", "COUNT: 2 COLLECTIONS"])(
    "is left to its details where another format has only the sum, under the account's own name: %s",
    async (words) => {
      const itemised = camt({ opening: "0.00", closing: "100.00", entries: [{ ...batch, details }] })
      const mt940 = (text: string) => `:20:STARTUMS
:25:${IBAN}
:28C:00031/001
:60F:C260202EUR0,00
:61:2602030203CR100,00N051NONREF
:86:166?00GUTSCHRIFT?20${text}?32ACME LTD
:62F:C260203EUR100,00
`
      const idsOf = async (text: string) => {
        const files = { "bank/a.sta": mt940(text), "bank/053.xml": itemised }
        const { documents } = await pull(files, { payments: { path: "bank/*" } })
        return documents.map(({ id }) => id.split(":")[2])
      }
      expect(await idsOf(words)).toEqual(["30.00", "70.00"])
      expect((await idsOf("INV-7")).toSorted()).toEqual(["100.00", "30.00", "70.00"])
    }
  )
})
