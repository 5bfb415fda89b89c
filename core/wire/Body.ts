/**
 * Reads the body of an answer, up to a limit in bytes. Whoever answers may send more than there is memory, by itself or
 * unpacked; reading ends, and the connection is closed, as soon as the limit is passed.
 */
import { Effect, Stream } from "effect"
import { type HttpClientError, HttpClientResponse } from "effect/http"

type Answer = HttpClientResponse.HttpClientResponse

const isEmpty = (error: HttpClientError.HttpClientError): boolean => error.reason._tag === "EmptyBodyError"

/** How many bytes an answer says that it has; undefined where what is read may be more than that. */
const statedLength = ({ headers }: Answer): number | undefined => {
  const { "content-encoding": packed, "content-length": length } = headers as Readonly<Record<string, string>>
  return packed === undefined && length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : undefined
}

/** Every piece as `keep` makes it, or undefined where there are more than `largest` bytes. */
const pieces = <A>(
  answer: Answer,
  largest: number,
  keep: (chunk: Uint8Array) => A
): Effect.Effect<Array<A> | undefined, HttpClientError.HttpClientError> => {
  // One that says that it is too large is left with its first piece.
  let size = (statedLength(answer) ?? 0) > largest ? largest : 0
  return answer.stream.pipe(
    // Some clients have no stream for an answer without a body, such as 304.
    Stream.catchIf(isEmpty, () => Stream.empty),
    Stream.takeUntil((chunk) => (size += chunk.length) > largest),
    Stream.runFold(
      () => [] as Array<A>,
      (kept, chunk) => {
        kept.push(keep(chunk))
        return kept
      }
    ),
    Effect.map((kept) => (size > largest ? undefined : kept))
  )
}

/** The body's text, or undefined where it has more than `largest` bytes. */
export const text = (
  answer: Answer,
  largest: number
): Effect.Effect<string | undefined, HttpClientError.HttpClientError> => {
  const stated = statedLength(answer)
  // The shorter way where the network itself ends the body there.
  if (stated !== undefined && stated <= largest) return answer.text
  const decoder = new TextDecoder()
  return Effect.map(
    pieces(answer, largest, (chunk) => decoder.decode(chunk, { stream: true })),
    (texts) => (texts === undefined ? undefined : texts.join("") + decoder.decode())
  )
}

/** The body as it is, or undefined where it has more than `largest` bytes. */
export const bytes = (
  answer: Answer,
  largest: number
): Effect.Effect<Uint8Array | undefined, HttpClientError.HttpClientError> =>
  Effect.map(
    pieces(answer, largest, (chunk) => chunk),
    (chunks) => (chunks === undefined ? undefined : Buffer.concat(chunks))
  )

/**
 * The same answer, of which no more than `largest` bytes can be read; undefined where it has more.
 *
 * @param status in place of the answer's own
 */
export const within = (
  answer: Answer,
  largest: number,
  status = answer.status
): Effect.Effect<Answer | undefined, HttpClientError.HttpClientError> => {
  const stated = statedLength(answer)
  if (stated !== undefined && stated <= largest && status === answer.status) return Effect.succeed(answer)
  const { headers, request } = answer
  return Effect.map(
    pieces(answer, largest, (chunk) => chunk),
    (chunks) => {
      if (chunks === undefined) return undefined
      const body = chunks.length === 0 ? null : Buffer.concat(chunks)
      return HttpClientResponse.fromWeb(request, new Response(body, { status, headers: { ...headers } }))
    }
  )
}
