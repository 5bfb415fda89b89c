/**
 * A sandbox as an `HttpClient`, with no port and no sockets: for tests and simulations that run it thousands of times.
 */
import { Effect, Layer } from "effect"
import { HttpClient, HttpClientError, HttpClientResponse } from "effect/http"
import type { Instance } from "./Instance.ts"

const BASE = "http://127.0.0.1"

export const client = (instance: Instance): HttpClient.HttpClient =>
  HttpClient.make((request, url) =>
    Effect.callback((resume) => {
      const { body } = request
      instance.respond(
        {
          method: request.method,
          url: `${url.pathname}${url.search}`,
          base: BASE,
          authorization: request.headers["authorization"],
          body: body._tag === "Uint8Array" ? Buffer.from(body.body).toString("utf8") : "",
          local: true
        },
        (outcome) => {
          if (outcome === "cut") {
            const reason = new HttpClientError.TransportError({ request, cause: new Error("socket hang up") })
            return resume(Effect.fail(new HttpClientError.HttpClientError({ reason })))
          }
          const { headers, status, text } = outcome
          resume(
            Effect.succeed(
              HttpClientResponse.fromWeb(request, new Response(text === "" ? null : text, { headers, status }))
            )
          )
        }
      )
    })
  )

export const layer = (instance: Instance): Layer.Layer<HttpClient.HttpClient> =>
  Layer.succeed(HttpClient.HttpClient, client(instance))
