/**
 * Exports of other programs through the command: the statement says what the program itself says, or names the difference;
 * a wrong mapping does not send anything quietly.
 */
import { assert, describe, it } from "@effect/vitest"
import { bytes, EXPORTS } from "../connectors/files/Programs.ts"
import { configuration, type Desk, desk, ofType, type Service, service, useCommand } from "../support/Cli.ts"

useCommand()

// biome-ignore lint/suspicious/noExplicitAny: settings are broken on purpose
type Source = any

const PAYMENTS = { path: "payments.csv", columns: { id: "Ref", invoice: "Invoice", date: "Date", amount: "Amount" } }

const sourceOf = (name: string): Source => {
  const found = EXPORTS.find((one) => one.name.startsWith(name))
  if (found === undefined) throw new Error(`no export ${name}`)
  return structuredClone(found.source)
}

/** A folder with an export, and a configuration that reads it. */
const open = ({ url }: Service, name: string, change: (source: Source) => unknown, payments?: string): Desk => {
  const source = sourceOf(name)
  if (payments !== undefined) source.payments = structuredClone(PAYMENTS)
  change(source)
  const { connections, service } = configuration(url)
  const here = desk({
    "daybook.config.json": JSON.stringify({
      service,
      connections: [{ ...connections[0], source: { connector: "files", ...source } }]
    }),
    ...(payments === undefined ? {} : { "payments.csv": payments })
  })
  for (const { path } of Object.values(source) as ReadonlyArray<{ readonly path: string }>)
    if (path !== "payments.csv") here.write(path, bytes(path))
  return here
}

/** What was paid of the invoices of QuickBooks's list, by its own open balances. */
const paid = (): string => {
  const rows = Buffer.from(bytes("quickbooks-invoices.csv"))
    .toString()
    .split("\r\n")
    .filter((row) => row.includes(",Invoice,"))
    .flatMap((row) => {
      const cells = [...row.matchAll(/"([^"]*)"|([^,]+)|(?<=,)(?=,)/g)].map(
        ([, quoted, plain]) => quoted ?? plain ?? ""
      )
      const number = cells.find((cell) => /^10\d\d$/.test(cell))!
      const cents = (text: string) => BigInt(text.replace(/[,.]/g, ""))
      const rest = cents(cells.at(-2)!) - cents(cells.at(-1)!)
      const digits = rest.toString().padStart(3, "0")
      return rest > 0n ? [`P-${number},${number},2026-06-25,${digits.slice(0, -2)}.${digits.slice(-2)}`] : []
    })
  return ["Ref,Invoice,Date,Amount", ...rows].map((row) => `${row}\n`).join("")
}

const usd = (source: Source) => {
  source.payments.currency = "USD"
}

describe("an export of another program", { timeout: 120_000 }, () => {
  it("of QuickBooks agrees with its own TOTAL, once what was paid is read as well", async () => {
    const there = await service()
    const here = open(there, "QuickBooks, list", usd, paid())
    const ran = await here.run("sync", "--json")
    const [statement] = ofType(ran, "completeness")
    assert.deepInclude(
      statement,
      { source_says: "48081.49", books: "48081.49", service: "48081.49", differences: [] },
      ran.stderr
    )
  })

  it("of QuickBooks alone is not settled by its balance: every invoice that was paid is named", async () => {
    const here = open(await service(), "QuickBooks, list", () => {})
    await here.run("pull")
    const planned = await here.run("plan", "--json")
    const named = ofType(planned, "attention").filter(({ rule }) => rule === "S1")
    assert.strictEqual(named.length, paid().trim().split("\n").length - 1)
    const words = (await here.run("plan")).stdout.replace(/\s+/g, " ")
    assert.include(words, "the source says that 0.00 USD is open; the records that were read give 7,300.17 USD")
  })

  it("of FreeAgent names each invoice of which it says that money came in, where no payments were read", async () => {
    const there = await service()
    const here = open(there, "FreeAgent", () => undefined)
    const ran = await here.run("sync", "--json")
    const apart = ofType(ran, "completeness").flatMap(
      ({ differences }) => differences as ReadonlyArray<Readonly<Record<string, string>>>
    )
    const stated = apart.filter(({ source }) => source !== undefined)
    const ids = stated.map(({ document, facts, source }) => [document?.replace("books/invoice/", ""), source, facts])
    assert.deepStrictEqual(
      [ran.status, ids],
      [
        3,
        [
          ["FA-0041", "0.00", "1200.00"],
          ["FA-0042", "511.00", "1011.00"],
          ["FA-0044", "-60.00", "300.00"],
          ["FA-0047", "1000.00", "1481.47"]
        ]
      ]
    )
  })

  it("in another language is read by the command as it is shipped: names of countries come with it", async () => {
    const { connections, service: there } = configuration((await service()).url)
    const columns = { id: "Nr", customer: "Kunde", customer_country: "Land", issued: "Datum", gross: "Brutto" }
    const invoices = { path: "rechnungen.csv", columns, language: "de", date_format: "d. MMMM yyyy", terms_days: 14 }
    const source = { connector: "files", invoices: { ...invoices, currency: "EUR" } }
    const here = desk({
      "daybook.config.json": JSON.stringify({ service: there, connections: [{ ...connections[0], source }] }),
      "rechnungen.csv": "Nr;Kunde;Land;Datum;Brutto\nRE-1;Bäckerei Jäger;Österreich;5. März 2026;1.190,00\n"
    })
    const pulled = await here.run("pull")
    assert.strictEqual(pulled.status, 0, pulled.stderr)
    assert.notInclude(pulled.stdout, "is no country")
    const explained = (await here.run("explain", "RE-1", "--json")).stdout
    for (const part of ['"AT"', "2026-03-05", "2026-03-19", "1190"]) assert.include(explained, part)
  })

  it("that is mapped wrongly sends nothing: it is stopped, quarantined or named before", async () => {
    const there = await service()
    const swapped = (source: Source) => {
      usd(source)
      Object.assign(source.invoices.columns, { gross: "Open balance", balance: "Amount" })
    }
    const stopped = await open(
      there,
      "QuickBooks, list",
      (s) => [usd(s), Object.assign(s.invoices, { date_format: "dd/MM/yyyy" })],
      paid()
    ).run("pull")
    assert.strictEqual(stopped.status, 2)
    assert.include(stopped.stderr, 'set source.invoices.date_format to "M/d/yyyy"')
    const differing = open(there, "QuickBooks, list", swapped, paid())
    const contradicting = ofType(await differing.run("pull", "--json"), "quarantined")
    assert.isAtLeast(contradicting.length, 20)
    const lines = open(there, "Xero", (s) => Object.assign(s.invoices.columns, { gross: "LineAmount" }))
    const pulled = await lines.run("pull")
    assert.include(pulled.stdout, "quarantined")
    assert.include(pulled.stdout.replace(/\s+/g, " "), "rows of one id must agree on it")
    assert.deepStrictEqual(await there.calls(), [])
  })
})
