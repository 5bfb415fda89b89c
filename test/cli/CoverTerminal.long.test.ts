/** What a person is asked at a terminal before cover is bought, and before an invoice is handed over. */
import { assert, beforeEach, describe, it } from "@effect/vitest"
import { ofType, useCommand } from "../support/Cli.ts"
import { ENV, lateDesk } from "../support/CoverDesk.ts"
import { atTerminal, hasScript, MISSING } from "../support/Terminal.ts"

useCommand()

describe("cover at a terminal", { timeout: 120_000 }, () => {
  beforeEach(({ skip }) => {
    if (!hasScript) skip(MISSING)
  })

  it("asks before it buys, and for each declaration by itself", async () => {
    const { does, folder } = await lateDesk()
    const at = (command: string, ...answers: ReadonlyArray<string>) => atTerminal(folder, command, answers, ENV)
    const bought = await at("cover buy INV-2", "y\n")
    assert.strictEqual(bought.status, 0, bought.shown)
    // One declaration is made, and the other is not.
    assert.match(bought.shown, /201\.60 GBP[\s\S]*Buy it\? \[y\/N\] y[\s\S]*Approved by /)
    const half = await at("collect INV-1 --confirm", "Ada Reed\n", "n\n", "y\n", "n\n")
    assert.strictEqual(half.status, 3, half.shown)
    assert.match(
      half.shown,
      /Your name: Ada Reed\s+Does the buyer dispute this invoice\? \[yes\/no\] n[\s\S]*Do you declare this\? \[yes\/no\] y[\s\S]*Do you declare this\? \[yes\/no\] n/
    )
    assert.notInclude(half.shown, "Confirmed by")
    // Nothing but an explicit answer is one, whatever the question.
    const END = "\u0004"
    for (const answers of [
      ["Ada Reed\n", "yes, the goods came late\n"],
      ["Ada Reed\n", "\n"],
      ["Ada Reed\n", END],
      ["Ada Reed\n", "y\n", END],
      ["Ada Reed\n", "y\n", "\n"],
      ["Ada Reed\n", "n\n", "\n"],
      ["Ada Reed\n", "n\n", "sure\n"],
      ["\u200b\n"]
    ]) {
      const none = await at("collect INV-1 --confirm", ...answers)
      assert.strictEqual(none.status, 3, none.shown)
      assert.notInclude(none.shown, "Confirmed by")
    }
    const whole = await at("collect INV-1 --confirm", "Ada Reed\n", "y\n", "the goods came late\n", "y\n", "y\n")
    assert.strictEqual(whole.status, 0, whole.shown)
    assert.match(whole.shown, /Why: the goods came late[\s\S]*Confirmed by Ada Reed\./)
    const [view] = ofType(await does("collect", "INV-1", "--json"), "collection")
    assert.include(JSON.stringify(view), "the goods came late")
  })
})
