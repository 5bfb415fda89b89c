/**
 * What is said when a database cannot be read: wrong host, port, password, database, table, column, rights. Each names what
 * to do, none shows the password or the address.
 */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import Sqlite from "better-sqlite3"
import { freePort, PASSWORD } from "../../support/Servers.ts"
import { type Desk, engines, pull } from "./Databases.ts"

const invoices = {
  query: "SELECT * FROM invoice",
  columns: { id: "id", customer: "buyer", issued: "issued", due: "due", gross: "gross" },
  currency: "GBP"
}

/** What a pull says; every word of it, and of what the error holds, is looked at for secrets. */
const said = async (
  desk: Pick<Desk, "environment" | "folder" | "place">,
  query = invoices.query,
  more: object = {}
) => {
  const { error } = await pull(desk as Desk, { invoices: { ...invoices, query, ...more } })
  assert.isDefined(error, "nothing was said")
  const shown = `${error!.message}${JSON.stringify(error)}${error!.stack}`
  for (const secret of [PASSWORD, "n0t-the-password"]) assert.notInclude(shown, secret)
  return error!.message.replace(/127\.0\.0\.1:\d+/g, "HOST").replace(/books_\d+_\d+/g, "BOOKS")
}

for (const engine of engines.filter(({ name }) => name !== "SQLite")) {
  describe(engine.name, { timeout: 60_000 }, () => {
    let missing: string | undefined
    let desk: Desk
    beforeAll(async () => {
      missing = await engine.start()
      if (missing !== undefined) return console.info(`${missing}: skipped`)
      desk = await engine.desk()
      await desk.exec("CREATE TABLE invoice (id int, buyer varchar(9), issued date, due date, gross numeric(9, 2))")
    }, 120_000)
    afterAll(async () => {
      if (missing === undefined) await desk.close()
      await engine.stop()
    })
    /** The address with something in it that is another. */
    const other = (from: string | RegExp, to: string) => ({
      ...desk,
      environment: { BOOKS_DATABASE: desk.environment["BOOKS_DATABASE"]!.replace(from, to) }
    })
    const postgres = engine.name === "PostgreSQL"

    it("says what to do about a wrong address", async ({ skip }) => {
      if (missing !== undefined) return skip(missing)
      const free = await freePort()
      assert.strictEqual(
        await said(other(/127\.0\.0\.1/, "no-such-host.invalid")),
        `sql: host unreachable: BOOKS on no-such-host.invalid:${engine.server().port} was not found; correct it in the variable BOOKS_DATABASE, or check DNS`
      )
      assert.strictEqual(
        await said(other(/:\d+\//, `:${free}/`)),
        "sql: cannot be reached: host unreachable: nothing answers at BOOKS on HOST; check that it runs, and that host and port in the variable BOOKS_DATABASE are right"
      )
      assert.strictEqual(
        await said(other(PASSWORD, "n0t-the-password")),
        "sql: BOOKS on HOST does not accept the user or the password; correct them in the variable BOOKS_DATABASE"
      )
      assert.strictEqual(
        await said(other(/books_\w+/, "nowhere")),
        "sql: the server has no database nowhere on HOST; correct its name in the variable BOOKS_DATABASE"
      )
      assert.match(
        await said({ ...desk, environment: {} }),
        /^sql: the environment variable BOOKS_DATABASE is not set; set it to the database's address, like postgresql:/
      )
      for (const address of [`sftp://daybook:${PASSWORD}@host/x`, PASSWORD, `postgresql://${PASSWORD}@[::`]) {
        assert.match(
          await said({ ...desk, environment: { BOOKS_DATABASE: address } }),
          /^sql: the variable BOOKS_DATABASE is not the address of a database; set it to one, like postgresql:/
        )
      }
    })

    it("says what to do about a query that does not fit", async ({ skip }) => {
      if (missing !== undefined) return skip(missing)
      assert.match(
        await said(desk, "SELECT * FROM invoise"),
        /^sql: the query for invoices names a table that does not exist \(.*invoise.*\); correct the query, or the database and schema/
      )
      assert.match(
        await said(desk, "SELECT totl FROM invoice"),
        /^sql: the query for invoices names a column that its tables do not have \(.*totl.*\); correct the query$/
      )
      assert.match(
        await said(desk, "SELECT * FROMM invoice"),
        /^sql: the query for invoices is not valid SQL for the database \(.*\); correct the query$/
      )
      assert.strictEqual(
        await said(desk, "SELECT id, buyer, issued, due, gross AS gros FROM invoice"),
        'sql: the query for invoices gives no column "gross", which source.invoices.columns.gross asks for; it gives "id", "buyer", "issued", "due", "gros"; did you mean "gros"? Correct the configuration, or select the column'
      )
      assert.match(await said(desk, undefined, { cursor: "changed" }), /source\.invoices\.cursor asks for/)
      const twice = "SELECT a.id, b.id, a.buyer, a.issued, a.due, a.gross FROM invoice a JOIN invoice b ON a.id = b.id"
      if (!postgres) assert.match(await said(desk, twice), /selects two columns of the same name/)
    })

    it("says what to do about rights, and reads only", async ({ skip }) => {
      if (missing !== undefined) return skip(missing)
      if (postgres) {
        await desk.exec(`CREATE ROLE clerk LOGIN PASSWORD 'n0t-the-password'`, "CREATE SEQUENCE counter")
        const clerk = other(/daybook:[^@]+/, "clerk:n0t-the-password")
        assert.match(
          await said(clerk),
          /^sql: the query for invoices reads what its user has no permission to read \(permission denied for table invoice\); grant that user of BOOKS on HOST the right to SELECT it$/
        )
        await desk.exec("INSERT INTO invoice VALUES (1, 'A', '2026-01-01', '2026-01-01', 1)")
        const counts = "SELECT nextval('counter') AS n, * FROM invoice"
        assert.match(await said(desk, counts), /^sql: the query for invoices would change data; write a SELECT/)
      } else {
        await desk.exec(`CREATE USER clerk@'127.0.0.1' IDENTIFIED BY 'n0t-the-password'`)
        const clerk = other(/daybook:[^@]+/, "clerk:n0t-the-password")
        assert.match(
          await said(clerk),
          /^sql: .* reads what its user has no permission to read \(.*clerk.*\); grant that user/
        )
      }
    })
  })
}

describe("SQLite", () => {
  const folder = mkdtempSync(join(tmpdir(), "daybook-sqlite-"))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const desk = (file: string) => ({ place: { file }, environment: {}, folder })

  it("says what to do about a file that is none, no database, or locked", async () => {
    writeFileSync(join(folder, "books.csv"), "Invoice,Gross\n".repeat(200))
    assert.strictEqual(
      await said(desk("nowhere.db")),
      `sql: there is no file ${join(folder, "nowhere.db")}; correct source.file; it is relative to the configuration's folder`
    )
    assert.strictEqual(
      await said(desk("books.csv")),
      "sql: books.csv is not an SQLite database; correct source.file; a CSV file is read by the connector files"
    )
    const db = new Sqlite(join(folder, "books.db"))
    db.exec("CREATE TABLE invoice (id, buyer, issued, due, gross)")
    assert.match(
      await said(desk("books.db"), "SELECT * FROM invoise"),
      /names a table that does not exist \(no such table/
    )
    assert.match(await said(desk("books.db"), "SELECT totl FROM invoice"), /names a column that its tables do not have/)
    db.exec("BEGIN EXCLUSIVE")
    assert.strictEqual(
      await said(desk("books.db")),
      "sql: cannot be read now: books.db is locked by another program; run again when it has finished"
    )
    db.close()
  })
})
