/**
 * Sends an answer, compressed where that is safe and worth it.
 *
 * How long a compressed page is tells what it repeats: whoever can have somebody's browser ask for pages with words of their choice,
 * and see how long the answers are, can guess what else is in them (BREACH). So an answer is only compressed where the request is not
 * another site's, of this host either: whatever others ask for is sent as it is. Their requests have no session besides, whose
 * cookie is `SameSite=Strict`.
 */
import type { IncomingHttpHeaders, ServerResponse } from "node:http"
import { pipeline, Readable } from "node:stream"
import type { ReadableStream as NodeStream } from "node:stream/web"
import { promisify } from "node:util"
import zlib, { brotliCompress, createBrotliCompress, createGzip, gzip } from "node:zlib"

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string | ReadonlyArray<string>>>
  /** A stream is sent as it comes, until it ends or the client disconnects. */
  readonly body?: string | Uint8Array | ReadableStream
}

const ALWAYS = { "x-content-type-options": "nosniff", "cache-control": "no-store" }
/** A browser that came over TLS does so from then on (RFC 6797). */
const ENCRYPTED = { "strict-transport-security": "max-age=31536000" }

/** How an answer is compressed. */
type Packing = "br" | "gzip"

/** Smaller ones gain nothing. */
const LEAST_BYTES = 1024
/** Looked up when something is sent: the daemon alone loads it. */
const brotli = () => ({
  params: {
    [zlib.constants.BROTLI_PARAM_QUALITY]: 5,
    [zlib.constants.BROTLI_PARAM_MODE]: zlib.constants.BROTLI_MODE_TEXT
  }
})
/** Texts; files that are compressed already gain nothing, and events must not wait for others. */
const PACKED = /^(text\/(?!event-stream)|application\/(json|javascript|x-ndjson)\b|image\/svg)/

/** What a client takes; undefined: nothing, or it asks for another site. */
export const packingOf = (headers: IncomingHttpHeaders): Packing | undefined => {
  const { "accept-encoding": accepted = "", "sec-fetch-site": site = "none" } = headers
  if (site !== "none" && site !== "same-origin") return undefined
  const taken = String(accepted)
    .split(",")
    .filter((one) => !/;\s*q=0(\.0*)?\s*$/.test(one))
    .map((one) => one.replace(/;.*/, "").trim().toLowerCase())
  return (["br", "gzip"] as const).find((one) => taken.includes(one))
}

const packed = (packing: Packing, bytes: Uint8Array): Promise<Buffer> =>
  packing === "br" ? promisify(brotliCompress)(bytes, brotli()) : promisify(gzip)(bytes)

interface Sending {
  readonly encrypted: boolean
  readonly head: boolean
  readonly packing: Packing | undefined
}

export const send = (
  response: ServerResponse,
  { body = "", headers = {}, status }: Reply,
  { encrypted, head, packing }: Sending
): void => {
  const isText = PACKED.test(String(headers["content-type"] ?? ""))
  const by = head || !isText ? undefined : packing
  const begin = (length: number | undefined, encoding?: Packing) => {
    const { "content-length": stated, ...own } = headers
    const size = length ?? (encoding === undefined ? stated : undefined)
    const all = {
      ...ALWAYS,
      ...(encrypted ? ENCRYPTED : {}),
      ...own,
      ...(isText ? { vary: "accept-encoding" } : {}),
      ...(encoding === undefined ? {} : { "content-encoding": encoding }),
      ...(size === undefined ? {} : { "content-length": String(size) })
    }
    response.writeHead(status, all as Record<string, string | Array<string>>)
  }
  if (response.destroyed) return void (body instanceof ReadableStream && body.cancel())
  if (body instanceof ReadableStream) {
    begin(undefined, by)
    if (head) return void body.cancel().then(() => response.end())
    // A subscriber waits for the headers, and the first event may come much later.
    response.flushHeaders()
    const packers = by === undefined ? [] : [by === "br" ? createBrotliCompress(brotli()) : createGzip()]
    pipeline([Readable.fromWeb(body as NodeStream), ...packers, response], () => {})
    return
  }
  const bytes = typeof body === "string" ? Buffer.from(body) : body
  if (by === undefined || bytes.length < LEAST_BYTES) {
    begin(bytes.length)
    return void response.end(head ? undefined : bytes)
  }
  // Elsewhere than in this thread, in which others wait.
  void packed(by, bytes).then((small) => {
    if (response.destroyed) return
    begin(small.length, by)
    response.end(small)
  })
}
