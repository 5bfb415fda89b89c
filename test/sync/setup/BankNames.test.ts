/** Files of banks and programs under the name of a table: what they are is said, and what to do. */
import { Effect } from "effect"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { write } from "../../connectors/files/support.ts"
import * as FirstConfiguration from "../../../sync/library/FirstConfiguration.ts"

const record = (...parts: ReadonlyArray<string>): string => `${parts.join("").padEnd(120)}\n`
const ACCOUNT = "30004    00823EUR2 00010013921"
const CFONB = [
  record("01", ACCOUNT, "  300926", " ".repeat(50), "0000000010000{"),
  record("04", ACCOUNT, "05051026  051026VIR ALDER INV-1"),
  record("07", ACCOUNT, "  051026")
].join("")
const FILES: ReadonlyArray<readonly [what: string, text: string, says: RegExp]> = [
  ["CFONB", CFONB, /a bank's statement \(cfonb120\) under the name of a table; name it a\.txt/],
  [
    "MT940",
    ":20:START\n:25:DE89370400440532013000\n:28C:1/1\n:60F:C260930EUR100,00\n:61:2610051005C10,00NTRFNONREF\n:86:ALDER INV-1\n:62F:C261005EUR110,00\n",
    /a bank's statement \(mt940\) under the name of a table; name it a\.txt/
  ],
  [
    "OFX",
    "OFXHEADER:100\nDATA:OFXSGML\n\n<OFX><BANKMSGSRSV1></BANKMSGSRSV1></OFX>\n",
    /a bank's statement \(ofx\) under the name of a table; name it a\.txt/
  ],
  ["QIF", "!Type:Bank\nD05/10/2026\nT10.00\nPAlder\n^\n", /it is QIF.*export the bank's statements/],
  ["SIE", '#FLAGGA 0\n#FORMAT PC8\n#SIETYP 4\n#VER "A" 1 20260901\n', /it is SIE.*export the lists/]
]

describe("a file under the name of a table", () => {
  for (const ending of ["csv", "tsv"])
    for (const [what, text, says] of FILES)
      it(`says what it is: ${what} as .${ending}`, async () => {
        const folder = write({ [`a.${ending}`]: text })
        const found = Effect.runPromise(
          Effect.flatMap(FirstConfiguration.look([join(folder, `a.${ending}`)], folder), (looked) =>
            FirstConfiguration.initial(looked, { folder, answers: { name: "Acme" } })
          )
        )
        await expect(found).rejects.toThrow(says)
      })
})
