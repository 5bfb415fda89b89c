/**
 * Configurations that cannot be used: every message says what is wrong, where, and what to write there; the command
 * ends with 2, sends nothing and shows no stack.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { join } from "node:path"
import { load } from "../../sync/library/config/ConfigFile.ts"
import { connectors } from "../../connectors/index.ts"
import { books, configuration, desk, INVOICES, KEY, NOWHERE, useCommand } from "../support/Cli.ts"

useCommand()

const KNOWN = connectors.map(({ name }) => name).join(", ")

/** What `daybook pull` says of a configuration that it refuses. */
const refusal = async (text: string, name = "daybook.config.json"): Promise<string> => {
  const { status, stderr, stdout } = await desk({ [name]: text, "invoices.csv": INVOICES }).run("pull")
  assert.deepStrictEqual([status, stdout], [2, ""])
  assert.notMatch(stderr, /^\s+at /m)
  return stderr
}

describe.concurrent("a configuration that is not there or cannot be read", () => {
  it("says where it looked, and for what", async () => {
    const here = desk()
    const { status, stderr } = await here.run("sync")
    assert.strictEqual(status, 2)
    assert.strictEqual(
      stderr,
      `daybook: ${here.folder}: there is no daybook.config.ts or daybook.config.json in this folder; write one with \`daybook init\`, name one with --config FILE, or see what one looks like with \`daybook demo\`\n`
    )
    const named = await here.run("sync", "--config", "acme.json")
    assert.deepStrictEqual(
      [named.status, named.stderr],
      [2, "daybook: acme.json: there is no such file; check --config\n"]
    )
  })

  it("says at which line and column JSON is not JSON, and why", async () => {
    assert.strictEqual(
      await refusal('{\n  "service": { "url": "http://127.0.0.1:9" },\n  "connections": [ 1, ]\n}'),
      'daybook: daybook.config.json: it cannot be read: line 3, column 21: remove the "," before "]"\n'
    )
    assert.strictEqual(
      await refusal('{ "service": {\n  "connections": [ ]\n'),
      'daybook: daybook.config.json: it cannot be read: line 3, column 1: "," or "}" is expected, and the file ends\n'
    )
  })

  it("says at which line a module cannot be understood, or what it lacks", async () => {
    assert.match(
      await refusal("const a = 1\nexport default {", "daybook.config.ts"),
      /^daybook: daybook\.config\.ts: it cannot be read: line 2: Unexpected token/
    )
    assert.strictEqual(
      await refusal("export const a = 1", "daybook.config.ts"),
      "daybook: daybook.config.ts: it has no default export; write `export default defineConfig({ ... })`\n"
    )
  })
})

/** What `load` says, which the command prints behind its name. */
const problem = (change: (text: string) => string): Promise<string> => {
  const before = JSON.stringify(configuration("http://127.0.0.1:4010"))
  const after = change(before)
  assert.notStrictEqual(after, before)
  const { path } = desk({ "c.json": after })
  return Effect.runPromise(Effect.flip(load(path("c.json")))).then(({ message }) => {
    assert.isTrue(message.startsWith(path("c.json")))
    return message.slice(path("c.json").length)
  })
}

const AT = ": connections[0]."

/** Cover whose orders are looked for there. */
const COVERED = (orders: string): string =>
  JSON.stringify({ select: [{}], price: { currency: "GBP", per_month: "100" }, handover: { orders } })

