/** The first sync of a connection at a terminal: it shows its sums, asks, and waits for the answer. */
import { assert, beforeEach, describe, it } from "@effect/vitest"
import { books, configuration, PAYMENTS, service, useCommand } from "../support/Cli.ts"
import { atTerminal, hasScript, MISSING } from "../support/Terminal.ts"

useCommand()

const SETTLED = PAYMENTS.replace("P-3,INV-9,2026-03-22,5.00,,\n", "")

/** Runs a sync at a terminal, and gives this answer when it is asked for one. */
const syncAt = (folder: string, answer: string) => atTerminal(folder, "sync", [answer])

const open = async () => {
  const there = await service()
  const { connections, service: settings } = configuration(there.url)
  const { first_sync: _, ...connection } = connections[0]!
  const config = JSON.stringify({ service: settings, connections: [connection] })
  return { there, here: books(there.url, { "payments.csv": SETTLED, "daybook.config.json": config }) }
}

describe("the first sync at a terminal", { timeout: 120_000 }, () => {
  beforeEach(({ skip }) => {
    if (!hasScript) skip(MISSING)
  })

  it("shows its sums, is sent with yes, and asks never again", async () => {
    const { here, there } = await open()
    const { shown, status } = await syncAt(here.folder, "y\n")
    assert.strictEqual(status, 0, shown)
    assert.match(shown, /this is the first sync: 2 to create, 2 payments[\s\S]*Send it\? \[y\/N\]/)
    assert.isAbove((await there.calls()).length, 3)
    const again = await syncAt(here.folder, "n\n")
    assert.strictEqual(again.status, 0, again.shown)
    assert.notInclude(again.shown, "[y/N]")
  })

  for (const [what, answer] of [
    ["no", "n\n"],
    ["nothing but the return key", "\n"],
    ["the end of input", "\u0004"]
  ] as const)
    it(`sends nothing with ${what}, and ends with 4`, async () => {
      const { here, there } = await open()
      const { shown, status } = await syncAt(here.folder, answer)
      assert.strictEqual(status, 4, shown)
      assert.include(shown, "[y/N]")
      assert.include(shown, "Nothing was sent")
      assert.deepStrictEqual(await there.calls(), [])
    })
})
