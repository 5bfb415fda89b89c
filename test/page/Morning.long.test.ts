/**
 * A morning of 30 items, 12 plans and 8 payments to match by keyboard alone, in Chromium: key strokes are counted, and so are pages that
 * took longer than a person notices.
 */
import { afterAll, assert, beforeEach, describe, it } from "@effect/vitest"
import { closeAll, MISSING, open, place } from "../support/Browser.ts"
import { books, configuration, ofType, service, useCommand } from "../support/Cli.ts"
import { startDaemon, until } from "../support/Daemon.ts"
import { BANK, enter, PASSWORD, text } from "../support/PageHouse.ts"

useCommand()
afterAll(closeAll)

const INVOICE_COLUMNS = "Invoice,Buyer,Country,Issued,Due,Net,Gross,State"
const invoice = (id: string, amount: string, buyer = "Harbour Lane Bakery Ltd") =>
  `${id},${buyer},GB,2026-03-01,2026-03-31,${amount},${amount},Sent`
const counted = <A>(n: number, one: (n: number) => A): ReadonlyArray<A> => Array.from({ length: n }, (_, i) => one(i))
const table = (...rows: ReadonlyArray<string>) => `${rows.join("\n")}\n`

const MATCHES = 8
const PLANS = 12
const LOST = [20, 10] as const

/** Eight payments of others that fit one invoice each, payments for invoices that nobody has, in two books, and twelve plans that wait. */
const house = async () => {
  const there = await service()
  const { connections, ...rest } = configuration(there.url)
  const [first] = connections
  const { payments, ...source } = first!.source
  const reads = (invoices: string, paid?: string) => ({
    ...source,
    invoices: { ...source.invoices, path: invoices },
    ...(paid === undefined ? {} : { payments: { ...payments, path: paid } })
  })
  const lost = (of: number, name: string) =>
    table(
      "Ref,Invoice,Date,Amount,Type,Code",
      ...counted(of, (n) => `${name}-${n},NONE-${name}${n},2026-03-20,${n + 1}.00,,`)
    )
  const plans = counted(PLANS, (n) => `shop${n}`)
  const here = books(there.url, {
    "daybook.config.json": JSON.stringify({
      ...rest,
      daemon: { page: { password: { env: "PAGE_PASSWORD" } } },
      connections: [
        { ...first, every: "1 hour", source: reads("invoices.csv", "payments.csv") },
        { ...first, id: "second", every: "1 hour", source: reads("second.csv", "others.csv") },
        BANK,
        ...plans.map((id) => ({ ...first, id, every: "1 hour", approve: true, source: reads(`${id}.csv`) }))
      ]
    }),
    "invoices.csv": table(INVOICE_COLUMNS, ...counted(MATCHES, (n) => invoice(`INV-${n}`, `${100 + n}.10`))),
    "payments.csv": lost(LOST[0], "A"),
    "second.csv": table(INVOICE_COLUMNS, invoice("SEC-1", "70.00", "Brightwater Foods Ltd")),
    "others.csv": lost(LOST[1], "B"),
    "bank.csv": table(
      "No,Day,Amount,From",
      ...counted(MATCHES, (n) => `${n},2026-03-22,${100 + n}.10,Payer ${n} of Elsewhere`)
    ),
    ...Object.fromEntries(
      plans.map((id, n) => [`${id}.csv`, table(INVOICE_COLUMNS, invoice(`${id}-1`, `${50 + n}.00`, `Buyer ${id} Ltd`))])
    )
  })
  const running = await startDaemon(here.folder, { env: { PAGE_PASSWORD: PASSWORD } })
  for (const id of ["books", "second", "bank", ...plans])
    await running.says(({ connection, outcome }) => connection === id && outcome !== undefined)
  const items = async () => ofType(await here.run("attention", "--json"), "attention")
  return { here, there, url: running.url, items, plans }
}

describe("a morning by keyboard", { timeout: 300_000 }, () => {
  beforeEach(({ skip }) => {
    if (place === undefined) skip(MISSING)
  })

  it("takes at most 90 key strokes for 30 items, 12 plans and 8 payments to match", async () => {
    const { items, there, url } = await house()
    const matching = ({ rule }: Readonly<Record<string, unknown>>) => String(rule).startsWith("M")
    await until("every item is there", async () =>
      (await items()).length >= MATCHES + LOST[0] + LOST[1] ? true : undefined
    )
    assert.strictEqual((await items()).filter(matching).length, MATCHES)
    assert.isAtLeast((await items()).length, MATCHES + LOST[0] + LOST[1])
    const page = await enter(await open({ javaScriptEnabled: true }), url)
    await page.goto(url)
    let strokes = 0
    const slow: Array<string> = []
    const press = async (...keys: ReadonlyArray<string>) => {
      for (const key of keys) {
        strokes++
        await page.keyboard.press(key)
      }
    }
    /** The last of these keys leads to a page. */
    const go = async (...keys: ReadonlyArray<string>) => {
      await press(...keys.slice(0, -1))
      await Promise.all([page.waitForEvent("load"), press(keys.at(-1)!)])
      const took = (await page.evaluate("performance.getEntriesByType('navigation')[0].duration")) as number
      if (took > 300) slow.push(`${new URL(page.url()).pathname} ${Math.round(took)} ms`)
    }

    await go("g", "q")
    for (const _ of LOST) {
      await go("j", "a")
      await go("y")
      assert.include(await text(page), "Closed, exactly those that were shown.")
    }
    for (let left = MATCHES; left > 0; left--) {
      const words = await page.locator("main").innerText()
      const at = await page
        .locator("main tbody tr")
        .evaluateAll((rows) =>
          rows.findIndex((row) => (row as unknown as { innerHTML: string }).innerHTML.includes("Choose an invoice"))
        )
      assert.isAtLeast(at, 0, words)
      await go(...counted(at + 1, () => "j"), "Enter")
      await go("j", "y")
      assert.include(await text(page), "Saved.")
    }
    await until("nothing is left to match", async () => ((await items()).some(matching) ? undefined : true))
    assert.deepStrictEqual(
      (await items()).map(({ why }) => why),
      []
    )
    await go("g", "p")
    await press("j", "a")
    await go("y")
    await until("every plan was carried out", async () =>
      Object.keys(await there.holds()).filter((key) => key.startsWith("shop")).length === PLANS ? true : undefined
    )
    assert.strictEqual(Object.keys(await there.holds()).filter((key) => key.startsWith("books/")).length, MATCHES)
    console.log(`${strokes} key strokes; pages over 300 ms: ${slow.join(", ") || "none"}`)
    assert.isAtMost(strokes, 90)
  })
})
