/**
 * What a run meets that it must not act on: a state file that is not what it should be, another process, a full disk,
 * a service or an account that is another one.
 */
import { assert, describe, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import { setTimeout as sleep } from "node:timers/promises"
import { closeSync, existsSync, openSync, readdirSync, readFileSync, statSync, truncateSync, writeSync } from "node:fs"
import { books, configuration, type Desk, failed, many, service, useCommand } from "../support/Cli.ts"

useCommand()

describe.concurrent("the state file", () => {
  const damages: ReadonlyArray<readonly [string, (here: Desk) => void, RegExp]> = [
    [
      "that is cut off",
      ({ path }) => truncateSync(path("daybook.db"), 20_000),
      /it is damaged \(it ends after 20000 of \d+ bytes\)\. Restore it from a backup\. Do not start over with an empty file/
    ],
    [
      "that is overwritten in the middle",
      ({ path }) => overwrite(path("daybook.db")),
      /it is damaged \(.*malformed.*\)\. Restore it from a backup/
    ],
    [
      "that is something else",
      ({ write }) => write("daybook.db", "Dear diary\n".repeat(100)),
      /this is not a Daybook state file; name another with --state/
    ],
    [
      "of another program",
      ({ path }) => foreign(path("daybook.db")),
      /this is another program's SQLite file; name another with --state/
    ]
  ]
  for (const [what, damage, says] of damages) {
    it(`${what} is refused by every command, and nothing is sent`, async () => {
      const there = await service()
      const here = books(there.url)
      if (what.startsWith("that is cut") || what.startsWith("that is over")) await here.run("sync")
      const before = (await there.calls()).length
      damage(here)
      const bytes = readFileSync(here.path("daybook.db"))
      for (const ran of await here.runEach(["sync"], ["plan"])) {
        const message = failed(ran, 1)
        assert.include(message, `daybook: state file ${here.path("daybook.db")}: `)
        assert.match(message, says)
      }
      assert.strictEqual((await there.calls()).length, before)
      assert.isTrue(bytes.equals(readFileSync(here.path("daybook.db"))), "it is left as it was")
    })
  }

  it("that does not exist is made by pull and sync, and asked for by the rest", async () => {
    const here = books("http://127.0.0.1:9")
    const readers = [["plan"], ["status"], ["attention"], ["explain", "INV-1"], ["export", "x.csv"]]
    for (const ran of await here.runEach(...readers)) {
      assert.strictEqual(
        failed(ran, 1),
        `daybook: state file ${here.path("daybook.db")}: it does not exist yet; run \`daybook pull\` or \`daybook sync\` first\n`
      )
    }
    assert.deepStrictEqual(
      readdirSync(here.folder).filter((name) => name.startsWith("daybook.db")),
      []
    )
    here.write("folder/x", "")
    assert.include(
      failed(await here.run("pull", "--state", "folder"), 1),
      "this is a folder; name a file in it with --state"
    )
    assert.isFalse(existsSync(here.path("folder.lock")), "nothing is left beside it")
    assert.strictEqual(
      failed(await here.run("pull", "--state", "nowhere/x.db"), 1),
      `daybook: state file ${here.path("nowhere/x.db")}: the folder ${here.path("nowhere")} does not exist\n`
    )
  })

  it("is held by one process; a second run says who holds it, a decision waits, and readers go on", async () => {
    const there = await service()
    const here = books(there.url)
    await there.control("POST", "faults", { method: "POST", kind: "delay", delay_ms: 4000, times: 1 })
    let pid = 0
    const first = here.runWith({ onStart: (child) => void (pid = child.pid!) }, "sync")
    while ((await there.control<ReadonlyArray<unknown>>("GET", "requests")).length === 0) await sleep(20)
    const second = await here.run("sync")
    const message = failed(second, 5)
    assert.include(
      message,
      `daybook: state file ${here.path("daybook.db")}: another process holds it (daybook sync, process ${pid} on `
    )
    assert.include(message, "wait until it ends and run again")
    assert.strictEqual((await here.run("status")).status, 0)
    const decision = here.run("reject", "books", "--digest", "0123456789ab")
    assert.strictEqual((await first).status, 3)
    assert.match(failed(await decision, 4), /no plan of books waits/, "a person's decision waits for the run")
    assert.strictEqual((await here.run("sync")).status, 3)
    assert.strictEqual((await there.calls()).length, 6)
  })
})

const overwrite = (file: string): void => {
  const handle = openSync(file, "r+")
  for (let page = 1; page < 25; page++) writeSync(handle, Buffer.alloc(3000, 7), 0, 3000, page * 4096 + 500)
  closeSync(handle)
}

const foreign = (file: string): void => {
  const db = new Sqlite(file)
  db.exec("CREATE TABLE diary (day TEXT)")
  db.close()
}

/** No file may grow beyond this: what a full disk is to a process, and needs no rights to make. Blocks of 512 bytes. */
const within = (blocks: number) => ({
  through: (node: string, program: string) =>
    ["sh", "-c", `ulimit -f ${blocks} && exec "$0" "$@"`, node, program] as const
})

describe.concurrent("a disk without room", () => {
  it("for the state file: says so, keeps what was committed, and goes on when there is room", async () => {
    const there = await service()
    const here = books(there.url, many(400))
    const full = failed(await here.runWith(within(1600), "pull"), 1)
    assert.strictEqual(
      full,
      `daybook: books: state file ${here.path("daybook.db")}: the disk is full; nothing that was committed is lost: free some space and run again\n`
    )
    assert.strictEqual((await here.run("pull")).status, 0)
    // Room for some calls and no more: what was sent is known afterwards, and none of it is sent again.
    const size = statSync(here.path("daybook.db")).size
    const stopped = await here.runWith(within(Math.ceil(size / 512) + 300), "apply")
    assert.strictEqual(stopped.status, 1)
    assert.match(stopped.stderr, /the disk is full; nothing that was committed is lost: free some space and run again/)
    const sent = (await there.calls()).length
    assert.isAbove(sent, 1)
    assert.isBelow(sent, 1201)
    assert.strictEqual((await here.run("apply")).status, 0)
    assert.strictEqual(Object.keys(await there.holds()).length, 400)
    const twice = (await there.calls()).length - 1201
    assert.isAtMost(twice, 16, "only calls without a receipt may be made again, and those are looked up first")
  })

  it("for an export or a saved plan: says so, and leaves nothing behind", async () => {
    const here = books("http://127.0.0.1:9", many(400))
    await here.run("pull")
    const files = () => readdirSync(here.folder).filter((name) => !/-(wal|shm)$/.test(name))
    const before = files()
    for (const [args, says, status] of [
      [["export", "books.csv"], /^daybook: books\.csv: the file is too large for this disk/, 1],
      [
        ["plan", "--save", "a.plan"],
        /^daybook: the plan cannot be saved to a\.plan: the file is too large for this disk/,
        2
      ]
    ] as const) {
      assert.match(failed(await here.runWith(within(80), ...args), status), says)
      assert.deepStrictEqual(files(), before)
    }
  })
})

describe.concurrent("another service", () => {
  it("at another address is refused by plan, apply and sync before anything is sent", async () => {
    const [one, other] = [await service(), await service()]
    const here = books(one.url, { "live.json": JSON.stringify(configuration(other.url)) })
    await here.run("sync")
    for (const ran of await here.runEach(...["plan", "apply", "sync"].map((one) => [one, "--config", "live.json"]))) {
      assert.strictEqual(
        failed(ran, 4),
        `daybook: state file ${here.path("daybook.db")}: it belongs to ${one.url}, and the configuration names ${other.url}; nothing was sent. Name another file with --state, or correct service.url\n`
      )
    }
    assert.deepStrictEqual(await other.calls(), [])
  })

  it("with another account's key is refused", async () => {
    const there = await service()
    const here = books(there.url)
    await here.run("sync")
    const before = (await there.calls()).length
    const ran = await here.runWith({ env: { SERVICE_KEY: "sk-another-account" } }, "apply")
    assert.match(
      failed(ran, 4),
      /the service key changed, and its account does not have org-\w+, which these books created; nothing was sent/
    )
    assert.strictEqual((await there.calls()).length, before)
  })

  it("that cannot be reached, or does not accept the key, stops the run and says what to look at", async () => {
    const there = await service()
    const here = books(there.url, { "off.json": JSON.stringify(configuration("http://127.0.0.1:9")) })
    const off = await here.run("sync", "--config", "off.json", "--state", "off.db")
    assert.strictEqual(
      failed(off, 1),
      "daybook: stopped: the service cannot be reached: http://127.0.0.1:9: nothing answers there (ECONNREFUSED); check service.url and the network\n"
    )
    assert.include(off.stdout, "Nothing was sent.\n")
    const wrong = await here.runWith({ env: { SERVICE_KEY: "nonsense" } }, "sync")
    assert.strictEqual(
      failed(wrong, 1),
      `daybook: stopped: ${there.url} does not accept the key (401: Invalid token.); check the environment variable SERVICE_KEY, which holds it\n`
    )
    assert.notInclude(wrong.stdout, "refused")
    assert.match((await here.run("status")).stdout, /0 calls, stopped: the service does not accept the key/)
    assert.strictEqual((await here.run("sync")).status, 3)
  })
})
