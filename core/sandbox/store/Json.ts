/**
 * JSON as it arrives: read once, and refused when it is none or when it is nested deeper than anything that is meant.
 * What passes can be walked and written again without exhausting the stack. And as it leaves: what is answered again
 * and again is written once.
 */

/** Levels of objects and lists. Assumption: no limit is shown; real bodies have fewer than ten. */
const DEEPEST = 100

const QUOTE = 34
const BACKSLASH = 92
const OPENING: ReadonlyArray<number> = [91, 123]
const CLOSING: ReadonlyArray<number> = [93, 125]

/** Whether so many objects and lists are opened at all, in or out of strings: for most bodies this alone decides. */
const opensMany = (text: string): boolean => {
  let opened = 0
  for (const opening of "[{") {
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

/** The value, or why there is none. A missing body counts as an empty object: some requests need nothing. */
export const read = (text: string): { readonly value: unknown } | { readonly refused: string } => {
  if (text === "" || text.trim() === "") return { value: {} }
  if (tooDeep(text)) return { refused: "The body is nested too deeply." }
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return { refused: "JSON parse error." }
  }
}

/** JSON as text, and how many bytes it takes on the wire. */
export interface Written {
  readonly text: string
  readonly bytes: number
}

const written = (text: string): Written => ({ text, bytes: Buffer.byteLength(text) })

/** Texts of values that are kept; undefined until one is first written. */
const texts = new WeakMap<object, Written | undefined>()

/** Marks a value that may be written often and never changes: its text is remembered for as long as it is there. */
export const keep = <A extends object>(value: A): A => {
  texts.set(value, undefined)
  return value
}

const kept = (value: object): Written => {
  let text = texts.get(value)
  if (text === undefined) {
    text = written(JSON.stringify(value))
    if (texts.has(value)) texts.set(value, text)
  }
  return text
}

interface Page {
  /** Everything before its results. */
  readonly head: string
  readonly results: ReadonlyArray<object>
  readonly written: Written
}

/** The last page that begins with a value that is kept. */
const pages = new WeakMap<object, Page>()

/** What `JSON.stringify` writes, as it was where the value is kept. A page of what is kept is put together from their texts, unless nothing has changed. */
export const write = (value: unknown): Written => {
  if (typeof value === "object" && value !== null && texts.has(value)) return kept(value)
  const results = (value as { readonly results?: unknown } | null)?.results
  if (!Array.isArray(results) || !texts.has(results[0])) return written(JSON.stringify(value))
  const { results: _, ...envelope } = value as { readonly results?: unknown }
  const head = JSON.stringify(envelope).slice(0, -1)
  const last = pages.get(results[0])
  if (
    last?.head === head &&
    last.results.length === results.length &&
    results.every((one, i) => one === last.results[i])
  )
    return last.written
  const text = `${head}${head === "{" ? "" : ","}"results":[${results.map((one) => kept(one).text).join(",")}]}`
  const page = { head, results, written: written(text) }
  pages.set(results[0], page)
  return page.written
}
