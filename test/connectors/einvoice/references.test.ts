/** What a buyer writes on the transfer: each format of invoices states it, and each format of banks has it as a word of its own. */
import { describe, expect, it } from "vitest"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { facts } from "../../../connectors/Bytes.ts"
import type { Facts } from "../../../connectors/einvoice/Facts.ts"
import { meaning } from "../../../connectors/einvoice/Meaning.ts"
import { factsOf } from "../../../connectors/einvoice/Roots.ts"
import { openBank } from "../../../connectors/files/bank/Formats.ts"
import { cfonb, coda, norma43, record } from "../files/NationalFiles.ts"
import { camt, transfer } from "../files/Statements.ts"
import * as Xml from "./Xml.ts"

const RF = "RF18539007547034"
const OGM = "123456789002"
const QRR = "210000000003139471430009017"

describe("the payment reference of an invoice", () => {
  const means = (code: string, inner: string) =>
    `<cac:PaymentMeans><cbc:PaymentMeansCode>${code}</cbc:PaymentMeansCode>${inner}</cac:PaymentMeans>`
  const ublWith = (...all: ReadonlyArray<string>) =>
    Xml.ubl({}).replace(/<cac:PaymentMeans>.*<\/cac:PaymentMeans>/, all.join(""))
  const id = (text: string) => `<cbc:PaymentID>${text}</cbc:PaymentID>`
  const eb = (inner: string) =>
    Xml.ebInterface().replace("<PaymentConditions>", `<PaymentMethod>${inner}</PaymentMethod><PaymentConditions>`)
  const CASES: ReadonlyArray<readonly [what: string, xml: string, reference: string | undefined]> = [
    ["UBL", Xml.ubl({ reference: RF }), RF],
    ["UBL, none", Xml.ubl({}), undefined],
    ["UBL, several means with one", ublWith(means("30", id(OGM)), means("58", id(OGM))), OGM],
    ["UBL, several means", ublWith(means("30", id(OGM)), means("58", id(QRR))), `${OGM}\n${QRR}`],
    [
      "a Danish payment slip",
      ublWith(means("93", `<cbc:InstructionID>000000016649519</cbc:InstructionID>${id("71")}`)),
      "000000016649519"
    ],
    ["CII", Xml.cii({ reference: RF }), RF],
    [
      "FatturaPA",
      Xml.fattura({}).replace("</DettaglioPagamento>", `<CodicePagamento>${RF}</CodicePagamento></DettaglioPagamento>`),
      RF
    ],
    [
      "Facturae",
      Xml.facturae({}).replace(
        "</Installment>",
        `<PaymentReconciliationReference>0000123456</PaymentReconciliationReference></Installment>`
      ),
      "0000123456"
    ],
    [
      "ebInterface",
      eb(
        `<UniversalBankTransaction><PaymentReference CheckSum="X">${OGM}</PaymentReference></UniversalBankTransaction>`
      ),
      OGM
    ],
    ["ebInterface 3", eb(`<PaymentReference>${OGM}</PaymentReference>`), OGM],
    ["KSeF", Xml.ksef({}).replace("</Platnosc>", "<IPKSeF>123ABCDEFGHIJ</IPKSeF></Platnosc>"), "123ABCDEFGHIJ"]
  ]
  it.each(CASES)("%s", (_, xml, reference) => {
    const [found] = factsOf(xml, false) as ReadonlyArray<Facts>
    expect(found?.metadata["payment_reference"]).toBe(reference)
    const [document] = found === undefined ? [] : meaning(found, { terms_days: 30 }).documents
    expect(document?.kind === "invoice" && document.reference).toBe(reference)
  })
})

describe("the reference of a payment is a word of its text", () => {
  const structured = (inner: string) =>
    `${transfer("121.00", { name: "Atelier Nord", text: "thanks" })}<RmtInf><Strd><CdtrRefInf>${inner}</CdtrRefInf></Strd></RmtInf>`
  const mt940 = (details: string) =>
    `:20:X\n:25:NL91ABNA0417164300\n:28C:1\n:60F:C260202EUR0,00\n:61:260203C121,00NTRFNONREF\n:86:${details}\n:62F:C260203EUR121,00\n-\n`
  const credit = (text: string) => ({ opening: 0, moved: [{ cents: 12_100, name: "Atelier Nord", text }] })
  const spanish = norma43(credit("PAGO F2026-0007")).replace(/^(22.{50}).{28}/m, `$1${"0007".padEnd(12)}${RF}`)
  const coded = (type: string, text: string) =>
    coda(credit("")).replace(/^(21.{59})0 {53}/m, `$11${`${type}${text}`.padEnd(53)}`)
  const french = cfonb(credit("VIR"))
  const sent = record(120, [1, "0530004"], [12, "00812EUR2"], [22, "00010089736"], [46, `RCN${RF}`])
  const CASES: ReadonlyArray<readonly [what: string, text: string, words: ReadonlyArray<string>]> = [
    [
      "camt, any kind",
      camt({
        opening: "0.00",
        closing: "121.00",
        entries: [{ amount: "121.00", details: [structured(`<Tp/><Ref>${QRR}</Ref>`)] }]
      }),
      [QRR]
    ],
    ["CODA 101", coded("101", OGM), [OGM]],
    ["CODA 102", coded("102", OGM), [OGM]],
    ["CODA 100", coded("100", RF), [RF]],
    ["CFONB, the end-to-end id", [french[0], french[1], sent, ...french.slice(2)].join("\n"), [RF]],
    ["Norma 43, both references", spanish, ["0007", RF, "F2026-0007"]],
    ["MT940, plain", mt940(`***123/4567/89002*** ${RF}`), [RF, "***123/4567/89002***"]],
    ["MT940, German", mt940(`166?00GUTSCHRIFT?20SVWZ+${RF}?32ATELIER NORD`), [RF]],
    [
      "MT940, Dutch",
      mt940(`/CNTP/NL02ABNA0123456789/ABNANL2A/Zuid///REMI/STRD/CUR/9123456789012345/`),
      ["9123456789012345"]
    ],
    ["MT940, ISO 11649", mt940(`/CNTP/NL02ABNA0123456789/ABNANL2A/Zuid///REMI/STRD/ISO/${RF}/`), [RF]]
  ]
  it.each(CASES)("%s", async (_, text, words) => {
    const folder = mkdtempSync(join(tmpdir(), "daybook-bank-"))
    try {
      const path = join(folder, "statement.txt")
      writeFileSync(path, text, "latin1")
      const { events } = await openBank({ path, place: "payments", bank: {} }, await facts(path))
      const texts: Array<string> = []
      for await (const event of events()) if (event.type === "entry") texts.push(event.entry.text)
      expect(texts[0]?.split(" ")).toEqual(expect.arrayContaining([...words]))
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
