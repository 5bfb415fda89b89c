/**
 * Streams a SAF-T PT 1.04_01 (Portaria 302/2016): sales documents and receipts, one at a time. Only the customers are kept, and
 * invoices in other currencies. What the file states as its totals has to be what its documents come to.
 */
import { open } from "node:fs/promises"
import * as Decimal from "../../../core/money/Decimal.ts"
import { type Encoding, text } from "../../Bytes.ts"
import type { Notice, PageContents, QuarantinedRecord, Read, StatedTotal } from "../../Connector.ts"
import type { Kind, Party } from "../../Document.ts"
import type { ListedFile } from "../../Listed.ts"
import { type Node, type Record_, records } from "../../XmlRecords.ts"
import { addressAt, at, textAt } from "../../XmlNodes.ts"
import { AGAIN, Refused, told } from "../../Refused.ts"
import type { Settings } from "../Settings.ts"
import { type Around, type Meant, salesDocument } from "./Invoices.ts"
import { linesOf } from "./Lines.ts"
import { receipt } from "./Receipts.ts"
import { amountAt, dayIn } from "./Values.ts"

/** Documents of a page. */
const PAGE = 1000

/** What is read, and what is passed over without being kept. */
const READ = ["Header", "Customer", "SalesInvoices", "Invoice", "Payments", "Payment"]
const PASSED = [
  "Account",
  "Supplier",
  "Product",
  "TaxTableEntry",
  "Journal",
  "Transaction",
  "StockMovement",
  "WorkDocument"
]

/** Of one document with its lines. */
const MOST_CHARACTERS = 1 << 24

/** Who has no tax number of their own. */
const UNKNOWN_BUYER = "999999990"

const customerOf = (node: Node): readonly [string, Party] => {
  const id = textAt(node, "CustomerID") ?? ""
  const [name, tax, country] = ["CompanyName", "CustomerTaxID", "BillingAddress/Country"].map((path) =>
    textAt(node, path)
  )
  const land = /^[A-Z]{2}$/.test(country ?? "") ? country : undefined
  const place = at(node, "BillingAddress")
  const street = textAt(place, "AddressDetail")
  // The schema wants a word where nothing is known.
  const isKnown = street !== "Desconhecido"
  const lines = street === undefined ? ["StreetName", "BuildingNumber"] : ["AddressDetail"]
  const address = isKnown ? addressAt(place, lines, ["PostalCode", "City"]) : ""
  const isPortuguese = /^\d{9}$/.test(tax ?? "") && (land === undefined || land === "PT")
  return [
    id,
    {
      id,
      name: name ?? id,
      ...(land === undefined ? {} : { country: land }),
      ...(address === "" ? {} : { address }),
      ...(tax === undefined || tax === UNKNOWN_BUYER || /\s/.test(tax) ? {} : { vat: isPortuguese ? `PT${tax}` : tax })
    }
  ]
}

/** The sums of a section's documents, to compare with what it states. */
class Section {
  documents = 0
  debit = 0n
  credit = 0n
  readonly node: Node
  readonly line: number

  constructor(node: Node) {
    this.node = node
    this.line = node.line
  }

  add(document: Node, status: string | undefined): void {
    this.documents++
    if (status === "A" || status === "F") return
    for (const { amount } of linesOf(document, "References"))
      if (amount > 0n) this.credit += amount
      else this.debit -= amount
  }
}

interface Batch extends PageContents {
  readonly read: Array<Read>
  readonly quarantined: Array<QuarantinedRecord>
  readonly notices: Array<Notice>
  readonly stated: Array<StatedTotal>
}

const batch = (): Batch => ({ read: [], quarantined: [], notices: [], stated: [] })

class Reading {
  batch = batch()
  /** Means of payment that an invoice states, each of them a record of its own. */
  #paid: Array<Node> = []
  #section: Section | undefined
  #hasReceipts = false
  readonly #sections = new Set<string>()
  readonly #file: ListedFile
  readonly #customers = new Map<string, Party>()
  #around: Around
  /** The day on which the file was written: of two that state a document, the later one stands. */
  asOf: string | undefined

  constructor(file: ListedFile, settings: Settings) {
    this.#file = file
    this.#around = { settings, customers: this.#customers, currency: "EUR", foreign: new Map() }
  }

  take({ around, node, raw, type }: Record_): void {
    if (type === "open") {
      if (node.name === "SalesInvoices" || node.name === "Payments") this.#section = new Section(node)
      if (node.name === "Invoice") this.#paid = []
      return
    }
    if (node.name === "Header") {
      this.#around = { ...this.#around, currency: textAt(node, "CurrencyCode") ?? "EUR" }
      this.asOf = dayIn(textAt(node, "DateCreated"))
    } else if (node.name === "Customer") this.#customers.set(...customerOf(node))
    else if (node.name === "Invoice") this.#document(node, raw, "Invoice")
    else if (node.name === "Payment" && around.at(-1)?.name === "Payments") this.#document(node, raw, "Payment")
    else if (node.name === "Payment") this.#paid.push(node)
    else if (node.name === "SalesInvoices" || node.name === "Payments") this.#total(node)
  }

