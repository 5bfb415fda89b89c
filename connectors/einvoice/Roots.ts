/** Finds which syntax a file is written in, by its root element, also within an envelope; and reads its facts. */
import { cii } from "./Cii.ts"
import { Refused } from "../Refused.ts"
import { type Facts, type Nothing, within } from "./Facts.ts"
import { ebInterface } from "./EbInterface.ts"
import { facturae } from "./Facturae.ts"
import { fatturaPa } from "./FatturaPa.ts"
import { ksef } from "./Ksef.ts"
import { firstText, find, type Node, parse } from "./Tree.ts"
import { ubl } from "./Ubl.ts"

/** `keep`: tax that the buyer withholds is part of what is asked for. */
type Reader = (root: Node, keep: boolean) => ReadonlyArray<Facts | Nothing>

const one =
  (read: (root: Node) => Facts | Nothing): Reader =>
  (root) => [within(root, () => read(root))]

/** `Invoice` is UBL's root and ebInterface's. */
const invoice = (root: Node): Facts | Nothing =>
  firstText(root, "InvoiceNumber") === undefined && firstText(root, "Biller/Address/Name") === undefined
    ? ubl(root)
    : ebInterface(root)

const READERS: Readonly<Record<string, Reader>> = {
  Invoice: one(invoice),
  CreditNote: one(ubl),
  CrossIndustryInvoice: one(cii),
  CrossIndustryDocument: one(cii),
  FatturaElettronica: fatturaPa,
  FatturaElettronicaSemplificata: fatturaPa,
  Faktura: one(ksef),
  Facturae: facturae
}

/** Messages of the platforms beside invoices. */
const BESIDE: Readonly<Record<string, string>> = {
  FileMetadati: "a message of the Italian exchange system",
  RicevutaConsegna: "a message of the Italian exchange system",
  NotificaMancataConsegna: "a message of the Italian exchange system",
  RicevutaImpossibilitaRecapito: "a message of the Italian exchange system",
  NotificaEsito: "a message of the Italian exchange system",
  NotificaEsitoCommittente: "a message of the Italian exchange system",
  NotificaDecorrenzaTermini: "a message of the Italian exchange system",
  AttestazioneTrasmissioneFattura: "a message of the Italian exchange system",
  Potwierdzenie: "a receipt of KSeF (UPO)",
  AuditFile: "an audit file (SAF-T)",
  Document: "a bank's message",
  Order: "an order",
  OrderResponse: "an answer to an order",
  DespatchAdvice: "a despatch advice",
  ApplicationResponse: "an answer to an invoice",
  SCRDMCCBDACIOMessageStructure: "an order"
}

const NAMES = Object.keys(READERS)

/** The file that a notice of rejection names: it was never issued. */
const rejected = (root: Node): string | undefined =>
  root.name === "NotificaScarto" || root.name === "RicevutaScarto" ? firstText(root, "NomeFile") : undefined

export const factsOf = (text: string, keep: boolean): ReadonlyArray<Facts | Nothing> => {
  const root = parse(text)
  if (root.name === "AttachedDocument") {
    const inner = firstText(root, "Attachment/ExternalReference/Description")
    if (inner === undefined) throw new Refused("the attached document has no invoice in it")
    return factsOf(inner, keep)
  }
  const beside = BESIDE[root.name]
  if (beside !== undefined) return [{ nothing: beside }]
  if (rejected(root) !== undefined)
    return [{ nothing: "a notice that the exchange system rejected an invoice", rejects: rejected(root) ?? "" }]
  const found = find(root, NAMES)
  if (found.length === 0)
    throw new Refused(
      `its root element is ${root.name}`,
      undefined,
      "get the invoice in UBL, CII, FatturaPA, KSeF FA, Facturae or ebInterface, or take the file away"
    )
  return found.flatMap((one) => {
    const facts = READERS[one.name]?.(one, keep) ?? []
    if (facts.length === 0) throw new Refused(`its ${one.name} has no invoice in it`)
    return facts
  })
}
