/** An assistant beside Daybook, with the public client of its protocol: it reads and explains, and nothing that it asks sends. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { spawn, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { assistant, type AssistantAnswer as Answer } from "../support/Assistant.ts"
import { atEnd } from "../support/AtEnd.ts"
import { until } from "../support/Daemon.ts"
import { books, KEY, program, service, useCommand } from "../support/Cli.ts"

useCommand()

describe("daybook mcp", () => {
  it("writes nothing but the protocol to standard output, whatever comes in", { timeout: 60_000 }, async () => {
    const there = await service()
    const here = books(there.url)
    const { status, stderr, stdout } = spawnSync(process.execPath, [program(), "mcp"], {
      cwd: here.folder,
      env: { ...process.env, SERVICE_KEY: KEY },
      input: 'not JSON\n[]\n"text"\n\u0000\n',
      encoding: "utf8",
      timeout: 30_000
    })
    assert.strictEqual(status, 0)
    const lines = stdout.split("\n").filter((line) => line !== "")
    for (const line of lines) assert.include(JSON.stringify(JSON.parse(line)), '"jsonrpc":"2.0"', line)
    assert.notStrictEqual(stderr, "")
  })

  it("prints nothing of what a configuration in TypeScript prints, like every command", {
    timeout: 60_000
  }, async () => {
    const there = await service()
    const here = books(there.url)
    const settings = readFileSync(here.path("daybook.config.json"), "utf8")
    const prints = 'for (const say of ["log", "info", "debug", "table", "dir", "error"]) console[say]("PRINTED " + say)'
    const later = 'setTimeout(() => console.log("PRINTED later"), 200); process.emitWarning("PRINTED warning")'
    writeFileSync(here.path("own.config.ts"), `${prints}\n${later}\nexport default ${settings}\n`)
    const raw = 'process.stdout.write("PRINTED raw\\n"); setTimeout(() => process.stdout.write("PRINTED raw\\n"), 200)'
    writeFileSync(here.path("raw.config.ts"), `${raw}\nexport default ${settings}\n`)
    for (const line of ["mcp", "mcp --config raw.config.ts", "pull --json", "plan --json"]) {
      const { stderr, stdout } = spawnSync(
        process.execPath,
        [program(), ...line.split(" "), ...(line.includes("--config") ? [] : ["--config", "own.config.ts"])],
        {
          cwd: here.folder,
          env: { ...process.env, SERVICE_KEY: KEY },
          encoding: "utf8",
          input: "",
          timeout: 30_000
        }
      )
      assert.notInclude(stdout, "PRINTED", line)
      assert.include(stderr, line.includes("raw") ? "PRINTED raw" : "PRINTED log", line)
    }
  })

  it("answers what comes together with lines that are no messages", { timeout: 60_000 }, async () => {
    const there = await service()
    const here = books(there.url)
    const asked = (id: number, method: string, params: object) => JSON.stringify({ jsonrpc: "2.0", id, method, params })
    const about = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } }
    const begin = asked(1, "initialize", about)
    const input = [
      "not JSON",
      begin,
      "{",
      '"text"',
      "null",
      '{"jsonrpc":"2.0","id":{}}',
      asked(2, "ping", {}),
      ""
    ].join("\n")
    const child = spawn(process.execPath, [program(), "mcp"], {
      cwd: here.folder,
      env: { ...process.env, SERVICE_KEY: KEY },
      stdio: ["pipe", "pipe", "ignore"]
    })
    atEnd(() => void child.kill())
    let said = ""
    child.stdout.on("data", (more) => void (said += String(more)))
    child.stdin.write(input)
    await until("both are answered", () => (said.includes('"id":1') && said.includes('"id":2') ? true : undefined))
    child.stdin.end()
  })

  it("reads, explains and plans; it sends and writes nothing, and says who does", { timeout: 60_000 }, async () => {
    const there = await service()
    const here = books(there.url)
    assert.strictEqual((await here.run("pull")).status, 0)
    const written = () => statSync(here.path("daybook.db")).mtimeMs
    const before = written()
    const { ask, client } = await assistant(here.folder)
    const { tools } = await client.listTools()
    assert.deepStrictEqual(tools.map(({ name }) => name).toSorted(), [
      "apply",
      "attention",
      "cover",
      "draft",
      "explain",
      "plan",
      "search",
      "status"
    ])
    for (const { annotations } of tools) assert.isTrue(annotations?.readOnlyHint)

    const plan = (await ask("plan", { connection: "books", limit: 2 })).answer as {
      readonly calls: ReadonlyArray<Answer>
      readonly more: number
      readonly summary: Answer
    }
    assert.deepStrictEqual([plan.calls.length, plan.calls.length + plan.more], [2, Number(plan.summary["calls"])])
    const found = (await ask("search", { text: "INV-1" })).answer["documents"] as ReadonlyArray<Answer>
    assert.include(
      found.map(({ key }) => key),
      "books/invoice/INV-1"
    )
    const stories = (await ask("explain", { document: "INV-1" })).answer["stories"] as ReadonlyArray<Answer>
    assert.deepStrictEqual(
      stories.map(({ key }) => key),
      ["books/invoice/INV-1"]
    )
    const [connection] = (await ask("status")).answer["connections"] as ReadonlyArray<Answer>
    assert.strictEqual(connection!["connection"], "books")
    for (const name of ["attention", "cover"]) assert.isFalse((await ask(name)).isError)

    assert.match((await ask("draft", { item: 1 })).text, /attention item 1 is not open/)
    const refused = await ask("apply")
    assert.isTrue(refused.isError)
    assert.match(refused.text, /Nothing was sent: an assistant cannot send, .*runs: daybook plan, then daybook apply/)
    const wrong = await ask("explain", { document: "nothing like it" })
    assert.deepStrictEqual([wrong.isError, /no document .* is in the books/.test(wrong.text)], [true, true])
    assert.isTrue((await ask("plan", { limit: 10_000 })).isError)
    for (const name of ["approve", "sync", "collect"])
      assert.match(await client.callTool({ name, arguments: {} }).then(String, String), /not found/)

    assert.deepStrictEqual(await there.calls(), [])
    assert.strictEqual(written(), before)
  })

  it("changes nothing, whatever is asked", { timeout: 120_000 }, async () => {
    const there = await service()
    const here = books(there.url)
    assert.include([0, 3], (await here.run("sync")).status)
    const calls = (await there.calls()).length
    const held = () =>
      readdirSync(here.folder)
        .filter((name) => !/-(wal|shm)$/.test(name))
        .map(
          (name) =>
            `${name} ${createHash("sha256")
              .update(readFileSync(here.path(name)))
              .digest("hex")}`
        )
    const before = held()
    const { ask, client } = await assistant(here.folder)
    const names = (await client.listTools()).tools.map(({ name }) => name)
    const word = fc.constantFrom("books", "INV-1", "books/invoice/INV-2", "", "1", "'; DROP TABLE claim; --", "\u0000")
    const value = fc.oneof(word, fc.integer(), fc.array(word, { maxLength: 3 }), fc.boolean(), fc.constant(null))
    const members = [
      "limit",
      "connection",
      "document",
      "text",
      "kind",
      "only",
      "item",
      "invoices",
      "plan",
      "documents",
      "offers"
    ]
    const asked = fc.tuple(fc.constantFrom(...names), fc.dictionary(fc.constantFrom(...members), value, { maxKeys: 4 }))
    let answered = 0
    await fc.assert(
      fc.asyncProperty(asked, async ([name, args]) => {
        const { isError } = await ask(name, args).catch(() => ({ isError: true }))
        if (!isError) answered++
      }),
      { numRuns: 150 }
    )
    assert.isAbove(answered, 20, "not all of it is refused")
    assert.deepStrictEqual(held(), before)
    assert.strictEqual((await there.calls()).length, calls)
  })
})
