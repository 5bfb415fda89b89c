/**
 * JSON as it arrives: read once, and refused when it is none or when it is nested deeper than anything that is meant.
 * What passes can be walked and written again without exhausting the stack.
 */

/** Levels of objects and lists. Assumption: no limit is shown; real bodies have fewer than ten. */
const DEEPEST = 100

const QUOTE = 34
const BACKSLASH = 92
const OPENING: ReadonlyArray<number> = [91, 123]
const CLOSING: ReadonlyArray<number> = [93, 125]

const tooDeep = (text: string): boolean => {
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
  if (text.trim() === "") return { value: {} }
  if (tooDeep(text)) return { refused: "The body is nested too deeply." }
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return { refused: "JSON parse error." }
  }
}