  end(): void {
    const origin = this.#file.name
    if (!this.#sections.has("SalesInvoices"))
      this.batch.notices.push({ origin, what: "a file without sales documents; export the file with all documents" })
    if (!this.#hasReceipts)
      this.batch.notices.push({
        origin,
        what: "a file without receipts: what was paid is not known; export the file with all documents"
      })
  }

  /** What cannot be read any further. */
  fail(why: string): void {
    this.batch.quarantined.push({ kind: "invoice", origin: this.#file.name, raw: "", why })
  }

  #document(node: Node, raw: string, name: "Invoice" | "Payment"): void {
    const origin = `${this.#file.name}:${node.line}`
    const [id, path, kind]: readonly [string, string, Kind] =
      name === "Invoice" ? ["InvoiceNo", "InvoiceStatus", "invoice"] : ["PaymentRefNo", "PaymentStatus", "payment"]
    if (name === "Payment") this.#hasReceipts = true
    try {
      this.#section?.add(node, textAt(node, `DocumentStatus/${path}`))
      const meant: Meant =
        name === "Invoice" ? salesDocument(node, this.#paid, this.#around) : receipt(node, this.#around)
      if (meant.notice !== undefined) this.batch.notices.push({ origin, what: meant.notice })
      const { only } = this.#around.settings
      for (const document of meant.documents)
        if (only === undefined || document.kind === "payment") this.batch.read.push({ document, raw, origin })
    } catch (cause) {
      if (!(cause instanceof Refused)) throw cause
      const [field, number] = [cause.field, textAt(node, id)]
      this.batch.quarantined.push({
        kind,
        origin,
        raw,
        why: cause.message,
        ...(field === undefined ? {} : { field }),
        ...(number === undefined ? {} : { id: number })
      })
    }
  }

  #total(node: Node): void {
    const section = this.#section
    if (section === undefined) return
    const at = `${this.#file.name}:${section.line}`
    const wrong = (why: string, advice = "export the whole file again") =>
      this.batch.quarantined.push({ kind: "invoice", origin: at, raw: "", why: told(why, advice) })
    const count = textAt(node, "NumberOfEntries")
    if (this.#sections.has(node.name))
      wrong(`the file has ${node.name} twice`, "export the file again: its documents may be counted twice")
    this.#sections.add(node.name)
    const missing = ["NumberOfEntries", "TotalDebit", "TotalCredit"].filter((name) => textAt(node, name) === undefined)
    if (missing.length > 0)
      wrong(`${node.name} does not state its ${missing.join(", ")}, so whether documents are missing cannot be told`)
    if (count !== undefined && count !== String(section.documents))
      wrong(`${node.name} states ${count} documents (NumberOfEntries) and has ${section.documents}`)
    for (const [column, read] of [
      ["TotalDebit", section.debit],
      ["TotalCredit", section.credit]
    ] as const) {
      let amount: Decimal.Decimal | undefined
      try {
        amount = amountAt(node, column)
      } catch (cause) {
        this.batch.quarantined.push({
          kind: "invoice",
          origin: at,
          raw: "",
          why: `${column} of ${node.name}: ${(cause as Error).message}`
        })
      }
      if (amount === undefined) continue
      const { currency } = this.#around
      const kind = node.name === "Payments" ? { kind: "payment" as const } : {}
      this.batch.stated.push({
        ...kind,
        list: this.#file.name,
        what: "total",
        column: `${node.name} ${column}`,
        currency,
        amount,
        read,
        at
      })
      if (amount !== read)
        wrong(
          `${node.name} states ${Decimal.format(amount, 2)} as ${column}, and its documents that are not annulled come to ${Decimal.format(read, 2)}`
        )
    }
    this.#section = undefined
  }
}

const ENCODINGS: Readonly<Record<string, Encoding>> = {
  "utf-8": "utf-8",
  "windows-1252": "windows-1252",
  "iso-8859-1": "windows-1252",
  "iso-8859-15": "iso-8859-15"
}

const encodingOf = async (path: string): Promise<readonly [Encoding, number]> => {
  const file = await open(path, "r")
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(200), 0, 200, 0)
    const head = buffer.subarray(0, bytesRead)
    if (head[0] === 0xff && head[1] === 0xfe) return ["utf-16le", 2]
    const isMarked = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf
    const declared = /encoding\s*=\s*["']([\w.-]+)["']/.exec(head.toString("latin1"))?.[1]?.toLowerCase() ?? "utf-8"
    const encoding = ENCODINGS[declared]
    if (encoding === undefined)
      throw new Refused(`its encoding ${JSON.stringify(declared)} is not known`, undefined, "save it as UTF-8")
    return [encoding, isMarked ? 3 : 0]
  } finally {
    await file.close()
  }
}

interface SaftPage {
  readonly contents: Batch
  readonly isLast: boolean
  readonly isWhole: boolean
  readonly asOf: string | undefined
}

/** The pages of one file; `isWhole` is false if it could not be read to its end. */
export async function* readSaft(file: ListedFile, settings: Settings): AsyncGenerator<SaftPage> {
  const reading = new Reading(file, settings)
  let isWhole = true
  try {
    const [encoding, mark] = await encodingOf(file.path)
    const refuse = (why: string) => new Refused(why, undefined, AGAIN)
    for await (const record of records(
      text(file.path, encoding, mark),
      [...READ, ...PASSED],
      refuse,
      MOST_CHARACTERS
    )) {
      reading.take(record)
      if (reading.batch.read.length < PAGE) continue
      yield { contents: reading.batch, isLast: false, isWhole, asOf: reading.asOf }
      reading.batch = batch()
    }
    reading.end()
  } catch (cause) {
    if (!(cause instanceof Refused)) throw cause
    isWhole = false
    reading.fail(cause.message)
  }
  yield { contents: reading.batch, isLast: true, isWhole, asOf: reading.asOf }
}
