/** Mistakes that connectors make, planted one by one in one that is right: the conformance kit refuses each. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import * as Decimal from "../../../core/money/Decimal.ts"
import type { Connector } from "../../../connectors/Connector.ts"
import type { Document } from "../../../connectors/Document.ts"
import { checks, prove, type Subject } from "../../../connectors/testing/index.ts"
import * as Planted from "./PlantedSource.ts"

interface Mistake {
  readonly connector: Connector
  readonly source?: Parameters<typeof Planted.subjectOf>[1]
  /** The check that must refuse it. */
  readonly by: string
  readonly why: RegExp
}

const child = (name: "parcels" | "returns", change: object): Connector =>
  Planted.of(({ orders, returns }) => {
    const children = { ...orders.children, [name]: { ...orders.children![name]!, ...change } }
    return [{ ...orders, children }, returns]
  })

const changed = (change: object) =>
  Planted.of(({ orders, returns }) => [
    { ...orders, ...change },
    { ...returns, ...change }
  ])

/** Its returns as cancellations, with these amounts. */
const cancelling = (amounting: (amount: bigint | undefined) => { readonly amount?: bigint }) => {
  const { capabilities, ...connector } = Planted.making(({ documents }) => ({
    documents: documents.map((one) => {
      if (one.kind !== "return") return one
      const { amount, ...rest } = one
      return { ...rest, kind: "cancellation" as const, ...amounting(amount) }
    })
  }))
  return {
    ...connector,
    capabilities: { ...capabilities, kinds: ["order", "fulfilment", "cancellation"] }
  } as Connector
}

/** Whatever was first read of an order's parcels and returns, for as long as the program runs. */
const remembered = (): Parameters<typeof Planted.making>[0] => {
  const known = new Map<string, ReadonlyArray<Document>>()
  return ({ documents: [order, ...parts] }, fields) => {
    const id = fields.text("id")
    if (!known.has(id)) known.set(id, parts)
    return { documents: order === undefined ? [] : [order, ...known.get(id)!] }
  }
}

const without = (headers: Readonly<Record<string, string>>, header: string) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name !== header))

const latest = (page: Parameters<Parameters<typeof Planted.marking>[0]>[0]): number | undefined => {
  const times = page.read.map(({ raw }) => Date.parse((JSON.parse(raw) as { readonly updated: string }).updated))
  return times.length === 0 ? undefined : Math.max(...times)
}

const FILES = "gives the file of an invoice as it is, within its bound, and none where there is none"

/** As it should be: the bytes as they come, bounded, and nothing where there is none. */
const taken: Parameters<typeof Planted.filing>[0] = (response, largest) =>
  response.status === 404
    ? Effect.succeed(undefined)
    : Effect.flatMap(response.arrayBuffer, (body) =>
        body.byteLength > largest ? Effect.fail("it is too large") : Effect.succeed(new Uint8Array(body))
      )

const MARK = "sees what changes at the moment of its mark, by the source's clock"

