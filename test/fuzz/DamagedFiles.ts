/** A small file of each format that is read, in invented names; and those of a folder, such as public examples. */
import { readFileSync } from "node:fs"
import { basename, extname, join } from "node:path"
import { describedBy } from "../../connectors/list.ts"
import { kindOf } from "../../connectors/ledger/Kinds.ts"
import { mail, pdf, signed } from "../connectors/einvoice/Wrapped.ts"
import * as Xml from "../connectors/einvoice/Xml.ts"
import { archive } from "../connectors/files/Archives.ts"
import { arudd, cfonb, coda, norma43, pain002 } from "../connectors/files/NationalFiles.ts"
import { bytes as programs } from "../connectors/files/Programs.ts"
import { camt, GERMAN, OFX1, transfer, WHOLE_BAI2 } from "../connectors/files/Statements.ts"
import { fec, receipt, sale } from "../connectors/ledger/Fec.ts"
import { saft } from "../connectors/ledger/Saft.ts"
import { bankFile, filesIn, invoiceFile, ledgerFile, type Subject } from "./Damaged.ts"

const STATEMENT = {
  opening: 0,
  moved: [
    { cents: 10_000, name: "Atelier Nord", text: "INV-1" },
    { cents: 2550, name: "Cafe Sud", text: "INV-3" },
    { cents: -2000, text: "INV-2", returned: "AM04" }
  ]
}

const LEDGER = fec([
  sale("1", "20260305", "C1", "121,00", "R-1", "A"),
  sale("2", "20260306", "C2", "60,00", "R-2", "A"),
  receipt("1", "20260401", "C1", "121,00", "V-1", "A"),
  receipt("2", "20260402", "C2", "60,00", "V-2", "A"),
  sale("3", "20260406", "C3", "240,00", "R-3")
])

const AUDIT = saft(
  [
    { no: "FT A/1", lines: [["100.00", "23"]], net: "100.00", tax: "23.00", gross: "123.00" },
    { no: "FT A/2", lines: [["200.00", "23"]], net: "200.00", tax: "46.00", gross: "246.00" },
    { no: "NC A/1", type: "NC", lines: [["10.00", "23", "FT A/1"]], net: "10.00", tax: "2.30", gross: "12.30" }
  ],
  [{ no: "RG A/1", lines: [["246.00", "23", "FT A/2"]], net: "246.00", tax: "0.00", gross: "246.00" }]
)

const BANKS: Readonly<Record<string, string>> = {
  camt: camt({
    opening: "0.00",
    closing: "80.00",
    entries: [
      {
        ref: "2026020300000020",
        amount: "100.00",
        details: ["30.00", "70.00"].map((amount) =>
          transfer(amount, { name: "Atelier Nord", text: "INV-1", trace: `E-${amount}` })
        )
      },
      { ref: "2026020300000021", amount: "20.00", debit: true, reversal: true }
    ]
  }),
  mt940: GERMAN,
  ofx: OFX1.replace("$5", "5.00"),
  bai2: WHOLE_BAI2,
  coda: coda(STATEMENT),
  norma43: norma43(STATEMENT),
  cfonb120: cfonb(STATEMENT).join("\n"),
  bacs: arudd([
    { ref: "INV-1", pence: 3000 },
    { ref: "INV-2", pence: 7000 }
  ]),
  pain002: pain002([
    { id: "E-1", amount: "30.00", status: "RJCT" },
    { id: "E-2", amount: "45.00", status: "RJCT" }
  ])
}

/** The statement before the one that is damaged: its balance is that of the next one without its entries. */
const BEFORE = OFX1.replace(/<STMTTRN>[\s\S]*<\/STMTTRN>\n/, "")
  .replaceAll("202602", "202601")
  .replace("20260128", "20260131")
  .replace("<BALAMT>99.00<DTASOF>20260128", "<BALAMT>-1136.00<DTASOF>20260131")

export const own = (): ReadonlyArray<Subject> => {
  const [ubl, cii] = [Xml.ubl({ number: "R-1", rounding: "0.00" }), Xml.cii({ number: "R-2" })].map((text) =>
    Buffer.from(text)
  )
  const fattura = Buffer.from(Xml.fattura({ total: "122.00", times: 1 }))
  const invoices: Readonly<Record<string, readonly [file: string, bytes: Buffer | undefined]>> = {
    ubl: ["a.xml", ubl],
    "ubl-credit": ["a.xml", Buffer.from(Xml.ubl({ type: "381", preceding: ["R-0"] }))],
    cii: ["a.xml", cii],
    pdf: ["a.pdf", pdf(Xml.cii({ number: "R-2" }))],
    fatturapa: ["a.xml", fattura],
    p7m: ["a.xml.p7m", signed(fattura)],
    ksef: ["a.xml", Buffer.from(Xml.ksef({}))],
    "ksef-2": ["a.xml", Buffer.from(Xml.ksef({}).replace("2025/06/25/13775", "2023/06/29/12648"))],
    facturae: ["a.xml", Buffer.from(Xml.facturae({}))],
    ebinterface: ["a.xml", Buffer.from(Xml.ebInterface())],
    zip: ["a.zip", Buffer.from(archive({ "1.xml": ubl!, "2.xml": cii! }))],
    eml: ["a.eml", mail({ "1.xml": ubl!, "2.xml": cii! })]
  }
  return [
    ...Object.entries(invoices).map(([name, [file, bytes]]) => invoiceFile(name, file, bytes!)),
    ledgerFile("fec", "732829320FEC20261231.txt", Buffer.from(LEDGER)),
    ledgerFile("saft", "saft.xml", Buffer.from(AUDIT, "latin1")),
    ledgerFile("datev", "EXTF_Buchungsstapel.csv", Buffer.from(programs("datev-extf.csv"))),
    ...Object.entries(BANKS).map(([format, text]) =>
      bankFile(format, `${format}.dat`, Buffer.from(text), format === "ofx" ? BEFORE : undefined)
    )
  ]
}

const LARGEST = 200_000

/** Files of a folder, each as a subject of its format; banks' by the name of the folder that they are in. */
export const foreign = async (root: string): Promise<ReadonlyArray<Subject>> => {
  const found: Array<Subject> = []
  for (const path of filesIn(root)) {
    const bytes = readFileSync(path)
    if (bytes.length > LARGEST) continue
    const [file, folder] = [basename(path), basename(join(path, ".."))]
    const format = { arudd: "bacs", cfonb: "cfonb120", coda: "coda", n43: "norma43" }[folder]
    const kind = format === undefined ? await describedBy(path) : undefined
    if (format !== undefined) found.push(bankFile(format, `${format}-${file}`, bytes))
    else if (kind === "ledger") found.push(ledgerFile((await kindOf(path)) ?? "ledger", file, bytes))
    else if (kind === "einvoice") found.push(invoiceFile(`${folder}${extname(file)}`, file, bytes))
  }
  return found
}
