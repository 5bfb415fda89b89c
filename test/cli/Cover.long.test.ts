/** Cover as a person meets it at the command line: what there is, what it costs, and a decision about exactly that. */
import { readFileSync, writeFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { failed, KEY, ofType, useCommand } from "../support/Cli.ts"
import { coverDesk, day, ENV, invoices } from "../support/CoverDesk.ts"

useCommand()

const digestIn = (text: string): string => /--digest (\S+)/.exec(text)?.[1] ?? ""

describe.concurrent("daybook cover", () => {
  it("shows what is open of each buyer by its cover, the month, offers and deadlines, in books and service", async () => {
    const { does } = await coverDesk()
    assert.strictEqual((await does("sync")).status, 3)
    const { status, stdout } = await does("cover")
    assert.strictEqual(status, 3)
    assert.match(stdout, /^Buyer +Currency +Open +Insured +Offered +Declined +Out of scope +Limit$/m)
    assert.match(stdout, /^Brightwater Foods Ltd +GBP +9,000\.00 +9,000\.00 +\S/m)
    assert.match(stdout, /^ {2}2,000\.00 GBP {2}buyer-uncreditworthy$/m)
    assert.match(stdout, /^books +GBP +books +12,100\.00 +1,000\.00 +9,000\.00 +2,000\.00 +100\.00$/m)
    assert.match(stdout, /^books +GBP +service +12,100\.00 +1,000\.00 +9,000\.00 +2,000\.00 +100\.00$/m)
    assert.match(
      stdout,
      /^ {2}books: 22\.40 of 500\.00 GBP spent in \w+ \d{4}, 477\.60 left; offers for 201\.60 GBP wait$/m
    )
    assert.match(
      stdout,
      /^INV-2 +Brightwater Foods Ltd .*201\.60 GBP +180\.00 +21\.60 +8,100\.00 GBP .* waits for you$/m
    )
    assert.match(stdout, new RegExp(`^${day(25)} +25 days +due +INV-1 +Harbour Lane Bakery Ltd +active$`, "m"))
    const json = await does("cover", "--json")
    const [total] = ofType(json, "total")
    assert.deepStrictEqual(total?.["inBooks"], total?.["onService"])
    assert.deepStrictEqual(ofType(json, "summary"), [
      { type: "summary", invoices: 3, offers: 1, asks: 1, deadlines: 2 }
    ])
  })

  it("shows a name of several lines as one: none of them looks like a line of Daybook's own", async () => {
    const forged = "Two Ltd\nINV-2: insures Brightwater Foods Ltd (GB, 12345678)"
    const books = invoices().replace("Brightwater Foods Ltd", `"${forged}"`)
    const { does } = await coverDesk({ files: { "invoices.csv": books } })
    const said = [
      await does("sync"),
      await does("attention"),
      await does("cover", "buy", "INV-2"),
      await does("explain", "INV-2")
    ]
    for (const { stdout } of said) {
      assert.notMatch(stdout, /^ *INV-2: insures Brightwater/m)
      assert.match(stdout, /insures Two Ltd INV-2: insures/)
    }
  })

  it("buys an offer by the digest that was shown, and never another", async () => {
    const { does, service } = await coverDesk()
    await does("sync")
    const shown = await does("cover", "buy", "INV-2")
    assert.strictEqual(shown.status, 3)
    assert.include(shown.stdout, "Together 201.60 GBP: premium 180.00 GBP, tax 21.60 GBP; insures 8,100.00 GBP")
    assert.include(shown.stdout, "INV-2: more than 50.00 GBP for one invoice")
    assert.match(shown.stdout, /^INV-2: insures Brightwater Foods Ltd \(GB, \d+/m)
    const digest = digestIn(shown.stdout)
    assert.include(failed(await does("cover", "buy", "INV-2", "--yes"), 2), "--yes needs --digest")
    const nobody = await does("cover", "buy", "INV-2", "--yes", "--digest", digest, "--by", " ")
    assert.deepStrictEqual([nobody.status, nobody.stdout], [2, ""])
    assert.include(nobody.stderr, '--by: " " does not fit; write who decides, or leave it out')
    assert.include(
      failed(await does("cover", "buy", "INV-2", "--yes", "--digest", "x".repeat(12)), 4),
      "nothing was decided"
    )
    const bought = await does("cover", "buy", "INV-2", "--yes", "--digest", digest, "--by", "Pat")
    assert.deepStrictEqual(
      [bought.status, bought.stdout.split("\n").at(-2)],
      [0, "Approved by Pat. The next daybook sync buys cover for 1 invoice."]
    )
    await does("sync")
    const bodies = (await service.calls()).filter(({ path }) => path === "/v1/policies")
    assert.strictEqual(bodies.length, 2)
    assert.include(failed(await does("cover", "buy", "INV-2"), 2), "is insured already")
    assert.strictEqual((await does("cover")).status, 0)
  })

  it("buys nothing of several that come to more than is left of the month, as on the page", async () => {
    const { does } = await coverDesk({
      cover: { price: { currency: "GBP", per_invoice: "1.00", per_month: "210.00" } }
    })
    await does("sync")
    const both = ["cover", "buy", "INV-1", "INV-2"] as const
    const digest = digestIn((await does(...both)).stdout)
    const refused = await does(...both, "--yes", "--digest", digest, "--by", "Pat")
    assert.match(
      failed(refused, 2),
      /together they cost 22\d\.\d\d GBP, which is .* more than is left of this month's limit/
    )
    const one = await does(
      "cover",
      "buy",
      "INV-2",
      "--yes",
      "--digest",
      digestIn((await does("cover", "buy", "INV-2")).stdout)
    )
    assert.strictEqual(one.status, 0)
  })

  it("decides nothing in the name of nobody", async () => {
    const { does } = await coverDesk()
    await does("sync")
    const digest = digestIn((await does("cover", "reject", "INV-2")).stdout)
    for (const name of ["\u200b", "Ada\nReed", "\u202eAda"])
      for (const decision of ["buy", "reject"])
        assert.match(
          failed(await does("cover", decision, "INV-2", "--yes", "--digest", digest, "--by", name), 2),
          /a name (has|stands on)/
        )
    assert.match((await does("cover")).stdout, /^INV-2 .* waits for you$/m)
  })

  it("is shown for as long as something is covered, though the configuration has no cover any more", async () => {
    const desk = await coverDesk()
    await desk.does("sync")
    const settings = JSON.parse(readFileSync(desk.path("daybook.config.json"), "utf8"))
    delete settings.connections[0].cover
    writeFileSync(desk.path("daybook.config.json"), JSON.stringify(settings))
    const { stdout } = await desk.does("cover")
    assert.match(stdout, new RegExp(`^${day(25)} +25 days +due +INV-1 `, "m"))
    assert.notInclude(stdout, "offer ends")
    assert.strictEqual((await desk.does("collect")).status, 0)
  })

  it("rejects an offer, and asks for a quote of what is not selected or was declined", async () => {
    const { does, service } = await coverDesk()
    await does("sync")
    const digest = digestIn((await does("cover", "reject", "INV-2")).stdout)
    const rejected = await does("cover", "reject", "INV-2", "--yes", "--digest", digest, "--by", "Pat")
    assert.match(rejected.stdout, /Rejected by Pat: nothing of it is bought\.\n$/)
    assert.match((await does("cover")).stdout, /^INV-2 .* rejected$/m)
    // Somebody else does not override it unseen: neither by what was shown before, nor without being told.
    const over = failed(await does("cover", "buy", "INV-2", "--yes", "--digest", digest, "--by", "Bo"), 4)
    assert.include(over, "nothing was decided")
    assert.match((await does("cover", "buy", "INV-2")).stdout, /^INV-2: Pat rejected it on \d{4}-\d\d-\d\d$/m)
    assert.include(failed(await does("cover", "quote", "INV-2"), 2), "has an offer until")
    assert.include((await does("cover", "quote", "INV-3")).stdout, "The next daybook sync asks for a quote")
    await does("sync")
    assert.strictEqual((await service.calls()).filter(({ path }) => path === "/v1/quotes").length, 4)
    // What the configuration does not select is not bought, and it says so before anybody approves it.
    assert.match(
      failed(await does("cover", "buy", "INV-3"), 2),
      /INV-3 is not selected by the configuration \(its net amount/
    )
  })
})

describe("a purchase whose outcome is not known", () => {
  for (const fault of [
    { kind: "status", status: 502 },
    { kind: "status", status: 504 },
    { kind: "lose_response" },
    { kind: "lose_request" }
  ])
    it(`is looked up, and made once: ${fault.kind} ${fault.status ?? ""}`, async () => {
      const { does, service } = await coverDesk()
      await service.control("POST", "faults", { method: "POST", path: "/v1/policies", times: 1, ...fault })
      const first = await does("sync")
      assert.strictEqual(first.status, 3, first.stdout + first.stderr)
      for (let again = 0; again < 2; again++) assert.strictEqual((await does("sync")).status, 3)
      assert.match((await does("explain", "INV-1")).stdout, /its policy is active/)
      assert.match((await does("cover")).stdout, /^ {2}books: 22\.40 of 500\.00 GBP spent in /m)
      const answer = await fetch(`${service.url}/v1/policies`, { headers: { authorization: `Token ${KEY}` } })
      assert.lengthOf(((await answer.json()) as { readonly results: ReadonlyArray<unknown> }).results, 1)
    })
})

describe.concurrent("a mistake about cover", () => {
  it("is named with what to do: no cover, an unknown document, nothing to approve", async () => {
    const none = await coverDesk({ cover: null })
    assert.match(
      failed(await none.does("cover"), 2),
      /daybook\.config\.json: no connection has cover; add it to one, like "cover": \{ "select": /
    )
    const { does } = await coverDesk()
    await does("sync")
    assert.include(
      failed(await does("cover", "buy", "INV-22"), 2),
      'there is no invoice "INV-22" in the books; did you mean "INV-2"?'
    )
    assert.include(
      failed(await does("cover", "buy", "INV-4"), 2),
      "has no offer now: it was declined, buyer-uncreditworthy"
    )
    assert.include(failed(await does("cover", "buy", "INV-3"), 2), "has no offer now: no quote was asked for yet")
  })

  it("is named: no payment method, in the configuration or in the environment", async () => {
    const { does } = await coverDesk({ cover: { pay_with: undefined } as object })
    const { status, stdout } = await does("sync")
    assert.strictEqual(status, 3)
    assert.match(stdout, /no payment method is configured: no cover is bought/)
    assert.match(
      failed(await does("cover", "buy", "INV-2"), 2),
      /no payment method is configured; add "pay_with": \{ "env": "NAME" \} to cover/
    )
    const { COVER_PAYMENT: _, ...env } = ENV
    const unset = await coverDesk({ env: { ...env, COVER_PAYMENT: undefined } })
    assert.match((await unset.does("sync")).stdout, /COVER_PAYMENT is not set/)
  })

  it("is named: a payment that was refused (402), once, and nothing more is bought until a person says so", async () => {
    const { does, service } = await coverDesk({ env: { ...ENV, COVER_PAYMENT: "tok_declined" } })
    const first = await does("sync")
    assert.match(first.stdout, /Q8\n/)
    assert.include(first.stdout, "daybook attention retry")
    assert.notInclude(first.stdout, "tok_declined")
    assert.match((await does("cover")).stdout, /books: nothing is bought: a payment for it failed: /)
    await does("sync")
    assert.strictEqual((await service.calls()).filter(({ path }) => path === "/v1/policies").length, 1)
  })

  it("is named: a currency without a budget", async () => {
    const desk = await coverDesk()
    const euros = `Invoice,Buyer,Country,Address,Currency,Issued,Due,Net,Gross,State\nINV-5,Harbour Lane Bakery Ltd,GB,,EUR,${day(-5)},${day(25)},1000.00,1000.00,Sent\n`
    desk.write("invoices.csv", euros)
    await desk.does("sync")
    const { stdout } = await desk.does("cover", "quote", "INV-5")
    assert.include(stdout, "The next daybook sync asks for a quote")
    await desk.does("sync")
    const refused = failed(await desk.does("cover", "buy", "INV-5"), 2)
    assert.match(
      refused,
      /is in EUR, and cover\.price is in GBP: there is no budget for it; insure invoices in EUR over/
    )
  })
})
