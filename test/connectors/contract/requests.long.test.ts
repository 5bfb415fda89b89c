/** How often a connector asks, and where: the kit refuses one that reads record by record. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Schema, Stream } from "effect"
import { Connector, connectors, Http, Json } from "../../../connectors/index.ts"
import { copy, prove, run, type Subject } from "../../../connectors/testing/index.ts"

interface Behaviour {
  /** Asks for each invoice by itself, besides its list. */
  readonly byRecord?: boolean
  /** Records that it asks for at once. */
  readonly size?: number
  /** Reads everything again, whatever the bookmark says. */
  readonly forgetful?: boolean
  /** So often it asks for what changed. */
  readonly often?: number
}

const limits = { page: 100, atOnce: 4 }

const invoice = (n: number) => ({ id: `i${String(n).padStart(6, "0")}`, total: "12.00", updated: 1 })

const decode = (fields: Json.Fields): Json.Decoded => ({
  documents: [
    {
      kind: "invoice",
      id: fields.text("id"),
      number: fields.text("id"),
      status: "open",
      party: { name: "Harbour Tea Ltd" },
      currency: "GBP",
      issued: "2026-01-31" as never,
      due: "2026-03-02" as never,
      gross: fields.major("total", "GBP")
    }
  ]
})

const connectorOf = ({ byRecord = false, forgetful = false, often = 1, size = 100 }: Behaviour) =>
  Connector.make({
    name: "habitual",
    title: "a connector that asks in one way",
    capabilities: { kinds: ["invoice"], deletions: "not at all", blindSpots: [], limits },
    settings: Schema.Struct({}),
    bookmark: Schema.Struct({ since: Schema.Int, after: Schema.optionalKey(Schema.String) }),
    pull: (_, from) => {
      const authority = Http.key(Effect.succeed("secret"), "KEY", () => ({}))
      const http = Http.make({ connector: "habitual", base: "https://source.example", authority, limits })
      const since = forgetful ? 0 : (from?.since ?? 0)
      return Stream.paginate(from?.after, (after: string | undefined) =>
        Effect.gen(function* () {
          const answer = yield* http.get("/invoices", { limit: size, after, since })
          const records = yield* Http.records("habitual", "/invoices", answer, "invoices")
          const ids = records.map((one) => (one as { readonly id: string }).id)
          const each = byRecord || since > 0 ? ids : []
          for (let n = 0; n < often; n++) yield* Effect.forEach(each, (id) => http.get(`/invoices/${id}`))
          const into = Json.batch()
          Json.decodeAll(into, records, { name: "invoices", kind: "invoice", id: "id", decode })
          const last = ids.at(-1)
          const next = last === undefined || ids.length < size ? Option.none() : Option.some(last)
          const bookmark = Option.isNone(next) ? { since: 2 } : { since, after: next.value }
          return [[{ ...into, bookmark }], next] as const
        })
      )
    }
  })

const subjectOf = (behaviour: Behaviour): Subject => ({
  connector: connectorOf(behaviour) as never,
  settings: {},
  golden: [],
  open: () => {
    const records = copy([invoice(0), invoice(1)])
    const stamp = (record: { updated: number }) => void (record.updated = 3)
    return {
      source: {
        lists: { invoices: { records, id: "id", stamp } },
        answer: ({ path, query }, paging) => {
          const [, , id] = path.split("/")
          if (id !== undefined) return { body: records.find((one) => one.id === id) }
          const changed = records.filter(({ updated }) => updated >= Number(query.get("since")))
          return { body: { invoices: paging.after(changed, query.get("after"), "id", query.get("limit")).records } }
        }
      },
      grow: (count) => void records.push(...copy(Array.from({ length: count }, (_, n) => invoice(n + 2))))
    }
  }
})

const CHECKS = [
  "reads its lists in full pages",
  "asks little when nothing changed",
  "asks at most twice for what changed"
]

/** What the kit says of such a connector, check by check: undefined where it holds. */
const said = async (behaviour: Behaviour) => {
  const results = await Promise.all(CHECKS.map((check) => prove(subjectOf(behaviour), check)))
  return results.map((result) => (result.outcome === "holds" ? undefined : result.why))
}

describe("the kit's count of requests", () => {
  it("accepts full pages, and one request for each record that changed", async () => {
    assert.deepStrictEqual(await said({}), [undefined, undefined, undefined])
  })

  it("refuses a request for each record of a first reading", async () => {
    const [first] = await said({ byRecord: true })
    assert.match(first!, /a first reading of 1002 records \(11 full pages\) takes 1013 requests, .* 23 at most/)
  })

  it("refuses pages that are smaller than the source allows", async () => {
    const [first] = await said({ size: 10 })
    assert.match(first!, /takes 101 requests, and should take 23 at most/)
  })

  it("refuses a connector that reads everything again when nothing changed", async () => {
    const [, quiet] = await said({ forgetful: true })
    assert.match(quiet!, /reading again what did not change takes 11 requests, and should take 5 at most/)
  })

  it("refuses more than two requests for each record that changed", async () => {
    const [, , changes] = await said({ often: 3 })
    assert.match(changes!, /a change of 30 records takes 91 requests, and should take 66 at most/)
  })

  it("asks for a sample that can grow", async () => {
    const { open, ...subject } = subjectOf({})
    const still: Subject = {
      ...subject,
      open: () => {
        const { grow: _, ...stage } = open()
        return stage
      }
    }
    const result = await prove(still, CHECKS[0]!)
    assert.match("why" in result ? result.why : "", /its sample says no way to grow/)
  })
})

describe("the setting url", () => {
  const PROXY = "https://proxy.example/to/source"

  it("sends every request of a connector elsewhere, and takes no address that would show the key", async () => {
    let tried = 0
    for (const { sample } of connectors) {
      const { subject } = await sample()
      const stage = subject.open()
      const { source } = stage
      stage.close?.()
      if (source === undefined) continue
      tried++
      const settings = { ...(subject.settings as object), url: PROXY }
      const { asked } = await run(
        { ...subject, settings },
        { ...stage, source: { ...source, answer: () => undefined } }
      )
      const elsewhere = asked.filter(({ path }) => path !== subject.oauth?.path)
      assert.isNotEmpty(elsewhere, subject.connector.name)
      for (const { origin, path } of elsewhere)
        assert.match(`${origin}${path}`, /^https:\/\/proxy\.example\/to\/source\//)
      const fits = (url: string) =>
        Schema.decodeUnknownEffect(subject.connector.settings as Schema.Codec<unknown>)({ ...settings, url }).pipe(
          Effect.match({ onFailure: (error) => error.message, onSuccess: () => "fits" })
        )
      assert.strictEqual(await Effect.runPromise(fits("http://127.0.0.1:4010")), "fits")
      assert.match(
        await Effect.runPromise(fits("http://source.example")),
        /use https \(plain http .* this machine only\)/
      )
      assert.match(await Effect.runPromise(fits("https://key@source.example")), /give the key in its own setting/)
    }
    assert.isAbove(tried, 6)
  })
})
