/**
 * Reads the body of an answer, up to a limit in bytes. An answer may be larger than memory, by itself or once unpacked;
 * reading stops, and the connection is closed, as soon as the limit is exceeded.
 */
import { Effect, Stream } from "effect"
import { type HttpClientError, HttpClientResponse } from "effect/http"

type Answer = HttpClientResponse.HttpClientResponse

const isEmpty = (error: HttpClientError.HttpClientError): boolean => error.reason._tag === "EmptyBodyError"

/** The stated length of an answer; undefined if the body may be longer than that once read. */
const statedLength = ({ headers }: Answer): number | undefined => {
  const { "content-encoding": packed, "content-length": length } = headers as Readonly<Record<string, string>>
  return packed === undefined && length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : undefined
}

/** Converts every chunk with `keep`; undefined if there are more than `largest` bytes. */
const pieces = <A>(
  answer: Answer,
  largest: number,
  keep: (chunk: Uint8Array) => A
): Effect.Effect<Array<A> | undefined, HttpClientError.HttpClientError> => {
  // An answer that states too large a size is abandoned at its first chunk.
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

/** The body's text; undefined if it has more than `largest` bytes. */
export const text = (
  answer: Answer,
  largest: number
): Effect.Effect<string | undefined, HttpClientError.HttpClientError> => {
  const stated = statedLength(answer)
  // Faster, and safe because the network layer ends the body at its stated length.
  if (stated !== undefined && stated <= largest) return answer.text
  const decoder = new TextDecoder()
  return Effect.map(
    pieces(answer, largest, (chunk) => decoder.decode(chunk, { stream: true })),
    (texts) => (texts === undefined ? undefined : texts.join("") + decoder.decode())
  )
}

/** The body's bytes; undefined if it has more than `largest` bytes. */
export const bytes = (
  answer: Answer,
  largest: number
): Effect.Effect<Uint8Array | undefined, HttpClientError.HttpClientError> =>
  Effect.map(
    pieces(answer, largest, (chunk) => chunk),
    (chunks) => (chunks === undefined ? undefined : Buffer.concat(chunks))
  )

/**
 * The same answer with its body limited to `largest` bytes; undefined if it has more.
 *
 * @param status replaces the answer's own
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
