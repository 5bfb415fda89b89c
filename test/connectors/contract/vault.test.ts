/** Secrets at rest, and tokens that rotate: nothing readable on disk, one refresh at a time, none lost. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as OAuth from "../../../connectors/OAuth.ts"
import * as Seal from "../../../sync/vault/Encryption.ts"
import * as Vault from "../../../sync/Vault.ts"

const KEY = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
const key = Seal.key(KEY, "the test")
const fresh = () => join(mkdtempSync(join(tmpdir(), "daybook-vault-")), "books.vault")
const vaultOf = (file: string, name = "books") => Vault.make({ file, key, name, connector: "test" })

/** A source that gives each refresh token one successor, and knows how often it was asked. */
const issuer = (state: { current: string; asked: number; answer?: () => Response | undefined }) =>
  Layer.succeed(
    HttpClient.HttpClient,
    HttpClient.make((request) =>
      Effect.promise(async () => {
        const body = request.body._tag === "Uint8Array" ? Buffer.from(request.body.body).toString() : ""
        await new Promise((resolve) => setTimeout(resolve, 20))
        state.asked++
        const special = state.answer?.()
        if (special !== undefined) return HttpClientResponse.fromWeb(request, special)
        if (new URLSearchParams(body).get("refresh_token") !== state.current) {
          return HttpClientResponse.fromWeb(request, new Response('{"error":"invalid_grant"}', { status: 400 }))
        }
        state.current = `refresh-${state.asked}`
        const answer = { access_token: `access-${state.asked}`, refresh_token: state.current, expires_in: 1800 }
        return HttpClientResponse.fromWeb(request, new Response(JSON.stringify(answer)))
      })
    )
  )

const authority = (vault: ReturnType<typeof vaultOf>, first = "first") =>
  OAuth.make({
    connector: "test",
    tokens: "https://source.example/token",
    client: Effect.succeed({ id: "id", secret: "client-secret" }),
    first: Effect.succeed(first),
    surroundings: { folder: ".", vault },
    reconnect: "authorise it again"
  })

describe("what is kept", () => {
  it("opens with its key, under its name, unchanged, and not otherwise", () => {
    const box = Seal.seal(key, "books", "a secret")
    assert.strictEqual(Seal.open(key, "books", box), "a secret")
    assert.notStrictEqual(Seal.seal(key, "books", "a secret"), box)
    const other = Seal.key(Buffer.alloc(32, 7).toString("base64"), "the test")
    const broken = box.slice(0, -3) + (box.endsWith("AAA") ? "BBB" : "AAA")
    for (const [with_, name, text] of [
      [other, "books", box],
      [key, "debits", box],
      [key, "books", broken],
      [key, "books", "v1.."]
    ] as const) {
      assert.throws(() => Seal.open(with_, name, text), /does not open with this key/)
    }
  })

  it("opens with the key before this one while that is named, and is sealed with the new one when it changes", async () => {
    const file = fresh()
    await Effect.runPromise(vaultOf(file).update(() => Effect.succeed("first")))
    const now = Seal.key(Buffer.alloc(32, 9).toString("base64"), "the test")
    const older = Seal.olderFromEnvironment({ DAYBOOK_SEAL_OLD: KEY })!
    const place = { file, key: now, name: "books", connector: "test" }
    assert.match((await Effect.runPromise(Effect.flip(Vault.make(place).read))).message, /does not open with this key/)
    const both = Vault.make({ ...place, older })
    assert.strictEqual(await Effect.runPromise(both.read), "first")
    await Effect.runPromise(both.update((held) => Effect.succeed(`${held} and second`)))
    assert.strictEqual(await Effect.runPromise(Vault.make(place).read), "first and second")
    assert.isUndefined(Seal.olderFromEnvironment({}))
    assert.throws(() => Seal.olderFromEnvironment({ DAYBOOK_SEAL_OLD: "short" }), /DAYBOOK_SEAL_OLD/)
  })

  it("takes its key from the environment or from a file that others cannot read", () => {
    const file = join(mkdtempSync(join(tmpdir(), "daybook-key-")), "key")
    writeFileSync(file, KEY, { mode: 0o600 })
    assert.isDefined(Seal.fromEnvironment({ DAYBOOK_SEAL: KEY }))
    assert.isDefined(Seal.fromEnvironment({ DAYBOOK_SEAL_FILE: file }))
    assert.isUndefined(Seal.fromEnvironment({}))
    assert.throws(() => Seal.fromEnvironment({ DAYBOOK_SEAL: "short" }), /32 bytes/)
    assert.throws(() => Seal.fromEnvironment({ DAYBOOK_SEAL_FILE: `${file}.not` }), /cannot be read/)
    const open = join(mkdtempSync(join(tmpdir(), "daybook-key-")), "key")
    writeFileSync(open, KEY, { mode: 0o644 })
    if (process.platform !== "win32") {
      assert.throws(() => Seal.fromEnvironment({ DAYBOOK_SEAL_FILE: open }), /chmod 600/)
    }
  })

  it.live("is not readable on disk", () =>
    Effect.gen(function* () {
      const file = fresh()
      yield* vaultOf(file).update(() => Effect.succeed("the-very-token"))
      assert.strictEqual(yield* vaultOf(file).read, "the-very-token")
      assert.isUndefined(yield* vaultOf(file, "debits").read)
      assert.notInclude(readFileSync(file).toString("latin1"), "the-very-token")
    })
  )

  it.live("stays as it was when a change fails", () =>
    Effect.gen(function* () {
      const vault = vaultOf(fresh())
      yield* vault.update(() => Effect.succeed("one"))
      yield* Effect.exit(vault.update(() => Effect.fail("no")))
      assert.strictEqual(yield* vault.read, "one")
    })
  )
})

