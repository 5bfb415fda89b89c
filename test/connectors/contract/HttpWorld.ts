/** A source over HTTP that answers one step after the other, and a connector's way to ask it. */
import { Effect, Fiber, Layer } from "effect"
import { HttpClient, HttpClientError, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"
import * as Http from "../../../connectors/Http.ts"

export type Step = Response | "cut" | Error

export const world = (
  steps: ReadonlyArray<() => Step>,
  limits: Http.Options["limits"] = {},
  explain: NonNullable<Http.Options["explain"]> = () => ({}),
  app?: string,
  key = "very-secret"
) => {
  const seen: Array<string> = []
  const layer = Layer.succeed(
    HttpClient.HttpClient,
    HttpClient.make((request, url) =>
      Effect.sync(() => {
        const step = steps[Math.min(seen.length, steps.length - 1)]!()
        seen.push(url.href)
        return step
      }).pipe(
        Effect.flatMap((step) =>
          step === "cut"
            ? Effect.die(new Error("socket hang up while Bearer very-secret was sent"))
            : step instanceof Error
              ? Effect.fail(
                  new HttpClientError.HttpClientError({
                    reason: new HttpClientError.TransportError({ request, cause: step })
                  })
                )
              : Effect.succeed(HttpClientResponse.fromWeb(request, step))
        )
      )
    )
  )
  const http = Http.make({
    connector: "test",
    base: "https://source.example/api",
    authority: Http.key(Effect.succeed(key), "TEST_KEY", (key) => ({ authorization: `Bearer ${key}` })),
    limits,
    explain,
    ...(app === undefined ? {} : { app: Effect.succeed(app) })
  })
  /** Asks, with as much time as it wants. */
  const ask = (hours = 1) =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Effect.result(http.get("/things", { page: 1 })))
      yield* TestClock.adjust(`${hours} hours`)
      return yield* Fiber.join(fiber)
    }).pipe(Effect.provide(layer))
  return { seen, http, layer, ask }
}

export const ok = (text = "{}") => new Response(text)
export const status = (code: number, headers: Record<string, string> = {}, text = "") =>
  new Response(text, { status: code, headers })

export const message = (result: { readonly _tag: string; readonly failure?: { readonly message: string } }) =>
  result._tag === "Failure" ? result.failure!.message : "no failure"
