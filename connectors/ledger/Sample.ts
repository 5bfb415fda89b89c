/** Provides fixtures for the connector of ledger files, for the conformance kit: a FEC with an invoice, its payment and more. */
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../core/TemporaryFolder.ts"
import type { Subject } from "../testing/Subject.ts"
import { ledger } from "./Ledger.ts"

const HEAD =
  "JournalCode JournalLib EcritureNum EcritureDate CompteNum CompteLib CompAuxNum CompAuxLib PieceRef PieceDate EcritureLib Debit Credit EcritureLet DateLet ValidDate Montantdevise Idevise"

const CUSTOMER = "C1|Atelier Nord"

/** `VE|1|20260105|411|D|FA-1|Facture FA-1|120,00|A` */
const line = (text: string): string => {
  const [journal, entry, day, account, side, ref, label, amount, letter = ""] = text.split("|")
  const [aux, name] = account?.startsWith("411") ? CUSTOMER.split("|") : ["", ""]
  const [debit, credit] = side === "D" ? [amount, "0,00"] : ["0,00", amount]
  return [
    journal,
    journal,
    entry,
    day,
    account,
    account,
    aux,
    name,
    ref,
    day,
    label,
    debit,
    credit,
    letter,
    "",
    day,
    "",
    ""
  ].join("\t")
}

const LINES = [
  "VE|1|20260105|411000|D|FA-1|Facture FA-1|120,00|A",
  "VE|1|20260105|706000|C|FA-1|Facture FA-1|100,00",
  "VE|1|20260105|445710|C|FA-1|Facture FA-1|20,00",
  "VE|2|20260106|411000|D|FA-2|Facture FA-2|240,00|B",
  "VE|2|20260106|706000|C|FA-2|Facture FA-2|200,00",
  "VE|2|20260106|445710|C|FA-2|Facture FA-2|40,00",
  "BQ|3|20260204|512000|D|VIR-1|Virement|120,00",
  "BQ|3|20260204|411000|C|VIR-1|Virement|120,00|A",
  "VE|4|20260210|411000|C|AV-1|Avoir FA-2|60,00|B",
  "VE|4|20260210|706000|D|AV-1|Avoir FA-2|50,00",
  "VE|4|20260210|445710|D|AV-1|Avoir FA-2|10,00",
  "BQ|5|20260212|512000|D|VIR-2|Virement|180,00",
  "BQ|5|20260212|411000|C|VIR-2|Virement|180,00|B",
  "BQ|6|20260215|411000|D|REJ-2|Rejet virement|180,00|B",
  "BQ|6|20260215|512000|C|REJ-2|Rejet virement|180,00"
]

const NAME = "123456789FEC20261231.txt"

export const subject: Subject = {
  connector: ledger,
  settings: { path: ".", terms_days: 30 },
  golden: [
    `{"kind":"invoice","id":"C1:FA-1","number":"FA-1","status":"open","party":{"id":"C1","name":"Atelier Nord"},"currency":"EUR","issued":"2026-01-05","due":"2026-02-04","gross":"12000000000n","net":"10000000000n","stated":{"open":"0n"}}`,
    `{"kind":"invoice","id":"C1:FA-2","number":"FA-2","status":"open","party":{"id":"C1","name":"Atelier Nord"},"currency":"EUR","issued":"2026-01-06","due":"2026-02-05","gross":"24000000000n","net":"20000000000n","stated":{"open":"18000000000n"}}`,
    `{"kind":"payment","id":"BQ:2026-02-04:C1:VIR-1:120.00","date":"2026-02-04","currency":"EUR","shares":[{"invoice":"C1:FA-1","amount":"12000000000n"}],"party":{"id":"C1","name":"Atelier Nord"},"method":"bank"}`,
    `{"kind":"credit_note","id":"C1:AV-1","date":"2026-02-10","currency":"EUR","shares":[{"invoice":"C1:FA-2","amount":"6000000000n","net":"5000000000n"}]}`,
    `{"kind":"payment","id":"BQ:2026-02-12:C1:VIR-2:180.00","date":"2026-02-12","currency":"EUR","shares":[{"invoice":"C1:FA-2","amount":"18000000000n"}],"party":{"id":"C1","name":"Atelier Nord"},"method":"bank"}`,
    `{"kind":"reversal","id":"BQ:2026-02-15:C1:REJ-2:180.00","payment":"BQ:2026-02-12:C1:VIR-2:180.00","date":"2026-02-15","currency":"EUR","shares":[{"invoice":"C1:FA-2","amount":"18000000000n"}],"type":"error","details":"Rejet virement REJ-2"}`
  ],
  open: () => {
    const folder = temporaryFolder("sample")
    const path = join(folder, NAME)
    writeFileSync(path, `${[HEAD.replaceAll(" ", "\t"), ...LINES.map(line)].join("\r\n")}\r\n`)
    const edit = (...pairs: ReadonlyArray<readonly [from: string, to: string]>) =>
      writeFileSync(
        path,
        pairs.reduce((text, [from, to]) => text.replaceAll(from, to), readFileSync(path, "utf8"))
      )
    return {
      folder,
      close: () => rmSync(folder, { recursive: true, force: true }),
      malform: () => {
        edit(["\t120,00\t", "\t32 March\t"])
        return "32 March"
      },
      remove: () => {
        const lines = readFileSync(path, "utf8").split("\r\n")
        writeFileSync(path, lines.filter((one) => !/\t(?:FA-1|VIR-1)\t/.test(one)).join("\r\n"))
        return "invoice/C1:FA-1"
      },
      enlarge: () => {
        edit(["\t120,00\t", "\t90071992547409,93\t"], ["\t100,00\t", "\t90071992547389,93\t"])
        return { document: "invoice/C1:FA-1", amount: "90071992547409.93" }
      }
    }
  }
}