describe("tokens", () => {
  it.live("are refreshed once for many who need one, and saved before they are used", () => {
    const state = { current: "first", asked: 0 }
    const file = fresh()
    return Effect.gen(function* () {
      const all = yield* Effect.all(
        Array.from({ length: 8 }, () => authority(vaultOf(file)).headers),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(new Set(all.map(({ authorization }) => authorization)), new Set(["Bearer access-1"]))
      assert.strictEqual(state.asked, 1)
      assert.include(yield* vaultOf(file).read, "refresh-1")
    }).pipe(Effect.provide(issuer(state)))
  })

  it.live("are refreshed once more when the source refuses one before its time", () => {
    const state = { current: "first", asked: 0 }
    return Effect.gen(function* () {
      const tokens = authority(vaultOf(fresh()))
      yield* tokens.headers
      yield* tokens.renew!
      assert.strictEqual((yield* tokens.headers)["authorization"], "Bearer access-2")
      assert.strictEqual(state.asked, 2)
    }).pipe(Effect.provide(issuer(state)))
  })

  it.live("that somebody else refreshed meanwhile are read again on invalid_grant", () => {
    const file = fresh()
    const vault = vaultOf(file)
    const state = { current: "elsewhere", asked: 0 }
    // Another program that keeps no lock: its tokens are there when the refusal is.
    const unlocked = {
      ...vault,
      update: (change: Parameters<typeof vault.update>[0]) =>
        Effect.tapError(vault.update(change), () =>
          vault.update(() =>
            Effect.succeed(OAuth.seal({ access: "theirs", refresh: "elsewhere", expires: Date.now() + 1_800_000 }))
          )
        )
    } as typeof vault
    return Effect.gen(function* () {
      assert.strictEqual((yield* authority(unlocked).headers)["authorization"], "Bearer theirs")
    }).pipe(Effect.provide(issuer(state)))
  })

  it.live("that were revoked say what to do, and no secret", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(authority(vaultOf(fresh()), "revoked-token").headers)
      assert.match(error.message, /no longer accepts this connection.*authorise it again/)
      assert.notInclude(JSON.stringify(error) + error.message, "revoked-token")
      assert.notInclude(JSON.stringify(error) + error.message, "client-secret")
    }).pipe(Effect.provide(issuer({ current: "first", asked: 0 })))
  )

  it.live("whose refresh got no answer are still there", () => {
    const state = { current: "first", asked: 0, answer: () => new Response("", { status: 503 }) }
    const vault = vaultOf(fresh())
    return Effect.gen(function* () {
      yield* vault.update(() => Effect.succeed(OAuth.seal({ refresh: "first" })))
      assert.match((yield* Effect.flip(authority(vault).headers)).message, /run again/)
      assert.include(yield* vault.read, "first")
    }).pipe(Effect.provide(issuer(state)))
  })

  it("are changed by one process at a time", { timeout: 60_000 }, async () => {
    const file = fresh()
    const child = () =>
      new Promise<number | null>((resolve, reject) => {
        const started = spawn(process.execPath, [join(import.meta.dirname, "Counter.ts"), file, KEY], {
          stdio: ["ignore", "ignore", "inherit"]
        })
        started.on("exit", resolve)
        started.on("error", reject)
      })
    assert.deepStrictEqual(await Promise.all([child(), child(), child()]), [0, 0, 0])
    assert.strictEqual(await Effect.runPromise(vaultOf(file).read), "30")
  })
})
