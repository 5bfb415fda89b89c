/**
 * Reads every electronic invoice in a folder, such as public test suites, and compares what it becomes with figures that are found
 * in another way: by patterns in the text, and for PDFs by Poppler's `pdfdetach`. `node test/live/einvoices.ts FOLDER [TEXT]`,
 * where only files whose path has the text are read. Files of one name in two syntaxes (`x_ubl.xml` and `x_uncefact.xml`,
 * `x.ubl.xml`, `x.cii.xml` and `x.pdf`) have to become equal documents. Ends with 1 if a file fails, or a figure differs.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, extname, join, relative } from "node:path"
import type { Document } from "../../connectors/Document.ts"
import { decode } from "../../connectors/einvoice/Container.ts"
import { contentsOf } from "../../connectors/einvoice/Contents.ts"
import { openBytes } from "../../connectors/einvoice/Folder.ts"
import { ENDINGS } from "../../connectors/einvoice/Kinds.ts"
import { Known } from "../../connectors/einvoice/Known.ts"
import type { Settings } from "../../connectors/einvoice/Settings.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import { filesIn } from "../fuzz/Damaged.ts"
import { end } from "../support/AtEnd.ts"
import { figuresIn, type Figures } from "./EInvoiceFigures.ts"

const CHOICES: Settings = {
  path: ".",
  terms_days: 30,
  prepaid: "payment",
  corrected_invoices: "add",
  negative_credit_notes: "credit",
  withheld: "deduct"
}

interface Read {
  readonly documents: ReadonlyArray<Document>
  readonly refused: ReadonlyArray<string>
  readonly notices: ReadonlyArray<string>
  readonly texts: ReadonlyArray<string>
}

const read = async (path: string): Promise<Read> => {
  const [documents, refused, notices, texts]: [Document[], string[], string[], string[]] = [[], [], [], []]
  const known = new Known(undefined, CHOICES)
  for await (const opened of openBytes(basename(path), readFileSync(path), CHOICES)) {
    const sellers = opened.found.flatMap(({ facts }) => ("nothing" in facts ? [] : [facts.seller.name]))
    const made = contentsOf(opened, { settings: CHOICES, sellers, replaced: new Set(), known })
    documents.push(...made.read.map(({ document }) => document))
    refused.push(...made.quarantined.map(({ why }) => why))
    notices.push(...made.notices.map(({ what }) => what))
    texts.push(...opened.found.map(({ text }) => text))
  }
  return { documents, refused, notices, texts }
}

const abs = (amount: bigint): bigint => (amount < 0n ? -amount : amount)

/** What a document says in the terms of the figures. */
const saidBy = (one: Document, all: ReadonlyArray<Document>): Figures | undefined => {
  const shown = (amount: bigint) => Decimal.format(abs(amount), 2)
  if (one.kind === "credit_note") {
    const gross = Decimal.sum(one.shares.map(({ amount }) => amount))
    return { number: one.id, day: one.date, currency: one.currency, gross: shown(gross), way: "credit" }
  }
  if (one.kind !== "invoice" || one.gross === undefined) return undefined
  const paid = Decimal.sum(
    all.flatMap((other) => (other.kind === "payment" ? other.shares.map(({ amount }) => amount) : []))
  )
  return {
    number: one.number ?? one.id,
    day: one.issued,
    currency: one.currency,
    gross: shown(one.gross),
    ...(all.filter(({ kind }) => kind === "invoice").length === 1 && one.gross > 0n
      ? { payable: Decimal.format(one.gross - paid, 2) }
      : {}),
    ...(one.net === undefined ? {} : { net: shown(one.net) }),
    way: one.gross < 0n ? "credit" : "charge",
    buyer: one.party.name
  }
}

