/** A declaration that cannot be kept is refused when it is loaded, with every reason; and what it costs is computed. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Rest } from "../../../connectors/index.ts"

type Declared = Parameters<typeof Rest.make>[0]
type Root = Declared["lists"][0]

const root = (more: Partial<Root> = {}): Root => ({
  name: "invoices",
  kind: "invoice",
  path: "/invoices",
  size: { most: 100, param: "limit" },
  pagination: { by: "page", param: "page", total: "meta.total" },
  changes: { since: "updated_since", inclusive: true },
  decode: () => () => ({ documents: [] }),
  ...more
})

const declared = (more: Partial<Declared> = {}): Declared => ({
  name: "sample",
  title: "A sample",
  settings: Schema.Struct({ key: Rest.secret("SAMPLE_KEY") }),
  kinds: ["invoice"],
  deletions: "status",
  blindSpots: [],
  limits: { perMinute: 60 },
  base: () => "https://api.sample.example",
  authorise: Rest.bearer(({ key }: { readonly key: { readonly env: string } }) => key),
  overlapSeconds: 300,
  lists: [root()],
  ...more
})

const wrong = (more: Partial<Declared>) => Rest.problems(declared(more))
const ofList = (more: Partial<Root>) => wrong({ lists: [root(more)] }).join("\n")
const each = { by: "each", size: { most: 100 }, pagination: { by: "none" }, expects: "unknown" } as const

describe("a declaration", () => {
  it("that can be kept is a connector, and says what a thousand records cost", () => {
    assert.deepStrictEqual(wrong({}), [])
    const costs = (children: Root["children"]) =>
      Rest.make(declared({ lists: [root(children === undefined ? {} : { children })] })).capabilities
        .requestsPerThousand
    assert.deepStrictEqual(costs(undefined), { lists: 10, each: 0 })
    assert.deepStrictEqual(costs({ lines: { ...each, path: "/invoices/{id}/lines" } }), { lists: 10, each: 1000 })
    const many = { ...each, by: "ids", param: "invoices", key: "invoice_id" } as const
    const all = { path: "/lines", size: { most: 50 }, pagination: { by: "none" }, key: "invoice_id" } as const
    assert.deepStrictEqual(costs({ lines: { ...each, path: "/invoices/{id}/lines", all } }), { lists: 30, each: 0 })
    assert.deepStrictEqual(costs({ lines: { ...many, path: "/lines", size: { most: 50 } } }), { lists: 30, each: 0 })
  })

  it("says of numbered pages that the count is missing which shows what is deleted meanwhile", () => {
    const uncounted = { by: "page", param: "page" } as unknown as Root["pagination"]
    assert.include(ofList({ pagination: uncounted }), "pagination needs total")
    assert.strictEqual(ofList({ pagination: { by: "page", param: "page", keeps: "a ledger" } }), "")
    assert.strictEqual(ofList({ pagination: { by: "cursor", param: "after", next: "next" } }), "")
  })

  it("says of a list that is only read at first that no other names what to read again", () => {
    assert.include(ofList({ changes: "named" }), "no list names what to read again")
    const of = { name: "events", reads: "changes", of: { list: "invoices", by: "invoice" } } as const
    const all = [root({ changes: "named", one: { path: "/invoices/{id}" } }), root(of)] as const
    assert.deepStrictEqual(wrong({ lists: all }), [])
  })

  it("says of a ledger that its mark is a number of its own, and how far back it may begin", () => {
    const changes = { above: "id", query: (n: string) => ({ $filter: `id gt ${n}` }), back: 10 }
    assert.strictEqual(ofList({ changes, from: () => 5 }), "")
    assert.include(ofList({ changes: { ...changes, back: -1 } }), "back must not be negative")
    const later = root({ name: "later", reads: "changes", changes })
    assert.include(wrong({ lists: [root(), later] }).join(), "the first pull must read it")
  })

  it("names the list, the child and what to do", () => {
    assert.strictEqual(ofList({ path: "invoices" }), 'lists.invoices: path "invoices" must begin with /')
    assert.include(ofList({ path: "/invoices?a=1" }), "parameters go into query")
    assert.include(ofList({ size: { most: 0 } }), "size.most")
    assert.include(ofList({ reads: "changes" }), "the first list is read at first")
    assert.include(ofList({ one: { path: "/invoices" } }), "one.path needs {id}")
    assert.include(ofList({ kind: "order" }), "order is not among kinds")
    assert.include(ofList({ of: { list: "orders", by: "order_id" } }), "of names orders")
    assert.strictEqual(
      ofList({ children: { lines: { ...each, path: "/lines" } } }),
      "lists.invoices: children.lines: path needs {id}, or param the parameter that takes it"
    )
    const many = { ...each, by: "ids", param: "invoices", key: "invoice_id" } as const
    assert.include(ofList({ children: { lines: { ...many, path: "/invoices/{id}/lines" } } }), "path has {id}")
    assert.strictEqual(ofList({ children: { lines: { ...each, path: "/lines", param: "invoice" } } }), "")
    assert.include(wrong({ lists: [root(), root()] }).join(), "another list has this name")
    assert.strictEqual(ofList({ from: () => "2026-01-01" }), "")
    const newest = { newest: "created", reach: 86_400 } as const
    assert.include(ofList({ from: () => "2026-01-01", changes: newest }), "from says where a list begins")
    assert.include(ofList({ changes: { numbered: "files" } }), "path needs {n}")
    const since = { since: "if-modified-since", in: "header", inclusive: true } as const
    assert.include(ofList({ changes: since, question: () => ({}) }), "a list that is requested with POST does not have")
    const file = { kind: "invoice", path: "/invoices/pdf", type: "application/pdf", ending: ".pdf" } as const
    assert.include(wrong({ file }).join(), "file.path needs {id}")
    assert.include(ofList({ several: () => ({}) }), "several needs one")
    assert.include(ofList({ path: "/file_{n}.csv" }), "path has {n}, and its files are not numbered")
    const between = () => ({})
    assert.include(ofList({ changes: { within: 0, between, oldest: 1 } }), "changes.within and changes.oldest")
  })

  it("agrees with itself on deletions, blind spots and webhooks", () => {
    assert.include(wrong({ deletions: "complete scan" }).join(), "no list has changes")
    assert.include(ofList({ changes: "complete scan" }), 'deletions must be "complete scan"')
    assert.include(ofList({ changes: { newest: "created", reach: 86_400 } }), "say so in blindSpots")
    const signature = { header: "x-signature", form: "hex" } as const
    assert.include(wrong({ webhook: { signature, events: () => [] } }).join(), "no list has one")
    const again = { most: 40, read: () => Effect.die("not here") }
    assert.deepStrictEqual(wrong({ webhook: { signature, events: () => [] }, again }), [])
  })

  it("is refused with all that is wrong at once", () => {
    assert.throws(
      () => Rest.make(declared({ name: "A Source", lists: [root({ path: "invoices", kind: "order" })] })),
      /declared wrongly:\n {2}name .*\n {2}lists.invoices: path .*\n {2}lists.invoices: order is not among kinds/
    )
  })
})
