/**
 * The files for operators, tried as far as a machine without a container engine can: the unit before systemd's own
 * verifier, the Dockerfile's build and its command step by step, the configuration, and a backup of a running daemon.
 */
import { afterAll, assert, describe, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import { parse } from "yaml"
import { Effect } from "effect"
import { execFileSync, spawn, spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { decode } from "../../sync/library/config/Configuration.ts"
import { figureLines } from "../../cli/tenants/TenantMetrics.ts"
import { remove, temporary } from "../support/Built.ts"
import { books, configuration, failed, KEY, lines, many, service, useCommand } from "../support/Cli.ts"
import { freePort, startDaemon, until } from "../support/Daemon.ts"

useCommand()

const ROOT = fileURLToPath(new URL("../..", import.meta.url))
const FOLDER = join(ROOT, "examples/5-operations")
const read = (name: string) => readFileSync(join(FOLDER, name), "utf8")
const places: Array<string> = []
afterAll(() => places.forEach(remove))
const place = () => {
  const made = temporary()
  places.push(made)
  return made
}

/** How many calls a state file has a claim of. */
const callsOf = (file: string): number => {
  const db = new Sqlite(file, { readonly: true })
  try {
    return db.prepare("SELECT count(*) FROM call").pluck().get() as number
  } finally {
    db.close()
  }
}

describe("the systemd unit", () => {
  const unit = read("daybook.service")

  it("passes systemd's own verifier", ({ skip }) => {
    if (spawnSync("systemd-analyze", ["--version"]).status !== 0) return skip("there is no systemd-analyze here")
    const file = join(place(), "daybook.service")
    const named = unit.replace("/usr/local/bin/daybook", process.execPath)
    assert.notStrictEqual(named, unit)
    writeFileSync(file, named)
    const { status, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", file], { encoding: "utf8" })
    assert.deepStrictEqual([status, stderr], [0, ""])
    // And the verifier finds a mistake when there is one.
    writeFileSync(file, named.replace("TimeoutStopSec=60", "TimeoutStopSec=soon"))
    assert.include(spawnSync("systemd-analyze", ["verify", "--man=no", file], { encoding: "utf8" }).stderr, "soon")
  })

  it("knows how the daemon ends", () => {
    assert.match(unit, /^SuccessExitStatus=3$/m)
    assert.match(unit, /^RestartPreventExitStatus=2 4 5$/m)
    assert.match(unit, /^ExecReload=\/bin\/kill -HUP \$MAINPID$/m)
  })
})

/** A Dockerfile's instructions, the comments left out. */
const instructions = read("Dockerfile")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)] as const)
const of = (name: string) => instructions.flatMap(([word, rest]) => (word === name ? [rest] : []))
const lastOf = (name: string): ReadonlyArray<string> => {
  const text = of(name).at(-1)!
  return JSON.parse(text.slice(text.indexOf("[")))
}

