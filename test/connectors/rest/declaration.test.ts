/** A declaration that cannot be kept is refused when it is loaded, with every reason; and what it costs is computed. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema, Stream } from "effect"
import { Connector, Plain, Rest } from "../../../connectors/index.ts"
import * as Turn from "../../../connectors/rest/Turn.ts"

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

  it("has no condition on its pages that takes the place of one on its changes", () => {
    const changes = { since: (at: string) => ({ filter: `modified ge ${at}` }), inclusive: true }
    const paged = { by: "last id", param: "filter" } as const
    const alone = { ...paged, written: (id: string) => `id gt ${id}` }
    assert.include(ofList({ changes, pagination: alone }), "the parameter filter is set by pagination, and by query")
    assert.include(ofList({ query: { page: 1 } }), "the parameter page is set by pagination")
    const both = {
      ...paged,
      written: (id: string, also?: string) => [also, `id gt ${id}`].filter(Boolean).join(" and ")
    }
    assert.strictEqual(ofList({ changes, pagination: both }), "")
    const list = { path: "/invoices", size: { most: 2 }, pagination: both }
    const second = { ...Turn.begin(), page: 2, from: "7" }
    assert.deepStrictEqual(Turn.query(list, second, { filter: "modified ge 2026" }), {
      filter: "modified ge 2026 and id gt 7"
    })
    assert.deepStrictEqual(Turn.query(list, second), { filter: "id gt 7" })
    assert.deepStrictEqual(Turn.query(list, Turn.begin(), { filter: "modified ge 2026" }), {})
  })

  it("has no member that nobody reads, wherever it is", () => {
    const listed = { path: "/lines/{id}", size: { most: 1 }, pagination: { by: "none" } } as const
    const parts: Readonly<Record<string, (strange: object) => Partial<Declared>>> = {
      stranger: (strange) => strange,
      "limits.stranger": (strange) => ({ limits: strange }),
      "limits.app.stranger": (strange) => ({ limits: { app: strange } }),
      "authorise.stranger": (strange) => ({ authorise: { ...declared().authorise, ...strange } }),
      "again.stranger": (strange) => ({ again: { most: 1, read: () => Effect.die("not here"), ...strange } }),
      "lists.invoices.stranger": (strange) => ({ lists: [root(strange)] }),
      "lists.invoices.pagination.stranger": (strange) => ({
        lists: [root({ pagination: { ...root().pagination, ...strange } })]
      }),
      "lists.invoices.size.stranger": (strange) => ({ lists: [root({ size: { most: 1, ...strange } })] }),
      "lists.invoices.changes.stranger": (strange) => ({
        lists: [root({ changes: { since: "since", inclusive: true, ...strange } })]
      }),
      "lists.invoices.one.stranger": (strange) => ({ lists: [root({ one: { path: "/invoices/{id}", ...strange } })] }),
      "lists.invoices.each.stranger": (strange) => ({
        lists: [root({ each: { ...listed, path: "/a", param: "a", ...strange } })]
      }),
      "lists.invoices.children.lines.stranger": (strange) => ({
        lists: [root({ children: { lines: { ...listed, by: "each", expects: "unknown", ...strange } } })]
      }),
      "lists.invoices.children.lines.all.stranger": (strange) => ({
        lists: [
          root({
            children: {
              lines: { ...listed, by: "each", expects: "unknown", all: { ...listed, path: "/l", key: "a", ...strange } }
            }
          })
        ]
      })
    }
    for (const [path, more] of Object.entries(parts)) {
      const found = wrong(more({ stranger: true }))
      assert.strictEqual(found.length, 1, path)
      assert.match(found[0]!, new RegExp(`^${path.replaceAll(".", "\\.")} is not known, and nothing would read it; `))
    }
    assert.include(ofList({ chldren: {} } as Partial<Root>), "did you mean children?")
    assert.deepStrictEqual(wrong({ limits: { perMinutePerApp: 600 } as never }), [
      "limits.perMinutePerApp has another name now: write app: { perMinute: ... }"
    ])
  })

  it("is held to that as code, too", () => {
    const coded = {
      name: "coded",
      title: "A sample",
      settings: Schema.Struct({}),
      bookmark: Schema.Struct({}),
      capabilities: {
        kinds: ["invoice"],
        deletions: "status",
        blindSpots: [],
        limits: { perMinutePerApp: 600 } as object
      },
      pull: () => Stream.empty,
      onDeleted: () => {}
    } as const
    assert.throws(
      () => Connector.make(coded),
      /^the source coded is declared wrongly:\n {2}onDeleted is not known.*\n {2}capabilities.limits.perMinutePerApp has another name now/
    )
    const { capabilities, onDeleted: _, ...rest } = coded
    const plain = { ...rest, ...capabilities, base: () => "", variables: () => [], headers: () => ({}), pul: 1 }
    const made = () => Plain.make({ ...plain, async *pull() {} } as never)
    assert.throws(
      made,
      /pul is not known, and nothing would read it; did you mean pull\?\n {2}limits.perMinutePerApp has/
    )
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
