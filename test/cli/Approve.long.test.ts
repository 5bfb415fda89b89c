/**
 * A plan that waits, for people without a page: looked at, approved and refused at the command line beside a daemon at
 * work. What is sent is what was seen, call by call, and nothing else.
 */
import { assert, describe, it } from "@effect/vitest"
import { books, configuration, failed, INVOICES, lines, ofType, PAYMENTS, service, useCommand } from "../support/Cli.ts"
import { startDaemon, until } from "../support/Daemon.ts"

useCommand()

/** Without the payment that needs a person. */
const QUIET = PAYMENTS.split("\n").slice(0, 3).join("\n")

/** Books whose plans wait, beside a daemon that has laid one before a person. */
const waiting = async () => {
  const there = await service()
  const { connections, service: settings } = configuration(there.url)
  const here = books(there.url, {
    "payments.csv": QUIET,
    "daybook.config.json": JSON.stringify({
      service: settings,
      connections: [{ ...connections[0], approve: true, every: "10 seconds" }]
    })
  })
  const daemon = await startDaemon(here.folder)
  await daemon.says(({ outcome }) => outcome === "waits for approval")
  const digest = async () => String(ofType(await here.run("approve", "--json"), "approval")[0]!["digest"])
  return { there, here, daemon, digest }
}