describe("the page of operations", () => {
  it("names every figure that there is, and no other", () => {
    const named = (text: string) => [...new Set(text.match(/\bdaybook_[a-z_]+/g))].toSorted()
    const files = ["cli/daemon/Metrics.ts", "sync/library/Counters.ts"]
    const source = files.map((file) => readFileSync(join(ROOT, file), "utf8")).join("\n")
    assert.isAbove(named(source).length, 10)
    const ofTenants = (name: string) => name.startsWith("daybook_tenant")
    assert.deepStrictEqual(
      named(read("README.md")).filter((name) => !ofTenants(name)),
      named(source)
    )
    // Those of many tenants are put together from parts: those that are named here stand in full.
    const tenants = named(readFileSync(join(ROOT, "cli/tenants/TenantMetrics.ts"), "utf8"))
    assert.includeMembers([...tenants], named(read("README.md")).filter(ofTenants))
    const worker = readFileSync(join(ROOT, "cli/tenants/WorkerRoutes.ts"), "utf8")
    const known = [...named(source), ...tenants, ...named(worker), ...named(figureLines([]).join("\n"))]
    // Of a histogram there are sums by bucket.
    const queried = (file: string) => named(read(file)).map((name) => name.replace(/_bucket$/, ""))
    for (const file of ["alerts.yaml", "dashboard.json"]) {
      assert.isAbove(queried(file).length, 5, file)
      assert.deepStrictEqual(
        queried(file).filter((name) => !known.includes(name)),
        [],
        file
      )
    }
  })

  it("has rules and a dashboard that are whole", () => {
    const { groups } = parse(read("alerts.yaml")) as {
      readonly groups: ReadonlyArray<{ readonly rules: ReadonlyArray<Readonly<Record<string, unknown>>> }>
    }
    for (const { rules } of groups)
      for (const rule of rules) assert.sameMembers(Object.keys(rule), ["alert", "expr", "for", "labels", "annotations"])
    const { panels } = JSON.parse(read("dashboard.json")) as {
      readonly panels: ReadonlyArray<{
        readonly id: number
        readonly targets: ReadonlyArray<{ readonly expr: string }>
      }>
    }
    assert.strictEqual(new Set(panels.map(({ id }) => id)).size, panels.length)
    for (const { targets } of panels) for (const { expr } of targets) assert.match(expr, /daybook_/)
  })
})

describe("the Dockerfile", () => {
  it("starts from a Node that will do, and does not run as root", () => {
    const { engines } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"))
    const least = Number(/\d+/.exec(engines.node)![0])
    for (const from of of("FROM")) assert.isAtLeast(Number(/^node:(\d+)/.exec(from)![1]), least)
    assert.deepStrictEqual(of("USER"), ["node"])
  })

  it("builds from what it copies, starts, is healthy, and stops", { timeout: 240_000 }, async () => {
    const build = place()
    for (const copied of of("COPY").filter((text) => !text.startsWith("--from"))) {
      const names = copied.split(" ")
      const into = names.pop()!
      for (const name of names) {
        const target = into === "./" ? join(build, name) : join(build, into)
        cpSync(join(ROOT, name), target, { recursive: true })
      }
    }
    // What the container gets from npm.
    symlinkSync(join(ROOT, "node_modules"), join(build, "node_modules"))
    const [script, ...args] = of("RUN")
      .find((text) => text.startsWith("node "))!
      .split(" ")
      .slice(1)
    execFileSync(process.execPath, [script!, ...args], { cwd: build })

    const there = await service()
    const data = place()
    const { connections, service: settings } = configuration(there.url)
    const config = { service: settings, connections: [{ ...connections[0]!, every: "1 hour" }] }
    mkdirSync(join(data, "etc"))
    writeFileSync(join(data, "etc/daybook.config.json"), JSON.stringify(config))
    for (const [name, text] of Object.entries(many(2))) writeFileSync(join(data, "etc", name), text)
    const port = await freePort()
    const inside = (text: string) =>
      text
        .replace("/opt/daybook", build)
        .replace("/etc/daybook", join(data, "etc"))
        .replace("0.0.0.0:4020", `127.0.0.1:${port}`)
        .replace("127.0.0.1:4020", `127.0.0.1:${port}`)
    const [, ...entry] = lastOf("ENTRYPOINT").map(inside)
    const env = { ...process.env, SERVICE_KEY: KEY }
    const child = spawn(process.execPath, [...entry, ...lastOf("CMD").map(inside)], { cwd: data, env, stdio: "pipe" })
    let said = ""
    child.stdout.on("data", (text) => void (said += String(text)))
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve))
    try {
      await until(`a turn in ${said}`, () => (said.includes('"outcome":"done"') ? true : undefined))
      const [, ...health] = lastOf("HEALTHCHECK").map(inside)
      assert.strictEqual(spawnSync(process.execPath, health).status, 0)
      child.kill(of("STOPSIGNAL")[0] as NodeJS.Signals)
      assert.strictEqual(await ended, 0)
      assert.strictEqual(spawnSync(process.execPath, health).status, 1)
      assert.isTrue(existsSync(join(data, "daybook.db")))
    } finally {
      child.kill("SIGKILL")
    }
  })

  it("ignores everything but what it copies", () => {
    const kept = read("Dockerfile.dockerignore")
      .match(/^!.+$/gm)!
      .map((line) => line.slice(1))
    const copied = of("COPY")
      .filter((text) => !text.startsWith("--from"))
      .flatMap((text) => text.split(" ").slice(0, -1))
    assert.sameMembers(kept, copied)
  })
})

