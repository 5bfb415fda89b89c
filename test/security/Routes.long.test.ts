/**
 * Every route of the daemon, and who may use it: nobody, a token of each scope, another tenant's token, a person of each role who is
 * signed in, the operator with the shared password, a person with a link. The table is in `Routes.txt`, made by what the daemon answers; look at each of its changes.
 */
import { assert, describe, expect, it } from "@effect/vitest"
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ADDRESSES } from "../../cli/page/Routes.ts"
import { ALSO } from "../../cli/page/RouteModule.ts"
import { hashPassword } from "../../sync/library/PasswordHash.ts"
import { ROLE_NAMES } from "../../sync/model/Roles.ts"
import { books, configuration, desk, NOWHERE, useCommand } from "../support/Cli.ts"
import { freePort, startDaemon } from "../support/Daemon.ts"

useCommand()

const SCOPES = ["read", "plan", "approve", "connect"] as const
const PASSWORD = "correct horse battery"
const ENVIRONMENT: Readonly<Record<string, string>> = {
  PAGE_PASSWORD: PASSWORD,
  HOOKS: "Bearer agreed-with-the-service",
  GLOBEX: "globex-0123456789abcdef",
  DAYBOOK_SEAL: "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
  ...Object.fromEntries(SCOPES.map((scope) => [scope.toUpperCase(), `${scope}-0123456789abcdef`]))
}
/** One person of each role, and one who may also declare. */
const PERSONS = [...ROLE_NAMES, "declarer"] as const
const stored = async () => {
  const password = await hashPassword(PASSWORD)
  const persons = PERSONS.map((name) =>
    name === "declarer" ? { name, roles: ["reader"], declares: true, password } : { name, roles: [name], password }
  )
  return JSON.stringify({ persons })
}
const bearer = (name: string) => ({ authorization: `Bearer ${ENVIRONMENT[name.toUpperCase()]}` })

/** Somebody: what they send, and the word in their forms. Who is not signed in sends another's, as if it had been stolen. */
type Who = readonly [string, Readonly<Record<string, string>>, string]
type People = ReadonlyArray<Who>
type Row = readonly [method: string, path: string]

const signIn = async (url: string, person = ""): Promise<string> => {
  const body = new URLSearchParams({ person, password: PASSWORD })
  const answer = await fetch(`${url}/login`, { method: "POST", redirect: "manual", body })
  return answer.headers.getSetCookie()[0]!.split(";")[0]!
}

const formOf = async (url: string, cookie: string): Promise<string> =>
  /name="form" value="([^"]+)"/.exec(await (await fetch(`${url}/people`, { headers: { cookie } })).text())![1]!

/** What a browser is told with each page: nothing of others runs or loads in it, no other site shows it, and no cache keeps it. */
const unguarded = ({ headers }: Response): ReadonlyArray<string> => {
  const isPage = headers.get("content-type")?.startsWith("text/html") === true
  const rules = headers.get("content-security-policy") ?? ""
  const wanted = ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"]
  return [
    ...(isPage ? wanted.filter((one) => !rules.includes(one)) : []),
    ...(isPage && /unsafe|https?:|\*/.test(rules.replaceAll("https://pay.example.com", "")) ? [rules] : []),
    ...(isPage && headers.get("cache-control")?.includes("no-store") !== true ? ["no-store"] : []),
    ...(headers.get("x-content-type-options") === "nosniff" ? [] : ["nosniff"]),
    ...(isPage && !/^(no-referrer|same-origin)$/.test(headers.get("referrer-policy") ?? "") ? ["referrer"] : []),
    ...headers
      .getSetCookie()
      .filter((cookie) => !/; HttpOnly/i.test(cookie) || !/; SameSite=(Strict|Lax)/i.test(cookie))
  ]
}
const weak = new Map<string, string>()

/** What somebody is told: to sign in, that they may not, or something else. */
const told = async (
  url: string,
  [method, path]: Row,
  headers: Readonly<Record<string, string>>,
  form: string
): Promise<string> => {
  const stop = new AbortController()
  // Signing out would end the session with which the rest is asked.
  const own = path.includes("/leave") ? "" : form
  const body = method === "POST" ? { body: new URLSearchParams({ form: own }) } : {}
  const answer = await fetch(url + path.replace(":deed", "sync").replace(/:\w+|\{\w+\}|\*/g, "x"), {
    method,
    ...body,
    headers,
    redirect: "manual",
    signal: stop.signal
  })
  const missing = unguarded(answer)
  if (missing.length > 0) weak.set(`${method} ${path} ${answer.status}`, missing.join(", "))
  const to = answer.headers.get("location") ?? ""
  stop.abort()
  if (answer.status === 303) return to.startsWith("/login?") ? "sign in" : "yes"
  // Too many wrong passwords.
  if (answer.status === 429) return "403"
  return answer.status === 401 || answer.status === 403 ? String(answer.status) : "yes"
}