/** Where the figures of a file differ from what it became. */
const differences = (texts: ReadonlyArray<string>, { documents }: Read): ReadonlyArray<string> => {
  const all = texts.flatMap(figuresIn)
  return documents.flatMap((one) => {
    const said = saidBy(one, documents)
    if (said === undefined) return []
    const its = all.find(({ number }) => said.number === number || said.number.startsWith(`${number}/`))
    if (its === undefined) return [`no figures were found for ${said.number}`]
    return Object.entries(its).flatMap(([name, value]) => {
      const found = said[name as keyof Figures]
      const alike = (text: string) => text.replace(/\s+/g, " ")
      return name === "number" || found === undefined || value === undefined || alike(found) === alike(value)
        ? []
        : [`${name} of ${said.number} is ${found}, and in the text ${value}`]
    })
  })
}

/** The XML that Poppler finds attached. */
const attached = (path: string): ReadonlyArray<string> => {
  const folder = mkdtempSync(join(tmpdir(), "daybook-einvoices-"))
  try {
    execFileSync("pdfdetach", ["-saveall", "-o", folder, path], { stdio: "ignore" })
    return readdirSync(folder)
      .filter((name) => /\.xml$/i.test(name) && !/order-x|additional_data/i.test(name))
      .map((name) => decode(readFileSync(join(folder, name))))
  } catch {
    return []
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What twins have in common: figures, days and ids; their names for parties and orders may differ. */
const figuresOf = ({ documents, refused }: Read): string =>
  JSON.stringify(
    documents.length === 0 && refused.length > 0
      ? "refused"
      : documents.map((one) => ({
          ...saidBy(one, documents),
          kind: one.kind,
          id: one.id,
          due: "due" in one ? one.due : undefined,
          buyer: undefined
        }))
  )

const stemOf = (path: string): string | undefined =>
  /^(.*?)(?:_ubl|_uncefact|\.ubl|\.cii)\.xml$|^(.*)\.pdf$/i
    .exec(basename(path))
    ?.slice(1)
    .find((one) => one !== undefined)

const [folder, text = ""] = process.argv.slice(2)
if (folder === undefined) {
  console.error("node test/live/einvoices.ts FOLDER [TEXT]")
  process.exit(2)
}
const counts = { read: 0, nothing: 0, refused: 0, failed: 0, different: 0, twins: 0, "twins that differ": 0, pdfs: 0 }
const stems = new Map<string, { readonly path: string; readonly figures: string }>()
let milliseconds = 0
for (const path of filesIn(folder).filter(
  (one) => ENDINGS.includes(extname(one).toLowerCase()) && one.includes(text)
)) {
  const name = relative(folder, path)
  try {
    const began = performance.now()
    const found = await read(path)
    milliseconds += performance.now() - began
    const isPdf = extname(path).toLowerCase() === ".pdf"
    const texts = isPdf ? attached(path) : found.texts
    if (isPdf && found.documents.length > 0) counts.pdfs++
    const wrong = differences(texts, found)
    for (const what of wrong) console.log(`different   ${name}: ${what}`)
    if (wrong.length > 0) counts.different++
    const what = found.documents.length > 0 ? "read" : found.refused.length > 0 ? "refused" : "nothing"
    counts[what]++
    if (what !== "read")
      console.log(`${what.padEnd(12)}${name}: ${[...found.refused, ...found.notices].join(" | ").slice(0, 300)}`)
    const stem = what === "nothing" ? undefined : stemOf(path)
    if (stem === undefined) continue
    const figures = figuresOf(found)
    const twin = stems.get(stem)
    stems.set(stem, twin ?? { path: name, figures })
    if (twin === undefined) continue
    counts.twins++
    if (twin.figures === figures) continue
    counts["twins that differ"]++
    console.log(`differ      ${twin.path} and ${name}:\n  ${twin.figures}\n  ${figures}`)
  } catch (cause) {
    counts.failed++
    console.log(`failed      ${name}: ${cause instanceof Error ? cause.stack : String(cause)}`)
  }
}
console.log(
  `${Object.entries(counts)
    .map(([what, n]) => `${n} ${what}`)
    .join(", ")}; ${milliseconds.toFixed(0)} ms of reading`
)
await end()
process.exitCode = counts.failed + counts.different === 0 ? 0 : 1