describe.concurrent("a setting that is wrong", () => {
  const cases: ReadonlyArray<readonly [string, string | RegExp, string, string]> = [
    [
      "misspelt",
      '"number"',
      '"numer"',
      `${AT}source.invoices.columns.numer: is not a known setting; did you mean "number"?`
    ],
    ["misspelt and needed", '"owner"', '"ownr"', `${AT}ownr: is not a known setting; did you mean "owner"?`],
    [
      "misspelt at the top",
      '"connections"',
      '"conections"',
      ': conections: is not a known setting; did you mean "connections"?'
    ],
    [
      "in another spelling",
      '"organisation"',
      '"organization"',
      `${AT}owner.organization: is not a known setting; did you mean "organisation"?`
    ],
    [
      "not known at all",
      '"issued_after"',
      '"zebra"',
      `${AT}scope.zebra: is not a known setting; known settings are issued_after, issued_before, drafts, currencies`
    ],
    [
      "a schedule that is none",
      '"id":"books"',
      '"id":"books","every":"now and then"',
      `${AT}every: write how often, like "15 minutes" (10 seconds at least), or { "cron": "0 6 * * 1-5", "zone": "Europe/Paris" }`
    ],
    [
      "a schedule in a zone that is none",
      '"id":"books"',
      '"id":"books","every":{"cron":"0 6 * * *","zone":"Europe/Atlantis"}',
      `${AT}every.zone: there is no time zone "Europe/Atlantis"; write one like "Europe/Paris" or "UTC"`
    ],
    [
      "webhooks of a source that has none",
      '"id":"books"',
      '"id":"books","webhook":{"secret":{"env":"HOOK"}}',
      `${AT}webhook: files sends no webhooks that Daybook supports; remove it`
    ],
    ["missing", '"unique_id":"acme",', "", `${AT}owner.organisation.unique_id: is missing`],
    [
      "a connector that nobody knows",
      '"connector":"files"',
      '"connector":"quasarino"',
      `${AT}source.connector: there is no connector "quasarino"; available: ${KNOWN}`
    ],
    [
      "a connector, misspelt",
      '"connector":"files"',
      '"connector":"fils"',
      `${AT}source.connector: there is no connector "fils"; did you mean "files"? available: ${KNOWN}`
    ],
    [
      "a tax that is no percentage",
      '"id":"books"',
      '"id":"books","orders":{"create":{"tax_rate":"twenty"}}',
      `${AT}orders.create.tax_rate: write a percentage from 0 to 100 as text, like "20"`
    ],
    [
      "orders that would be found and created alike",
      '"id":"books"',
      '"id":"books","orders":{"link":"unique_id","create":{}}',
      `${AT}orders: leave out link "unique_id", or create: an order without identifiers is found by its number or created, not both`
    ],
    [
      "the orders of a connection that there is not",
      '"id":"books"',
      `"id":"books","cover":${COVERED("shop")}`,
      `${AT}cover.handover.orders: connection "shop" not found; available: books`
    ],
    [
      "the orders of a connection, misspelt",
      '"id":"books"',
      `"id":"books","cover":${COVERED("boks")}`,
      `${AT}cover.handover.orders: connection "boks" not found; did you mean "books"?`
    ],
    [
      "the orders of a source that has none",
      /"id":"books","first_sync"/,
      `"id":"bank","pays":"books","source":{"connector":"gocardless","token":{"env":"GOCARDLESS_TOKEN"}}},{"id":"books","cover":${COVERED("bank")},"first_sync"`,
      `: connections[1].cover.handover.orders: gocardless has no orders; name the connection of the shop, or leave it out`
    ],
    ["of the wrong type", "false", '"no"', `${AT}scope.drafts: write true or false`],
    [
      "none of the choices",
      '"Sent":"open"',
      '"Sent":"opened"',
      `${AT}source.invoices.statuses.Sent: write one of "draft", "open", "paid", "void"`
    ],
    [
      "no instant",
      "2024-01-01T00:00:00Z",
      "2024",
      `${AT}owner.organisation.registered: write a day and a time, like "2024-01-01T00:00:00Z"`
    ],
    ["no day", '"2024-01-01"', '"01/01/2024"', `${AT}scope.issued_after: write a day like "2024-01-31"`],
    ["no currency", '"GBP"', '"GBX"', `${AT}source.invoices.currency: write a code of ISO 4217, like "GBP"`],
    [
      "a date format that is none",
      "yyyy-MM-dd",
      "YYYY-MM-DD",
      `${AT}source.invoices.date_format: name the year (yyyy, yy), the month (MM, M, MMM) and the day (dd, d) once each, like d/M/yyyy`
    ],
    [
      "an address that is none",
      "http://127.0.0.1:4010",
      "127.0.0.1:4010",
      ': service.url: "127.0.0.1:4010" is not an address; write it like https://api.example.com'
    ],
    [
      "an id with a space",
      '"id":"books"',
      '"id":"my books"',
      `${AT}id: use letters, digits, "-" and "_" only: it becomes part of every document's key`
    ],
    ["a configuration that is a list", /^.*$/s, "[]", ": write an object, in { and }"]
  ]
  for (const [what, from, to, says] of cases) {
    it(what, async () => assert.strictEqual(await problem((text) => text.replace(from, to)), says))
  }

  it("a secret in the file is refused, and not repeated", async () => {
    assert.strictEqual(
      await problem((text) => text.replace('{"env":"SERVICE_KEY"}', '"sk-live-1234"')),
      ': service.key: a secret is not written here; name the environment variable that holds it, like { "env": "SERVICE_KEY" }'
    )
  })

  it("several at once are all named", async () => {
    assert.strictEqual(
      await problem((text) => text.replace('"path"', '"pth"').replace('"Ref"', "5").replace("false", "0")),
      [
        ":",
        "  - connections[0].scope.drafts: write true or false",
        '  - connections[0].source.invoices.pth: is not a known setting; did you mean "path"?',
        '  - connections[0].source.payments.columns.id: write text in quotes, like "text"'
      ].join("\n")
    )
  })
})

