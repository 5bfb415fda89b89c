/**
 * Another export of a list that comes into a folder after it was set up: which is newer is known by its contents, whatever it is called;
 * where nothing decides, what both say differently waits, and each way out that is named leads out.
 */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { desk, service, useCommand } from "../support/Cli.ts"

useCommand()

const HEAD = "Invoice Number,Customer,Invoice Date,Due Date,Total,Balance,Currency"
const row = (n: number, total: string) => `INV-${n},Customer ${n},2026-09-0${n},2026-10-0${n},${total},${total},EUR`
const list = (...rows: ReadonlyArray<string>) => `${[HEAD, ...rows].join("\n")}\n`
const FIRST = list(row(1, "100.00"), row(2, "50.00"))
const LATER = list(row(1, "110.00"), row(2, "50.00"), row(3, "30.00"))
const LACKS = list(row(1, "110.00"), row(3, "30.00"), row(4, "40.00"))
const SAME_DAY = list(row(1, "110.00"), row(2, "50.00"))

/** Set up from one file, and sent once; the folder is read unless only the file is. */
const begun = async (text: string, name: string, path = "exports") => {
  const { url } = await service()
  const here = desk({ [`exports/${name}`]: text })
  const init = await here.run("init", `exports/${name}`, "--yes", "--service", url, "--name", "Acme")
  assert.strictEqual(init.status, 0, init.stderr)
  const config = JSON.parse(readFileSync(here.path("daybook.config.json"), "utf8")) as {
    connections: [{ source: { invoices: { path: string } } }]
  }
  const pathIs = (one: string) => {
    config.connections[0].source.invoices.path = one
    here.write("daybook.config.json", JSON.stringify(config))
  }
  pathIs(path === "exports" ? path : `exports/${name}`)
  assert.strictEqual((await here.run("sync", "--yes")).status, 0)
  const sync = async () => {
    const { status, stderr, stdout } = await here.run("sync", "--yes")
    return { status, text: `${stdout}${stderr}`.replace(/\s+/g, " ") }
  }
  const remove = (one: string) => rmSync(join(here.folder, "exports", one))
  return { here, pathIs, remove, sync, write: (one: string, what: string) => here.write(`exports/${one}`, what) }
}

describe.concurrent("another export of a list, after it was set up", { timeout: 300_000 }, () => {
  for (const [old, recent] of [
    ["invoices.csv", "invoices (1).csv"],
    ["b.csv", "a.csv"],
    ["a.csv", "b.csv"]
  ] as const) {
    it(`is the newer one by its contents: ${recent} beside ${old}`, async () => {
      const { sync, write } = await begun(FIRST, old)
      write(recent, LATER)
      const { status, text } = await sync()
      assert.strictEqual(status, 0, text)
      assert.match(text, /190\.00 190\.00 190\.00 agree/)
      assert.match((await sync()).text, /190\.00 190\.00 190\.00 agree/)
    })

    it(`is the older one by its contents: ${old} beside ${recent}`, async () => {
      const { sync, write } = await begun(LATER, recent)
      write(old, FIRST)
      assert.match((await sync()).text, /190\.00 190\.00 190\.00 agree/)
      // It stays so once the newer one changes.
      write(recent, LATER.replaceAll("30.00", "35.00"))
      assert.match((await sync()).text, /195\.00 195\.00 195\.00 agree/)
    })
  }

  for (const [what, other] of [
    ["does not have an invoice of it", LACKS],
    ["ends on the same day", SAME_DAY]
  ] as const) {
    const waiting = async () => {
      const desk = await begun(FIRST, "invoices.csv")
      desk.write("invoices (1).csv", other)
      const { status, text } = await desk.sync()
      assert.strictEqual(status, 3, text)
      assert.match(text, /two files state INV-1 differently.*take it out of one.*date of each export/)
      assert.notMatch(text, /\d agree /)
      return desk
    }
    const settled = async ({ sync }: Awaited<ReturnType<typeof begun>>, gross: string) => {
      const { status, text } = await sync()
      assert.strictEqual(status, 0, text)
      assert.include(text, "agree")
      const again = await sync()
      assert.strictEqual(again.status, 0, again.text)
      assert.match(again.text, new RegExp(`${gross} ${gross} ${gross} agree`))
    }
    const sum = other === LACKS ? "230.00" : "160.00"

    it(`waits where the other ${what}, until the older one is removed`, async () => {
      const desk = await waiting()
      desk.remove("invoices.csv")
      await settled(desk, sum)
    })
    it(`waits where the other ${what}, until both have their days in their names`, async () => {
      const desk = await waiting()
      for (const name of ["invoices.csv", "invoices (1).csv"]) desk.remove(name)
      desk.write("invoices-2026-10-01.csv", FIRST)
      desk.write("invoices-2026-10-02.csv", other)
      await settled(desk, sum)
    })
    it(`waits where the other ${what}, until one is corrected`, async () => {
      const desk = await waiting()
      desk.write("invoices.csv", FIRST.replaceAll("100.00", "110.00"))
      await settled(desk, sum)
    })
    it(`waits where the other ${what}, until it is taken out of one`, async () => {
      const desk = await waiting()
      desk.write("invoices.csv", list(row(2, "50.00")))
      await settled(desk, sum)
    })
  }

  for (const name of ["invoices (1).csv", "october.csv"]) {
    it(`is named where only one file is read, and is read in its place: ${name}`, async () => {
      const { remove, sync, write } = await begun(FIRST, "invoices.csv", "one")
      write(name, LATER)
      assert.include((await sync()).text, `is not read: if it is the newer one, put it in the place of`)
      remove(name)
      write("invoices.csv", LATER)
      assert.match((await sync()).text, /190\.00 190\.00 190\.00 agree/)
    })
    it(`is named where only one file is read, and is read with its folder: ${name}`, async () => {
      const { pathIs, sync, write } = await begun(FIRST, "invoices.csv", "one")
      write(name, LATER)
      assert.include((await sync()).text, "if both count, name the folder under source.invoices.path")
      pathIs("exports")
      assert.match((await sync()).text, /190\.00 190\.00 190\.00 agree/)
    })
  }
})
