/**
 * JSON that a person wrote: what is wrong with it, at which line and column, in words. The runtime's own parser says
 * where only sometimes, and never why.
 */

/** @property line from 1 */
export class JsonError extends Error {
  readonly line: number
  readonly column: number

  constructor(text: string, at: number, why: string) {
    const before = text.slice(0, at)
    const line = before.split("\n").length
    const column = at - before.lastIndexOf("\n")
    super(`line ${line}, column ${column}: ${why}`)
    this.line = line
    this.column = column
  }
}

/** The value, or a `JsonError`. */
export const parse = (text: string): unknown => {
  const json = text.replace(/^\uFEFF/, "")
  try {
    return JSON.parse(json)
  } catch (cause) {
    if (json.trim() === "") throw new JsonError(json, 0, "the file is empty")
    new Scan(json).all()
    throw cause
  }
}

const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const WORD = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/y
const SPACE = /[ \t\n\r]*/y

/** Walks over a text that is not JSON until it is seen why not. */
class Scan {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  all(): void {
    this.#value()
    this.#space()
    if (this.#at < this.#text.length) this.#fail(`there is ${this.#here()} after the end of the configuration`)
  }

  #value(): void {
    this.#space()
    const next = this.#text[this.#at]
    if (next === "{") return this.#list("}", () => this.#member())
    if (next === "[") return this.#list("]", () => this.#value())
    if (next === '"') return this.#string()
    if (!this.#skip(WORD)) this.#fail(`a value is expected, and there is ${this.#here()}${this.#hint()}`)
  }

  #member(): void {
    this.#space()
    if (this.#text[this.#at] !== '"')
      this.#fail(`a name in quotes is expected, and there is ${this.#here()}${this.#hint()}`)
    this.#string()
    this.#space()
    if (this.#text[this.#at] !== ":") this.#fail(`":" is expected after a name, and there is ${this.#here()}`)
    this.#at++
    this.#value()
  }

  #list(end: "}" | "]", one: () => void): void {
    const start = this.#at++
    this.#space()
    if (this.#text[this.#at] === end) return void this.#at++
    for (;;) {
      one()
      this.#space()
      const next = this.#text[this.#at]
      if (next !== "," && next !== end) {
        const opened = new JsonError(this.#text, start, "").line
        this.#fail(`"," or "${end}" is expected (for line ${opened}), and there is ${this.#here()}`)
      }
      this.#at++
      if (next === end) return
      this.#space()
      if (this.#text[this.#at] === end) this.#fail(`there is a "," before "${end}"; take it away`)
    }
  }

  #string(): void {
    const start = this.#at
    if (this.#skip(STRING)) return
    const end = /["\n]|$/.exec(this.#text.slice(start + 1))!
    if (end[0] !== '"') this.#fail("this text has no closing quote on its line")
    this.#fail('this text has a "\\" or a character that JSON does not allow; write "\\\\" for a backslash')
  }

  #space(): void {
    this.#skip(SPACE)
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found === null) return false
    this.#at = pattern.lastIndex
    return true
  }

  #here(): string {
    const next = this.#text[this.#at]
    return next === undefined ? "the end of the file" : JSON.stringify(next)
  }

  #hint(): string {
    const next = this.#text[this.#at] ?? ""
    if (next === "'" || next === "\u201c" || next === "\u201d") return '; quotes are "straight and double" in JSON'
    if (next === "/" || next === "#") return "; JSON has no comments"
    return ""
  }

  #fail(why: string): never {
    throw new JsonError(this.#text, this.#at, why)
  }
}
