/**
 * Sends one request and reads its complete answer. Applying a plan sends thousands, each of which costs more processor time
 * than network time: directly over undici, a request is one callback, one timer and one text. Over an `HttpClient` the result
 * is the same, for tests and simulations, and for bodies that are streamed.
 */
import type { Dispatcher } from "@effect/platform-node/Undici"
import { Duration, Effect } from "effect"
import { HttpClient, HttpClientError, HttpClientRequest } from "effect/http"
import * as Body from "./Body.ts"
import { LeaseOver, permitted } from "./MayLeave.ts"
import * as Network from "./Network.ts"
import { isStreamedForm } from "./StreamedForm.ts"

export interface WholeRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON, or a form with files; undefined for no body. */
  readonly body: unknown
}

export interface WholeAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  /** Undefined if it has more bytes than may be read. */
  readonly text: string | undefined
}

export interface Limits {
  /** How many bytes are read of an answer with this status. */
  readonly largest: (status: number) => number
  /** Time limit for the complete answer. */
  readonly timeout: Duration.Duration
}

/** The complete answer did not arrive in time. */
export class Late {
  readonly why: string
  constructor({ timeout }: Limits) {
    this.why = `no whole answer within ${Duration.format(timeout)}`
  }
}

/** Fails with the HTTP or network error. */
export type Exchange = (request: WholeRequest) => Effect.Effect<WholeAnswer, HttpClientError.HttpClientError | Late>

const isForm = (body: unknown): boolean => isStreamedForm(body) || body instanceof FormData

/** A form is sent as multipart, its files in chunks; anything else as JSON. */
const written = ({ body, headers, method, url }: WholeRequest): HttpClientRequest.HttpClientRequest => {
  const request = HttpClientRequest.make(method)(url, { headers })
  if (body === undefined) return request
  if (isStreamedForm(body)) {
    const { contentLength, contentType, stream } = body
    return HttpClientRequest.bodyStream(request, stream, { contentType, contentLength })
  }
  return body instanceof FormData
    ? HttpClientRequest.bodyFormData(request, body)
    : HttpClientRequest.bodyText(request, JSON.stringify(body), "application/json")
}

/** Disables tracing: no span per request, and no trace header that would tell the service about the user. */
export const untraced = Effect.provideService(HttpClient.TracerDisabledWhen, () => true)

export const overHttp =
  (client: HttpClient.HttpClient, limits: Limits): Exchange =>
  (request) =>
    leaving(request, client.execute(written(request))).pipe(
      Effect.flatMap((answer) =>
        Effect.map(Body.text(answer, limits.largest(answer.status)), (text) => ({
          status: answer.status,
          headers: answer.headers,
          text
        }))
      ),
      Effect.timeoutOrElse({ duration: limits.timeout, orElse: () => Effect.fail(new Late(limits)) }),
      untraced
    )

/** A form is written in chunks; whether it may be sent is checked when it begins. */
const leaving = <A>(
  { method, url }: WholeRequest,
  execute: Effect.Effect<A, HttpClientError.HttpClientError>
): Effect.Effect<A, HttpClientError.HttpClientError> =>
  permitted(({ may }) => {
    if (may()) return execute
    const request = HttpClientRequest.make(method)(url)
    return Effect.fail(
      new HttpClientError.HttpClientError({
        reason: new HttpClientError.TransportError({ request, cause: new LeaseOver() })
      })
    )
  })

/** Directly over undici; forms use `forms`. */
export const overUndici =
  (dispatcher: Dispatcher, limits: Limits, forms: Exchange): Exchange =>
  (request) =>
    isForm(request.body)
      ? forms(request)
      : permitted(({ may }) =>
          Effect.callback((resume) => {
            const receiver = new Receiver(request, limits, may, resume)
            receiver.ask(dispatcher)
            return Effect.sync(() => receiver.leave())
          })
        )

interface Place {
  readonly origin: string
  readonly path: string
}

let last: readonly [url: string, place: Place] | undefined

