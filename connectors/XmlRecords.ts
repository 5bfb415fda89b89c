/**
 * Streams XML as records. An element with a record's name is yielded when it ends, with its ancestors as read so far, and
 * is then discarded. Documents with a document type are rejected, so no entities are ever defined; depth and kept text are
 * bounded.
 */
import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from "saxes"

export interface Node {
  /** The name without its prefix. */
  readonly name: string
  readonly space: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Array<Node>
  readonly line: number
  text: string
}

export interface Record_ {
  readonly type: "open" | "close"
  readonly node: Node
  /** The ancestors, innermost last. */
  readonly around: ReadonlyArray<Node>
  /** Set when it ends: its text, cut off if very long. */
  readonly raw: string
}

const DEEPEST = 64

/** Kept of a record's text, in characters. */
const RAW_CHARACTERS = 16_384

/** The error for a text that cannot be read, and why. */
type Refuse = (why: string) => Error

/** The most characters of elements that are kept at one time, unless said otherwise. */
const MOST_CHARACTERS = 1 << 21

/** Collects the text of an open element as chunks arrive. */
interface Capture {
  readonly node: Node
  from: number
  raw: string
}

class Records {
  readonly #parser = new SaxesParser({ xmlns: true })
  readonly #names: ReadonlySet<string>
  readonly #stack: Array<Node> = []
  readonly #captures: Array<Capture> = []
  #ready: Array<Record_> = []
  #kept = 0
  /** The current chunk and the one before it, and where the current one begins. */
  #window = ""
  #windowAt = 0
  #sinceEvent = 0

  readonly #refuse: Refuse

  readonly #most: number

  constructor(names: ReadonlyArray<string>, refuse: Refuse, most: number) {
    this.#most = most
    this.#names = new Set(names)
    this.#refuse = refuse
    const parser = this.#parser
    parser.on("error", ({ message }) => {
      throw refuse(`it is not well-formed XML (line ${parser.line}: ${message.replace(/^[\d:]+ |\.$/g, "")})`)
    })
    parser.on("doctype", () => {
      throw refuse("it has a document type (DOCTYPE), and is not read")
    })
    parser.on("opentag", (tag) => this.#open(tag))
    parser.on("closetag", () => this.#close())
    parser.on("text", (text) => this.#text(text))
    parser.on("cdata", (text) => this.#text(text))
  }

  write(piece: string): ReadonlyArray<Record_> {
    const at = this.#windowAt + this.#window.length
    const keep = this.#window.slice(-4096)
    this.#windowAt = at - keep.length
    this.#window = keep + piece
    this.#sinceEvent += piece.length
    this.#parser.write(piece)
    if (this.#sinceEvent > this.#most) throw this.#refuse("one of its elements is far too long")
    for (const one of this.#captures) this.#capture(one, this.#windowAt + this.#window.length)
    return this.#take()
  }

  end(): ReadonlyArray<Record_> {
    this.#parser.close()
    return this.#take()
  }

  #take(): ReadonlyArray<Record_> {
    const ready = this.#ready
    this.#ready = []
    return ready
  }

  #capture(one: Capture, to: number): void {
    if (one.raw.length < RAW_CHARACTERS)
      one.raw += this.#window.slice(Math.max(0, one.from - this.#windowAt), to - this.#windowAt)
    one.from = to
  }

  #grow(by: number): void {
    this.#sinceEvent = 0
    this.#kept += by
    if (this.#kept > this.#most) throw this.#refuse("one of its records is far too long")
  }

  #open(tag: SaxesTagNS): void {
    if (this.#stack.length >= DEEPEST) throw this.#refuse(`its elements are nested more than ${DEEPEST} deep`)
    // Attributes may be called like members of every object, such as valueOf.
    const attributes = Object.create(null) as Record<string, string>
    for (const { local, value } of Object.values(tag.attributes as Record<string, SaxesAttributeNS>)) {
      attributes[local] = value
      this.#grow(local.length + value.length)
    }
    const node: Node = { name: tag.local, space: tag.uri, attributes, children: [], line: this.#parser.line, text: "" }
    this.#grow(tag.local.length + 64)
    if (this.#names.has(node.name)) {
      const position = this.#parser.position - this.#windowAt
      const from = this.#windowAt + Math.max(0, this.#window.lastIndexOf("<", position - 1))
      this.#captures.push({ node, from, raw: "" })
      this.#ready.push({ type: "open", node, around: [...this.#stack], raw: "" })
    } else this.#stack.at(-1)?.children.push(node)
    this.#stack.push(node)
  }

  #close(): void {
    const node = this.#stack.pop()
    this.#sinceEvent = 0
    const capture = this.#captures.at(-1)
    if (node === undefined || capture?.node !== node) return
    this.#captures.pop()
    this.#capture(capture, this.#parser.position)
    this.#kept -= sizeOf(node)
    const raw = capture.raw.length > RAW_CHARACTERS ? `${capture.raw.slice(0, RAW_CHARACTERS)} …` : capture.raw
    this.#ready.push({ type: "close", node, around: [...this.#stack], raw: raw.toWellFormed() })
  }

  #text(text: string): void {
    const node = this.#stack.at(-1)
    if (node === undefined) return
    this.#grow(text.length)
    node.text += text
  }
}

const sizeOf = ({ attributes, children, name, text }: Node): number => {
  let size = name.length + 64 + text.length
  for (const [key, value] of Object.entries(attributes)) size += key.length + value.length
  for (const child of children) size += sizeOf(child)
  return size
}

/** Yields elements with these names, when each begins and when it ends. They are not among their parent's children. */
export async function* records(
  text: AsyncIterable<string>,
  names: ReadonlyArray<string>,
  refuse: Refuse,
  most = MOST_CHARACTERS
): AsyncGenerator<Record_> {
  const parser = new Records(names, refuse, most)
  for await (const piece of text) yield* parser.write(piece)
  yield* parser.end()
}
