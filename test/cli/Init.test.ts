/** `daybook init`: from exports to a configuration, a pull and a plan, with and without somebody to ask. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { arudd, cfonb, coda, norma43, pain002 } from "../connectors/files/NationalFiles.ts"
import { desk, failed, lines, ofType, useCommand } from "../support/Cli.ts"

useCommand()

const INVOICES = `Rechnungsliste;;;;;;
;;;;;;
Rechnungsnummer;Kunde;Rechnungsdatum;Fällig am;Nettobetrag;Bruttobetrag;Status
RE-1;Weiß & Söhne GmbH;14.01.2026;28.01.2026;1.000,00;1.190,00;Bezahlt
RE-2;Müller KG;03.02.2026;17.02.2026;200,00;238,00;Überfällig
RE-3;Bäckerei Jäger;05.02.2026;19.02.2026;50,00;59,50;Storniert
Summe;;;;1.250,00;1.487,50;
`

const PAYMENTS = `Zahlungsnummer;Rechnungsnummer;Zahlungsdatum;Betrag
Z-1;RE-1;20.01.2026;1.190,00
`

const files = { "rechnungen.csv": INVOICES, "zahlungen.csv": PAYMENTS }

describe("daybook init", { timeout: 120_000 }, () => {
  it("writes a configuration that reads the exports, and ends with a plan; asks for what no file says", async () => {
    const here = desk(files)
    const refused = await here.run("init", "rechnungen.csv", "zahlungen.csv", "--yes")
    const why = `${refused.stderr}`
    assert.strictEqual(refused.status, 2)
    assert.include(
      why,
      "1 question must be answered:\n  --currency CODE  Which currency are the amounts of rechnungen.csv in?"
    )
    assert.match(refused.stdout, /headings in line 3 +below "Rechnungsliste"/)
    assert.isFalse(existsSync(here.path("daybook.config.json")))
    const ran = await here.run("init", "--yes", "--currency", "eur", "--name", "Acme GmbH")
    assert.strictEqual(ran.stderr, "")
    assert.strictEqual(ran.status, 0)
    assert.match(ran.stdout, /headings in line 3 +below "Rechnungsliste"/)
    assert.match(ran.stdout, /dates written d\.M\.yyyy +day first: /)
    assert.match(ran.stdout, /invoice +open +1 +238\.00 +EUR/)
    assert.include(ran.stdout, "2 to create, 1 payment, 1 to mark as paid: +238.00 EUR open")
    const written = JSON.parse(readFileSync(here.path("daybook.config.json"), "utf8"))
    assert.deepInclude(written.connections[0].source.invoices, {
      header_row: 3,
      date_format: "d.M.yyyy",
      decimal: ",",
      currency: "EUR",
      statuses: { Bezahlt: "paid", Überfällig: "open", Storniert: "void" }
    })
    assert.isFalse(existsSync(here.path("daybook.db")))
    assert.strictEqual((await here.run("doctor")).stdout.includes("BAD  configuration"), false)
    assert.include(failed(await here.run("init", "--yes"), 2), "daybook.config.json already exists")
  })

  it("lists every question for programs, and takes every answer as a flag", async () => {
    const here = desk({
      "list.csv": "No,Client,Date,Value,State\n1,Acme,04/03/2026,10.00,Posted\n2,Tern,05/03/2026,12.00,Odd\n"
    })
    const asked = await here.run("init", "list.csv", "--json", "--kind", "list.csv=invoices")
    assert.strictEqual(asked.status, 2)
    assert.deepStrictEqual(
      ofType(asked, "question").map(({ answer }) => answer),
      ["dates", "currency", "terms_days", "status.Odd", "name"]
    )
    const ran = await here.run(
      ...["init", "list.csv", "--json", "--kind", "list.csv=invoices", "--dates", "month-first", "--currency", "USD"],
      ...["--terms-days", "14", "--status", "Odd=void", "--name", "Acme"]
    )
    assert.strictEqual(ran.status, 0)
    assert.deepStrictEqual(ofType(ran, "preview")[0]?.["sums"], [
      { kind: "invoice", status: "open", currency: "USD", documents: 1, amount: "10" },
      { kind: "invoice", status: "void", currency: "USD", documents: 1, amount: "12" }
    ])
    assert.strictEqual(ofType(ran, "written").length, 1)
    assert.strictEqual(lines(ran).at(-1)?.["type"], "summary")
  })

  it("names what cannot be used", async () => {
    const here = desk({ "empty.csv": "", "numbers.csv": "1,2\n3,4\n" })
    assert.include(failed(await here.run("init", "none.csv"), 2), "there is no file none.csv")
    assert.include(failed(await here.run("init", "empty.csv"), 2), "empty.csv cannot be read: it is empty")
    assert.include(failed(await here.run("init", "numbers.csv"), 2), "no row that names its columns")
    here.write("bare.csv", "Invoice No,Customer,Date,Total,Currency\n")
    assert.include(failed(await here.run("init", "bare.csv"), 2), "bare.csv has one row and nothing below it")
    assert.include(failed(await here.run("init", "numbers.csv", "--status", "x"), 2), "--status x: write NAME=VALUE")
  })
})

describe("daybook init, of a source by its name", { timeout: 120_000 }, () => {
  it("asks what it needs, writes names of variables in place of secrets, and says what to do next", async () => {
    const here = desk()
    const asked = await here.run("init", "woocommerce", "--name", "Acme")
    assert.deepStrictEqual([asked.status, asked.stderr.includes("--set url=VALUE")], [2, true])
    const ran = await here.run("init", "woocommerce", "--name", "Acme", "--set", "url=https://shop.example?a=b")
    assert.strictEqual(ran.status, 2, "the address is checked before anything is written")
    assert.isFalse(existsSync(here.path("daybook.config.json")))
    const done = await here.run("init", "woocommerce", "--name", "Acme", "--set", "url=https://shop.example")
    assert.strictEqual(done.status, 0, done.stderr)
    assert.include(done.stdout, "set WOOCOMMERCE_KEY")
    assert.include(done.stdout, "daybook connect woocommerce")
    const { connections } = JSON.parse(readFileSync(here.path("daybook.config.json"), "utf8"))
    assert.deepStrictEqual(connections[0].source, {
      connector: "woocommerce",
      url: "https://shop.example",
      key: { env: "WOOCOMMERCE_KEY" },
      secret: { env: "WOOCOMMERCE_SECRET" }
    })
  })

  it("adds to a configuration that is there, of which nothing else changes", async () => {
    const here = desk(files)
    await here.run("init", "--yes", "--currency", "eur", "--name", "Acme GmbH")
    const path = here.path("daybook.config.json")
    const before = readFileSync(path, "utf8").replace('"service": {', '"service":    {')
    here.write("daybook.config.json", before)
    for (const args of [
      ["stripe", "--add"],
      ["shopify", "--add", "--set", "shop=my-shop", "--id", "shop"],
      ["rechnungen.csv", "--add", "--yes", "--currency", "EUR"]
    ]) {
      const ran = await here.run("init", ...args)
      assert.strictEqual(ran.status, 0, ran.stderr)
    }
    const text = readFileSync(path, "utf8")
    assert.include(text, '"service":    {')
    const { connections } = JSON.parse(text)
    const ids = connections.map(({ id }: { readonly id: string }) => id)
    assert.deepStrictEqual(ids, ["books", "stripe", "shop", "books-2"])
    for (const { owner } of connections) assert.deepStrictEqual(owner, connections[0].owner)
    assert.deepStrictEqual(connections[2].source.token, { env: "SHOP_TOKEN" })
    assert.include(failed(await here.run("init", "stripe"), 2), "add a connection to it with --add")
  })
})

describe("daybook config schema", { timeout: 120_000 }, () => {
  it("prints the JSON Schema, with the third-party connectors of the configuration here, and writes it into a file", async () => {
    const here = desk({
      "daybook.config.json": JSON.stringify({ connections: [{ id: "a", source: { connector: "xero" } }] })
    })
    const printed = await here.run("config", "schema")
    assert.strictEqual(printed.status, 0)
    const { definitions, title } = JSON.parse(printed.stdout)
    assert.strictEqual(title, "Daybook's configuration")
    assert.includeMembers(Object.keys(definitions), ["files", "xero", "stripe"])
    assert.strictEqual((await here.run("config", "schema", "--out", "s.json")).status, 0)
    assert.strictEqual(readFileSync(here.path("s.json"), "utf8"), printed.stdout)
  })
})

const STATEMENT = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M1</MsgId></GrpHdr><Stmt><Id>S1</Id>
<Acct><Id><IBAN>DE02120300000000202051</IBAN></Id><Ccy>EUR</Ccy></Acct>
<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">0.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-02-17</Dt></Dt></Bal>
<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">238.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-02-17</Dt></Dt></Bal>
<Ntry><Amt Ccy="EUR">238.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-02-17</Dt></BookgDt>
<AcctSvcrRef>2026021700000001</AcctSvcrRef><NtryDtls><TxDtls><RltdPties><Dbtr><Pty><Nm>Müller KG</Nm></Pty></Dbtr></RltdPties>
<RmtInf><Ustrd>Rechnung RE-2</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>
`

describe("daybook init, of a bank's statement beside invoices", { timeout: 120_000 }, () => {
  it("makes it a connection that pays for them", async () => {
    const here = desk({ "rechnungen.csv": INVOICES, "konto.xml": STATEMENT, "notes.xml": "<notes/>" })
    const ran = await here.run("init", "--yes", "--currency", "EUR", "--name", "Acme GmbH")
    assert.strictEqual(ran.stderr, "")
    assert.match(ran.stdout, /konto\.xml\nDecided +Because\na bank's statement +it begins like one/)
    const { connections } = JSON.parse(readFileSync(here.path("daybook.config.json"), "utf8"))
    assert.deepStrictEqual(connections[1], {
      id: "books-payments",
      source: { connector: "files", payments: { path: "konto.xml" } },
      pays: "books"
    })
    assert.match(ran.stdout, /2 to create, 1 payment, \d to mark as paid/)
  })

  it("recognises the formats of banks by their content in a mixed folder, and names what is not read", async () => {
    const statement = { opening: 0, moved: [{ cents: 23_800, name: "Müller KG", text: "Rechnung RE-2" }] }
    const here = desk({
      "rechnungen.csv": INVOICES,
      "be.txt": coda(statement),
      "es.aeb": norma43(statement),
      "fr.txt": cfonb(statement).join("\n"),
      "uk.xml": arudd([{ ref: "RE-1", pence: 1000 }]),
      "answer.xml": pain002([{ id: "E-1", amount: "1.00", status: "RJCT" }]),
      "old.txt": "01BGMAX               0120261001173035010331P\n",
      "books.qif": "!Type:Bank\nD01/02/2026\nT10.00\n^\n",
      "notes.txt": "call the bank\n"
    })
    const ran = await here.run("init", "--yes", "--currency", "EUR", "--name", "Acme GmbH")
    assert.strictEqual(ran.stderr, "")
    const { connections } = JSON.parse(readFileSync(here.path("daybook.config.json"), "utf8"))
    const paths = connections[1].source.payments.map(({ path }: { readonly path: string }) => path)
    assert.deepStrictEqual(paths, ["answer.xml", "be.txt", "es.aeb", "fr.txt", "uk.xml"])
    assert.match(
      ran.stdout,
      /old\.txt\nDecided +Because\nnot read +it is BgMax, which banks stopped on 27 November 2026/
    )
    assert.match(ran.stdout, /books\.qif\nDecided +Because\nnot read +it is QIF/)
    const alone = desk({ "books.qif": "!Type:Bank\nD01/02/2026\nT10.00\n^\n" })
    assert.include(failed(await alone.run("init", "--yes"), 2), "books.qif: it is QIF, which names no account")
  })

  it("leaves out an older export of a list with --yes, whatever it is called, and says so", async () => {
    const head = "Invoice Number,Customer,Invoice Date,Due Date,Total,Balance,Currency"
    const here = desk({
      "invoices.csv": `${head}\nINV-1,Alder,2026-09-01,2026-10-01,100.00,100.00,EUR\n`,
      "invoices (1).csv": `${head}\nINV-1,Alder,2026-09-01,2026-10-01,100.00,60.00,EUR\nINV-2,Beech,2026-10-05,2026-11-05,80.00,80.00,EUR\n`
    })
    const ran = await here.run("init", ".", "--name", "Acme", "--yes")
    assert.strictEqual(ran.status, 0, ran.stderr)
    assert.include(ran.stdout, "rows of invoices.csv: nothing")
    assert.include(ran.stdout, "2 to create")
    assert.notInclude(ran.stdout, "quarantined")
  })
})
