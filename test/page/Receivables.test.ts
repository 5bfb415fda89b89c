/** The room of receivables before the real daemon: what is open, filtered by an address that can be shared, and taken along. */
import { assert, describe, it } from "@effect/vitest"
import { books, configuration, service, useCommand } from "../support/Cli.ts"
import { startDaemon } from "../support/Daemon.ts"
import { copied } from "../support/PdfText.ts"

useCommand()

const PASSWORD = "correct horse battery"

/** A daemon whose books were sent, and how a person who is signed in asks it. */
const house = async () => {
  const there = await service()
  const { connections, ...rest } = configuration(there.url)
  const here = books(there.url, {
    "daybook.config.json": JSON.stringify({
      ...rest,
      daemon: { page: { password: { env: "PAGE_PASSWORD" } } },
      connections: [{ ...connections[0], every: "1 hour" }]
    })
  })
  const { says, url } = await startDaemon(here.folder, { env: { PAGE_PASSWORD: PASSWORD } })
  await says(({ outcome }) => outcome !== undefined)
  const body = new URLSearchParams({ password: PASSWORD })
  const signIn = await fetch(`${url}/login`, { method: "POST", redirect: "manual", body })
  const cookie = signIn.headers.get("set-cookie")!.split(";")[0]!
  return async (path: string) => {
    const answer = await fetch(`${url}${path.replaceAll("&amp;", "&")}`, { headers: { cookie } })
    return { named: answer.headers.get("content-disposition"), body: Buffer.from(await answer.arrayBuffer()) }
  }
}

/** The address of the first link with these words. */
const linkOf = (page: string, words: string): string => new RegExp(`<a href="([^"]+)"[^>]*>${words}`).exec(page)![1]!

describe("the room of receivables", { timeout: 60_000 }, () => {
  it("shows what is open by week, by age and by customer, and gives it to take along", async () => {
    const ask = await house()
    const page = async (path: string) => String((await ask(path)).body)
    const shown = await page("/receivables")
    for (const words of ["Open, GBP", "Expected by week, GBP", "Brightwater Foods", "200.60 GBP", "Who owes most, GBP"])
      assert.include(shown, words)
    const overdue = linkOf(shown, "[0-9.,]+ GBP overdue")
    assert.include(overdue, "age=overdue")
    assert.include(await page(overdue), "INV-2")
    const rows = (text: string) => text.match(/<tr>\s*<td/g)?.length ?? 0
    const one = await page("/receivables?q=brightwater+FOODS&currency=GBP")
    assert.strictEqual(rows(one), 1)

    const csv = await ask(linkOf(one, "CSV"))
    assert.match(csv.named!, /^attachment; filename="receivables-\d{4}-\d\d-\d\d\.csv"$/)
    assert.match(String(csv.body), /^\W*Document,Number,.*\r?\nbooks\/invoice\/INV-2,INV-2,.*,200\.60,.*\r?\n$/)
    const excel = await ask(linkOf(one, "Excel"))
    assert.strictEqual(excel.body.subarray(0, 2).toString(), "PK")
    for (const words of ["Days sales outstanding: ", "Open receivables by age, GBP"]) assert.include(shown, words)
    const due = rows(await page(linkOf(shown, "200.60 GBP")))
    assert.isAtLeast(due, 1)

    const customers = await page("/customers?q=brightwater+foods")
    assert.strictEqual(rows(customers), 1)
    const customer = linkOf(customers, "Brightwater Foods")
    const story = await page(customer)
    for (const words of ["200.60 GBP", "Open invoices", "Invoice INV-2", "Payment for INV-2", "Usually pays"])
      assert.include(story, words)
    const account = await ask(`${customer}/statement.csv`)
    assert.match(String(account.body), /Payment for INV-2.*-100\.00.*200\.60/)
    const pdf = await ask(linkOf(story, "PDF, GBP"))
    assert.match(pdf.named!, /^attachment; filename="statement-of-account-\d+-GBP-\d{4}-\d\d-\d\d\.pdf"$/)
    const written = copied(pdf.body)
    for (const words of ["Statement of account", "Brightwater Foods Ltd", "Invoice INV-2", "-100.00", "200.60 GBP"])
      assert.include(written, words)
    assert.include(
      await page(`${customer}/statement.pdf?currency=EUR`),
      "nothing is open of Brightwater Foods Ltd in EUR"
    )
    assert.include(String((await ask("/customers.csv")).body), "Brightwater Foods")
    assert.include(await page("/customers/999999"), "No page has this address.")
    assert.include(await page("/failed?month=2026-13"), "No payment came back.")
    assert.match(String((await ask("/changes.csv?since=2000-01-01")).body), /^\W*What,Document,/)
    assert.match(String((await ask("/activity.csv?only=calls")).body), /Create invoice/)
    for (const [list, words] of [
      ["documents.csv?only=open", /INV-2,INV-2,Brightwater Foods[^\r\n]*,200\.60,200\.60/],
      ["attention.csv", /^\W*Since/],
      ["debtors.csv", /^\W*Debtor/],
      ["payouts.csv", /^\W*Payout,Account/],
      ["cover.csv", /^\W*\w+/]
    ] as const)
      assert.match(String((await ask(`/${list}`)).body), words, list)
    assert.include(await page("/payouts"), "No payout of a processor was read.")
    // What an address says that nothing understands is as if it were not there.
    const nonsense = await page("/receivables?currency=nonsense&age=never&week=2026-99-99&sort=colour&skip=-1")
    assert.include(nonsense, "Expected by week, GBP")
  })
})
