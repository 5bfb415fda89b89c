/** What a document's page is called: its kind and number, and whom it is about. */
import { type Document, kindOf, parseKey } from "../../connectors/Document.ts"
import type { Story } from "../../sync/library/Explain.ts"

/** `credit_note` as a title begins with it. */
const kindWords = (kind: string): string => kind.replaceAll("_", " ").replace(/^./, (letter) => letter.toUpperCase())

const documentOf = ({ facts }: Story): Document | undefined =>
  "invoice" in facts ? facts.invoice : "order" in facts ? facts.order : "document" in facts ? facts.document : undefined

/** Whom it is about, where the document says it. */
const nameIn = (document: Document | undefined): string | undefined => {
  switch (document?.kind) {
    case "invoice":
    case "payment":
      return document.party?.name
    case "order":
      return document.buyer?.name
    default:
      return undefined
  }
}

/** `Invoice INV-1049 · Maison Verlaine` */
export const documentTitle = (story: Story): string => {
  const { facts, key } = story
  if (key.endsWith("/owner")) return `Owner of ${key.slice(0, key.indexOf("/"))}`
  const document = documentOf(story)
  const called = document !== undefined && "number" in document ? document.number : parseKey(key).id
  const name = "orders" in facts ? facts.orders.at(-1)?.buyer?.name : nameIn(document)
  return [`${kindWords(kindOf(key))} ${called}`, ...(name === undefined || name === "" ? [] : [name])].join(" · ")
}