const MISTAKES: Readonly<Record<string, Mistake>> = {
  "reads the first page of what belongs to a record, and no more": {
    connector: child("parcels", { pagination: { by: "none" } }),
    by: "reads every page of every list",
    why: /fulfilment\/1\/12 is missing/
  },
  "reads the first page of what belongs to many records": {
    connector: child("returns", { pagination: { by: "none" } }),
    by: "reads every page of every list",
    why: /return\/1\/22 is missing/
  },
  "leaves out the last page of what belongs to a record": {
    connector: child("parcels", { expects: () => 1 }),
    by: "reads every page of every list",
    why: /fulfilment\/1\/12 is missing/
  },
  "takes the source's time to be inclusive, which it is not": {
    connector: changed({
      changes: { since: "since", inclusive: true, format: (at: number) => new Date(at + 1000).toISOString() }
    }),
    source: { isExclusive: true },
    by: MARK,
    why: /by the source's clock, and is never read/
  },
  "goes on behind the latest time that it saw": {
    connector: Planted.marking((page) => {
      const at = latest(page)
      return at === undefined ? undefined : at + 1000
    }),
    by: "loses nothing to equal times between two readings",
    why: /like all others/
  },
  "goes by its own clock": {
    connector: Planted.marking((_, now) => now),
    by: MARK,
    why: /is never read/
  },
  "turns pages by number, whatever is deleted meanwhile": {
    connector: changed({ pagination: { by: "page", param: "page", keeps: "a mistake" } }),
    by: "loses nothing to a deletion while it pages",
    why: /was deleted while it read, and now .* is missing/
  },
  "fails on an answer without a body": {
    connector: Planted.asking((status) => {
      if (status === 204) throw new TypeError("the body is undefined")
    }),
    by: "takes no answer for nothing (204)",
    why: /threw instead of failing/
  },
  "takes an empty body for an empty list": {
    connector: Planted.hearing((_, headers, text) => [
      headers,
      text === "" ? '{"orders":[],"returns":[],"parcels":[],"total":0}' : text
    ]),
    by: "takes an empty body for a fault",
    why: /said that all is well/
  },
  "does not read how long it is to wait": {
    connector: Planted.hearing((_, headers, text) => [without(headers, "retry-after"), text]),
    by: "waits no less than it is told to (Retry-After)",
    why: /told to wait 20 seconds, and asked again after/
  },
  "does not read how long it is to wait, on a machine that is busy": {
    connector: Planted.hearing((status, headers, text) => {
      if (status === 429) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150)
      return [without(headers, "retry-after"), text]
    }),
    by: "waits no less than it is told to (Retry-After)",
    why: /told to wait 20 seconds, and asked again after/
  },
  "knows one way only to say how long to wait": {
    connector: Planted.hearing((_, headers, text) => [without(headers, "x-rate-limit-time-reset-ms"), text]),
    by: "waits until a limit begins anew (X-RateLimit-Reset)",
    why: /told to wait 20 seconds/
  },
  "makes amounts of returns that are too fine": {
    connector: Planted.making(({ documents }) => ({
      documents: documents.map((one) => (one.kind === "return" ? { ...one, amount: Decimal.of("3.333") } : one))
    })),
    by: "makes no amount of nothing, and none too fine",
    why: /3.333 has more decimal places than EUR allows/
  },
  "makes amounts of cancellations that are too fine": {
    connector: cancelling((amount) => (amount === undefined ? {} : { amount: amount + Decimal.of("0.001") })),
    by: "makes no amount of nothing, and none too fine",
    why: /10.001 has more decimal places than EUR allows/
  },
  "makes cancellations of nothing": {
    connector: cancelling((amount = 0n) => ({ amount })),
    by: "makes no amount of nothing, and none too fine",
    why: /has an amount of 0; leave it out/
  },
  "remembers what belongs to a record from one run to the next": {
    connector: Planted.making(remembered()),
    by: "asks for every list",
    why: /parcels is empty in a second run, and the documents are those of the first/
  },
  "makes returns of nothing": {
    connector: Planted.making(({ documents }) => ({
      documents: documents.map((one) => (one.kind === "return" ? { amount: 0n, ...one } : one))
    })),
    by: "makes no amount of nothing, and none too fine",
    why: /has an amount of 0; leave it out/
  },
  "never asks for a list": {
    connector: Planted.of(({ orders: { children, ...orders }, returns }) => [
      { ...orders, children: { returns: children!["returns"]! } },
      returns
    ]),
    by: "asks for every list",
    why: /parcels may be empty, and it reads the same/
  },
  "gives all that it read in one page": {
    connector: Planted.paging((pages) =>
      Stream.unwrap(
        Effect.map(Stream.runCollect(pages), (all) => {
          const last = all.at(-1)!
          return Stream.make({ ...last, read: all.flatMap(({ read }) => read) })
        })
      )
    ),
    by: "reads its lists in full pages",
    why: /one page has 10\d\d records/
  },
  "asks more for a record than it declares": {
    connector: {
      ...Planted.of(({ orders, returns }) => {
        const parcels = { ...orders.children!["parcels"]!, expects: "unknown" as const }
        return [{ ...orders, children: { ...orders.children, parcels, again: parcels } }, returns]
      }),
      capabilities: Planted.right.capabilities
    } as Connector,
    by: "asks no more for a further record than it declares",
    why: /requests, and should take/
  },
  "makes numbers of ids": {
    connector: Planted.making(({ documents }, fields) => {
      const id = String(Number(fields.text("id")))
      return { documents: documents.map((one) => (one.kind === "order" ? { ...one, id, number: id } : one)) }
    }),
    by: "keeps every digit of an id",
    why: /has the number 9007199254740993/
  },
  "leaves out records of a kind that it does not know": {
    connector: Planted.making((decoded, fields) => (fields.text("id") === "4" ? { documents: [] } : decoded)),
    by: "leaves out no record in silence",
    why: /4 of orders becomes nothing/
  },
  "takes no answer for the whole of a list": {
    connector: Planted.paging((pages) =>
      Stream.map(pages, (page) => {
        const isEmpty = page.read.length === 0
        return { ...page, scan: { name: "orders", ...(isEmpty ? { begins: true, ends: true } : {}) } }
      })
    ),
    by: "takes no answer for nothing (204)",
    why: /is missing/
  },
  "makes a text of a file": {
    connector: Planted.filing((response, largest) =>
      response.status === 404 ? taken(response, largest) : Effect.map(response.text, (text) => Buffer.from(text))
    ),
    by: FILES,
    why: /changes the file of invoice 1: other bytes arrive/
  },
  "takes a file of any size": {
    connector: Planted.filing((response) => taken(response, Number.POSITIVE_INFINITY)),
    by: FILES,
    why: /where at most \d+ are taken: it must fail/
  },
  "fails where an invoice has no file": {
    connector: Planted.filing((response, largest) =>
      response.status === 404 ? Effect.fail("404") : taken(response, largest)
    ),
    by: FILES,
    why: /an invoice without a file has none, which is no failure/
  },
  "says in no sample which invoice has a file": {
    connector: Planted.filing(taken),
    source: { hasFile: false },
    by: FILES,
    why: /give `file: \{ id, path \}`/
  },
  "calls a reading of what changed a complete scan": {
    connector: Planted.paging((pages) =>
      Stream.map(pages, (page) => ({ ...page, scan: { name: "orders", begins: true, ends: true } }))
    ),
    by: "changes nothing when it reads again",
    why: /is missing/
  }
}

const subjectOf = ({ connector, source }: Mistake): Subject => Planted.subjectOf(connector, source)

describe("the conformance kit", () => {
  it("accepts the connector without a mistake", async () => {
    for (const check of checks) {
      const result = await prove(Planted.subjectOf(Planted.right), check)
      assert.notStrictEqual(result.outcome, "wrong", `${check}: ${"why" in result ? result.why : ""}`)
    }
  })

  it("accepts one that gives files, and reads no further of one that gives none", async () => {
    const outcome = async (connector: Connector) => (await prove(Planted.subjectOf(connector), FILES)).outcome
    assert.strictEqual(await outcome(Planted.filing(taken)), "holds")
    assert.strictEqual(await outcome(Planted.right), "does not apply")
  })

  for (const [mistake, planted] of Object.entries(MISTAKES)) {
    it(`refuses one that ${mistake}`, async () => {
      const result = await prove(subjectOf(planted), planted.by)
      assert.match("why" in result ? `${result.outcome}: ${result.why}` : result.outcome, planted.why)
      assert.strictEqual(result.outcome, "wrong")
    })
  }
})
