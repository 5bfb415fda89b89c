/**
 * What programs read: with `--json` one object per line on standard output and nothing else, with the members of the
 * contract, in its order. What the contract has no place for stands behind, and only where there is something to say.
 */
import { assert, describe, it } from "@effect/vitest"
import {
  books,
  configuration,
  type Desk,
  INVOICES,
  lines,
  NOWHERE,
  ofType,
  type Ran,
  service,
  useCommand
} from "../support/Cli.ts"

useCommand()

const members = (ran: Ran) => lines(ran).map((line) => Object.keys(line).join(" "))

describe.concurrent("sync --timing", () => {
  it("says where the time went, in text and in JSON, and nothing of it unasked", async () => {
    const { url } = await service()
    const { run } = books(url)
    const first = await run("sync", "--yes", "--timing", "--json")
    const [timing, ...more] = ofType(first, "timing")
    assert.deepStrictEqual(more, [])
    const { total, type: _, ...parts } = timing as Readonly<Record<string, number>>
    assert.deepStrictEqual(Object.keys(parts), ["source", "limits", "disk", "service", "us"])
    assert.strictEqual(
      Object.values(parts).reduce((sum, one) => sum + one, 0),
      total
    )
    const again = await run("sync", "--timing")
    assert.match(again.stdout, /\nWhere the time went: \d+\.\d\d s\n {2}waiting for the source +\d+\.\d\d s/)
    assert.deepStrictEqual(ofType(await run("sync", "--json"), "timing"), [])
  })
})

describe.concurrent("plan --json", () => {
  it("prints one call per line in order, then attention, then the summary", async () => {
    const { run } = books(NOWHERE)
    await run("pull")
    const plan = await run("plan", "--json")
    assert.deepStrictEqual([plan.status, plan.stderr], [3, ""])
    const call = "type n connection document rule method path body because"
    assert.deepStrictEqual(members(plan), [
      call,
      call,
      `${call} fact`,
      `${call} fact`,
      call,
      `${call} fact`,
      "type document rule why todo fact",
      "type calls attention documents digest create change delete payments reversals paid captures voids refunds readings quotes policies handovers open"
    ])
    const [owner, create, payment] = lines(plan)
    assert.deepInclude(owner, {
      type: "call",
      n: 1,
      document: "books/owner",
      method: "POST",
      path: "/v1/organisations"
    })
    assert.deepStrictEqual(create, {
      type: "call",
      n: 2,
      connection: "books",
      document: "books/invoice/INV-1",
      rule: "T2",
      method: "POST",
      path: "/v1/transactions",
      body: {
        owner: "<books/owner>",
        unique_id: "books/invoice/INV-1",
        number: "INV-1",
        debtor_name: "Harbour Lane Bakery Ltd",
        debtor_country: "GB",
        currency: "GBP",
        net_amount: "100.00",
        gross_amount: "120.00",
        issue_date: "2026-03-01",
        due_date: "2026-03-31",
        scheduled_payments: [{ date: "2026-03-31", amount: "120.00" }],
        metadata: { connection: "books", source_id: "INV-1" },
        status: "pending"
      },
      because: "new: INV-1 to Harbour Lane Bakery Ltd, issued 2026-03-01, due 2026-03-31"
    })
    assert.strictEqual(payment?.["path"], "/v1/transactions/<books/invoice/INV-1>/payments/")
    const summary = lines(plan).at(-1)
    assert.deepInclude(summary, { type: "summary", calls: 6, attention: 1, documents: 4 })
    assert.match(String(summary?.["digest"]), /^[0-9a-f]{64}$/)
    assert.strictEqual((await run("plan", "--json")).stdout, plan.stdout)
  })

  it("names what exists by its identifier on the service", async () => {
    const there = await service()
    const { run, write } = books(there.url)
    await run("sync")
    write("payments.csv", "Ref,Invoice,Date,Amount,Type,Code\nP-7,INV-2,2026-03-25,1.00,,\n")
    await run("pull")
    assert.match(String(lines(await run("plan", "--json"))[0]?.["path"]), /^\/v1\/transactions\/trns-\w+\/payments\/$/)
  })
})

const send = async (desk: Desk, command: string) => {
  const ran = await desk.run(command, "--json")
  assert.strictEqual(ran.stderr, "")
  return ran
}

