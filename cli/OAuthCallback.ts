/**
 * Receives the redirect of an authorisation in the browser: listens on this machine only, accepts only the answer with the
 * state of this attempt, and shows that the window can be closed.
 */
import { Deferred, Effect, type Scope } from "effect"
import { createServer } from "node:http"
import { UsageError } from "../sync/library/Exit.ts"

export interface Callback {
  /** The address to which the source redirects the browser. */
  readonly redirect: string
  /** The parameters of the redirect. */
  readonly answered: Effect.Effect<URLSearchParams>
}

const page = (title: string, words: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${title}</title><body style="font:1.1rem/1.5 system-ui;max-width:34rem;margin:4rem auto;padding:0 1rem"><h1>${title}</h1><p>${words}</p></body></html>`

/** @param port the port in the source's registration; 0 for any free one */
export const listen = (port: number, state: string): Effect.Effect<Callback, UsageError, Scope.Scope> =>
  Effect.gen(function* () {
    const got = yield* Deferred.make<URLSearchParams>()
    const server = createServer((request, response) => {
      // Some requests have no address that can be read: `GET //`.
      const url = URL.parse(request.url ?? "/", "http://localhost")
      const say = (status: number, title: string, words: string) => {
        response.writeHead(status, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" })
        response.end(page(title, words))
      }
      if (request.method !== "GET" || url?.pathname !== "/callback")
        return say(404, "Not found", "Only the authorisation of a connection uses this address.")
      if (url.searchParams.get("state") !== state)
        return say(
          400,
          "Expired link",
          "This authorisation belongs to an earlier attempt. Use the address that Daybook shows now."
        )
      Deferred.doneUnsafe(got, Effect.succeed(url.searchParams))
      return url.searchParams.has("code")
        ? say(200, "Authorised", "You can close this window. Daybook continues in the terminal.")
        : say(200, "Not authorised", "You can close this window. The terminal says why.")
    })
    yield* Effect.acquireRelease(
      Effect.callback<void, UsageError>((resume) => {
        server.once("error", () =>
          resume(
            Effect.fail(
              new UsageError({
                why: `cannot listen on port ${port}; another program may be using it: choose another with --port, and register it with the source`
              })
            )
          )
        )
        server.listen(port, "127.0.0.1", () => resume(Effect.void))
      }),
      () =>
        Effect.sync(() => {
          server.close()
          server.closeAllConnections()
        })
    )
    const address = server.address()
    const bound = typeof address === "object" && address !== null ? address.port : port
    return { redirect: `http://localhost:${bound}/callback`, answered: Deferred.await(got) }
  })
