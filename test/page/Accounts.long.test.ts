/** Accounts of people's own: passwords as hashes, the file that keeps them, and how long a session lasts. */
import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { statSync, writeFileSync } from "node:fs"
import { Sessions } from "../../cli/page/Sessions.ts"
import * as PersonsFile from "../../sync/library/config/PersonsFile.ts"
import { hashPassword, isPasswordOf } from "../../sync/library/PasswordHash.ts"
import { desk } from "../support/Cli.ts"

const HOUR = 3_600_000
const NOW = Date.parse("2026-06-30T12:00:00Z")
const PLAIN = { encrypted: false }
const cookieOf = (cookies: ReadonlyArray<string>): string => cookies[0]!.split(";")[0]!

describe("accounts", () => {
  it("keep passwords as salted hashes with their parameters", async () => {
    const [one, two] = await Promise.all([hashPassword("correct horse"), hashPassword("correct horse")])
    assert.notStrictEqual(one, two)
    assert.match(one, /^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/)
    assert.isTrue(await isPasswordOf("correct horse", one))
    for (const [password, stored] of [
      ["wrong horse", one],
      ["correct horse", undefined],
      ["correct horse", "plain"],
      ["correct horse", one.replace("32768", "32767")]
    ] as const)
      assert.isFalse(await isPasswordOf(password, stored), String(stored))
  })

  it("are let in before those who guess on, from however many addresses", async () => {
    const ada = { name: "ada", roles: ["reader"], password: await hashPassword("of ada alone") } as const
    const sessions = new Sessions(Redacted.make("shared by all"), { persons: () => [ada] })
    const known = sessions.issue(NOW, "192.0.2.1", PLAIN).map((one) => one.split(";")[0])
    const order: Array<string> = []
    const tries = async (from: string, password: string, cookies: string | null = null) => {
      const sender = sessions.senderOf(cookies, from)
      sessions.attempt(sender, NOW)
      const person = await sessions.check("ada", password, sender)
      order.push(person === undefined ? `${from} guesses` : from)
    }
    const guessing = Array.from({ length: 12 }, (_, n) => tries(`network ${n % 4}`, "of somebody"))
    await Promise.all([...guessing, tries("new", "of ada alone"), tries("known", "of ada alone", known.join("; "))])
    const first = [1, 2, 3].map((n) => `network ${n} guesses`)
    // One is being worked out already.
    assert.deepStrictEqual(order.slice(0, 6), ["network 0 guesses", "known", ...first, "new"])
    assert.lengthOf(order, 14)
  })

  it("are in a file that nobody else reads; while it is broken, nobody in it is let in", async () => {
    const file = desk().path("daybook.persons.json")
    const password = await hashPassword("correct horse")
    PersonsFile.write(file, [{ name: "ada", roles: ["approver"], up_to: { GBP: "25000.00" }, password }])
    assert.strictEqual(statSync(file).mode & 0o777, 0o600)
    const people = PersonsFile.following(file)
    assert.deepStrictEqual([...PersonsFile.personOf(people()[0]!).upTo!], [["GBP", 2_500_000_000_000n]])
    for (const [broken, why] of [
      ['{ "persons": [{ "name": "ada", "roles": ["king"] }] }', /roles/],
      ['{ "persons": [{ "name": "ada", "roles": ["reader"], "up_to": { "GBP": "12,5" } }] }', /write an amount/],
      [
        '{ "persons": [{ "name": "a", "roles": ["reader"] }, { "name": "a", "roles": ["reader"] }] }',
        /a is in it twice/
      ],
      ["{", /./]
    ] as const) {
      writeFileSync(file, broken)
      assert.throws(() => PersonsFile.read(file), why)
      assert.deepStrictEqual(people(), [])
    }
  })

  it("let in by name and password, also beside a shared password, which needs no name", async () => {
    const ada = { name: "ada", roles: ["reader"], password: await hashPassword("of ada alone") } as const
    const sessions = new Sessions(Redacted.make("shared by all"), { persons: () => [ada] })
    assert.strictEqual((await sessions.check("ada", "of ada alone", "x"))?.subject, "ada")
    assert.isUndefined(await sessions.check("ada", "shared by all", "x"))
    assert.isUndefined(await sessions.check("", "of ada alone", "x"))
    assert.strictEqual((await sessions.check("", "shared by all", "x"))?.subject, "operator")
    const alone = new Sessions(undefined, { persons: () => [ada] })
    assert.isUndefined(alone.token)
    assert.isUndefined(await alone.check("", "", "x"))
  })

  it("are signed out without use, and after a time at all; signing in ends the session before", () => {
    const sessions = new Sessions(Redacted.make("shared by all"), { idleMs: HOUR, lastsMs: 3 * HOUR })
    const used = cookieOf(sessions.issue(NOW, "", PLAIN))
    assert.isDefined(sessions.of(used, NOW + HOUR - 1))
    assert.isUndefined(sessions.of(used, NOW + 2 * HOUR))
    const kept = cookieOf(sessions.issue(NOW, "", PLAIN))
    for (const minutes of [50, 100, 150]) assert.isDefined(sessions.of(kept, NOW + minutes * 60_000))
    assert.isUndefined(sessions.of(kept, NOW + 3 * HOUR))
    const first = cookieOf(sessions.issue(NOW, "", PLAIN))
    const second = cookieOf(sessions.issue(NOW, "", PLAIN, undefined, sessions.of(first, NOW)))
    assert.isUndefined(sessions.of(first, NOW))
    assert.isDefined(sessions.of(second, NOW))
  })
})
