/**
 * Reads and writes JSON. Bodies are rejected if they are not JSON or are nested too deeply, so that everything accepted can be
 * traversed without exhausting the stack. The text of answers that are sent often is cached.
 */

/** Maximum nesting depth. Assumption: no limit is shown; real bodies have fewer than ten levels. */
const DEEPEST = 100

const QUOTE = 34
const BACKSLASH = 92
const OPENING: ReadonlyArray<number> = [91, 123]
const OPENINGS = ["[", "{"]
const CLOSING: ReadonlyArray<number> = [93, 125]

/** Whether a text has that many opening brackets at all, even in strings: a quick check that settles most bodies. */
const opensMany = (text: string): boolean => {
  let opened = 0
  for (const opening of OPENINGS) {
    for (let at = text.indexOf(opening); at >= 0; at = text.indexOf(opening, at + 1)) {
      if (++opened > DEEPEST) return true
    }
  }
  return false
}

const tooDeep = (text: string): boolean => {
  if (!opensMany(text)) return false
  let depth = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (quoted) {
      if (code === BACKSLASH) i++
      else if (code === QUOTE) quoted = false
    } else if (code === QUOTE) quoted = true
    else if (OPENING.includes(code)) {
      if (++depth > DEEPEST) return true
    } else if (CLOSING.includes(code)) depth--
  }
  return false
}

/** The value, or why it is rejected. A missing body counts as an empty object: some requests need no members. */
export const read = (text: string): { readonly value: unknown } | { readonly refused: string } => {
  if (text[0] !== "{" && text.trim() === "") return { value: {} }
  if (tooDeep(text)) return { refused: "The body is nested too deeply." }
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return { refused: "JSON parse error." }
  }
}

/** JSON text with its size in bytes. */
export interface Written {
  readonly text: string
  readonly bytes: number
}

const written = (text: string): Written => ({ text, bytes: Buffer.byteLength(text) })

/** A value that is sent often: only its text is stored. */
export class Kept implements Written {
  readonly text: string
  readonly bytes: number

  constructor(value: object) {
    this.text = JSON.stringify(value)
    this.bytes = Buffer.byteLength(this.text)
  }
  toJSON(): unknown {
    return JSON.parse(this.text)
  }
}

interface Page {
  /** Everything before the results. */
  readonly head: string
  readonly results: ReadonlyArray<unknown>
  readonly written: Written
}

/** The last page that begins with a cached value. */
const pages = new WeakMap<Kept, Page>()

const textOf = (value: unknown): string => (value instanceof Kept ? value.text : JSON.stringify(value))

/** Like `JSON.stringify`, with cached texts. A page of cached values is assembled from their texts, unless it is unchanged. */
export const write = (value: unknown): Written => {
  if (value instanceof Kept) return value
  const results = (value as { readonly results?: unknown } | null)?.results
  if (!Array.isArray(results) || !(results[0] instanceof Kept)) return written(JSON.stringify(value))
  const { results: _, ...envelope } = value as { readonly results?: unknown }
  const head = JSON.stringify(envelope).slice(0, -1)
  const last = pages.get(results[0])
  if (
    last?.head === head &&
    last.results.length === results.length &&
    results.every((one, i) => one === last.results[i])
  )
    return last.written
  const text = `${head}${head === "{" ? "" : ","}"results":[${results.map(textOf).join(",")}]}`
  const page = { head, results, written: written(text) }
  pages.set(results[0], page)
  return page.written
}
