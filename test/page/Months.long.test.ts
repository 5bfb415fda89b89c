/**
 * Month end on the page of the real daemon: who may close a month, what exactly is closed, and that nothing else is: what changed since it
 * was shown, what has not ended, and books of others stay open.
 */
import { assert, describe, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import { appendFileSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { failed, useCommand } from "../support/Cli.ts"
import { extractText } from "unpdf"
import { until } from "../support/Daemon.ts"
import { peopled, signInAs } from "../support/People.ts"

useCommand()

const PEOPLE = [
  { name: "rita", roles: ["reader"] },
  { name: "bo", roles: ["bookkeeper"] },
  { name: "ada", full_name: "Ada Keeper", roles: ["approver"] },
  { name: "otto", roles: ["approver"], connections: ["others"] },
  { name: "shy", roles: ["approver"], connections: ["books"] }
] as const

type Session = Awaited<ReturnType<typeof signInAs>>

/** The fields of the form that closes what a page shows. */
const fieldsOf = (page: string): URLSearchParams =>
  new URLSearchParams(
    [
      ...(page.split('action="/months/close"')[1] ?? "").split("</form>")[0]!.matchAll(/name="(\w+)" value="([^"]*)"/g)
    ].map(([, name, value]) => [name!, value!])
  )

const post = async (url: string, { cookie, form }: Session, fields: URLSearchParams) => {
  const body = new URLSearchParams(fields)
  body.set("form", form)
  const answer = await fetch(`${url}/months/close`, { method: "POST", redirect: "manual", headers: { cookie }, body })
  return { status: answer.status, to: answer.headers.get("location"), text: await answer.text() }
}

const rowsOf = (folder: string, sql: string): ReadonlyArray<string> => {
  const db = new Sqlite(join(folder, "daybook.db"), { readonly: true })
  const rows = db.prepare(sql).raw().all() as ReadonlyArray<ReadonlyArray<unknown>>
  db.close()
  return rows.map((row) => row.join(" "))
}

const closedIn = (folder: string) => rowsOf(folder, "SELECT connection, month, who FROM closed_month ORDER BY 1, 2")

describe("month end on the page", { timeout: 90_000 }, () => {
  it("is closed by who may, as exactly what was shown, and what is read after it is late", async () => {
    const { here, running, url } = await peopled([...PEOPLE], false)
    const [rita, bo, ada, otto, shy] = await Promise.all(PEOPLE.map(({ name }) => signInAs(url, name)))
    const shown = async (who: Session | undefined, month = "2026-03") =>
      (await who!.get(`/months?month=${month}`)).text()
    const sync = async () => {
      const from = running.said().length
      await bo!.post("/connections/books/sync")
      await running.says(({ connection, outcome }) => connection === "books" && outcome !== undefined, from)
    }

    const page = await shown(ada)
    assert.include(page, "Books and service close alike.")
    for (const words of ["2026-03-01 to 2026-03-31", "= Closing balance", "books, GBP", "others, GBP", "Close 2026-03"])
      assert.include(page, words)
    for (const who of [rita, bo]) {
      assert.include(await shown(who), "= Closing balance")
      assert.notInclude(await shown(who), "/months/close")
      assert.include((await post(url, who!, fieldsOf(page))).text, "Your role does not allow this")
    }
    const fields = fieldsOf(page)
    assert.deepStrictEqual(fields.getAll("connection"), ["bank", "books", "others"])

    const theirs = await shown(otto)
    assert.deepStrictEqual(fieldsOf(theirs).getAll("connection"), ["others"])
    assert.notInclude(theirs, "books, GBP")
    assert.strictEqual((await post(url, otto!, fields)).status, 403)
    // The bank's payments are for the books, and this person does not see them.
    for (const ending of ["", ".xlsx", ".pdf"])
      assert.include(
        await (await shy!.get(`/months${ending}?month=2026-03`)).text(),
        "Other connections pay books, and you may not see them"
      )
    const alone = new URLSearchParams(fields)
    for (const id of ["bank", "others"]) alone.delete("connection", id)
    assert.strictEqual((await post(url, shy!, alone)).status, 403)
    const wrong = new URLSearchParams(fields)
    wrong.append("connection", "nobody's")
    assert.strictEqual((await post(url, ada!, wrong)).status, 404)
    // A statement of all is not one of some.
    wrong.delete("connection", "nobody's")
    wrong.delete("connection", "others")
    assert.include((await post(url, ada!, wrong)).text, "something else by now than what was shown")

    const now = new Date().toISOString().slice(0, 7)
    const next = `${Number(now.slice(0, 4)) + 1}-01`
    const early = await shown(ada, next)
    assert.include(early, `${next} ends on ${next}-31, and can be closed from that day on`)
    const before = new URLSearchParams(fields)
    before.set("month", next)
    assert.include((await post(url, ada!, before)).text, "can be closed from that day on")
    assert.deepStrictEqual(closedIn(here.folder), [])

    appendFileSync(join(here.folder, "payments.csv"), "P-8,INV-2,2026-03-29,1.00,,\n")
    await sync()
    const moved = await post(url, ada!, fields)
    assert.strictEqual(moved.status, 409)
    assert.include(moved.text, "2026-03 was not closed: it says something else by now than what was shown.")
    assert.deepStrictEqual(closedIn(here.folder), [])

    const asShown = fieldsOf(await shown(ada))
    const done = await post(url, ada!, asShown)
    assert.strictEqual(done.status, 303, done.text)
    assert.strictEqual(done.to, "/months?month=2026-03&said=closedMonth")
    assert.strictEqual((await post(url, ada!, asShown)).to, "/months?month=2026-03&said=closedBefore")
    const all = ["bank", "books", "others"].map((id) => `${id} 2026-03 Ada Keeper`)
    assert.deepStrictEqual(closedIn(here.folder), all)
    const after = await shown(ada)
    assert.include(after, "by Ada Keeper")
    assert.notInclude(after, "/months/close")

    appendFileSync(join(here.folder, "payments.csv"), "P-9,INV-2,2026-03-30,40.00,,\n")
    await sync()
    const april = await shown(ada, "2026-04")
    assert.match(april.replace(/<[^>]+>/g, " "), /books\/payment\/P-9\/INV-2\s+2026-03-30\s+0\.00\s+-40\.00\s+GBP/)

    // What waited for an invoice when the month was closed is for one now.
    assert.include(after, "bank: 1 payment or credit note of 24.00 GBP in all waits for an invoice, and is in no sum.")
    const [item] = rowsOf(here.folder, "SELECT id FROM attention WHERE subject = 'bank/payment/1' AND closed IS NULL")
    const matched = await bo!.post(`/attention/${item}/match`, { invoices: "INV-2=24.00", sure: "yes" })
    assert.strictEqual(matched.status, 303, await matched.text())
    const words =
      "books, GBP: the month before was closed at 199.60, and this one opens with 135.60. In the books, -40.00 was read late, and -24.00 is matched otherwise, or by another connection, currency or setting."
    await until("the service has it", async () => ((await shown(ada, "2026-04")).includes(words) ? true : undefined))

    const file = async (ending: string) =>
      Buffer.from(await (await ada!.get(`/months.${ending}?month=2026-04`)).arrayBuffer())
    assert.strictEqual((await file("xlsx")).subarray(0, 2).toString(), "PK")
    const { text } = await extractText(new Uint8Array(await file("pdf")), { mergePages: true })
    assert.match(text, /Closing statement 2026-04/)
    for (const month of ["2026-13", "2026-00", "0001-01", "9999-12", "x"])
      assert.strictEqual((await ada!.get(`/months?month=${month}`)).status, 404, month)
  })

  it("says what waits for approval, and is not closed by a command before its last day, or by nobody", async () => {
    const { here, running, url } = await peopled([PEOPLE[2]])
    const ada = await signInAs(url, "ada")
    const waiting = await (await ada.get("/months?month=2026-03")).text()
    assert.include(waiting, "books: none of its plans was carried out yet.")
    assert.include(waiting, "Books and service close alike, as far as read and planned.")
    const printed = await extractText(
      new Uint8Array(await (await ada.get("/months.pdf?month=2026-03")).arrayBuffer()),
      { mergePages: true }
    )
    assert.include(printed.text, "none of its plans was carried out yet")
    await running.stop()
    const next = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 7)
    assert.include(failed(await here.run("close", next, "--by", "Ada Keeper"), 2), "can be closed from that day on")
    assert.include(failed(await here.run("close", "2026-03", "--by", " "), 2), "say who closes the month")
    assert.deepStrictEqual(closedIn(here.folder), [])
    assert.include(readFileSync(join(here.folder, "payments.csv"), "utf8"), "P-1")
  })
})
