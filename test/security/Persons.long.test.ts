/**
 * People with accounts of their own: a reader changes nothing, whatever they send; nobody sees books that are not theirs; a decision
 * is recorded with who signed in, not with a name that was typed; who caused a plan does not approve it.
 */
import { assert, describe, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import { readFileSync } from "node:fs"
import { ADDRESSES } from "../../cli/page/Routes.ts"
import { ALSO } from "../../cli/page/RouteModule.ts"
import { EFFORT } from "../support/Effort.ts"
import { useCommand } from "../support/Cli.ts"
import { contents, filesIn } from "../support/Contents.ts"
import { peopled, signInAs, typing, type Written } from "../support/People.ts"

useCommand()

const ADA: Written = { name: "ada", full_name: "Ada Lovelace", roles: ["approver"] }
const BO: Written = { name: "bo", full_name: "Bo Diddley", roles: ["operator", "approver"] }
const CY: Written = { name: "cy", full_name: "Cy Twombly", roles: ["approver"], up_to: { GBP: "10.00" } }
const RHEA: Written = { name: "rhea", roles: ["reader"] }

const rows = (file: string, sql: string): ReadonlyArray<Record<string, unknown>> => {
  const db = new Sqlite(file, { readonly: true })
  const found = db.prepare(sql).all() as ReadonlyArray<Record<string, unknown>>
  db.close()
  return found
}

const digestOf = (file: string): string =>
  String(rows(file, "SELECT digest FROM approval WHERE connection = 'books'")[0]?.["digest"])

/** A generator of its own, so that a failure can be repeated. */
const dice = (seed: number) => {
  let state = seed
  return <A>(all: ReadonlyArray<A>): A => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return all[Math.floor((state / 2_147_483_648) * all.length)]!
  }
}

