/**
 * Reads one XML file as a tree. Documents with a document type are refused, so no entities are ever defined; depth, elements and
 * kept text are bounded. The text of embedded files and signatures is dropped while it is read.
 */
import { SaxesParser } from "saxes"
import { all } from "../XmlNodes.ts"
import { AGAIN, Refused } from "../Refused.ts"

export interface Node {
  /** The name without its prefix. */
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Array<Node>
  text: string
  /** Its first line and its last. */
  readonly line: number
  last: number
}

const DEEPEST = 64
const MOST_ELEMENTS = 1_000_000
const MOST_CHARACTERS = 1 << 24

/** Files within the invoice, and its signature: large, and nothing of them is a fact. */
const DROPPED = new Set([
  "EmbeddedDocumentBinaryObject",
  "AttachmentBinaryObject",
  "Attachment",
  "AttachmentData",
  "Signature",
  "UBLExtensions"
])

/** An attached document is itself XML, and so is what a signature is around: they are kept. */
const isDropped = (name: string, stack: ReadonlyArray<Node>): boolean =>
  stack.length > 0 && DROPPED.has(name) && !(name === "Attachment" && stack[0]?.name === "AttachedDocument")

export const parse = (text: string): Node => {
  const parser = new SaxesParser({ xmlns: true })
  const stack: Array<Node> = []
  let [root, elements, characters, dropped]: [Node | undefined, number, number, number] = [undefined, 0, 0, 0]
  parser.on("error", ({ message }) => {
    const refused = new Refused(`it is not well-formed XML: ${message.replace(/^[\d:]+ |\.$/g, "")}`, undefined, AGAIN)
    refused.lines = [parser.line, parser.line]
    throw refused
  })
  parser.on("doctype", () => {
    throw new Refused("it has a document type (DOCTYPE), which invoices do not have", undefined, AGAIN)
  })
  parser.on("opentag", (tag) => {
    if (dropped > 0 || isDropped(tag.local, stack)) {
      dropped++
      return
    }
    if (stack.length >= DEEPEST)
      throw new Refused(`its elements are nested more than ${DEEPEST} deep`, undefined, AGAIN)
    if (++elements > MOST_ELEMENTS) throw new Refused(`it has more than ${MOST_ELEMENTS} elements`, undefined, AGAIN)
    const attributes: Record<string, string> = {}
    for (const { local, value } of Object.values(tag.attributes)) attributes[local] = value
    const node: Node = { name: tag.local, attributes, children: [], text: "", line: parser.line, last: parser.line }
    stack.at(-1)?.children.push(node)
    root ??= node
    stack.push(node)
  })
  parser.on("closetag", () => {
    const node = dropped > 0 ? undefined : stack.pop()
    if (node === undefined) dropped--
    else node.last = parser.line
  })
  const keep = (piece: string): void => {
    const node = stack.at(-1)
    if (node === undefined || dropped > 0) return
    characters += piece.length
    if (characters > MOST_CHARACTERS) throw new Refused("it has far more text than an invoice", undefined, AGAIN)
    node.text += piece
  }
  parser.on("text", keep)
  parser.on("cdata", keep)
  parser.write(text).close()
  if (root === undefined) throw new Refused("it has no XML element", undefined, AGAIN)
  return root
}

/** The first text at one of the paths, in whichever of the elements there; trimmed. Undefined if there is none. */
export const firstText = (node: Node | undefined, ...paths: ReadonlyArray<string>): string | undefined => {
  for (const path of paths)
    for (const found of all(node, path)) {
      const text = found.text.trim()
      if (text !== "") return text
    }
  return undefined
}

/** The texts at the paths, each once; trimmed. */
export const allTexts = (node: Node | undefined, ...paths: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(paths.flatMap((path) => all(node, path).map(({ text }) => text.trim())).filter((text) => text !== ""))
]

/** The elements of these names, at any depth, but not within one another. */
export const find = (node: Node, names: ReadonlyArray<string>): ReadonlyArray<Node> =>
  names.includes(node.name) ? [node] : node.children.flatMap((child) => find(child, names))