const table = async (url: string, rows: ReadonlyArray<Row>, people: People): Promise<string> => {
  const lines = [["route", ...people.map(([who]) => who)]]
  for (const row of rows) {
    const answers = people.map(([, headers, form]) => told(url, row, headers, form))
    lines.push([row.join(" "), ...(await Promise.all(answers))])
  }
  const widths = lines[0]!.map((_, n) => Math.max(...lines.map((line) => line[n]!.length)))
  return lines
    .map((line) =>
      line
        .map((cell, n) => cell.padEnd(widths[n]!))
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}

const tokens = SCOPES.map((scope) => ({ name: scope, token: { env: scope.toUpperCase() }, scopes: [scope] }))
const daemonOf = (more: object) => ({ api: { tokens }, webhooks: { authorization: { env: "HOOKS" } }, ...more })
const page = { password: { env: "PAGE_PASSWORD" } }

const operationsOf = async (url: string, prefix: string): Promise<ReadonlyArray<Row>> => {
  const document = (await (await fetch(`${url}${prefix}/api/v1/openapi.json`, { headers: bearer("read") })).json()) as {
    readonly paths: Readonly<Record<string, object>>
  }
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((verb): Row => [verb.toUpperCase(), prefix + path])
  )
}

const HOOKS: ReadonlyArray<Row> = [
  ["POST", "/webhooks/service"],
  ["POST", "/webhooks/source/:connection"]
]
const HEALTH: ReadonlyArray<Row> = ["/healthz", "/readyz", "/metrics"].map((path): Row => ["GET", path])
const LINKS: ReadonlyArray<Row> = [
  ...["/connect/style.css", "/connect", "/connect/callback", "/connect/:word"].map((path): Row => ["GET", path]),
  ...["open", "confirm", "cancel", "upload"].map(
    (name): Row => ["POST", name === "open" ? "/connect/:word/open" : `/connect/${name}`]
  )
]

const own = (prefix: string): ReadonlyArray<Row> =>
  [...ADDRESSES, ...ALSO].map(([method, path]): Row => [method, prefix + path])

describe("the routes of the daemon", () => {
  it("are open to whom the table says", { timeout: 240_000 }, async () => {
    const port = await freePort()
    const base = configuration(NOWHERE)
    const connect = {
      url: `http://127.0.0.1:${port}`,
      name: "Acme Pay",
      return_urls: ["https://pay.example.com"],
      sources: [{ connector: "files" }]
    }
    const persons = await stored()
    const here = books(NOWHERE, {
      "daybook.persons.json": persons,
      "daybook.config.json": JSON.stringify({
        ...base,
        daemon: daemonOf({ page, connect, hosts: ["books.example.com"] })
      })
    })
    const one = await startDaemon(here.folder, { env: ENVIRONMENT, port })
    const through = { "x-forwarded-for": "203.0.113.1" }
    const people = async (
      url: string,
      pages = url,
      more: ReadonlyArray<readonly [string, Record<string, string>]> = []
    ): Promise<People> => {
      const cookie = await signIn(url)
      const form = await formOf(pages, cookie)
      const persons: Array<Who> = []
      for (const name of PERSONS) {
        const cookie = await signIn(url, name)
        persons.push([name, { ...through, cookie }, await formOf(pages, cookie)])
      }
      return [
        ["nobody", through, form],
        ["unknown token", { ...through, authorization: "Bearer unknown-0123456789" }, form],
        ...SCOPES.map((scope): Who => [scope, { ...through, ...bearer(scope) }, form]),
        ...more.map(([name, headers]): Who => [name, headers, form]),
        ...persons,
        ["shared password", { ...through, cookie }, form]
      ]
    }
    const alone = await table(
      one.url,
      [...HEALTH, ...own(""), ...HOOKS, ...LINKS, ...(await operationsOf(one.url, ""))],
      await people(one.url)
    )
    await one.stop()

    const all = desk({
      "tenants/daybook.tenants.json": JSON.stringify({ daemon: { page } }),
      "tenants/daybook.tenants.persons.json": persons
    })
    for (const [name, daemon] of [
      ["acme", daemonOf({})],
      ["globex", { api: { tokens: [{ name: "globex", token: { env: "GLOBEX" }, scopes: SCOPES }] } }]
    ] as const) {
      mkdirSync(join(all.folder, "tenants", name), { recursive: true })
      writeFileSync(join(all.folder, "tenants", name, "daybook.config.json"), JSON.stringify({ ...base, daemon }))
    }
    const many = await startDaemon(all.folder, { env: ENVIRONMENT, args: ["--tenants", "tenants"] })
    const PREFIX = "/t/acme"
    const several = await table(
      many.url,
      [
        ...HEALTH,
        ["GET", "/"],
        ["GET", "/t/"],
        ["POST", "/tenants/:tenant/:deed"],
        ["GET", PREFIX],
        ...own(PREFIX),
        ...HOOKS.map(([method, path]): Row => [method, PREFIX + path]),
        ...(await operationsOf(many.url, PREFIX))
      ],
      await people(many.url, many.url + PREFIX, [["other tenant's", { ...through, ...bearer("globex") }]])
    )
    await many.stop()
    await expect(`# One configuration\n\n${alone}\n\n# A tenant of several\n\n${several}\n`).toMatchFileSnapshot(
      "Routes.txt"
    )
  })

  it("tell browsers with every answer what they may do with it", () => {
    assert.deepStrictEqual(Object.fromEntries(weak), {})
  })

  it("are all in the table", () => {
    const known = readFileSync("test/security/Routes.txt", "utf8")
    const missing = globSync("cli/{daemon,connect,tenants,remote,page}/**/*.ts").flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/(?:method: "(?:GET|POST)",\s+path: |ROUTE = )"(\/[^"]*)"/g)].flatMap(
        ([, path = ""]) =>
          known.includes(` ${path.replace(":tenant", "acme").replace(/\/\*$/, "/")}`) ? [] : [`${file}: ${path}`]
      )
    )
    assert.deepStrictEqual(missing, [])
  })
})