describe("the configuration", () => {
  it("is one", async () => {
    const written = JSON.parse(read("daybook.config.json"))
    const { connections } = await Effect.runPromise(decode(written, { file: "example", folder: ".", environment: {} }))
    assert.strictEqual(connections.length, written.connections.length)
  })
})

describe("a backup", () => {
  it("of a daemon at work is one moment of it; restored, it opens, and nothing is sent twice", async () => {
    const there = await service()
    const { connections, service: settings } = configuration(there.url)
    const slow = { ...settings, concurrency: 2 }
    const config = { service: slow, connections: [{ ...connections[0]!, every: "1 hour" }] }
    const here = books(there.url, { ...many(60), "daybook.config.json": JSON.stringify(config) })
    await there.control("POST", "faults", { method: "POST", path: "/v1", kind: "delay", delay_ms: 5 })
    const daemon = await startDaemon(here.folder)
    await until("it sends", async () => ((await there.calls()).length > 10 ? true : undefined))
    const claimed = (await there.calls()).length
    const early = await here.run("backup", "early.db", "--json")
    assert.strictEqual(early.status, 0, early.stderr)
    assert.isTrue(
      daemon.said().every(({ outcome }) => outcome === undefined),
      "it was still at work"
    )
    assert.deepInclude(lines(early)[0], { type: "backup", file: here.path("early.db") })
    assert.strictEqual(statSync(here.path("early.db")).mode & 0o777, 0o600)
    const moment = await here.run("status", "--state", "early.db", "--json")
    assert.strictEqual(moment.status, 0, moment.stderr)
    // A claim is committed before its request leaves: the copy has it, also where it is still in the log beside the file.
    assert.isAtLeast(callsOf(here.path("early.db")), claimed)

    await daemon.says(({ outcome }) => outcome === "done")
    assert.match((await here.run("backup", "late.db")).stdout, /late\.db: [\d,]+ bytes, checked\n/)
    await daemon.stop()
    const holds = await there.holds()
    const sent = (await there.calls()).length
    for (const part of ["", "-wal", "-shm"]) rmSync(here.path(`daybook.db${part}`), { force: true })
    cpSync(here.path("late.db"), here.path("daybook.db"))
    const again = await here.run("sync", "--json")
    assert.strictEqual(again.status, 0, again.stderr)
    assert.strictEqual((await there.calls()).length, sent)
    assert.deepStrictEqual(await there.holds(), holds)
  })

  it("takes the sealed tokens along, and never the place of what it copies", async () => {
    const there = await service()
    const here = books(there.url, many(1))
    assert.match(failed(await here.run("backup", "copy.db"), 1), /it does not exist yet/)
    await here.run("sync")
    const vault = new Sqlite(here.path("daybook.db.vault"))
    vault.exec(
      "CREATE TABLE sealed (name TEXT PRIMARY KEY, box TEXT NOT NULL) STRICT; INSERT INTO sealed VALUES ('books', 'v1.x')"
    )
    vault.close()
    assert.strictEqual((await here.run("backup", "copy.db")).status, 0)
    const copied = new Sqlite(here.path("copy.db.vault"), { readonly: true })
    assert.deepStrictEqual(copied.prepare("SELECT * FROM sealed").all(), [{ name: "books", box: "v1.x" }])
    copied.close()
    assert.match(failed(await here.run("backup", "daybook.db"), 1), /a backup cannot take its place/)
    assert.match(failed(await here.run("backup", "."), 1), /this is a folder/)
    assert.match(failed(await here.run("backup", "nowhere/copy.db"), 1), /the folder .*nowhere does not exist/)
  })
})
