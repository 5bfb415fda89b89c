/**
 * The files attached to a mail that was saved (`.eml`: RFC 5322, MIME of RFC 2045 and 2046), also of a mail that it forwards. Names
 * may be in several pieces or encodings (RFC 2231, RFC 2047).
 */

import { Refused } from "../Refused.ts"

interface Attached {
  readonly name: string
  readonly bytes: Buffer
}

/** Mails in mails. */
const DEEPEST = 16

const ENDING: Readonly<Record<string, string>> = {
  "application/pdf": ".pdf",
  "application/xml": ".xml",
  "text/xml": ".xml",
  "application/zip": ".zip",
  "application/pkcs7-mime": ".p7m"
}

/** The head of a part within a text, or how XML, a PDF and an archive begin in base64: the boundary before it is missing. */
const STRAY = /^(?:Content-(?:Disposition|Transfer-Encoding): |PD94bWwg|JVBERi0|UEsDB)/m
const PACKED = /^(?:PD94bWwg|JVBERi0|UEsDB)/m
/** Lines of base64 within a text: of a file whose head is missing. */
const LINES = /^(?:[A-Za-z0-9+/]{76}\r?\n){3}/m

const fieldsOf = (head: string): ReadonlyMap<string, string> =>
  new Map(
    head
      .replace(/\r?\n[ \t]+/g, " ")
      .split(/\r?\n/)
      .flatMap((line) => {
        const at = line.indexOf(":")
        return at < 1 ? [] : [[line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()] as const]
      })
  )

const decoded = (bytes: Buffer, encoding: string): string => {
  try {
    return new TextDecoder(encoding || "utf-8").decode(bytes)
  } catch {
    return bytes.toString("latin1")
  }
}

const hexOf = (text: string, sign: "%" | "="): Buffer =>
  Buffer.from(
    text.replace(new RegExp(`${sign}([0-9A-Fa-f]{2})`, "g"), (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16))
    ),
    "latin1"
  )

/** `=?utf-8?B?…?=` */
const wordsOf = (text: string): string =>
  text
    .replace(/(\?=)\s+(?==\?)/g, "$1")
    .replace(/=\?([^?]+)\?([BbQq])\?([^?]*)\?=/g, (_, encoding: string, how: string, word: string) =>
      decoded(how.toUpperCase() === "B" ? Buffer.from(word, "base64") : hexOf(word.replaceAll("_", " "), "="), encoding)
    )

/** A parameter of a field: `name=x`, `name="x"`, `name*=utf-8''x`, `name*0=x; name*1=y`. */
const parameter = (field: string, name: string): string | undefined => {
  const pieces = [
    ...field.matchAll(new RegExp(`;\\s*${name}(\\*\\d+)?(\\*)?\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]*))`, "gi"))
  ]
  if (pieces.length === 0) return undefined
  const text = pieces.map(([, , , quoted, plain = ""]) => quoted?.replace(/\\(.)/g, "$1") ?? plain).join("")
  const [, encoding, rest] = pieces[0]?.[2] === "*" ? (/^([\w-]*)'[^']*'(.*)$/s.exec(text) ?? []) : []
  return rest === undefined ? wordsOf(text) : decoded(hexOf(rest, "%"), encoding ?? "")
}

const broken = (): Refused => new Refused("the mail is damaged or only a part of one", undefined, "save it again")

const contentOf = (body: string, how: string): Buffer => {
  if (how === "base64") {
    // What follows the end of one is another one, without the boundary between them.
    if (!/^[A-Za-z0-9+/\s]*(?:=\s*){0,2}$/.test(body)) throw broken()
    return Buffer.from(body, "base64")
  }
  if (how === "quoted-printable") return hexOf(body.replace(/=[ \t]*\r?\n/g, ""), "=")
  return Buffer.from(body, "latin1")
}

function* parts(text: string, nth: { count: number }, deep: number): Generator<Attached> {
  if (deep > DEEPEST) return
  // A part may have no head at all.
  const blank = /^\r?\n|\r?\n\r?\n/.exec(text)
  const head = blank === null ? text : text.slice(0, blank.index)
  const body = blank === null ? "" : text.slice(blank.index + blank[0].length)
  const fields = fieldsOf(head)
  const type = fields.get("content-type") ?? "text/plain"
  const kind = type.split(";", 1)[0]?.trim().toLowerCase() ?? ""
  const how = (fields.get("content-transfer-encoding") ?? "").toLowerCase()
  const boundary = kind.startsWith("multipart/") ? parameter(type, "boundary") : undefined
  if (boundary !== undefined) {
    const [preamble = "", ...pieces] = `\n${body}`.split(`\n--${boundary}`)
    if (STRAY.test(preamble)) throw broken()
    for (const [n, piece] of pieces.entries()) {
      if (piece.startsWith("--")) {
        // Lists of mails add a text behind the last one.
        if (n + 1 < pieces.length || STRAY.test(piece)) throw broken()
        return
      }
      yield* parts(piece.replace(/^[ \t]*\r?\n/, "").replace(/\r$/, ""), nth, deep + 1)
    }
    // The last part is followed by the boundary and two hyphens (RFC 2046, 5.1.1).
    throw broken()
  }
  nth.count++
  if (kind === "message/rfc822") return yield* parts(contentOf(body, how).toString("latin1"), nth, deep + 1)
  const name = parameter(fields.get("content-disposition") ?? "", "filename") ?? parameter(type, "name")
  if (name === undefined && /^(?:text\/(?!xml)|image\/)/.test(kind)) {
    if (kind === "text/plain" && (STRAY.test(body) || PACKED.test(head))) throw broken()
    // A page may have pictures in it.
    if (/^text\/(?!html)/.test(kind) && how !== "base64" && LINES.test(text)) throw broken()
    return
  }
  yield { name: name ?? `attachment ${nth.count}${ENDING[kind] ?? ""}`, bytes: contentOf(body, how) }
}

export const attachedTo = (mail: Buffer): Generator<Attached> => parts(mail.toString("latin1"), { count: 0 }, 0)
