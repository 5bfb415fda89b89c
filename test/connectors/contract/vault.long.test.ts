/** Secrets at rest, and tokens that rotate: nothing readable on disk, one refresh at a time, none lost. */
import Sqlite from "better-sqlite3"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { spawn } from "node:child_process"
import { copyFileSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as OAuth from "../../../connectors/OAuth.ts"
import * as Encryption from "../../../sync/vault/Encryption.ts"
import * as Vault from "../../../sync/vault/Vault.ts"

const KEY = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
const key = Encryption.key(KEY, "the test")
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
    const BOOKS = { name: "books", home: "0f1e" }
    const box = Encryption.seal(key, BOOKS, "a secret")
    assert.strictEqual(Encryption.open(key, BOOKS, box), "a secret")
    assert.notStrictEqual(Encryption.seal(key, BOOKS, "a secret"), box)
    const other = Encryption.key(Buffer.alloc(32, 7).toString("base64"), "the test")
    const broken = box.slice(0, -3) + (box.endsWith("AAA") ? "BBB" : "AAA")
    for (const [with_, name, text] of [
      [other, "books", box],
      [key, "debits", box],
      [key, "books", broken],
      [key, "books", "v1.."]
    ] as const) {
      assert.throws(() => Encryption.open(with_, { name, home: BOOKS.home }, text), /cannot be unsealed with this key/)
    }
  })

  it("opens with the key before this one while that is named, and is sealed with the new one when it changes", async () => {
    const file = fresh()
    await Effect.runPromise(vaultOf(file).update(() => Effect.succeed("first")))
    const now = Encryption.key(Buffer.alloc(32, 9).toString("base64"), "the test")
    const older = Encryption.olderFromEnvironment({ DAYBOOK_SEAL_OLD: KEY })!
    const place = { file, key: now, name: "books", connector: "test" }
    assert.match(
      (await Effect.runPromise(Effect.flip(Vault.make(place).read))).message,
      /cannot be unsealed with this key/
    )
    const both = Vault.make({ ...place, older })
    assert.strictEqual(await Effect.runPromise(both.read), "first")
    await Effect.runPromise(both.update((held) => Effect.succeed(`${held} and second`)))
    assert.strictEqual(await Effect.runPromise(Vault.make(place).read), "first and second")
    assert.isUndefined(Encryption.olderFromEnvironment({}))
    assert.throws(() => Encryption.olderFromEnvironment({ DAYBOOK_SEAL_OLD: "short" }), /DAYBOOK_SEAL_OLD/)
  })

  it("takes its key from the environment or from a file that others cannot read", () => {
    const file = join(mkdtempSync(join(tmpdir(), "daybook-key-")), "key")
    writeFileSync(file, KEY, { mode: 0o600 })
    assert.isDefined(Encryption.fromEnvironment({ DAYBOOK_SEAL: KEY }))
    assert.isDefined(Encryption.fromEnvironment({ DAYBOOK_SEAL_FILE: file }))
    assert.isUndefined(Encryption.fromEnvironment({}))
    assert.throws(() => Encryption.fromEnvironment({ DAYBOOK_SEAL: "short" }), /32 bytes/)
    assert.throws(() => Encryption.fromEnvironment({ DAYBOOK_SEAL_FILE: `${file}.not` }), /cannot be read/)
    const open = join(mkdtempSync(join(tmpdir(), "daybook-key-")), "key")
    writeFileSync(open, KEY, { mode: 0o644 })
    if (process.platform !== "win32") {
      assert.throws(() => Encryption.fromEnvironment({ DAYBOOK_SEAL_FILE: open }), /chmod 600/)
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

/** Renews a token in a process whose files cannot grow beyond this: what a full disk is to it. */
const renew = (file: string, length: number, bytes: number, how = "update") =>
  new Promise<{ readonly asked: boolean; readonly said: number | string }>((resolve, reject) => {
    const program = join(import.meta.dirname, "Full.ts")
    const words = [process.execPath, program, file, KEY, String(length), how]
    const child = spawn("sh", ["-c", `ulimit -f ${Math.ceil(bytes / 512)} && exec "$@"`, "sh", ...words])
    let text = ""
    child.stdout.on("data", (more) => void (text += more))
    child.on("error", reject)
    child.on("close", () => resolve(JSON.parse(text)))
  })

// Both fail without `fill`. A limit holds for each file by itself: what `reserve` writes into the journal is not shown here.
describe("a disk without room", () => {
  it("stops before the source is asked for a token that could not be kept", { timeout: 60_000 }, async () => {
    const file = fresh()
    // As one that was made before room was kept in it.
    const raw = new Sqlite(file)
    raw.exec("CREATE TABLE sealed (name TEXT PRIMARY KEY, box TEXT NOT NULL) STRICT")
    raw
      .prepare("INSERT INTO sealed VALUES ('books', ?)")
      .run(Encryption.seal(key, { name: "books", home: undefined }, "first"))
    raw.close()
    for (const how of ["update", "replace"]) {
      const { asked, said } = await renew(file, 2000, statSync(file).size + 4096, how)
      assert.match(String(said), /no disk space for new tokens.*no token was requested and none is lost/)
      assert.isFalse(asked, how)
      assert.strictEqual(await Effect.runPromise(vaultOf(file).read), "first")
    }
  })

  it("keeps a token that was answered, however long it is", { timeout: 60_000 }, async () => {
    for (const length of [3000, 40_000]) {
      const file = fresh()
      await Effect.runPromise(vaultOf(file).update(() => Effect.succeed("first")))
      assert.deepStrictEqual(await renew(file, length, statSync(file).size), { asked: true, said: length })
      assert.strictEqual((await Effect.runPromise(vaultOf(file).read))!.length, length)
    }
  })
})

describe("a vault", () => {
  const home = (file: string, id: string | undefined, name = "books") =>
    Vault.make({ file, key, name, connector: "test", home: id })
  const failed = async (vault: ReturnType<typeof home>) => (await Effect.runPromise(Effect.flip(vault.read))).message

  // Fails without the comparison of `its` and `home` in sync/vault/Encryption.ts.
  it("does not open beside another state file, nor a box of it under another name, until it is authorised anew", async () => {
    const [one, two] = [fresh(), fresh()]
    await Effect.runPromise(home(one, "aa").put("of one"))
    await Effect.runPromise(home(two, "bb").put("of two"))
    copyFileSync(two, one)
    assert.match(await failed(home(one, "aa")), /sealed for another state file; .*authorise the connection again/)
    assert.match(await failed(home(one, undefined)), /sealed for another state file/)
    // Its name was changed as well, or what it says of itself.
    const raw = new Sqlite(one)
    const box = String(raw.prepare("SELECT box FROM sealed").pluck().get())
    raw.prepare("UPDATE sealed SET box = ?").run(box.replace("v2.bb", "v2.aa"))
    assert.match(await failed(home(one, "aa")), /cannot be unsealed with this key/)
    raw.prepare("UPDATE sealed SET name = 'debits', box = ?").run(box)
    assert.match(await failed(home(one, "bb", "debits")), /cannot be unsealed with this key/)
    raw.close()
    await Effect.runPromise(home(one, "aa", "debits").put("anew"))
    assert.strictEqual(await Effect.runPromise(home(one, "aa", "debits").read), "anew")
  })

  it("from before it was bound to a state file is bound to it when it is read", async () => {
    const file = fresh()
    await Effect.runPromise(home(file, undefined).put("kept"))
    assert.strictEqual(await Effect.runPromise(home(file, "aa").read), "kept")
    assert.strictEqual(await Effect.runPromise(home(file, "aa").read), "kept")
    assert.match(await failed(home(file, "bb")), /sealed for another state file/)
  })

  it("that was cut off, emptied or changed says so, and what to do", async () => {
    const file = fresh()
    await Effect.runPromise(home(file, "aa").update(() => Effect.succeed("first")))
    const whole = readFileSync(file)
    for (const [bytes, words] of [
      [Buffer.alloc(0), /is empty: it was cut off; restore it from a backup/],
      [whole.subarray(0, 100), /is damaged \(.*\); restore it from a backup/],
      [whole.subarray(0, 4096), /is damaged \(.*\); restore it from a backup/],
      [Buffer.concat([Buffer.from("no database file"), whole.subarray(16)]), /is damaged \(.*\); restore it/]
    ] as const) {
      writeFileSync(file, bytes)
      assert.match(await failed(home(file, "aa")), words, String(bytes.length))
      assert.match(
        (await Effect.runPromise(Effect.flip(home(file, "aa").update(() => Effect.die("asked"))))).message,
        words
      )
      assert.deepStrictEqual(readFileSync(file), Buffer.from(bytes), "left as it is")
    }
    writeFileSync(file, whole)
    assert.strictEqual(await Effect.runPromise(home(file, "aa").read), "first")
  })

  it("is never seen half made", () => {
    const file = fresh()
    return Effect.runPromise(
      home(file, "aa").update(() =>
        Effect.sync(() => {
          assert.isAbove(statSync(file).size, 0, "a process that dies here leaves a whole vault")
          return "first"
        })
      )
    )
  })
})
