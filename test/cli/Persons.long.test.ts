/** `daybook persons`: accounts are added, listed and removed; a password is never shown. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { books, NOWHERE, useCommand } from "../support/Cli.ts"
import { typing } from "../support/People.ts"

useCommand()

describe("daybook persons", () => {
  it("adds, lists and removes people, and refuses what is no account", async () => {
    const here = books(NOWHERE)
    const add = (line: string, ...args: ReadonlyArray<string>) =>
      here.runWith({ through: typing(line) }, "persons", "add", ...args)
    assert.include((await here.run("persons", "list")).stdout, "Nobody has an account")
    const made = await add("correct horse", "ada", "--role", "approver", "--up-to", "GBP=25000.00", "--declares")
    assert.strictEqual(made.status, 0, made.stderr)
    for (const [line, args, why] of [
      ["correct horse", ["ada", "--role", "reader"], /is there already/],
      ["correct horse", ["bo", "--role", "king"], /one of reader, bookkeeper/],
      ["correct horse", ["bo"], /one of reader, bookkeeper/],
      ["short", ["bo", "--role", "reader"], /at least 8 characters/],
      ["correct horse", ["bo", "--role", "approver", "--up-to", "GBP"], /write/],
      ["correct horse", ["b o", "--role", "reader"], /use letters/]
    ] as const) {
      const refused = await add(line, ...args)
      assert.strictEqual(refused.status, 2, args.join(" "))
      assert.match(refused.stderr, why)
    }
    const { stdout } = await here.run("persons", "list")
    assert.match(stdout, /ada +ada +approver, declares to the insurer +all +25000\.00 GBP/)
    assert.notInclude(stdout + (await here.run("persons", "list", "--json")).stdout, "scrypt")
    assert.notInclude(readFileSync(here.path("daybook.persons.json"), "utf8"), "horse")
    assert.strictEqual((await here.run("persons", "remove", "ada")).status, 0)
    assert.strictEqual((await here.run("persons", "remove", "ada")).status, 2)
  })
})