describe.concurrent("a configuration that does not fit the files", () => {
  const change = (from: string, to: string) =>
    books(NOWHERE, { "daybook.config.json": JSON.stringify(configuration(NOWHERE)).replace(from, to) })

  it("a missing column says which columns the file has", async () => {
    const { status, stderr } = await change('"Buyer"', '"Customer"').run("pull")
    assert.strictEqual(status, 2)
    assert.include(
      stderr,
      'invoices.csv has no column "Customer", which source.invoices.columns.customer asks for; it has "Invoice", "Buyer", "Country", "Issued", "Due", "Net", "Gross", "State"; correct the configuration, or the file\'s header\n'
    )
  })

  it("a wrong date format says which one fits", async () => {
    const { status, stderr } = await change("yyyy-MM-dd", "dd/MM/yyyy").run("pull")
    assert.strictEqual(status, 2)
    assert.include(
      stderr,
      'invoices.csv: 3 of the first 3 rows have dates that are not written dd/MM/yyyy ("Issued" says "2026-03-01"); set source.invoices.date_format to "yyyy-MM-dd"\n'
    )
  })

  it("a file that is not there says where it was looked for", async () => {
    const here = change('"invoices.csv"', '"rechnungen.csv"')
    const { status, stderr } = await here.run("pull")
    assert.strictEqual(status, 2)
    assert.include(
      stderr,
      `invoices: there is no file at ${join(here.folder, "rechnungen.csv")}; check source.invoices.path`
    )
  })

  it("one connection that cannot be read does not keep the others from being read", async () => {
    const both = configuration(NOWHERE)
    const [good] = both.connections
    const { payments: _, ...source } = good!.source
    const bad = { ...good, id: "bad", source: { ...source, invoices: { ...source.invoices, path: "no.csv" } } }
    const text = JSON.stringify({ ...both, connections: [bad, good] })
    const { status, stderr, stdout } = await books(NOWHERE, { "daybook.config.json": text }).run("pull")
    assert.strictEqual(status, 2)
    assert.match(stderr, /^daybook: bad: .*no\.csv/)
    assert.strictEqual(stdout, "books: 6 read, 6 documents new\n")
  })
})

describe.concurrent("the key and the service", () => {
  it("a missing key names the environment variable", async () => {
    const here = books(NOWHERE)
    for (const SERVICE_KEY of [undefined, ""]) {
      const { status, stderr } = await here.runWith({ env: { SERVICE_KEY } }, "sync")
      assert.strictEqual(status, 2)
      assert.strictEqual(
        stderr,
        "daybook: daybook.config.json: service.key: the environment variable SERVICE_KEY is not set; set it to the key of the service\n"
      )
    }
    assert.strictEqual((await here.runWith({ env: { SERVICE_KEY: undefined } }, "pull")).status, 0)
  })

  it("a TypeScript configuration is loaded wherever it stands, with the library that is running", async () => {
    const { stringify } = JSON
    const text = `import { defineConfig, env } from "daybook"
const service: { readonly url: string } = { url: ${stringify(NOWHERE)} }
export default defineConfig({ ...${stringify(configuration(NOWHERE))}, service: { ...service, key: env("ACME_KEY") } })
`
    const here = books(NOWHERE, { "acme/daybook.config.ts": text, "acme/invoices.csv": INVOICES })
    here.write("acme/payments.csv", "Ref,Invoice,Date,Amount,Type,Code\n")
    const pull = await here.run("pull", "--config", "acme/daybook.config.ts")
    assert.deepStrictEqual([pull.status, pull.stdout, pull.stderr], [0, "books: 3 read, 3 documents new\n", ""])
    const sync = await here.run("sync", "--config", "acme/daybook.config.ts")
    assert.match(sync.stderr, /the environment variable ACME_KEY is not set/)
    assert.notInclude(sync.stderr, KEY)
  })
})
