/**
 * Documents as they are stored: each with its key and its body, and what it adds to the sums of its scan. The document
 * itself is made of the body where somebody asks for it, so that what was read beside this thread costs no more here than
 * its texts.
 */
import type { PageContents, Page, Read } from "../../connectors/Connector.ts"
import * as Document from "../../connectors/Document.ts"
import * as Body from "../state/Body.ts"
import { contribution } from "./ControlTotals.ts"

export interface Ready extends Read {
  readonly key: Document.Key
  readonly kind: Document.Kind
  readonly body: string
  /** Empty where it names none. */
  readonly currency: string
  /** What it adds to what is open. */
  readonly sum: bigint
}

/** A page as any reading brings it: without a bookmark, the one that is stored stays. */
export type Brought = PageContents & Partial<Page<unknown>>

/** One whose documents are ready to be stored. */
export type ReadyPage = Brought & { readonly read: ReadonlyArray<Ready> }

const isReady = (read: Read | Ready): read is Ready => "key" in read

const readyOf = (connection: string, { document, origin, raw }: Read): Ready => ({
  document,
  origin,
  raw,
  key: Document.key(connection, document.kind, document.id),
  kind: document.kind,
  body: Body.write(document),
  currency: document.currency ?? "",
  sum: contribution(document)
})

/** With its documents ready to be stored; as it is where they are. */
export const readyPage = (connection: string, page: Brought | ReadyPage): ReadyPage => ({
  ...page,
  read: page.read.map((read) => (isReady(read) ? read : readyOf(connection, read)))
})
