/** What documents are called on the page: their kind and number, and whom they are about. Keys are for programs. */
import { type Document, kindOf, parseKey } from "../../connectors/Document.ts"
import type { Story } from "../../sync/library/Explain.ts"
import { html, type Node } from "./Html.ts"
import { t, term } from "./language/Texts.ts"

export const storyOf = (key: string): string => `/documents/${encodeURIComponent(key)}`

/** `credit_note` as a title begins with it. */
const kindWords = (kind: string): string => kind.replaceAll("_", " ").replace(/^./, (letter) => letter.toUpperCase())

const documentOf = ({ facts }: Story): Document | undefined =>
  "invoice" in facts ? facts.invoice : "order" in facts ? facts.order : "document" in facts ? facts.document : undefined

/** Whom it is about, where the document says it. */
export const nameIn = (document: Document | undefined): string | undefined => {
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

/** `INV-1049`; the source's id if it gives no number. */
export const numberOf = (key: string, document: Document | undefined): string =>
  document !== undefined && "number" in document ? document.number : parseKey(key).id

/** `Invoice INV-1049` */
export const called = (key: string, document: Document | undefined): string =>
  key.endsWith("/owner")
    ? t`Owner of ${key.slice(0, key.indexOf("/"))}`
    : kindOf(key) === ""
      ? key
      : `${term(kindWords(kindOf(key)))} ${numberOf(key, document)}`

/** How long a document may be called without a break. */
const SHORT = 24

export const documentLink = (key: string, document: Document | undefined): Node => {
  const text = called(key, document)
  return html`<a href=${storyOf(key)} title=${key} class=${text.length > SHORT ? undefined : "short"}>${text}</a>`
}

/** `Invoice INV-1049 · Maison Verlaine` */
export const calledFully = (key: string, document: Document | undefined, name = nameIn(document)): string =>
  [called(key, document), ...(name === undefined || name === "" ? [] : [name])].join(" · ")

export const documentTitle = (story: Story): string => {
  const { facts, key } = story
  return calledFully(key, documentOf(story), "orders" in facts ? facts.orders.at(-1)?.buyer?.name : undefined)
}
