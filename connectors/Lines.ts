/**
 * Splits a text file into numbered lines, with any kind of line ending. Memory is bounded by the longest accepted line,
 * however long a line of the file is.
 */
import { type Encoding, text } from "./Bytes.ts"
import type { Chunks } from "./Chunks.ts"

/** In characters; longer lines are cut to `SHOWN_CHARACTERS` and marked. */
export const LONGEST_CHARACTERS = 1 << 20
const SHOWN_CHARACTERS = 4096

export interface Line {
  readonly text: string
  /** `\n`, `\r\n` or `\r`; empty on a last line without one. */
  readonly end: string
  readonly number: number
  readonly overlong: boolean
}

export interface Source {
  readonly path: string
  readonly encoding: Encoding
  /** Length of the byte-order mark, in bytes. */
  readonly mark: number
  /** Is told between two batches which chunk was passed, and says which to skip. */
  readonly chunks?: Chunks | undefined
}

/** Yields the lines in batches: all lines that one chunk of the file completes. */
export async function* lines({ chunks, encoding, mark, path }: Source): AsyncGenerator<ReadonlyArray<Line>> {
  let number = 0
  /** The start of a line that is not complete yet. */
  let open = ""
  let overlong = false
  const line = (rest: string, end: string): Line => {
    const whole = open === "" ? rest : open + rest
    const long = overlong || whole.length > LONGEST_CHARACTERS
    open = ""
    overlong = false
    return { text: long ? whole.slice(0, SHOWN_CHARACTERS) : whole, end, number: ++number, overlong: long }
  }
  let before = 0
  for await (const piece of chunks?.text(path, encoding, mark) ?? text(path, encoding, mark)) {
    if (typeof piece !== "string") {
      // It ends with a line.
      number += piece.lines
      if (chunks !== undefined) chunks.passed = { ...piece, lines: number - before }
      before = number
      yield []
      continue
    }
    let chunk = piece
    if (open.endsWith("\r")) {
      // Only now is it known whether `\n` follows the `\r` at the end of the previous chunk.
      chunk = `\r${chunk}`
      open = open.slice(0, -1)
    }
    const batch: Array<Line> = []
    let start = 0
    let feed = chunk.indexOf("\n")
    let back = chunk.indexOf("\r")
    for (;;) {
      const at = back >= 0 && (feed < 0 || back < feed) ? back : feed
      // A `\r` at the end of a chunk may be the first half of `\r\n`.
      if (at < 0 || (at === back && at === chunk.length - 1)) break
      const length = at === back && feed === at + 1 ? 2 : 1
      batch.push(line(chunk.slice(start, at), chunk.slice(at, at + length)))
      start = at + length
      if (feed >= 0 && feed < start) feed = chunk.indexOf("\n", start)
      if (back >= 0 && back < start) back = chunk.indexOf("\r", start)
    }
    if (overlong) {
      if (chunk.endsWith("\r")) open += "\r"
    } else {
      open += chunk.slice(start)
      if (open.length > LONGEST_CHARACTERS) {
        overlong = true
        open = open.slice(0, SHOWN_CHARACTERS) + (open.endsWith("\r") ? "\r" : "")
      }
    }
    if (batch.length > 0) yield batch
  }
  const last: Array<Line> = []
  if (open.endsWith("\r")) {
    open = open.slice(0, -1)
    last.push(line("", "\r"))
  } else if (open !== "" || overlong) last.push(line("", ""))
  if (last.length > 0) yield last
}