describe.concurrent("daybook approve", () => {
  it("lists what waits, shows it, and has exactly that sent", { timeout: 60_000 }, async () => {
    const { daemon, digest, here, there } = await waiting()
    const listed = await here.run("approve")
    assert.strictEqual(listed.status, 3)
    assert.match(listed.stdout, /^books: 6 calls, waits since .*, digest [0-9a-f]{12}\n/)
    // The next run may be under way.
    const status = await until("no run is under way", async () => {
      const one = await here.run("status")
      return one.stdout.includes("running, or interrupted") ? undefined : one
    })
    assert.match(status.stdout, /Plans that need approval\n {2}books: 6 calls, waits since/)
    assert.match(status.stdout, /Last runs of the daemon\n {2}.* books: waits for approval: /)
    assert.deepInclude(ofType(await here.run("status", "--json"), "summary")[0], { approvals: 1 })

    const shown = await here.run("approve", "books")
    assert.strictEqual(shown.status, 3)
    const whole = await digest()
    assert.include(shown.stdout, "new: INV-1 to Harbour Lane Bakery Ltd")
    assert.include(shown.stdout, `daybook approve books --digest ${whole.slice(0, 12)}\n`)
    const seen = ofType(await here.run("approve", "books", "--json"), "call")
    assert.strictEqual(seen.length, 6)
    assert.deepStrictEqual(await there.calls(), [], "looking sends nothing")

    const decided = await here.run("approve", "books", "--digest", whole.slice(0, 12), "--by", "Ann", "--json")
    assert.strictEqual(decided.status, 0, decided.stderr)
    assert.deepInclude(lines(decided)[0], { type: "decided", connection: "books", decision: "approved", who: "Ann" })
    daemon.turn()
    const sent = await daemon.says(({ outcome }) => outcome === "done")
    assert.include(sent.message, "approved by Ann")
    const kind = (path: string) => path.replaceAll(/(\/)(trns-[^/]+|<[^>]+>|%3C.+?%3E)/g, "$1…").replace(/\/$/, "")
    assert.deepStrictEqual(
      (await there.calls()).map(({ method, path }) => `${method} ${kind(path)}`).toSorted(),
      seen.map(({ method, path }) => `${String(method)} ${kind(String(path))}`).toSorted()
    )
    assert.strictEqual((await here.run("approve")).stdout, "No plan waits for approval.\n")
    assert.deepStrictEqual(await daemon.stop(), [0, null])
  })

  it("has some documents of a plan sent, and the rest waits", { timeout: 60_000 }, async () => {
    const { daemon, digest, here, there } = await waiting()
    const whole = (await digest()).slice(0, 12)
    const only = ["approve", "books", "--digest", whole, "--only"]
    assert.match(
      failed(await here.run("approve", "books", "--only", "INV-2"), 2),
      /name the connection and the --digest/
    )
    assert.match(failed(await here.run(...only, "INV-9"), 4), /nothing is sent for "INV-9" in this plan/)
    assert.deepStrictEqual(await there.calls(), [])
    assert.match(failed(await here.run(...only, "INV-2", "--except", "INV-1"), 2), /--only and --except/)
    const decided = await here.run(...only.slice(0, -1), "--except", "INV-1", "--by", "Ann")
    assert.include(decided.stdout, "Approved by Ann: books/invoice/INV-2, books/owner.")
    daemon.turn()
    await until("the rest waits", async () => ((await digest()).startsWith(whole) ? undefined : true))
    assert.notInclude(JSON.stringify(await there.holds()), "INV-1")
    const rest = (await digest()).slice(0, 12)
    assert.strictEqual((await here.run("approve", "books", "--digest", rest)).status, 0)
    daemon.turn()
    await until("all is sent", async () => ((await there.calls()).length === 6 ? true : undefined))
    assert.deepStrictEqual(await daemon.stop(), [0, null])
  })

  it("decides on nothing but what was seen", { timeout: 60_000 }, async () => {
    const { daemon, digest, here, there } = await waiting()
    const before = (await digest()).slice(0, 12)
    assert.match(
      failed(await here.run("approve", "books", "--digest", "0123456789ab"), 4),
      /the plan of books that is waiting is not/
    )
    assert.match(failed(await here.run("approve", "books", "--digest", before.slice(0, 7)), 2), /give 8 characters/)
    assert.match(failed(await here.run("approve", "nobody"), 2), /connection "nobody" not found; available: books/)
    assert.match(failed(await here.run("approve", "nobody", "--digest", before), 4), /no plan of nobody waits/)
    assert.match(failed(await here.run("approve", "--digest", before), 2), /name the connection/)

    here.write("invoices.csv", `${INVOICES}INV-7,Late Ltd,GB,2026-03-05,2026-04-03,20.00,24.00,Sent\n`)
    assert.strictEqual((await here.run("pull")).status, 0)
    assert.include((await here.run("approve", "books")).stdout, "The books changed since this plan was made.")
    daemon.turn()
    await until("a new plan waits", async () => ((await digest()).startsWith(before) ? undefined : true))
    assert.match(
      failed(await here.run("approve", "books", "--digest", before), 4),
      /nothing was decided: the plan of books/
    )
    assert.deepStrictEqual(await there.calls(), [])
    assert.deepStrictEqual(await daemon.stop(), [3, null])
    assert.strictEqual(daemon.said().at(-1)!.message, "stopped; what was sent is kept, and 1 plan to approve")
  })

  it("and refuse: nothing is sent, and it is asked anew when the books change", { timeout: 60_000 }, async () => {
    const { daemon, digest, here, there } = await waiting()
    const first = await digest()
    await here.run("plan", "--save", "seen.plan")
    const refused = await here.run("reject", "books", "--digest", first.slice(0, 12), "--by", "Ben")
    assert.match(refused.stdout, /^Rejected by Ben\. Nothing is sent/)
    assert.match((await here.run("approve")).stdout, /^books: 6 calls, rejected by Ben, /)
    const again = failed(await here.run("approve", "books", "--digest", first), 4)
    assert.match(again, /the plan of books was already rejected by Ben/)
    // Whoever saved it before has seen it, and not the no.
    const saved = failed(await here.run("apply", "--plan", "seen.plan"), 4)
    assert.match(
      saved,
      /^daybook: books: Ben rejected this plan on .* run again with --yes, which sends it all the same/
    )
    daemon.turn()
    await daemon.says(({ message }) => message.includes("rejected"))
    here.write("invoices.csv", INVOICES.replace("250.50,300.60", "250.50,310.60"))
    daemon.turn()
    await until("it is asked anew", async () => ((await digest()) === first ? undefined : true))
    assert.deepStrictEqual(await there.calls(), [])
    await daemon.stop()
  })
})
