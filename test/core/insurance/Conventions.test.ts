/**
 * The conventions of both documents on what insurance alone has (DP 2.1, 4, 8; II 8): slashes, pages, expansion, a
 * state file that outlives the process, and twenty thousand transactions, nightly a hundred thousand.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeAll, describe, expect, test } from "vitest"
import { Instance, startSandbox } from "../../../core/sandbox/index.ts"
import { EFFORT, WHOLE } from "../../support/Effort.ts"
import { at, DAYS, INVOICE, invoice, type Json, late, sandbox, upload, user, wire } from "./Rows.ts"

const api = sandbox()

const trader = (owner: string) => ({
  owner,
  unique_id: "t",
  trading_name: "T",
  proprietor_name: "P",
  proprietor_address_country: "GB"
})

let whole: Awaited<ReturnType<typeof late>>
let collection: Json
let document: Json
let soletrader: Json
beforeAll(async () => {
  whole = await late(api)
  collection = (await api.post("/v1/collections/", { policy: whole.policy.id })).body
  document = (await upload(api, { policy: whole.policy.id, file: INVOICE }, "/v1/collectiondocuments/")).body
  soletrader = (await api.post("/v1/soletraders/", trader(whole.admin))).body
})

test("paths work with and without a trailing slash", async () => {
  for (const one of [
    "/v1/soletraders",
    `/v1/soletraders/${soletrader.soletrader_id}`,
    "/v1/collections",
    `/v1/collections/${collection.id}`,
    "/v1/collectiondocuments",
    `/v1/collectiondocuments/${document.id}`,
    `/v1/policies/${whole.policy.id}`
  ]) {
    const [bare, slashed] = [await api.get(one), await api.get(`${one}/`)]
    expect([one, bare.status, slashed.status]).toEqual([one, 200, 200])
    expect(slashed.body).toEqual(bare.body)
  }
  for (const end of ["", "/"]) {
    expect((await api.post(`/v1/scores${end}`, { company: "co-1000" })).status).toBe(200)
    expect((await api.post(`/v1/credit_limits/debtor/company/co-1000${end}`, {})).status).toBe(200)
    expect((await api.patch(`/v1/collections/${collection.id}${end}`, {})).status).toBe(200)
    expect((await api.patch(`/v1/soletraders/${soletrader.soletrader_id}${end}`, {})).status).toBe(200)
  }
})

test("II 8: Pagination: default limit=25, offset=0: next and previous are whole addresses or null", async () => {
  const { id } = whole.policy
  for (let i = 0; i < 26; i++) await upload(api, { policy: id, description: `${i}`, file: INVOICE })
  const first = (await api.get("/v1/collectiondocuments")).body
  expect([first.count, first.results.length, first.previous]).toEqual([27, 25, null])
  expect(first.next.startsWith(`${api.url}/v1/collectiondocuments?`)).toBe(true)
  const second = (await api.get(first.next.slice(api.url.length))).body
  expect([second.results.length, second.next]).toEqual([2, null])
  const back = (await api.get(second.previous.slice(api.url.length))).body
  expect(back.results).toEqual(first.results)
})

describe("DP 4, note 4: expand on every read", () => {
  const one = async (path: string, member: string) => (await api.get(`${path}?expand=${member}`)).body[member]
  const listed = async (path: string, member: string) =>
    (await api.get(`${path}?expand=nothing,${member}&limit=1`)).body.results[0][member]

  test("each member that holds an identifier becomes the resource behind it, with plain identifiers", async () => {
    const ids = { transaction: whole.transaction.id, quote: whole.quote.id, policy: whole.policy.id }
    const plain = async (path: string) => (await api.get(path)).body
    const rows = [
      [`/v1/transactions/${ids.transaction}`, "owner", `/v1/organisations/${whole.owner}`],
      [`/v1/transactions/${ids.transaction}`, "debtor", `/v1/companies/${whole.transaction.debtor}`],
      [`/v1/transactions/${ids.transaction}`, "creditor", `/v1/companies/${whole.transaction.creditor}`],
      [`/v1/transactions/${ids.transaction}`, "policy", `/v1/policies/${ids.policy}`],
      [`/v1/transactions/${ids.transaction}`, "quote", `/v1/quotes/${ids.quote}`],
      [`/v1/quotes/${ids.quote}`, "transaction", `/v1/transactions/${ids.transaction}`],
      [`/v1/quotes/${ids.quote}`, "client", `/v1/companies/${whole.quote.client}`],
      [`/v1/quotes/${ids.quote}`, "policy", `/v1/policies/${ids.policy}`],
      [`/v1/policies/${ids.policy}`, "quote", `/v1/quotes/${ids.quote}`],
      [`/v1/policies/${ids.policy}`, "collection", `/v1/collections/${collection.id}`],
      [`/v1/collections/${collection.id}`, "policy", `/v1/policies/${ids.policy}`],
      [`/v1/collectiondocuments/${document.id}`, "policy", `/v1/policies/${ids.policy}`],
      [`/v1/soletraders/${soletrader.soletrader_id}`, "owner", `/v1/users/${whole.admin}`]
    ] as const
    for (const [path, member, resource] of rows) {
      expect([path, member, await one(path, member)]).toEqual([path, member, await plain(resource)])
      const list = path.slice(0, path.lastIndexOf("/"))
      expect([list, member, (await listed(list, member)).id]).toEqual([list, member, (await plain(resource)).id])
    }
  })

  test("a member that is null stays null", async () => {
    const { id } = await invoice(api, { debtor: null })
    expect(await one(`/v1/transactions/${id}`, "policy")).toBeNull()
  })
})

test("a state file outlives the process: collections, documents with their bytes, sole traders and decisions on them", async () => {
  const folder = mkdtempSync(join(tmpdir(), "insurance-"))
  const state = join(folder, "state.db")
  const run = async <A>(work: (api: ReturnType<typeof wire>) => Promise<A>): Promise<A> => {
    const started = await startSandbox({ port: 0, state, clock: `${DAYS.active}T12:00:00Z` })
    try {
      return await work(wire(() => started.url))
    } finally {
      await started.close()
    }
  }
  try {
    const made = await run(async (mine) => {
      const { policy } = await late(mine)
      const kept = (await mine.post("/v1/collections", { policy: policy.id })).body
      const file = (await upload(mine, { policy: policy.id, file: INVOICE })).body
      const shop = (await mine.post("/v1/soletraders", trader(await user(mine)))).body
      await mine.put(`/sandbox/companies/${shop.id}/decision`, { code: "buyer-sector" })
      return { kept, file, shop }
    })
    await run(async (mine) => {
      await at(mine, DAYS.late_can_handover)
      const read = (await mine.get(`/v1/collections/${made.kept.id}`)).body
      expect({ ...read, url: made.kept.url }).toEqual(made.kept)
      const file = (await mine.get(`/v1/collectiondocuments/${made.file.id}`)).body.file
      const bytes = await fetch(file, { headers: { authorization: "Token sandbox-key" } })
      expect(await bytes.text()).toBe(INVOICE.content)
      expect((await mine.get(`/v1/companies/${made.shop.id}`)).body.name).toBe("T")
      const limit = await mine.post(`/v1/credit_limits/debtor/company/${made.shop.id}/`)
      expect(limit.body.rejection_reason.code).toBe("buyer-sector")
      expect((await mine.put(`/v1/collections/${made.kept.id}/send`)).status).toBe(200)
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

/** So many that a read which looked through all of them would show, by far. */
const MANY = EFFORT >= WHOLE ? 100_000 : 20_000

