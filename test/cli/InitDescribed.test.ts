/** `daybook init` in folders of files that describe themselves: a FEC, electronic invoices and a bank's statement beside them. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { fec, receipt, sale } from "../connectors/ledger/Fec.ts"
import { mail } from "../connectors/einvoice/Wrapped.ts"
import * as Xml from "../connectors/einvoice/Xml.ts"
import { archive } from "../connectors/files/Archives.ts"
import { desk, failed, useCommand } from "../support/Cli.ts"

useCommand()

// No part of it is a secret that another file gave the same process, which would be hidden.
const NAME = "732829320FEC20261231.txt"
const LEDGER = fec([
  sale("1", "20260305", "C1", "121,00", "R-1", "A"),
  receipt("2", "20260401", "C1", "121,00", "V-1", "A")
])

const sourcesIn = (path: string): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  JSON.parse(readFileSync(path, "utf8")).connections.map(({ id, pays, source }: Readonly<Record<string, unknown>>) => ({
    id,
    pays,
    source
  }))

describe("daybook init, of files that describe themselves", { timeout: 120_000 }, () => {
  it("reads a FEC, whatever its name, and asks for the days that it cannot state", async () => {
    const here = desk({ [NAME]: LEDGER })
    const asked = await here.run("init", "--name", "Acme")
    assert.strictEqual(asked.status, 2)
    assert.include(
      asked.stderr,
      `--terms-days NUMBER  How many days after issue are the invoices of ${NAME} due?`,
      asked.stderr
    )
    const ran = await here.run("init", "--name", "Acme", "--terms-days", "45", "--yes")
    assert.strictEqual(ran.status, 0, ran.stderr)
    assert.include(ran.stdout, "1 to create, 1 payment, 1 to mark as paid")
    assert.deepStrictEqual(sourcesIn(here.path("daybook.config.json")), [
      { id: "books", pays: undefined, source: { connector: "ledger", path: "732829320FEC*", terms_days: 45 } }
    ])
    const renamed = desk({ "ecritures.csv": LEDGER })
    assert.strictEqual((await renamed.run("init", "ecritures.csv", "--name", "Acme", "--yes")).status, 0)
  })

  it("takes invoices from electronic ones and their payments from the ledger, in one folder", async () => {
    const here = desk({ [NAME]: LEDGER, "R-1.xml": Xml.ubl({ number: "R-1" }), "notes.txt": "call them\n" })
    const ran = await here.run("init", ".", "--name", "Acme", "--yes")
    assert.strictEqual(ran.status, 0, ran.stderr)
    assert.include(ran.stdout, "1 to create, 1 payment, 1 to mark as paid")
    assert.deepStrictEqual(sourcesIn(here.path("daybook.config.json")), [
      { id: "books", pays: undefined, source: { connector: "einvoice", path: "." } },
      { id: "books-ledger", pays: "books", source: { connector: "ledger", path: "732829320FEC*", only: "payments" } }
    ])
  })

  it("says with which flag an invoice is read that leaves something open, and takes it", async () => {
    const here = desk({ "R-1.xml": Xml.ubl({ number: "R-1", prepaid: "21.00", payable: "100.00" }) })
    const init = (...flags: ReadonlyArray<string>) =>
      here.run("init", ".", "--name", "Acme", "--yes", "--force", ...flags)
    const open = await init()
    assert.match(
      open.stdout,
      /R-1\.xml:\d+.* 21\.00 EUR of it was paid before; say with --set prepaid=VALUE which it is: payment/s
    )
    const ran = await init("--set", "prepaid=deduct")
    assert.include(ran.stdout, "gross 100.00 EUR", ran.stderr)
    assert.include(ran.stdout, "1 to create")
    const unknown = await init("--set", "shop=a")
    assert.strictEqual(unknown.status, 2)
    assert.include(unknown.stderr, "--set shop: tables have no setting of this name; electronic invoices have prepaid,")
    const wrong = await init("--set", "prepaid=perhaps")
    assert.strictEqual(wrong.status, 2)
    assert.match(wrong.stderr, /prepaid/)
  })

  it("looks into the folders of a folder, into archives and into mails", async () => {
    const here = desk({
      "2026/01/R-1.xml": Xml.ubl({ number: "R-1" }),
      "2026/02/all.zip": archive({ "R-2.xml": Xml.cii({ number: "R-2" }), "notes.txt": "x" }),
      "2026/03/mail.eml": mail({ "R-3.xml": Buffer.from(Xml.ubl({ number: "R-3" })) }),
      "2026/03/list.csv": "Invoice,Total\nR-9,1.00\n",
      "photos.zip": archive({ "a.jpg": "x" })
    })
    const ran = await here.run("init", ".", "--name", "Acme", "--yes")
    assert.strictEqual(ran.status, 0, ran.stderr)
    assert.include(ran.stdout, "3 to create")
    assert.deepStrictEqual(sourcesIn(here.path("daybook.config.json")), [
      { id: "books", pays: undefined, source: { connector: "einvoice", path: "2026" } }
    ])
  })

  it("asks whose books these are where several sellers issued the invoices, and knows one by its number without its country", async () => {
    const bought = { seller: "Some Supplier", vat: "FR83404833048" }
    const here = desk({
      "R-1.xml": Xml.ubl({ number: "R-1", vat: "ESB23103039", seller: "Tés del Sur SL" }),
      "R-2.xml": Xml.ubl({ number: "R-2", vat: "B23103039", seller: "Tés del Sur SL" }),
      "B-1.xml": Xml.ubl({ number: "B-1", ...bought })
    })
    const asked = await here.run("init", ".", "--yes")
    assert.strictEqual(asked.status, 2)
    assert.include(
      asked.stderr,
      "--name NAME  Several sellers issued these invoices. Whose books are these? (Tés del Sur SL, Some Supplier)"
    )
    assert.include(failed(await here.run("init", ".", "--name", "Other", "--yes"), 2), "say with --name which of them")
    const ran = await here.run("init", ".", "--name", "Tés del Sur SL", "--yes")
    assert.strictEqual(ran.status, 0, ran.stderr)
    assert.include(ran.stdout, "2 to create")
    assert.deepStrictEqual(sourcesIn(here.path("daybook.config.json")), [
      { id: "books", pays: undefined, source: { connector: "einvoice", path: ".", seller: ["Tés del Sur SL"] } }
    ])
  })

  it("says what it knows where a folder has none of it", async () => {
    const why = failed(await desk({ "notes.txt": "call them\n", "a.pdf": "%PDF-1.4" }).run("init"), 2)
    assert.include(
      why,
      "file, electronic invoice, ledger file (FEC, SAF-T PT) or bank's statement was found in this folder"
    )
  })
})
