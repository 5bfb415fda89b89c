/** The address of a prepared decision is bound to the invoices that it names, also to those that nobody would propose. */
import { assert, describe, it } from "@effect/vitest"
import { appendFileSync } from "node:fs"
import { join } from "node:path"
import { assistant } from "../support/Assistant.ts"
import { useCommand } from "../support/Cli.ts"
import { peopled, signInAs } from "../support/People.ts"

useCommand()

describe("a prepared decision about a payment", { timeout: 60_000 }, () => {
  it("is chosen only as long as the invoices that it names are what they were", async () => {
    const { here, running, url } = await peopled([{ name: "bo", roles: ["bookkeeper"] }], false)
    const bo = await signInAs(url, "bo")
    const { ask } = await assistant(here.folder)
    const items = (await ask("attention")).answer["items"] as ReadonlyArray<{
      readonly id: number
      readonly subject: string
    }>
    const item = items.find(({ subject }) => subject === "bank/payment/1")!.id
    const draft = String((await ask("draft", { item, invoices: ["INV-2=24.00"] })).answer["page"])
    const shown = async () => (await bo.get(draft)).text()
    assert.include(await shown(), "prepared what is chosen here")
    assert.include(await shown(), ">INV-2=24.00</textarea>")

    const from = running.said().length
    appendFileSync(join(here.folder, "payments.csv"), "P-8,INV-2,2026-03-29,1.00,,\n")
    await bo.post("/connections/books/sync")
    await running.says(({ connection, outcome }) => connection === "books" && outcome !== undefined, from)
    assert.include(await shown(), "What was prepared here is something else by now, so nothing is chosen.")
    assert.notInclude(await shown(), "INV-2=24.00")

    const refused = await ask("draft", { item, invoices: ["INV-2", "INV-99"] })
    assert.isTrue(refused.isError)
    assert.include(refused.text, "there is no invoice")
  })
})