describe.concurrent("apply and sync --json", () => {
  for (const command of ["apply", "sync"] as const) {
    it(`${command} prints one receipt per call, then completeness, then the summary`, async () => {
      const there = await service()
      const here = books(there.url)
      if (command === "apply") await here.run("pull")
      const ran = await send(here, command)
      assert.strictEqual(ran.status, 3)
      const receipt = "type n document rule status remote"
      const receipts = ofType(ran, "receipt")
      assert.deepStrictEqual(
        receipts.map(({ n }) => n),
        [1, 2, 3, 4, 5, 6]
      )
      for (const one of receipts) {
        const { document, rule, ...rest } = one
        assert.strictEqual(Object.keys(one).join(" "), rest["fact"] === undefined ? receipt : `${receipt} fact`)
        assert.deepInclude([200, 201], rest["status"])
      }
      assert.deepInclude(receipts[0], { type: "receipt", n: 1, document: "books/owner", rule: "owner", status: 201 })
      assert.match(String(receipts[1]?.["remote"]), /^trns-/)
      assert.deepStrictEqual(ofType(ran, "completeness"), [
        {
          type: "completeness",
          connection: "books",
          currency: "GBP",
          source: "200.60",
          books: "200.60",
          service: "200.60",
          differences: []
        }
      ])
      assert.strictEqual(
        JSON.stringify(lines(ran).at(-1)),
        '{"type":"summary","done":6,"failed":0,"attention":1,"unknown":0,"recovered":0,"quarantined":0}'
      )
      assert.deepStrictEqual(
        lines(ran).map(({ type }) => type),
        [
          ...(command === "sync" ? ["pull"] : []),
          ...receipts.map(() => "receipt"),
          "completeness",
          "chain",
          "attention",
          "summary"
        ]
      )
    })
  }

  it("says of a refused call what the service said", async () => {
    const there = await service()
    const here = books(there.url)
    await there.control("POST", "faults", {
      method: "POST",
      path: "/v1/transactions",
      kind: "status",
      status: 400,
      times: 1
    })
    const refused = ofType(await send(here, "sync"), "receipt").find(({ outcome }) => outcome !== undefined)
    assert.deepInclude(refused, { rule: "T2", status: 400, remote: null, outcome: "refused" })
    assert.match(String(refused?.["why"]), /^refused with 400/)
  })
})

describe.concurrent("everything else with --json", () => {
  it("prints JSON and nothing else, whatever happens", async () => {
    const there = await service()
    const strange = JSON.stringify(configuration(there.url)).replace("invoices.csv", "strange.csv")
    const here = books(there.url, {
      "broken.json": "{",
      "other.json": JSON.stringify(configuration(NOWHERE)),
      "strange.json": strange,
      "strange.csv": INVOICES.replace("2026-03-01", "2026-02-30")
    })
    await here.run("sync")
    const commands: ReadonlyArray<readonly [number, string, ...ReadonlyArray<string>]> = [
      [0, "pull"],
      [0, "plan"],
      [3, "status"],
      [3, "attention"],
      [0, "attention", "show", "1"],
      [0, "explain", "INV-1"],
      [0, "explain", "#2"],
      [3, "pull", "--config", "strange.json", "--state", "strange.db"],
      [0, "export", "b.csv"],
      [0, "doctor"],
      [0, "connectors"],
      [0, "attention", "retry"],
      [2, "explain", "nothing"],
      [2, "plan", "--config", "broken.json"],
      [2, "plam"],
      [2, "plan", "--detailed"],
      [2, "attention", "show"],
      [4, "plan", "--config", "other.json"],
      [1, "status", "--state", "none.db"]
    ]
    const all = await here.runEach(...commands.map(([, ...args]) => [...args, "--json"]))
    for (const [at, ran] of all.entries()) {
      const [status, ...args] = commands[at]!
      assert.strictEqual(ran.status, status, `${args.join(" ")}: ${ran.stderr}`)
      const found = lines(ran)
      assert.isAbove(found.length, 0, args.join(" "))
      for (const line of found) assert.isString(line["type"], args.join(" "))
      // Instants are ISO text, amounts decimal text; as numbers both would have many digits.
      assert.notMatch(ran.stdout, /":"?-?\d{10,}[",}]/, args.join(" "))
      // A failure is said to both: to the program that reads, and to the person who looks.
      if (status === 1 || status === 2 || status === 4) {
        assert.deepStrictEqual(Object.keys(found.at(-1)!), ["type", "error", "message"])
        assert.strictEqual(ran.stderr, `daybook: ${found.at(-1)!["message"]}\n`)
      } else assert.strictEqual(ran.stderr, "")
    }
  })
})
