/**
 * The text that is kept of a transaction: whatever happened before, it is what would be written afresh. `expand` with a
 * name that no member has changes nothing about an answer, and asks for a fresh one.
 */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { Instance } from "../../../core/sandbox/server/Instance.ts"

type Body = Readonly<Record<string, unknown>>

const HOSTS = ["http://127.0.0.1:4010", "http://localhost:4010"]

class Desk {
  readonly instance = new Instance({ keys: ["a", "b"], now: () => Date.UTC(2026, 1, 1), later: () => {} })
  readonly ids: Array<string> = []
  owner = ""

  ask(method: string, url: string, body?: Body, { base = HOSTS[0]!, key = "a" } = {}) {
    let answered = { status: 0, text: "" }
    this.instance.respond(
      {
        method,
        url,
        base,
        authorization: `Token ${key}`,
        body: body === undefined ? "" : JSON.stringify(body),
        local: true
      },
      (outcome) => {
        if (outcome !== "cut") answered = { status: outcome.status, text: String(outcome.text) }
      }
    )
    return answered
  }

  /** Its id is added to those that are asked for. */
  create(unique_id: string) {
    const { owner } = this
    const made = this.ask("POST", "/v1/transactions", {
      owner,
      unique_id,
      debtor_name: "Harbour Lane",
      creditor: "co-1000",
      debtor: "co-1001",
      currency: "GBP",
      net_amount: "100.00",
      gross_amount: "120.00",
      issue_date: "2026-01-20",
      due_date: "2026-03-20"
    })
    const { id } = JSON.parse(made.text) as { readonly id?: string }
    if (id !== undefined) this.ids.push(id)
    return made
  }

  reset() {
    this.ids.length = 0
    assert.strictEqual(this.ask("POST", "/sandbox/reset").status, 204)
    const made = this.ask("POST", "/v1/organisations", { unique_id: "acme", registered: "2024-01-01T00:00:00Z" })
    this.owner = (JSON.parse(made.text) as { readonly id: string }).id
    return made
  }
}

type Step = (desk: Desk, at: string, n: number) => { readonly status: number; readonly text: string }

const quoteOf = (desk: Desk, at: string): unknown =>
  (JSON.parse(desk.ask("GET", `${at}?expand=none`).text) as { readonly quote?: unknown }).quote

/** By name; `at` is the address of one transaction. */
const STEPS: Readonly<Record<string, Step>> = {
  create: (desk, _, n) => desk.create(`INV-${n}`),
  update: (desk, at, n) =>
    desk.ask("PATCH", at, { number: `N-${n}`, payments: [{ amount: `${n}.00`, date: "2026-01-21" }] }),
  pay: (desk, at, n) => desk.ask("POST", `${at}/payments`, { amount: `${n + 1}.00`, date: "2026-01-22" }),
  paid: (desk, at) => desk.ask("PUT", `${at}/paid`, {}),
  amend: (desk, at, n) => desk.ask("PATCH", `${at}/amend`, { gross_amount: `${n + 100}.00` }),
  match: (desk, at, n) => desk.ask("PUT", `${at}/match_debtor`, { debtor: `co-${1000 + (n % 6)}` }),
  remove: (desk, at) => desk.ask("DELETE", at),
  quote: (desk, at) => desk.ask("POST", "/v1/quotes", { transaction: at.slice(at.lastIndexOf("/") + 1) }),
  policy: (desk, at) => desk.ask("POST", "/v1/policies", { quote: quoteOf(desk, at), stripe_id: "tok_visa" }),
  advance: (desk) => desk.ask("POST", "/sandbox/clock", { advance: "P9D" }),
  reset: (desk) => desk.reset()
}

const NAMES = Object.keys(STEPS)

/** Every step, in an order in which the service carries out each of them. */
const ALL = ["create", "match", "update", "remove", "pay", "amend", "quote", "policy", "advance", "paid", "reset"]

interface Move {
  readonly name: string
  /** Which of the transactions. */
  readonly which: number
  readonly n: number
}

/** Plays moves, compares after each, and returns the status of each. */
const play = (moves: ReadonlyArray<Move>): ReadonlyArray<number> => {
  const desk = new Desk()
  desk.reset()
  for (const unique_id of ["A", "B"]) assert.strictEqual(desk.create(unique_id).status, 201)
  same(desk, HOSTS[0]!)
  return moves.map(({ n, name, which }) => {
    const id = desk.ids[which % Math.max(1, desk.ids.length)] ?? "trns-none"
    const { status } = STEPS[name]!(desk, `/v1/transactions/${id}`, n)
    same(desk, HOSTS[n === 7 ? 1 : 0]!)
    return status
  })
}

/** Asked at one address, as most are: each text is kept for one only. */
const same = (desk: Desk, base: string): void => {
  const plain = JSON.parse(desk.ask("GET", "/v1/transactions?limit=1000", undefined, { base }).text)
  const fresh = JSON.parse(desk.ask("GET", "/v1/transactions?limit=1000&expand=none", undefined, { base }).text)
  assert.deepStrictEqual(plain.results, fresh.results)
  for (const id of desk.ids) {
    const at = `/v1/transactions/${id}`
    const answered = desk.ask("GET", at, undefined, { base })
    assert.deepStrictEqual(answered, desk.ask("GET", `${at}?expand=none`, undefined, { base }))
    assert.strictEqual(desk.ask("GET", at, undefined, { base, key: "b" }).status, 404, "another platform's")
  }
}

describe("a text that is kept", () => {
  it.prop(
    "is what would be written afresh, whatever happened before",
    {
      steps: Arbitrary.schema(
        Schema.Array(
          Schema.Struct({
            name: Schema.Literals(NAMES),
            which: Schema.Literals([0, 1, 2, 3]),
            n: Schema.Literals([1, 2, 7])
          })
        ).check(Schema.isMinLength(8), Schema.isMaxLength(20))
      )
    },
    ({ steps }) => void play(steps),
    { arbitrary: { runs: 100 } }
  )

  it("is what would be written afresh after each kind of step", () => {
    assert.sameMembers(ALL, NAMES)
    const statuses = play(ALL.map((name) => ({ name, which: name === "remove" ? 1 : 0, n: 1 })))
    for (const [n, status] of statuses.entries()) assert.isBelow(status, 300, ALL[n])
  })
})
