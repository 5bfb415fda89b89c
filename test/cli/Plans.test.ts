/**
 * Plans that are not sent: one that moved since it was saved, one that somebody edited, one that takes too much away.
 */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import {
  books,
  configuration,
  failed,
  INVOICES,
  lines,
  many,
  NOWHERE,
  ofType,
  service,
  useCommand
} from "../support/Cli.ts"

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

  it("that is none, or half of one, is distinguished from one that moved", async () => {
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
      /^daybook: books: G1: this run would make 6 calls that reduce what the service holds .* in a ledger of 10 invoices and orders; the guard allows at most 50 and at most 20% of the ledger\. Nothing was sent\. Look at `daybook plan`; if it is right, run again with --allow G1/
    )
    assert.strictEqual((await there.calls()).length, before)
    const plan = await here.run("plan", "--json")
    assert.strictEqual(ofType(plan, "call").length, lines(plan).at(-1)?.["calls"])
    const allowed = await here.run("sync", "--allow-reductions")
    assert.include([0, 3], allowed.status)
    assert.isAbove((await there.calls()).length, before)
  })
})

describe.concurrent("a plan that looks like a mistake", () => {
  const LOWERED = INVOICES.replace("250.50,300.60", "25.05,30.06")
  const QUIET = "Ref,Invoice,Date,Amount,Type,Code\n"

  it("stops with the number of its guard, run after run, until a person says that number", async () => {
    const there = await service()
    const here = books(there.url, { "payments.csv": QUIET })
    assert.strictEqual((await here.run("sync")).status, 0)
    const before = (await there.calls()).length
    here.write("invoices.csv", LOWERED)
    const dry = await here.run("sync", "--dry-run")
    assert.strictEqual(dry.status, 0, dry.stderr)
    assert.include(dry.stdout, "1 to change: -270.54 GBP open")
    assert.include(dry.stdout, "Nothing was sent: this was a dry run.")
    assert.include(
      dry.stdout,
      "Stopped by guards\n  books G4: an invoice lowered by more than half: books/invoice/INV-2 would be lowered from 300.60 GBP to 30.06 GBP\n"
    )
    const [refused, wrong, other, planned] = await here.runEach(
      ["sync"],
      ["sync", "--allow", "G12"],
      ["apply", "--allow", "G1,g5", "--allow-reductions"],
      ["plan", "--json"]
    )
    assert.match(failed(refused!, 4), /^daybook: books: G4: .* Nothing was sent\. .* run again with --allow G4\n$/)
    assert.match(failed(wrong!, 2), /--allow G12: unknown guard; available: G1, G2/)
    assert.match(failed(other!, 4), /G4/)
    assert.deepInclude(ofType(planned!, "guard")[0], { connection: "books", guard: "G4" })
    assert.deepInclude(lines(planned!).at(-1), { type: "summary", create: 0, change: 1, open: { GBP: "-270.54" } })
    assert.strictEqual((await there.calls()).length, before)
    assert.strictEqual((await here.run("sync", "--allow", "G4")).status, 0)
    assert.strictEqual((await there.calls()).length, before + 1)
    assert.strictEqual((await here.run("sync")).status, 0)
  })

  it("goes on where the configuration turns its guard off, and is sent when it was saved and the guard is named", async () => {
    const there = await service()
    const written = configuration(there.url)
    const relaxed = { ...written, connections: [{ ...written.connections[0], guards: { allow: ["G4"] } }] }
    const here = books(there.url, { "payments.csv": QUIET, "relaxed.json": JSON.stringify(relaxed) })
    assert.strictEqual((await here.run("sync")).status, 0)
    here.write("invoices.csv", LOWERED)
    assert.strictEqual((await here.run("pull")).status, 0)
    assert.strictEqual((await here.run("plan", "--save", "a.plan")).status, 0)
    assert.match(failed(await here.run("apply", "--plan", "a.plan"), 4), /G4/)
    assert.strictEqual((await here.run("apply", "--plan", "a.plan", "--allow", "G4")).status, 0)
    here.write("invoices.csv", LOWERED.replace("25.05,30.06", "2.50,3.00"))
    assert.strictEqual((await here.run("sync", "--config", "relaxed.json")).status, 0)
  })
})

describe.concurrent("what a plan says first", () => {
  it("is what it comes to, in one sentence and in the summary", async () => {
    const here = books(NOWHERE)
    await here.run("pull")
    const [shown, json] = await here.runEach(["plan"], ["plan", "--json"])
    assert.strictEqual(shown!.stdout.split("\n")[0], "2 to create, 2 payments, 1 to mark as paid: +200.60 GBP open")
    assert.deepInclude(lines(json!).at(-1), {
      ...{ type: "summary", create: 2, change: 0, delete: 0, payments: 2, reversals: 0, paid: 1 },
      open: { GBP: "200.60" }
    })
  })

  it("and of one document what would be sent of it", async () => {
    const here = books(NOWHERE)
    await here.run("pull")
    const [one, byPayment, none, saved] = await here.runEach(
      ["plan", "--target", "INV-2", "--json"],
      ["plan", "--target", "books/payment/P-2/INV-2", "--json"],
      ["plan", "--target", "INV-77"],
      ["plan", "--target", "INV-2", "--save", "a.plan"]
    )
    const documents = (ran: typeof one) => ofType(ran!, "call").map(({ document, rule }) => [document, rule])
    assert.deepStrictEqual(documents(one), [
      ["books/invoice/INV-2", "T2"],
      ["books/invoice/INV-2", "P1"]
    ])
    assert.deepStrictEqual(documents(byPayment), documents(one))
    assert.match(failed(none!, 2), /--target INV-77: no document has this number, id or key/)
    assert.match(failed(saved!, 2), /a part of a plan cannot be saved/)
  })
})
