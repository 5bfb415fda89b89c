/** Files that a test writes, read with the configuration that `init` makes of them. */
import { join } from "node:path"
import type { Document } from "../../../connectors/Document.ts"
import { glance } from "../../../connectors/list.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"
import type { SetupAnswers } from "../../../sync/setup/Answers.ts"
import { drafted } from "../../../sync/setup/Draft.ts"
import { tablesOf } from "../../../sync/setup/HeadingRow.ts"
import { type Contents, pull, write } from "../../connectors/files/support.ts"

const amount = (document: Document): bigint => {
  if (document.kind === "invoice") return document.gross ?? document.net ?? 0n
  if (!("shares" in document)) return 0n
  const unallocated = "unallocated" in document ? (document.unallocated ?? 0n) : 0n
  return Decimal.sum(document.shares.map((share) => share.amount)) + unallocated
}

const counts = (document: Document) =>
  document.kind !== "invoice" || (document.status !== "draft" && document.status !== "void")

export const draftOf = async (files: Contents, answers: SetupAnswers = {}) => {
  const folder = write(files)
  const tables = await Promise.all(
    Object.keys(files).map(async (path) => tablesOf({ path, glances: await glance(join(folder, path)) }))
  )
  const found = drafted(tables.flat(), answers, { today: Day.of("2026-07-07"), zone: "Europe/Berlin" })
  return { folder, found, presets: tables.flat().flatMap(({ preset }) => (preset === undefined ? [] : [preset.name])) }
}

export const readAll = async (files: Contents, answers: SetupAnswers = {}) => {
  const { folder, found, presets } = await draftOf(files, answers)
  const documents: Array<Document> = []
  const quarantined: Array<string> = []
  for (const one of [found.sources.books, found.sources.payments]) {
    if (one === undefined) continue
    const { connector: _, ...settings } = one
    const read = await pull(folder, settings)
    if (read.error !== undefined) throw new Error(`${read.error.message} ${JSON.stringify(settings)}`)
    quarantined.push(...read.quarantined.map(({ origin, why }) => `${origin}: ${why}`))
    documents.push(...read.documents.filter(counts))
  }
  return { documents, found, presets, quarantined }
}

/** By kind, how many and what they come to; and what the source says is open. */
export const sumsOf = (documents: ReadonlyArray<Document>) => {
  const kinds = [...new Set(documents.map(({ kind }) => kind))]
  const stated = documents.flatMap((one) => (one.kind === "invoice" ? (one.stated?.open ?? []) : []))
  return {
    sums: Object.fromEntries(
      kinds.map((kind) => {
        const of = documents.filter((one) => one.kind === kind)
        return [kind, [of.length, Decimal.format(Decimal.sum(of.map(amount)), 2)]]
      })
    ),
    ...(stated.length === 0 ? {} : { open: Decimal.format(Decimal.sum(stated), 2) })
  }
}
