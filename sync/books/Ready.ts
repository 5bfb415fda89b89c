/**
 * Prepares documents for storing: each with its key and its body, and what it adds to the sums of its scan. The document
 * itself is decoded from the body only on demand, so that reading in another thread costs this thread only the texts.
 */
import type { PageContents, Page, QuarantinedRecord, Read, StatementEntry } from "../../connectors/Connector.ts"
import * as Document from "../../connectors/Document.ts"
import * as Body from "../state/Body.ts"
import { contribution } from "./ControlTotals.ts"

export interface Ready extends Read {
  readonly key: Document.Key
  readonly kind: Document.Kind
  readonly body: string
  /** Empty if it states none. */
  readonly currency: string
  /** What it adds to the open amount. */
  readonly sum: bigint
  /** For an entry of a bank's statement. */
  readonly entry?: StatementEntry
}

/** A page from any kind of reading: without a bookmark, the stored one stays. */
export type Brought = PageContents & Partial<Page<unknown>>

/** A page whose documents are ready to be stored. */
export type ReadyPage = Omit<Brought, "read"> & { readonly read: ReadonlyArray<Ready> }

const isReady = (read: Read | Ready): read is Ready => "key" in read

export const readyOf = (connection: string, { document, origin, raw }: Read): Ready => ({
  document,
  origin,
  raw,
  key: Document.key(connection, document.kind, document.id),
  kind: document.kind,
  body: Body.write(document),
  currency: document.currency ?? "",
  sum: contribution(document)
})

/** Its record, to be quarantined. */
export const quarantinedRecord = (
  { document: { id }, kind, origin, raw }: Ready,
  wrong: Pick<QuarantinedRecord, "why" | "field">
): QuarantinedRecord => ({ id, kind, origin, raw, ...wrong })

/** A payment of a file whose ids begin anew: its id has the file's name as well. Undefined for what is no payment. */
export const anew = (connection: string, { name }: { readonly name: string }, read: Ready): Ready | undefined => {
  const { document, origin, raw } = read
  if (!Document.isAllocated(document)) return undefined
  return readyOf(connection, { document: { ...document, id: `${document.id}@${name}` }, origin, raw })
}

/** Prepares a page's documents, unless they are ready already. */
export const readyPage = (connection: string, page: Brought | ReadyPage): ReadyPage => ({
  ...page,
  read: page.read.map((read) => (isReady(read) ? read : readyOf(connection, read)))
})