describe("people", { timeout: 180_000 }, () => {
  it("who are readers change nothing, whatever they send", async () => {
    const { here, url } = await peopled([RHEA])
    const reader = await signInAs(url, "rhea")
    const file = here.path("daybook.db")
    const before = [contents(file), filesIn(here.folder)]
    const item = String(rows(file, "SELECT id FROM attention WHERE closed IS NULL")[0]?.["id"])
    const digest = digestOf(file)
    const pick = dice(48)
    const names = ["books", "bank", "others", item, "books/invoice/INV-1", "bank/payment/1", "1", "all", "new", "../x"]
    const fields = [
      "connection",
      "digest",
      "document",
      "ids",
      "invoices",
      "company",
      "party",
      "plan",
      "payment",
      "session"
    ]
    const allowed: Array<string> = []
    const routes = [...ADDRESSES, ...ALSO].filter(([, path]) => !path.includes("/leave") && path !== "/live")
    const ask = async ([method, path]: (typeof routes)[number]) => {
      const at = path.replace(/:\w+/, encodeURIComponent(pick(names)))
      const values = [...names, digest, `${digest} books`, "yes", "buy", reader.form]
      const sent = Object.fromEntries(Array.from({ length: 4 }, () => [pick(fields), pick(values)]))
      const answer = method === "GET" ? await reader.get(at) : await reader.post(at, { ...sent, digest, name: "Eve" })
      await answer.arrayBuffer()
      if (method === "POST" && answer.status < 400) allowed.push(path)
    }
    for (const route of routes) await ask(route)
    for (let n = 0; n < 150 * EFFORT; n++) await ask(pick(routes))
    const interfaced = [
      "approvals/books",
      "connections/books/sync",
      `attention/${item}/resolve`,
      "matches/ask",
      "matches/undo",
      "backup"
    ]
    for (const path of interfaced) {
      const answer = await fetch(`${url}/api/v1/${path}`, {
        method: path === "backup" ? "GET" : "POST",
        headers: { authorization: "Bearer reads-0123456789abcdef", "content-type": "application/json" },
        ...(path === "backup" ? {} : { body: JSON.stringify({ digest, decision: "approved", note: "x" }) })
      })
      assert.strictEqual(answer.status, 403, path)
    }
    assert.deepStrictEqual([contents(file), filesIn(here.folder)], before)
    assert.deepStrictEqual([...new Set(allowed)].toSorted(), ["/language", "/people/end", "/seen"])
  })

  it("see and change only the books that are theirs", async () => {
    const own: Written = { name: "olga", roles: ["bookkeeper", "operator", "approver"], connections: ["others"] }
    const { here, url } = await peopled([own])
    const olga = await signInAs(url, "olga")
    const file = here.path("daybook.db")
    const ids = rows(file, "SELECT id FROM attention UNION SELECT id FROM customer").map(({ id }) => String(id))
    const keys = ["books", "books/invoice/INV-1", "bank/payment/1", ...ids]
    for (const [method, path] of [...ADDRESSES, ...ALSO]) {
      if (method !== "GET" || path === "/live") continue
      for (const key of path.includes(":") ? keys : [""]) {
        const text = await (await olga.get(`${path.replace(/:\w+/, encodeURIComponent(key))}?connection=books`)).text()
        // What the address itself says is repeated, at most.
        const shown = text.replaceAll(key === "" ? "\0" : key, "")
        assert.notMatch(shown, /Harbour|Brightwater|Tern|INV-\d|Somebody Else|>bank</, `${path} ${key}`)
      }
    }
    assert.include(await (await olga.get("/documents?connection=others")).text(), "Zephyrine")
    const before = contents(file)
    const digest = digestOf(file)
    for (const [path, fields] of [
      ["/plans/approve", { connection: "books", digest }],
      ["/plans/several/approve", { plan: `${digest} books` }],
      ["/connections/books/sync", {}],
      ["/connections/bank/pause", {}],
      ["/setup/files", {}],
      ...ids.map((id) => [`/attention/${id}/resolve`, {}] as const),
      ["/attention/all/resolve", { ids: ids.join(" ") }],
      ["/payments/undo", { payment: "bank/payment/1" }]
    ] as const)
      assert.strictEqual((await olga.post(path, fields)).status, 403, path)
    assert.deepStrictEqual(contents(file), before)
  })

  it("see only what is theirs on the page that a form leads to, and give no money to invoices of others", async () => {
    const { here, url } = await peopled([{ name: "bee", roles: ["bookkeeper"], connections: ["bank"] }])
    const bee = await signInAs(url, "bee")
    const file = here.path("daybook.db")
    const item = rows(file, "SELECT id FROM attention WHERE subject = 'bank/payment/1'")[0]!["id"]
    // What somebody tried is kept.
    const books = () => ({ ...contents(file), decision: "" })
    const before = books()
    for (const invoices of ["", "NOPE", "INV-1", "INV-2=1.00", "books/invoice/INV-3"]) {
      const answer = await bee.post(`/attention/${item}/match`, { invoices })
      assert.strictEqual(answer.status, 422)
      const shown = (await answer.text()).replace(`>${invoices}</textarea>`, "").replaceAll("INV-7", "")
      assert.notMatch(
        shown,
        /Harbour|Brightwater|Tern|INV-\d|books\/|there is no invoice|Work queue \(2\)|Approvals \(1\)/
      )
    }
    assert.deepStrictEqual(books(), before)
  })

  it("decide with the name that they signed in with, and not about plans that they caused", async () => {
    const { here, running, url } = await peopled([ADA, BO, CY], { by: "another", two_above: { GBP: "5000.00" } })
    const file = here.path("daybook.db")
    const [ada, bo, cy, shared] = await Promise.all(["ada", "bo", "cy", ""].map((name) => signInAs(url, name)))
    const item = rows(file, "SELECT id FROM attention WHERE subject = 'bank/payment/1' AND closed IS NULL")[0]!["id"]
    const before = digestOf(file)
    const matched = await bo!.post(`/attention/${item}/match`, { invoices: "INV-2", name: "Ada Lovelace" })
    assert.strictEqual(matched.status, 303)
    await running.says(({ connection, outcome }) => connection === "bank" && outcome !== undefined)
    await running.says(() => digestOf(file) !== before)
    const digest = digestOf(file)
    const approve = (who: typeof ada) => who!.post("/plans/approve", { connection: "books", digest, name: "Eve" })
    for (const [who, words] of [
      [bo, /follows from your own decision/],
      [cy, /more than you may approve/],
      [shared, /sign in on the page with an account of your own/]
    ] as const) {
      const answer = await approve(who)
      assert.strictEqual(answer.status, 409)
      assert.match(await answer.text(), words)
    }
    const typed = await here.run("approve", "books", "--digest", digest.slice(0, 12), "--by", "Ada Lovelace")
    assert.include(typed.stderr + typed.stdout, "somebody other than who caused them")
    assert.strictEqual((await approve(ada)).status, 303)
    const [decided] = rows(file, "SELECT who FROM approval UNION SELECT 'sent'")
    assert.include(["Ada Lovelace", "sent"], decided!["who"])
    assert.deepStrictEqual(
      rows(
        file,
        "SELECT deed, connection, digest, name, subject, issuer, how, address, outcome FROM decision WHERE outcome = 'approved'"
      ),
      [
        {
          deed: "POST /plans/approve",
          connection: "books",
          digest,
          name: "Ada Lovelace",
          subject: "ada",
          issuer: "daybook",
          how: "password",
          address: "127.0.0.1",
          outcome: "approved"
        }
      ]
    )
    const [match] = rows(file, "SELECT name, subject, outcome FROM decision WHERE deed LIKE '%/match'")
    assert.deepStrictEqual(match, { name: "Bo Diddley", subject: "bo", outcome: "matched" })
  })

  it("are asked for a second of them above an amount", async () => {
    const { here, url } = await peopled([ADA, BO], { by: "another", two_above: { GBP: "100.00" } })
    const file = here.path("daybook.db")
    const [ada, bo] = await Promise.all(["ada", "bo"].map((name) => signInAs(url, name)))
    const fields = { connection: "books", digest: digestOf(file) }
    const over = async (token: string, path: string, body: object) => {
      const answer = await fetch(`${url}/api/v1/${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}-0123456789abcdef`, "content-type": "application/json" },
        body: JSON.stringify(body)
      })
      return [answer.status, ((await answer.json()) as { readonly message: string }).message] as const
    }
    const approval = { digest: fields.digest, decision: "approved", by: "Eve" }
    const [status, why] = await over("erp", "approvals/books", approval)
    assert.deepStrictEqual([status, /sign in on the page/.test(why)], [409, true])
    const [kept, words] = await over("adas", "approvals/books", approval)
    assert.deepStrictEqual([kept, /your approval is kept/.test(words)], [409, true])
    // Her token allows no more than her role.
    assert.strictEqual((await over("adas", "connections/books/sync", {}))[0], 403)
    assert.strictEqual(rows(file, "SELECT name FROM approval_voice")[0]!["name"], "Ada Lovelace (adas)")
    for (const _ of [1, 2]) {
      const first = await ada!.post("/plans/approve", fields)
      assert.strictEqual(first.status, 409)
      assert.match(await first.text(), /Your approval is kept; this plan needs a second person, because it moves/)
    }
    assert.include(await (await bo!.get("/plans")).text(), "approved by Ada Lovelace, needs a second person")
    assert.strictEqual((await bo!.post("/plans/approve", fields)).status, 303)
    const [row] = rows(file, "SELECT name FROM decision WHERE outcome = 'approved'")
    assert.strictEqual(row!["name"], "Bo Diddley")
  })

  it("are out as soon as they are removed, have another password, or sign out everywhere", async () => {
    const { here, url } = await peopled([ADA, BO])
    const isIn = async (who: Awaited<ReturnType<typeof signInAs>>) => (await who.get("/people")).status === 200
    const [ada, again, bo] = await Promise.all(["ada", "ada", "bo"].map((name) => signInAs(url, name)))
    assert.deepStrictEqual(await Promise.all([ada!, again!, bo!].map(isIn)), [true, true, true])
    assert.strictEqual((await signInAs(url, "ada", "wrong horse battery")).status, 403)
    assert.strictEqual((await signInAs(url, "nobody")).status, 403)
    await ada!.post("/leave/everywhere")
    assert.deepStrictEqual(await Promise.all([ada!, again!, bo!].map(isIn)), [false, false, true])
    const third = await signInAs(url, "ada")
    assert.strictEqual(
      (await here.runWith({ through: typing("another horse battery") }, "persons", "password", "ada")).status,
      0
    )
    assert.isFalse(await isIn(third))
    assert.isTrue(await isIn(await signInAs(url, "ada", "another horse battery")))
    assert.strictEqual((await here.run("persons", "remove", "bo")).status, 0)
    assert.isFalse(await isIn(bo!))
    const kept = rows(here.path("daybook.db"), "SELECT name, outcome FROM sign_in ORDER BY id")
    assert.deepInclude(kept, { name: "Ada Lovelace", outcome: "signed out" })
    assert.deepInclude(kept, { name: "nobody", outcome: "refused" })
    assert.notInclude(readFileSync(here.path("daybook.persons.json"), "utf8"), "horse")
  })
})
