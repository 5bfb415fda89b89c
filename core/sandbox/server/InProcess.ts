/**
 * Provides a sandbox as an `HttpClient`, without a port or sockets, for tests and simulations that run it thousands of times.
 */
import { Effect, Layer, Stream } from "effect"
import { HttpClient, HttpClientError, type HttpClientRequest, HttpClientResponse } from "effect/http"
import type { Instance } from "./Instance.ts"
import type { Incoming } from "./Service.ts"

const BASE = "http://127.0.0.1"

export const client = (instance: Instance): HttpClient.HttpClient =>
  HttpClient.make((request, url) => Effect.flatMap(formOf(request), (form) => exchange(instance, request, url, form)))

/** A multipart body in its wire form. */
const formOf = (
  request: HttpClientRequest.HttpClientRequest
): Effect.Effect<Incoming["form"], HttpClientError.HttpClientError> => {
  const { body } = request
  if (body._tag === "Stream")
    return Stream.runCollect(body.stream).pipe(
      Effect.map((pieces) => ({ contentType: body.contentType, bytes: Buffer.concat([...pieces]) })),
      Effect.mapError((cause) => cut(request, cause))
    )
  if (body._tag !== "FormData") return Effect.undefined
  return Effect.promise(async () => {
    const whole = new Response(body.formData)
    const bytes = new Uint8Array(await whole.arrayBuffer())
    return { contentType: whole.headers.get("content-type") ?? "", bytes }
  })
}

/** The error that a client sees when the connection is cut. */
const cut = (request: HttpClientRequest.HttpClientRequest, cause: unknown): HttpClientError.HttpClientError =>
  new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, cause }) })

const exchange = (
  instance: Instance,
  request: HttpClientRequest.HttpClientRequest,
  url: URL,
  form: Incoming["form"]
): Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError> =>
  Effect.callback((resume) => {
    const { body } = request
    instance.respond(
      {
        method: request.method,
        url: `${url.pathname}${url.search}`,
        base: BASE,
        authorization: request.headers["authorization"],
        idempotencyKey: request.headers["idempotency-key"],
        body: body._tag === "Uint8Array" ? Buffer.from(body.body).toString("utf8") : "",
        form,
        local: true
      },
      (outcome) => {
        if (outcome === "cut") return resume(Effect.fail(cut(request, new Error("socket hang up"))))
        const { bytes, headers, status, text } = outcome
        resume(
          Effect.succeed(
            HttpClientResponse.fromWeb(
              request,
              new Response(text.length === 0 ? null : typeof text === "string" ? text : new Uint8Array(text), {
                headers: { ...headers, "content-length": String(bytes) },
                status
              })
            )
          )
        )
      }
    )
  })

export const layer = (instance: Instance): Layer.Layer<HttpClient.HttpClient> =>
  Layer.succeed(HttpClient.HttpClient, client(instance))
