/**
 * Reads the XML of workbooks in pieces: names without their prefix, attributes undecoded, text decoded. As lenient as
 * spreadsheet programs are; `saxes`, which checks everything, takes several times as long for a sheet of a hundred thousand
 * cells.
 */
import { NotATable } from "../Table.ts"

export interface Handler {
  readonly open: (name: string, attributes: string) => void
  readonly close: (name: string) => void
  readonly text: (text: string) => void
  /** Handles an element with everything in it, if it can: returns the position after it, or -1. Saves most of the time. */
  readonly whole?: (all: string, at: number) => number
}

/** Takes one piece after the other. */
export type Scanner = (piece: string) => void

/** Longest tag or text between two tags, in characters. */
const LONGEST_CHARACTERS = 1 << 22

const [TAB, FEED, RETURN, SPACE, BANG, QUOTE, APOSTROPHE, SLASH, EQUALS, END, QUESTION, COLON] = [
  9, 10, 13, 32, 33, 34, 39, 47, 61, 62, 63, 58
]

const isSpace = (code: number): boolean => code === SPACE || code === FEED || code === TAB || code === RETURN

/** The position after what begins with `<` at `at`, and is neither a start tag nor an end tag; -1 if it is not complete. */
const afterOther = (all: string, at: number): number => {
  const after = (mark: string, from: number) => {
    const end = all.indexOf(mark, from)
    return end < 0 ? -1 : end + mark.length
  }
  if (all.charCodeAt(at + 1) === QUESTION) return after("?>", at + 2)
  if (all.startsWith("<!--", at)) return after("-->", at + 4)
  if (all.startsWith("<![CDATA[", at)) return after("]]>", at + 9)
  // It may become one of these.
  return all.length - at < 9 ? -1 : after(">", at + 2)
}

/** The position of the `>` that ends the tag, which may also be in an attribute; -1 if it is not complete. */
const endOfTag = (all: string, at: number): number => {
  let quote = 0
  for (let i = at; i < all.length; i++) {
    const code = all.charCodeAt(i)
    if (quote !== 0) {
      if (code === quote) quote = 0
    } else if (code === END) return i
    else if (code === QUOTE || code === APOSTROPHE) quote = code
  }
  return -1
}

export const scanner = ({ close, open, text, whole = () => -1 }: Handler): Scanner => {
  /** Handles the tag that begins at `at`; returns the position after it, or -1 if it is not complete. */
  const tag = (all: string, at: number): number => {
    const first = all.charCodeAt(at + 1)
    if (first === SLASH) {
      const end = all.indexOf(">", at + 2)
      if (end >= 0) close(localOf(all, at + 2, end))
      return end + 1 || -1
    }
    if (first === BANG || first === QUESTION) {
      const after = afterOther(all, at)
      if (after >= 0 && all.startsWith("<![CDATA[", at)) text(all.slice(at + 9, after - 3))
      return after
    }
    const end = endOfTag(all, at + 1)
    if (end < 0) return -1
    const isEmpty = all.charCodeAt(end - 1) === SLASH
    const last = isEmpty ? end - 1 : end
    let nameEnd = at + 1
    while (nameEnd < last && !isSpace(all.charCodeAt(nameEnd))) nameEnd++
    const name = localOf(all, at + 1, nameEnd)
    open(name, nameEnd < last ? all.slice(nameEnd + 1, last) : "")
    if (isEmpty) close(name)
    return end + 1
  }
  let rest = ""
  return (piece) => {
    const all = rest === "" ? piece : rest + piece
    let at = 0
    for (;;) {
      const start = all.indexOf("<", at)
      if (start < 0) break
      if (start > at) text(decoded(all.slice(at, start)))
      at = start
      if (start + 1 === all.length) break
      let after = whole(all, start)
      if (after < 0) after = tag(all, start)
      if (after < 0) break
      at = after
    }
    rest = all.slice(at)
    if (rest.length > LONGEST_CHARACTERS)
      throw new NotATable("one of its cells is longer than four million characters; is the file damaged?")
  }
}

/** The name between two positions, without its prefix. */
const localOf = (all: string, from: number, to: number): string => {
  let [start, end] = [from, to]
  for (let i = from; i < to; i++) if (all.charCodeAt(i) === COLON) start = i + 1
  while (end > start && isSpace(all.charCodeAt(end - 1))) end--
  return all.slice(start, end)
}

/** The value of an attribute; undefined if it is not there. */
export const attribute = (attributes: string, name: string): string | undefined => {
  const { length } = attributes
  let at = 0
  for (;;) {
    while (at < length && isSpace(attributes.charCodeAt(at))) at++
    const start = at
    while (at < length && attributes.charCodeAt(at) !== EQUALS) at++
    if (at >= length) return undefined
    let end = at++
    while (end > start && isSpace(attributes.charCodeAt(end - 1))) end--
    while (at < length && isSpace(attributes.charCodeAt(at))) at++
    const closing = attributes.indexOf(attributes.charAt(at), at + 1)
    if (closing < 0) return undefined
    if (end - start === name.length && attributes.startsWith(name, start)) {
      return decoded(attributes.slice(at + 1, closing))
    }
    at = closing + 1
  }
}

/** The value of the attribute with this name and any prefix, or none. */
export const prefixed = (attributes: string, name: string): string | undefined => {
  const found = new RegExp(`(?:^|[\\s:])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes)
  return found === null ? undefined : decoded(found[1] ?? found[2] ?? "")
}

const ENTITIES = new Map(Object.entries({ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }))

export const decoded = (text: string): string =>
  text.includes("&")
    ? text.replace(/&(?:#[xX]([0-9a-fA-F]{1,6})|#(\d{1,7})|(\w+));/g, (all, hex, decimal, entity) => {
        const code = hex !== undefined ? Number.parseInt(hex, 16) : Number(decimal ?? Number.NaN)
        return code <= 0x10ffff ? String.fromCodePoint(code) : (ENTITIES.get(entity) ?? all)
      })
    : text
