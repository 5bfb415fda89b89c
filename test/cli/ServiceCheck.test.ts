/** `daybook service check`, as a person meets it: what it says, what it leaves, and that it refuses a service that may be real. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import { books, failed, ofType, service, useCommand } from "../support/Cli.ts"

useCommand()

describe("daybook service check", () => {
  it("says of each assumption whether it holds, and names what it created; no state file is made", async () => {
    const there = await service()
    const here = books(there.url)
    const ran = await here.run("service", "check")
    assert.strictEqual(ran.status, 0, ran.stderr + ran.stdout)
    assert.match(ran.stdout, /^ok {2}details: A payment's `details` are kept as sent/m)
    assert.match(ran.stdout, /^\? {3}statuses: .*\n {6}cannot be probed here: a deferred payment exists only once/m)
    assert.match(ran.stdout, /^ {2}invoice daybook-check-\w+\/invoice\/1 \(\S+\), removed$/m)
    assert.match(ran.stdout, /Every assumption that can be probed here holds\.\n$/)
    assert.isFalse(existsSync(here.path("daybook.db")))
  })

  it("ends with 3 and names the assumption that does not hold, and what Daybook does then", async () => {
    const there = await service()
    const here = books(there.url)
    await there.control("POST", "faults", { method: "GET", path: "/v1/me", kind: "status", status: 404 })
    const ran = await here.run("service", "check")
    assert.strictEqual(ran.status, 3, ran.stderr)
    assert.match(
      ran.stdout,
      /^NO {2}account: .*\n {6}me\.get: not found: .*\n {6}Daybook then: `daybook doctor` reports/m
    )
    assert.deepInclude(ofType(await here.run("service", "check", "--json"), "summary")[0], { wrong: ["account"] })
  })

  it("refuses a service that nobody says is a test environment, before the key is used", async () => {
    const here = books("https://api.example.com")
    const said = failed(await here.runWith({ env: { SERVICE_KEY: undefined } }, "service", "check"), 2)
    assert.match(said, /nothing says that api\.example\.com is a test environment/)
    assert.match(failed(await here.run("service", "check", "--test-environment", "example.com"), 2), /nothing says/)
  })
})
