/**
 * What a source, or whoever stands in its place, may answer to do harm: more than there is memory, lists within lists
 * without end, our own secrets in its words. And what a record may hold to do harm where it is shown.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Stream } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import * as Bounds from "../../connectors/Bounds.ts"
import * as Http from "../../connectors/Http.ts"
import * as Json from "../../connectors/Json.ts"
import { samples } from "../support/Samples.ts"
import { run } from "../../connectors/testing/Subject.ts"
import * as Output from "../../cli/render/Output.ts"

const MEGABYTE = new Uint8Array(2 ** 20).fill(32)

/** One request that is answered so. */
const get = (make: () => Response) => {
  let sent = 0
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      sent++
      controller.enqueue(MEGABYTE)
    }
  })
  const client = HttpClient.make((request) => {
    const response = make()
    const endless = new Response(body, { status: 200 })
    return Effect.succeed(HttpClientResponse.fromWeb(request, response.status === 299 ? endless : response))
  })
  const authority = Http.key(Effect.succeed("sk_secret_0815"), "KEY", (key) => ({ authorization: `Bearer ${key}` }))
  const explain: Http.Options["explain"] = (_, said) => ({ said: JSON.stringify(said) })
  const http = Http.make({ connector: "memory", base: "https://source.example", authority, explain })
  return Effect.gen(function* () {
    const exit = yield* Effect.exit(http.get("/records"))
    return { sent, said: Exit.isFailure(exit) ? JSON.stringify(exit.cause) : "" }
  }).pipe(Effect.provide(Layer.succeed(HttpClient.HttpClient, client)))
}

describe("an answer", () => {
  it.effect("that does not end is left once it is larger than any page of records", () =>
    Effect.gen(function* () {
      const { said, sent } = yield* get(() => new Response("", { status: 299 }))
      assert.include(said, "the answer is larger than 64 MB, which is too much for a page of records")
      assert.isBelow(sent, 80)
    })
  )

  it.effect("of lists within lists is refused before it is read", () =>
    Effect.gen(function* () {
      const { said } = yield* get(() => new Response("[".repeat(200_000) + "]".repeat(200_000)))
      assert.include(said, "the answer is nested too deeply")
    })
  )

  it("is deep by its lists, not by what stands in its texts", () => {
    assert.isTrue(Bounds.isTooDeep("[".repeat(101)))
    assert.isFalse(Bounds.isTooDeep("[".repeat(100)))
    assert.isFalse(Bounds.isTooDeep(JSON.stringify(["[".repeat(999), '\\"[[', "{".repeat(999)])))
    assert.isFalse(Bounds.isTooDeep(`[${"[],{},".repeat(999)}[]]`))
  })

  it.effect("is the same text, whatever the pieces in which it comes", () =>
    Effect.gen(function* () {
      const text = JSON.stringify({ name: "Käse 🧀 ".repeat(50) })
      const bytes = new TextEncoder().encode(text)
      for (const size of [1, 2, 3, 7]) {
        const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
          bytes.slice(n * size, (n + 1) * size)
        )
        const response = {
          headers: {},
          stream: Stream.fromIterable(pieces)
        } as unknown as HttpClientResponse.HttpClientResponse
        assert.strictEqual(yield* Bounds.textOf(response), text)
        assert.strictEqual(yield* Bounds.textOf(response, 20), `${Bounds.TOO_LARGE}20`)
      }
    })
  )

  for (const status of [400, 401, 403, 422]) {
    it.effect(`that repeats our key in its words (${status}) does not make us show it`, () =>
      Effect.gen(function* () {
        const { said } = yield* get(() => Response.json({ message: "Bearer sk_secret_0815 is no key" }, { status }))
        assert.include(said, "is no key")
        assert.notInclude(said, "sk_secret_0815")
      })
    )
  }

  it("of any connector's source that repeats what it was sent shows no secret: errors, records, bookmarks", async () => {
    for (const load of Object.values(samples)) {
      const { subject } = await load()
      const secrets = Object.values(subject.environment ?? {}).filter((one) => one !== "")
      for (const status of [400, 401, 403, 404, 429, 500]) {
        const stage = subject.open()
        const ran = await run(subject, stage, {
          bend: {
            instead: ({ headers, path }, n) => {
              if (path === subject.oauth?.path || n < 3) return undefined
              const echo = JSON.stringify({
                error: { message: `you sent ${JSON.stringify(headers)}` },
                Detail: headers
              })
              return new Response(echo, {
                status,
                headers: { "content-type": "application/json", "retry-after": "9999" }
              })
            }
          }
        })
        stage.close?.()
        const shown = JSON.stringify([ran.error, ran.error?.message, ran.pages], (_, value) =>
          typeof value === "bigint" ? `${value}` : value
        )
        for (const secret of secrets) assert.notInclude(shown, secret, `${subject.connector.name} ${status}`)
      }
    }
  })
})

describe("a record", () => {
  it("with the language's own names changes nothing but itself", () => {
    const evil = Json.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"id":"a"}')
    const into = Json.batch()
    Json.decodeAll(into, [evil], {
      name: "r",
      kind: "payment",
      id: "id",
      decode: (fields) => {
        fields.get("__proto__.polluted")
        fields.get("constructor.prototype.polluted")
        throw new Json.Unfit("id", "for the test")
      }
    })
    assert.strictEqual(into.quarantined[0]!.id, "a")
    assert.isUndefined(({} as Record<string, unknown>)["polluted"])
  })

  it("that speaks to the terminal is shown, and not obeyed", async () => {
    const written: Array<string> = []
    const { write } = process.stdout
    process.stdout.write = ((text: string) => Boolean(written.push(text))) as never
    try {
      const out = Output.make({ json: false, quiet: false, color: true, progress: false, width: 80 })
      await Effect.runPromise(
        out.say(`\u001b]0;title\u0007 \u001b[2J \u009b31m \u202e ${out.style.red("red")}\n\tnext`)
      )
    } finally {
      process.stdout.write = write
    }
    assert.strictEqual(written.join(""), "�]0;title� �[2J �31m � \u001b[31mred\u001b[39m\n\tnext\n")
  })
})
