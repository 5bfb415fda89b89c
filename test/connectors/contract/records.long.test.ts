/** Records that are none, and what a stranger's source may write where a name, a list or a time should be. */
import { assert, describe, it } from "@effect/vitest"
import * as Json from "../../../connectors/Json.ts"
import { samples } from "../../support/Samples.ts"
import { run, type Stage, type Subject } from "../../../connectors/testing/Subject.ts"

const subjects = async () => Promise.all(Object.values(samples).map(async (load) => (await load()).subject))

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Json.isNumeral(value)

const pull = async (subject: Subject, change: (stage: Stage) => void, after?: string) => {
  const stage = subject.open()
  try {
    change(stage)
    return await run(subject, stage, { bend: { size: 100 }, ...(after === undefined ? {} : { after }) })
  } finally {
    stage.close?.()
  }
}

describe("a record", () => {
  it("that is null, a number or a list is quarantined, and so is one without a name", async () => {
    for (const subject of await subjects()) {
      const stage = subject.open()
      const { source } = stage
      if (source === undefined) {
        stage.close?.()
        continue
      }
      let odd = 0
      /** The first list that is asked for brings them along. */
      const answer: typeof source.answer = (asked, paging) => {
        const answered = source.answer(asked, paging)
        // Tryton and Stripe are asked for their newest record first.
        const isNewest = asked.body.includes("DESC") || asked.query.get("limit") === "1"
        if (odd > 0 || answered === undefined || isNewest) return answered
        const strange = [null, 7, [1], { nameless: true }, { nameless: true }]
        // A table that is CSV has rows instead, with one cell each.
        const rows = ([head, ...rest]: ReadonlyArray<string>) => {
          odd = strange.length
          return [head, ...strange.map((one) => JSON.stringify(one).replaceAll(",", ";")), ...rest].join("\n")
        }
        if (typeof answered.body === "string" && (answered.status ?? 200) === 200)
          return { ...answered, body: rows(answered.body.split("\n")) }
        const joined = (value: unknown): unknown => {
          if (odd > 0 || !isObject(value)) return value
          if (!Array.isArray(value))
            return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, joined(one)]))
          if (!isObject(value[0])) return value
          odd = strange.length
          return [...strange, ...value]
        }
        return { ...answered, body: joined(answered.body) }
      }
      const { error, pages } = await run(subject, { ...stage, source: { ...source, answer } })
      stage.close?.()
      assert.isUndefined(error, subject.connector.name)
      const unreadable = pages.flatMap(({ quarantined }) => quarantined)
      assert.isAbove(odd, 0, subject.connector.name)
      assert.strictEqual(unreadable.length, odd, subject.connector.name)
      for (const { why } of unreadable) assert.isAbove(why.length, 5)
    }
  })

  it("whose name is a number, or nothing that can stand in an address, stops nothing", async () => {
    for (const name of [7, "a\ud800b", "../../x?y#z", "__proto__"]) {
      for (const subject of await subjects()) {
        const { error } = await pull(subject, ({ source }) => {
          for (const { id, records } of Object.values(source?.lists ?? {})) records[0][id] = name
        })
        assert.isUndefined(error, `${subject.connector.name} ${name}`)
      }
    }
  })

  it("that becomes a document which nobody can add up is quarantined with its reason", () => {
    const into = Json.batch()
    const shares = [{ invoice: "I1", amount: -5n }]
    const document = { kind: "payment", id: "P1", date: "2026-01-01", shares } as never
    Json.decodeAll(into, [{ id: "P1" }], {
      name: "payments",
      kind: "payment",
      id: "id",
      decode: () => ({ documents: [document] })
    })
    assert.strictEqual(into.read.length, 0)
    assert.match(into.quarantined[0]!.why, /^payment P1: its shares is not a list .* not negative$/)
  })

  it("is passed over when it came before, and never for want of a name", () => {
    const seen = new Set<string>()
    const page = Json.parse('[{"id":"a"},{"id":1},{},{"id":null},7]') as ReadonlyArray<unknown>
    assert.deepStrictEqual(Json.unseen(page, "id", seen), { records: page, news: true })
    assert.deepStrictEqual(Json.unseen(page, "id", seen), { records: page.slice(2), news: false })
  })

  it("that holds in a list what is no record is unfit", () => {
    assert.strictEqual(
      new Json.Fields({ "@odata.nextLink": "a", "@odata": { nextLink: "b" } }).get("@odata.nextLink"),
      "a"
    )
    const fields = new Json.Fields({ some: [{ id: "a" }], odd: [{ id: "a" }, null], none: "x" })
    assert.strictEqual(fields.list("some")[0]!.text("id"), "a")
    assert.deepStrictEqual(fields.list("absent"), [])
    assert.throws(() => fields.list("odd"), /holds null, which is not an object/)
    assert.throws(() => fields.list("none"), /is string; a list is expected/)
  })
})

describe("a status or a type that is not known", () => {
  for (const [name, list, member, of] of [
    ["gocardless", "payments", "status", undefined],
    ["shopify", "orders", "status", "fulfillments"],
    ["stripe", "invoices", "status", undefined],
    ["tryton", "invoices", "state", undefined],
    ["xero", "Invoices", "Status", undefined]
  ] as const) {
    it(`of ${name} (${member}) is quarantined, not taken for one that is`, async () => {
      for (const said of ["brand_new", "constructor"]) {
        const { subject } = await samples[name]!()
        const { pages } = await pull(subject, ({ source }) => {
          const one = source!.lists[list] ?? Object.values(source!.lists)[0]!
          const within = of === undefined ? one.records[0] : one.records[0][of][0]
          within[member] = said
        })
        const unreadable = pages.flatMap(({ quarantined }) => quarantined)
        assert.isTrue(
          unreadable.some(({ raw, why }) => raw.includes(said) && /is not (a )?known/.test(why)),
          JSON.stringify(unreadable.map(({ why }) => why))
        )
      }
    })
  }
})

describe("a time that has not come yet", () => {
  for (const [name, far] of [
    ["gocardless", "2999-01-01T00:00:00.000Z"],
    ["stripe", 32_472_144_000]
  ] as const) {
    it(`of an event of ${name} hides nothing that comes after it`, async () => {
      const { subject } = await samples[name]!()
      const { pages } = await pull(subject, ({ source }) => {
        const { records } = source!.lists["events"]!
        records.push({ ...records[0], id: "odd", [name === "stripe" ? "created" : "created_at"]: far })
      })
      const { since } = pages.at(-1)!.bookmark as { readonly since: number }
      const seconds = name === "stripe" ? since : since / 1000
      assert.isBelow(seconds, Date.parse("2026-03-10T00:00:00Z") / 1000)
    })
  }

  for (const [name, list, member] of [
    ["shopify", "orders", "at"],
    ["tryton", "invoices", "since"]
  ] as const) {
    it(`of a record of ${name} hides nothing that changes after it`, async () => {
      const { subject } = await samples[name]!()
      const { pages } = await pull(subject, ({ source }) => {
        const { records, stamp } = source!.lists[list]!
        stamp!(records[0], Date.UTC(2999, 0, 1))
      })
      const { [member]: at } = pages.at(-1)!.bookmark as { readonly [name: string]: string }
      assert.isBelow(Date.parse(at!), Date.parse("2026-03-10T00:00:00Z"))
    })
  }
})
