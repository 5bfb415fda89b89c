/** What one file becomes: documents, records that cannot be read, and what was left out. */
import { basename } from "node:path"
import * as Currency from "../../core/money/Currency.ts"
import type { Notice, QuarantinedRecord, Read } from "../Connector.ts"
import { Refused } from "../Refused.ts"
import type { Facts } from "./Facts.ts"
import type { Opened, Refusal } from "./Folder.ts"
import type { Known } from "./Known.ts"
import { meaning } from "./Meaning.ts"
import { isOf } from "./Sellers.ts"
import type { Settings } from "./Settings.ts"

/** Kept of each invoice's XML, in characters. */
const RAW = 16_384

const rawOf = (text: string): string => {
  const short = text.replace(
    /(<[\w:.-]{0,100}(?:EmbeddedDocumentBinaryObject|AttachmentBinaryObject|Attachment|SignatureValue|X509Certificate)\b[^<>]*>)[^<]{200,}/g,
    "$1…"
  )
  return (short.length > RAW ? `${short.slice(0, RAW)} …` : short).toWellFormed()
}

/** Before the name of a file that was never issued. */
export const FILE = "file "

interface Around {
  readonly settings: Settings
  readonly sellers: ReadonlyArray<string>
  /** Ids of invoices whose place another one took, and files that were never issued. */
  readonly replaced: ReadonlySet<string>
  readonly known: Known
}

export interface Contents {
  readonly read: Array<Read>
  readonly quarantined: Array<QuarantinedRecord>
  readonly notices: Array<Notice>
}

/** What two files with one number have to agree in. */
const figuresOf = ({ currency, gross, issued }: Facts): string => `${Currency.say(gross, currency)} of ${issued}`

/** The file, with the line of the element that a refusal names; without that element, where its invoice begins. */
const placeOf = (name: string, { field, lines, text }: Refusal): string => {
  const [first, last] = lines ?? [1]
  const own = text.split("\n").slice(first - 1, last)
  const element = field === undefined ? undefined : /(?:^|[/(])([A-Za-z_][\w]*)\)?$/.exec(field)?.[1]
  const tag = new RegExp(`<(?:[\\w.-]+:)?${element}(?:[\\s/>]|$)`)
  const at = element === undefined ? -1 : own.findIndex((line) => tag.test(line))
  return at >= 0 ? `${name}:${first + at}` : lines === undefined ? name : `${name}:${first}`
}

export const contentsOf = (opened: Opened, { known, replaced, sellers, settings }: Around): Contents => {
  const origin = opened.name
  const contents: Contents = { read: [], quarantined: [], notices: [] }
  const leave = (what: string) => contents.notices.push({ origin, what })
  const refuse = (refusal: Refusal, facts?: Facts) =>
    contents.quarantined.push({
      kind: facts?.type === "credit note" ? "credit_note" : "invoice",
      origin: placeOf(origin, refusal),
      raw: rawOf(refusal.text),
      why: refusal.why,
      ...(refusal.field === undefined ? {} : { field: refusal.field }),
      ...(facts === undefined ? {} : { id: facts.id })
    })
  const own = new Map<string, string>()
  const isRejected = replaced.has(`${FILE}${basename(origin)}`)
  if (opened.refused !== undefined) refuse(opened.refused)
  for (const { facts, text } of opened.found) {
    if ("nothing" in facts) {
      leave(`${facts.nothing}; left out`)
      continue
    }
    if (!isOf(facts, sellers)) {
      leave("an invoice that somebody else issued; left out")
      continue
    }
    try {
      const { documents, notices } = meaning(facts, settings)
      for (const what of notices) leave(what)
      const [main] = documents
      if (main === undefined) continue
      const figures = figuresOf(facts)
      const key = `${main.kind}/${facts.id}`
      const twice = own.get(key)
      const other = twice === undefined ? known.claim(key, origin, figures) : { name: "this file", figures: twice }
      own.set(key, twice ?? figures)
      if (other !== undefined && other.figures !== figures)
        throw new Refused(
          `${other.name} has the same number with ${other.figures}, and this one has ${figures}`,
          "number",
          "remove the one that is wrong"
        )
      if (other !== undefined) {
        leave(
          twice === undefined
            ? "a copy of an invoice that another file has, too; left out"
            : "an invoice that its file has twice; read once"
        )
        continue
      }
      for (const document of documents)
        contents.read.push({
          document:
            document.kind === "invoice" && (isRejected || replaced.has(document.id))
              ? { ...document, status: "void" }
              : document,
          raw: rawOf(text),
          origin
        })
    } catch (cause) {
      if (!(cause instanceof Refused)) throw cause
      refuse({ why: cause.message, field: cause.field, text, lines: facts.lines }, facts)
    }
  }
  return contents
}
