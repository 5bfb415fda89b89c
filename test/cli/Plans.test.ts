/**
 * Plans that are not sent: one that moved since it was saved, one that somebody edited, one that takes too much away.
 */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { books, failed, INVOICES, lines, many, ofType, service, useCommand } from "../support/Cli.ts"

useCommand()

describe.concurrent("a saved plan", () => {
  const save = async () => {
    const there = await service()
    const here = books(there.url)
    await here.run("pull")
    await here.run("plan", "--save", "a.plan")
    return { there, here, text: readFileSync(here.path("a.plan"), "utf8") }
  }

  it("is refused when the books moved", async () => {
    const { here, there } = await save()
    here.write("invoices.csv", INVOICES.replace("250.50,300.60", "300.00,360.00"))
    await here.run("pull")
    assert.strictEqual(
      failed(await here.run("apply", "--plan", "a.plan"), 4),
      "daybook: the books or the ledger changed since this plan was saved; nothing was sent. Make a new plan with `daybook plan --save` and review it\n"
    )
    assert.deepStrictEqual(await there.calls(), [])
    assert.match((await here.run("status")).stdout, /0 calls, refused: the plan had moved/)
  })

  it("is refused when it was sent before", async () => {
    const { here, there } = await save()
    assert.strictEqual((await here.run("apply", "--plan", "a.plan")).status, 3)
    assert.match(failed(await here.run("apply", "--plan", "a.plan"), 4), /changed since this plan was saved/)
    assert.strictEqual((await there.calls()).length, 6)
  })

  it("is refused when somebody edited it: an amount, a line, the digest", async () => {
    const { here, there, text } = await save()
    const digest = /"digest":"(.)/.exec(text)![1]!
    const edits: ReadonlyArray<readonly [string, RegExp]> = [
      [
        text.replace('"gross_amount":"300.60"', '"gross_amount":"30.60"'),
        /^daybook: 0\.plan was changed after it was saved; nothing was sent/
      ],
      [
        text
          .split("\n")
          .filter((line) => !line.includes("INV-9"))
          .join("\n"),
        /^daybook: 1\.plan was changed after it was saved/
      ],
      [
        text.replace(`"digest":"${digest}`, `"digest":"${digest === "0" ? "1" : "0"}`),
        /changed since this plan was saved/
      ]
    ]
    for (const [n, [edited]] of edits.entries()) {
      assert.notStrictEqual(edited, text)
      here.write(`${n}.plan`, edited)
    }
    const all = await here.runEach(...edits.map((_, n) => ["apply", "--plan", `${n}.plan`]))
    for (const [n, ran] of all.entries()) assert.match(failed(ran, 4), edits[n]![1])
    assert.deepStrictEqual(await there.calls(), [])
    // An editor that changed nothing but the ends of its lines has changed nothing.
    here.write("e.plan", text.replaceAll("\n", "\r\n"))
    assert.strictEqual((await here.run("apply", "--plan", "e.plan")).status, 3)
  })

  it("that is none, or half of one, is told apart from one that moved", async () => {
    const { here, text } = await save()
    here.write("half.plan", text.slice(0, text.length / 2))
    const all = await here.runEach(
      ["apply", "--plan", "half.plan"],
      ["apply", "--plan", "no.plan"],
      ["plan", "--save", "no/such.plan"]
    )
    assert.deepStrictEqual(
      all.map((ran) => failed(ran, 2)),
      [
        "daybook: half.plan is not a saved plan, or is incomplete; make one with `daybook plan --save FILE`\n",
        "daybook: the plan no.plan cannot be read: there is no such file; check --plan\n",
        "daybook: the plan cannot be saved to no/such.plan: its folder does not exist; name another file with --save\n"
      ]
    )
  })
})

describe.concurrent("a plan that takes much away", () => {
  it("is refused before its first call, and sent when a person says so", async () => {
    const there = await service()
    const ten = many(10)
    const here = books(there.url, ten)
    assert.strictEqual((await here.run("sync")).status, 0)
    const before = (await there.calls()).length
    here.write("payments.csv", ten["payments.csv"].split("\n").slice(0, 5).join("\n") + "\n")
    const message = failed(await here.run("sync"), 4)
    assert.match(
      message,
      /^daybook: books: this run would make 6 calls that reduce what the service holds .* in a ledger of 10 invoices and orders; the guard allows at most 50 and at most 20% of the ledger\. Nothing was sent\. Look at `daybook plan`; if it is right, run again with --allow-reductions/
    )
    assert.strictEqual((await there.calls()).length, before)
    const plan = await here.run("plan", "--json")
    assert.strictEqual(ofType(plan, "call").length, lines(plan).at(-1)?.["calls"])
    const allowed = await here.run("sync", "--allow-reductions")
    assert.include([0, 3], allowed.status)
    assert.isAbove((await there.calls()).length, before)
  })
})