test("many thousand transactions: a read by id takes no longer than among a few", () => {
  const instance = new Instance({ now: () => 0, later: (_, work) => work() })
  const ask = (method: string, url: string, body = ""): Json => {
    let text = ""
    const request = { method, url, body, base: "http://127.0.0.1", authorization: "Token sandbox-key", local: true }
    instance.respond(request, (outcome) => {
      if (outcome !== "cut") text = String(outcome.text)
    })
    return JSON.parse(text)
  }
  const registered = "2024-01-05T09:30:00Z"
  const owner = ask("POST", "/v1/users", JSON.stringify({ email: "a@example.com", name: "A", registered })).id
  const make = (n: number) =>
    ask("POST", "/v1/transactions", JSON.stringify({ owner, unique_id: `${n}`, debtor_name: `Buyer ${n % 100}` })).id
  const read = (id: string) => {
    const started = performance.now()
    for (let i = 0; i < 300; i++) ask("GET", `/v1/transactions/${id}`)
    return performance.now() - started
  }
  const first: string = make(0)
  read(first)
  const few = Math.min(read(first), read(first), read(first))
  let last = first
  for (let n = 1; n < MANY; n++) last = make(n)
  const many = Math.min(read(last), read(first), read(last))
  expect(many).toBeLessThan(few * 3 + 20)
  expect(ask("GET", "/v1/transactions?unique_id=17777").results.map(({ unique_id }: Json) => unique_id)).toEqual([
    "17777"
  ])
  expect(ask("GET", "/v1/transactions?limit=1").count).toBe(MANY)
})
