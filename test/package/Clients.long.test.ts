/**
 * The clients that are made from the HTTP interface's OpenAPI document, against a real daemon: the one in TypeScript, run by Node,
 * and the one in Python, where that is there.
 */
import { assert, describe, it } from "@effect/vitest"
import { OpenApi } from "effect/http-api"
import { execFile, spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { promisify } from "node:util"
import { HttpInterface } from "../../cli/remote/HttpInterface.ts"
import { type OpenApiDocument, operationsOf } from "../../cli/release/clients/Operations.ts"
import { pythonClient } from "../../cli/release/clients/PythonClient.ts"
import { typeScriptClient } from "../../cli/release/clients/TypeScriptClient.ts"
import { atEnd } from "../support/AtEnd.ts"
import { remove, temporary } from "../support/Built.ts"
import { books, configuration, service, useCommand } from "../support/Cli.ts"
import { startDaemon } from "../support/Daemon.ts"

useCommand()

const DOCUMENT = OpenApi.fromApi(HttpInterface) as unknown as OpenApiDocument
const TOKEN = "client-0123456789abcdef"

/** This process serves what they ask, so nothing waits for them. */
const run = async (folder: string, program: string, args: ReadonlyArray<string>): Promise<string> =>
  (await promisify(execFile)(program, args, { cwd: folder, timeout: 60_000 })).stdout

const place = (): string => {
  const made = temporary()
  atEnd(() => remove(made))
  mkdirSync(made, { recursive: true })
  writeFileSync(join(made, "client.ts"), typeScriptClient(DOCUMENT, "0.0.0"))
  writeFileSync(join(made, "client.py"), pythonClient(DOCUMENT, "0.0.0"))
  return made
}

const python = ["python3", "python"].find(
  (name) => spawnSync(name, ["-c", "import sys; sys.exit(sys.version_info < (3, 11))"]).status === 0
)

/** What both programs do, and print as one line of JSON. */
const NODE = `import { Daybook, DaybookError } from "./client.ts"
const [address, token] = process.argv.slice(2)
const daybook = new Daybook(address, token)
const { connections } = await daybook.read.status()
const { documents } = await daybook.read.documents({ kind: "invoice", limit: 1 })
const csv = await (await daybook.downloads.csv("invoices.csv")).text()
const once = await daybook.approve.sync("books", "the-same-key")
const again = await daybook.approve.sync("books", "the-same-key")
const refused = async (work) => {
  try { await work() } catch (error) { if (error instanceof DaybookError) return [error.status, error.kind]; throw error }
}
console.log(JSON.stringify([
  connections.map(({ connection }) => connection), documents.length, csv.split("\\n")[0].length > 10, once, again,
  await refused(() => daybook.read.explain({ document: "no such / one?" })),
  await refused(() => new Daybook(address, "another-0123456789").read.status()),
  await refused(() => daybook.approve.resolve(404, {}))
]))
`

const PYTHON = `import json, sys
from client import Daybook, DaybookError
daybook = Daybook(sys.argv[1], sys.argv[2])
connections = daybook.read.status()["connections"]
documents = daybook.read.documents(kind="invoice", limit=1)["documents"]
csv = daybook.downloads.csv("invoices.csv").decode()
once = daybook.approve.sync("books", key="the-same-key")
again = daybook.approve.sync("books", key="the-same-key")
def refused(work):
    try:
        work()
    except DaybookError as error:
        return [error.status, error.kind]
print(json.dumps([
    [one["connection"] for one in connections], len(documents), len(csv.split("\\n")[0]) > 10, once, again,
    refused(lambda: daybook.read.explain(document="no such / one?")),
    refused(lambda: Daybook(sys.argv[1], "another-0123456789").read.status()),
    refused(lambda: daybook.approve.resolve(404, {})),
], separators=(",", ":")))
`

/** Answers 503 so often, and then what it was asked with. */
const busy = (times: number): Promise<{ readonly url: string; readonly asked: Array<string> }> =>
  new Promise((resolve) => {
    const asked: Array<string> = []
    const server: Server = createServer(({ headers, method, url }, answer) => {
      asked.push(`${method} ${url} ${String(headers["idempotency-key"])}`)
      answer.writeHead(asked.length > times ? 200 : 503, { "content-type": "application/json" })
      answer.end(JSON.stringify({ connections: [] }))
    }).listen(0, "127.0.0.1", () =>
      resolve({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked })
    )
    atEnd(() => void server.close())
  })

describe("the clients made from the OpenAPI document", () => {
  it("have each operation of the interface", async () => {
    const folder = place()
    const all = [...operationsOf(DOCUMENT).values()].flat()
    assert.isAbove(all.length, 50)
    const script = `import { Daybook } from "./client.ts"
      const daybook = new Daybook("http://127.0.0.1:1", "x")
      console.log(JSON.stringify(Object.entries(daybook).flatMap(([group, of]) => Object.keys(of).map((name) => group + "." + name))))`
    writeFileSync(join(folder, "names.ts"), script)
    const names = JSON.parse(await run(folder, process.execPath, ["names.ts"]))
    assert.sameMembers(
      names,
      all.map(({ group, name }) => `${group}.${name}`)
    )
  })

  it("do against a daemon what they say, once where the key is the same, and raise what it refuses", async ({
    skip
  }) => {
    const there = await service()
    const tokens = [{ name: "client", token: { env: "CLIENT" }, scopes: ["read", "plan", "approve"] }]
    const config = { ...configuration(there.url), daemon: { api: { tokens } } }
    const here = books(there.url, { "daybook.config.json": JSON.stringify(config) })
    await here.run("sync")
    const { url } = await startDaemon(here.folder, { env: { CLIENT: TOKEN } })
    const folder = place()
    writeFileSync(join(folder, "use.ts"), NODE)
    writeFileSync(join(folder, "use.py"), PYTHON)
    const asked = { connection: "books", asked: true }
    const expected = [["books"], 1, true, asked, asked, [404, "NotFound"], [401, "Unauthorized"], [422, "Invalid"]]
    const programs = [[process.execPath, "use.ts"], ...(python === undefined ? [] : [[python, "use.py"]])]
    for (const [program, file] of programs)
      assert.deepStrictEqual(JSON.parse(await run(folder, program!, [file!, url, TOKEN])), expected, file)
    if (python === undefined) skip("there is no Python 3.11 here")
  })

  it("ask again where no answer came: what is read, and what has a key", async () => {
    const { asked, url } = await busy(1)
    const folder = place()
    const script = `import { Daybook } from "./client.ts"
      const daybook = new Daybook("${url}/t/acme/", "x")
      await daybook.read.status()
      await daybook.approve.sync("a/b")`
    writeFileSync(join(folder, "again.ts"), script)
    await run(folder, process.execPath, ["again.ts"])
    const status = "GET /t/acme/api/v1/status undefined"
    assert.deepStrictEqual(asked.slice(0, 2), [status, status])
    assert.match(asked[2] ?? "", /^POST \/t\/acme\/api\/v1\/connections\/a%2Fb\/sync [0-9a-f-]{36}$/)
  })
})
