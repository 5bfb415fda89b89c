/**
 * Bank statements that are broken by chance: characters changed, pieces cut out, doubled, moved and blown up. None stops the
 * reading of others, and what is read of a file in which nothing is quarantined comes to what its balances say.
 */
import { describe, expect, it } from "vitest"
import { BAI2, camt, GERMAN, OFX1, transfer } from "../connectors/files/Statements.ts"
import { arudd, cfonb, coda, norma43, pain002 } from "../connectors/files/NationalFiles.ts"
import { pull } from "../connectors/files/support.ts"
import { Dice } from "../simulation/Dice.ts"
import { times } from "../support/Effort.ts"

const details = ["30.00", "70.00"].map((amount) =>
  transfer(amount, { name: "Atelier Nord", text: "INV-1", trace: "E-1" })
)
const STATEMENT = {
  opening: 0,
  moved: [
    { cents: 10_000, name: "Atelier Nord", text: "INV-1" },
    { cents: -2000, text: "INV-2", returned: "AM04" }
  ]
}
const SAMPLES = {
  camt: camt({
    opening: "0.00",
    closing: "80.00",
    entries: [
      { ref: "2026020300000020", amount: "100.00", details },
      { ref: "2026020300000021", amount: "20.00", debit: true, reversal: true }
    ]
  }),
  mt940: GERMAN,
  ofx: OFX1,
  bai2: BAI2.replace("149500", "148500"),
  coda: coda(STATEMENT),
  norma43: norma43(STATEMENT),
  cfonb120: cfonb(STATEMENT).join("\n"),
  bacs: arudd([
    { ref: "INV-1", pence: 3000 },
    { ref: "INV-2", pence: 7000 }
  ]),
  pain002: pain002([{ id: "E-1", amount: "30.00", status: "RJCT" }])
}

const ODD = [
  "\u0000",
  "<",
  "&",
  "\n",
  "-",
  "0",
  "9",
  ":61:",
  "</Ntry>",
  "<!DOCTYPE a>",
  "88,",
  "\ud800",
  "é",
  ",",
  "</",
  ">"
]

const broken = (text: string, dice: Dice): string => {
  let made = text
  for (let n = 1 + dice.below(3); n > 0; n--) {
    const [from, length] = [dice.below(made.length), 1 + dice.below(dice.chance(0.3) ? 200 : 5)]
    const piece = made.slice(from, from + length)
    const into = dice.of<string>(["", dice.of(ODD)!, piece + piece, piece.repeat(50), [...piece].reverse().join("")])!
    made = made.slice(0, from) + into + made.slice(from + length)
  }
  return made
}

describe("broken bank statements", () => {
  for (const [format, text] of Object.entries(SAMPLES)) {
    it(`in ${format}: none stops a run, and what is read adds up`, async () => {
      const dice = Dice.of(1, format)
      const tries = Array.from({ length: times(120) }, (_, n) => [`bank/${n}`, broken(text, dice)] as const)
      const { documents, error, pages, quarantined } = await pull(
        { ...Object.fromEntries(tries), "bank/z": text },
        { payments: { path: "bank/*", format } }
      )
      expect(error).toBeUndefined()
      expect(quarantined.every(({ why }) => why.length > 10)).toBe(true)
      const bad = new Set(quarantined.map(({ origin }) => origin.split(":")[0]))
      const stated = pages.flatMap((page) => page.stated ?? []).filter(({ list }) => !bad.has(list))
      expect(stated.filter(({ amount, read }) => amount !== read)).toEqual([])
      for (const one of documents) {
        if (!("shares" in one) || !("unallocated" in one)) continue
        expect(one.unallocated).toBeGreaterThan(0n)
        expect(one.date).toMatch(/^\d{4}-\d{2}-\d{2}$/)
      }
    })
  }
})
