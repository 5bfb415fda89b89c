/** How long a token is used: by our own clock, whatever it is set to, and whatever the source says of its life. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as OAuth from "../../../connectors/OAuth.ts"
import * as Seal from "../../../sync/vault/Encryption.ts"
import * as Vault from "../../../sync/vault/Vault.ts"
import { JumpingClock } from "../../sync/Time.ts"

const key = Seal.key("00".repeat(32), "the test")
const MINUTE = 60_000

/** Tokens of a source whose answers have this as well, on a clock that can be set; each `program` begins anew. */
const timed = (more: object = {}, options: Pick<OAuth.Options, "marginSeconds"> = {}) => {
  const clock = new JumpingClock()
  const file = join(mkdtempSync(join(tmpdir(), "daybook-tokens-")), "books.vault")
  let asked = 0
  const source = HttpClient.make((request) =>
    Effect.sync(() => {
      asked++
      const tokens = { access_token: `access-${asked}`, refresh_token: `refresh-${asked}`, expires_in: 1800 }
      return HttpClientResponse.fromWeb(request, new Response(JSON.stringify({ ...tokens, ...more })))
    })
  )
  return {
    clock,
    program: () => {
      const tokens = OAuth.make({
        ...options,
        connector: "test",
        tokens: "https://source.example/token",
        client: Effect.succeed({ id: "id", secret: "client-secret" }),
        first: Effect.succeed("first"),
        surroundings: { folder: ".", vault: Vault.make({ file, key, name: "books", connector: "test" }) },
        reconnect: "authorise it again"
      })
      return () =>
        Effect.runPromise(
          tokens.headers.pipe(
            Effect.provideService(HttpClient.HttpClient, source),
            Effect.provideService(Clock.Clock, clock)
          )
        ).then(({ authorization }) => authorization!.replace("Bearer access-", ""))
    },
    held: () => Effect.runPromise(Vault.make({ file, key, name: "books", connector: "test" }).read),
    pass: (millis: number) => {
      clock.later(millis, () => {})
      while (clock.jump()) {}
    }
  }
}

describe("the time of a token", () => {
  it("is kept of the authorisation as well, where the source says how long that lasts", async () => {
    for (const name of ["refresh_token_expires_in", "x_refresh_token_expires_in"]) {
      const { clock, held, program } = timed({ [name]: 8_640_000 })
      await program()()
      const until = OAuth.authorisedUntil((await held()) ?? "")
      assert.strictEqual(until, clock.currentTimeMillisUnsafe() + 100 * 86_400_000)
    }
    const { held, program } = timed()
    await program()()
    assert.isUndefined(OAuth.authorisedUntil((await held()) ?? ""))
  })

  // Fails without `known` in `usable`: an hour back, and the token is used for an hour too long.
  it("goes on while a program runs, whatever the clock is set to", async () => {
    for (const set of [-3600_000, 3600_000]) {
      const { clock, pass, program } = timed()
      const asks = program()
      assert.strictEqual(await asks(), "1")
      assert.strictEqual(await asks(), "1")
      clock.set(clock.currentTimeMillisUnsafe() + set)
      pass(28 * MINUTE)
      assert.strictEqual(await asks(), "1")
      pass(2 * MINUTE)
      assert.strictEqual(await asks(), "2", `set by ${set}`)
      assert.strictEqual(await asks(), "2")
    }
  })

  // Fails without the line that compares `asked`: the token would be taken for good for a day and half an hour.
  it("is not known to a later program whose clock is behind: it asks once", async () => {
    const { clock, pass, program } = timed()
    await program()()
    pass(MINUTE)
    assert.strictEqual(await program()(), "1", "a minute later")
    clock.set(clock.currentTimeMillisUnsafe() - 24 * 60 * MINUTE)
    const asks = program()
    assert.deepStrictEqual([await asks(), await asks()], ["2", "2"])
    assert.strictEqual(await program()(), "2")
  })

  // Fails where the margin is a minute for every token.
  it("is used until the source lets it be renewed, which Exact Online does in its last 30 seconds", async () => {
    const { pass, program } = timed({ expires_in: 600 }, { marginSeconds: 20 })
    const use = program()
    assert.strictEqual(await use(), "1")
    pass(579_000)
    assert.strictEqual(await use(), "1")
    pass(2000)
    assert.strictEqual(await use(), "2")
  })

  it("may be shorter than our margin: it is not renewed before each request", async () => {
    const { pass, program } = timed({ expires_in: 40 })
    const asks = program()
    assert.deepStrictEqual([await asks(), await asks()], ["1", "1"])
    pass(21_000)
    assert.strictEqual(await asks(), "2")
  })

  // Fails where `expires_in` must be a number and `refresh_token` a text: the new tokens would be lost with the answer.
  it("that the source states in an odd way loses no token", async () => {
    for (const odd of ["1800", "soon", null, 0, -5, 1e300, {}]) {
      const { pass, program } = timed({ expires_in: odd })
      const asks = program()
      assert.deepStrictEqual([await asks(), await asks()], ["1", "1"], JSON.stringify(odd))
      pass(367 * 24 * 60 * MINUTE)
      assert.strictEqual(await asks(), "2")
    }
    assert.strictEqual(await timed({ refresh_token: null }).program()(), "1")
  })
})