/** Parses an address; most requests of a run go to the same one. */
const placeOf = (url: string): Place => {
  if (last?.[0] === url) return last[1]
  const { origin, pathname, search } = new URL(url)
  const place = { origin, path: pathname + search }
  last = [url, place]
  return place
}

/** The connection is closed because of what was received, or because the caller was interrupted. */
class Left extends Error {}

type Resume = (result: Effect.Effect<WholeAnswer, HttpClientError.HttpClientError | Late>) => void

/** Collects one answer. */
class Receiver implements Dispatcher.DispatchHandler {
  readonly #request: WholeRequest
  readonly #limits: Limits
  readonly #may: () => boolean
  readonly #resume: Resume
  #controller: Dispatcher.DispatchController | undefined
  #status = 0
  #headers: WholeAnswer["headers"] = {}
  readonly #chunks: Array<Buffer> = []
  #size = 0
  #left = false
  #timer: NodeJS.Timeout | undefined

  constructor(request: WholeRequest, limits: Limits, may: () => boolean, resume: Resume) {
    this.#request = request
    this.#limits = limits
    this.#may = may
    this.#resume = resume
  }

  ask(dispatcher: Dispatcher): void {
    const { body, headers, method, url } = this.#request
    const json = body === undefined ? {} : { body: JSON.stringify(body) }
    const all = body === undefined ? headers : { ...headers, "content-type": "application/json" }
    this.#timer = setTimeout(() => this.#late(), Duration.toMillis(this.#limits.timeout))
    // Only our own time limit applies.
    const waits = { headersTimeout: 0, bodyTimeout: 0 }
    dispatcher.dispatch({ ...placeOf(url), method, headers: all, ...json, ...waits }, this)
  }

  /** Called when the caller is interrupted. */
  leave(): void {
    this.#done()
    this.#controller?.abort(new Left("nobody waits for the answer any more"))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#left) controller.abort(new Left("nobody waits for the answer any more"))
    // Checked here because the socket write follows synchronously.
    else if (!this.#may()) controller.abort(new LeaseOver())
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: WholeAnswer["headers"]): void {
    // An interim response, such as 103.
    if (status < 200) return
    this.#status = status
    this.#headers = headers
    const { "content-encoding": packed, "content-length": length } = headers
    if (packed === undefined && Number(length) > this.#limits.largest(status)) this.#tooLarge()
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#left) return
    this.#size += chunk.length
    if (this.#size > this.#limits.largest(this.#status)) this.#tooLarge()
    else this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    const chunks = this.#chunks
    const [first] = chunks
    const whole = first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks)
    const read = whole.toString()
    const text = read.startsWith("\uFEFF") ? read.slice(1) : read
    this.#ends(Effect.succeed({ status: this.#status, headers: this.#headers, text }))
  }

  onResponseError(_: Dispatcher.DispatchController | null, cause: Error): void {
    this.#fails(cause)
  }

  #late(): void {
    this.#ends(Effect.fail(new Late(this.#limits)))
    this.leave()
  }

  #tooLarge(): void {
    this.#ends(Effect.succeed({ status: this.#status, headers: this.#headers, text: undefined }))
    this.leave()
  }

  /** Once an answer has begun, the network error says nothing about what became of the request. */
  #fails(cause: unknown): void {
    const { method, url } = this.#request
    const request = HttpClientRequest.make(method)(url)
    const began = this.#status !== 0
    const reason = new HttpClientError.TransportError(
      began ? { request, description: Network.causes(cause).why } : { request, cause }
    )
    this.#ends(Effect.fail(new HttpClientError.HttpClientError({ reason })))
  }

  /** Completes once the connection is free again, so that the next request can use it. */
  #ends(result: Effect.Effect<WholeAnswer, HttpClientError.HttpClientError | Late>): void {
    if (this.#left) return
    this.#done()
    queueMicrotask(() => this.#resume(result))
  }

  #done(): void {
    this.#left = true
    clearTimeout(this.#timer)
  }
}
