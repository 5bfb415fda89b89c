/**
 * What goes wrong in a connector is the failure of its connection, wherever it happens: in a pull, in a sweep, or where a
 * webhook pointed. And what cannot be told apart once it is stored is quarantined, never merged.
 *
 * The ids fail where `Quarantine.ts` does not ask `isWellFormed`; what became one key, where `Books.ts` takes every document
 * under a key for the same one.
 */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Cause, Effect, Exit, Layer, Redacted, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import { type Connector, type Page, SourceError } from "../../../connectors/Connector.ts"
import * as Document from "../../../connectors/Document.ts"
import { Client } from "../../../core/Client.ts"
import { Intake } from "../../../sync/books/DocumentStore.ts"
import * as InvoiceStatement from "../../../sync/reconciliation/InvoiceStatement.ts"
import * as Body from "../../../sync/state/Body.ts"
import { Database } from "../../../sync/state/Database.ts"
import * as WebhookQueue from "../../../sync/pull/WebhookQueue.ts"
import { pull } from "../../../sync/pull/Pull.ts"
import { reread } from "../../../sync/pull/Refetch.ts"
import { sweep } from "../../../sync/pull/Sweep.ts"
import { oneOf } from "../../support/Books.ts"
import { invoice, payment } from "../../support/Documents.ts"
import { runs } from "../../support/Effort.ts"
import { type Bookmark, connection, connector, read } from "../Source.ts"

const outside = Layer.mergeAll(NodeFileSystem.layer, FetchHttpClient.layer)
const layer = Layer.mergeAll(Database.layer({ file: ":memory:", mode: "write" }), outside)

type Pages = Stream.Stream<Page<Bookmark>, SourceError>

const SECRET = "s3cret-of-the-source"

/** Ways in which a program is broken. */
const DEFECTS: Readonly<Record<string, (good: Pages) => Pages>> = {
  throws: () => {
    throw new Error(`no such host for ${SECRET}`)
  },
  "throws what is no error": () => {
    throw null
  },
  dies: () => Stream.die(new TypeError(`cannot read ${SECRET}`)),
  "dies behind a page": (good) => Stream.concat(good, Stream.die("broken")),
  "is rejected": () => Stream.fromEffect(Effect.promise(() => Promise.reject(new Error(`rejected: ${SECRET}`)))),
  "fails with what is no SourceError": () => Stream.fail(`E_${SECRET}` as unknown as SourceError),
  "interrupts itself": () => Stream.fromEffect(Effect.interrupt),
  "answers no stream": () => undefined as unknown as Pages,
  "answers a promise": () => Promise.resolve([]) as unknown as Pages,
  "answers pages that throw when they are read": () =>
    Stream.make({
      get read(): Page<Bookmark>["read"] {
        throw new Error(`getter of ${SECRET}`)
      },
      quarantined: [],
      bookmark: { page: 1 }
    }),
  "answers documents that have no end": () => {
    const metadata: Record<string, string> = {}
    metadata["self"] = metadata as unknown as string
    return Stream.make({ read: [read(invoice({ id: "A2", metadata }))], quarantined: [], bookmark: { page: 1 } })
  },
  "answers notices that are none": () =>
    Stream.make({ read: [], quarantined: [], notices: [7 as never], bookmark: { page: 1 } })
}

const good = (): Pages => Stream.make({ read: [read(invoice({ id: "A1" }))], quarantined: [], bookmark: { page: 1 } })

/** A source that is broken in this way, however it is read. */
const broken = (defect: (good: Pages) => Pages): Connector => ({
  ...connector(() => defect(good())),
  reread: () => defect(good()),
  webhook: { verify: () => true, events: () => [], reread: () => defect(good()) }
})

/** Whichever way: an invoice that is open, so that it is swept, and a hint that points to it. */
const begun = Effect.gen(function* () {
  const db = yield* Database
  yield* new Intake(db, "books").keep({ read: [read(invoice())], quarantined: [], bookmark: undefined }, undefined)
  db.prepare(
    "INSERT INTO ledger (id, subject, connection, remote, held, reason, currency, books_open, service_open) VALUES (NULL, ?, 'books', 'trns-1', '{}', NULL, 'GBP', 100, 100)"
  ).run(Document.key("books", "invoice", "I1"))
  yield* db.transaction(() => WebhookQueue.enqueue(db, "books", [{ about: "source:I1", event: "e1" }], 0))
})

const surroundings = { folder: ".", environment: { THE_KEY: SECRET } }

const WAYS = {
  pull: (one: ReturnType<typeof connection>) => pull(one, surroundings),
  sweep: (one: ReturnType<typeof connection>) => sweep(one, { ...surroundings, limit: 10 }),
  reread: (one: ReturnType<typeof connection>) =>
    reread(one, surroundings).pipe(
      Effect.provide(Client.layer({ url: "http://127.0.0.1:9", key: Redacted.make("key") })),
      Effect.provide(outside)
    )
}

for (const [way, work] of Object.entries(WAYS)) {
  describe(`a connector in a ${way}`, () => {
    for (const [name, defect] of Object.entries(DEFECTS)) {
      it.effect(`that ${name}: its connection fails, and says nothing secret`, () =>
        Effect.gen(function* () {
          yield* begun
          const one = { ...connection(broken(defect)), settings: { key: { env: "THE_KEY" } } }
          const exit = yield* Effect.exit(work(one) as Effect.Effect<unknown, unknown, never>)
          assert.isTrue(Exit.isFailure(exit))
          if (!Exit.isFailure(exit)) return
          const [reason] = exit.cause.reasons
          assert.isTrue(Cause.isFailReason(reason!), Cause.pretty(exit.cause))
          const error = (reason as Cause.Fail<unknown>).error
          assert.instanceOf(error, SourceError)
          assert.strictEqual((error as SourceError).connection, "books")
          assert.notInclude((error as SourceError).message, SECRET)
          assert.notInclude(JSON.stringify(error), SECRET)
        }).pipe(Effect.provide(layer))
      )
    }
  })
}

/** Ids of whatever characters, such as are taken for each other somewhere. */
const ids: Arbitrary.Arbitrary<ReadonlyArray<string>> = Arbitrary.array(
  Arbitrary.map(
    Arbitrary.array(
      oneOf(
        "A",
        "\ud800",
        "\udbff",
        "\udc00",
        "\ufffd",
        "\u0000",
        "é",
        "e\u0301",
        "/",
        "#",
        "%",
        "%20",
        " ",
        ";",
        "%00",
        "ß",
        "SS",
        "\u2028"
      ),
      { minLength: 1, maxLength: 4 }
    ),
    (parts) => parts.join("")
  ),
  { minLength: 2, maxLength: 30 }
)

/** Reads these ids, once each, as one part from its beginning to its end. */
const taken = (all: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const db = yield* Database
    const documents = all.map((id, n) => read(invoice({ id, number: id, gross: "10.00" }), n))
    const source = connector(() =>
      Stream.make({
        read: documents,
        quarantined: [],
        bookmark: { page: 1 },
        scan: { name: "all", begins: true, ends: true }
      })
    )
    yield* pull(connection(source), surroundings)
    const kept = db.prepare("SELECT body FROM document WHERE deleted = 0").pluck().all() as ReadonlyArray<string>
    const unreadable = db.prepare("SELECT count(*) FROM quarantine").pluck().get() as number
    const keys = db.prepare("SELECT key FROM document").pluck().all() as ReadonlyArray<string>
    return {
      kept: kept.map((body) => Body.read(body).id),
      unreadable,
      keys,
      lost: InvoiceStatement.statements(db, ["books"])
    }
  }).pipe(Effect.provide(Layer.merge(Database.layer({ file: ":memory:", mode: "write" }), outside)))

describe("ids of a source", () => {
  it.effect.prop(
    "are never taken for each other: each has a key of its own, or its record is quarantined",
    { ids },
    ({ ids }) =>
      Effect.gen(function* () {
        const all = [...new Set(ids)]
        const { unreadable, keys, kept, lost } = yield* taken(all)
        const good = all.filter((id) => id.isWellFormed())
        assert.sameMembers([...kept], good)
        assert.strictEqual(unreadable, all.length - good.length)
        assert.sameMembers(
          keys.map((key) => Document.parseKey(key).id),
          good
        )
        assert.deepStrictEqual(
          lost.flatMap(({ differences }) => differences),
          []
        )
      }),
    runs(67)
  )

  it.effect("that end in half a character: 300 of 600 are quarantined and said, none is lost in silence", () =>
    Effect.gen(function* () {
      const half = Array.from({ length: 600 }, (_, n) => `I${n % 2 === 0 ? n : String.fromCharCode(0xd800 + n)}`)
      const { unreadable, kept } = yield* taken(half)
      assert.deepStrictEqual([kept.length, unreadable], [300, 300])
    })
  )

  it.effect("may be as long as they like, and differ in their last character only", () =>
    Effect.gen(function* () {
      const long = "x".repeat(100_000)
      const { kept } = yield* taken([`${long}1`, `${long}2`])
      assert.lengthOf(kept, 2)
    })
  )

  for (const [how, first, second] of [
    ["piece by piece", undefined, undefined],
    ["from its beginning to its end", { begins: true }, { ends: true }]
  ] as const) {
    it.effect(`that became one key all the same show as a difference, read ${how}`, () =>
      Effect.gen(function* () {
        const db = yield* Database
        const intake = new Intake(db, "books")
        const page = (id: string, part: object | undefined) => ({
          read: [read(invoice({ id, gross: "10.00" }))],
          quarantined: [],
          bookmark: undefined,
          ...(part === undefined ? {} : { scan: { name: "all", ...part } })
        })
        yield* intake.keep(page("A", first), undefined)
        // As if the keys of A and B were the same.
        db.prepare(`UPDATE document SET body = replace(body, '"A"', '"B"')`).run()
        yield* intake.keep(page("A", second), undefined)
        const [statement] = InvoiceStatement.statements(db, ["books"])
        assert.deepStrictEqual(
          statement!.differences.map(({ amount }) => amount),
          ["10.00"]
        )
      }).pipe(Effect.provide(Database.layer({ file: ":memory:", mode: "write" })))
    )
  }
})

describe("amounts that are finer than their own currency", () => {
  it.effect("are quarantined with their record, and nothing of them is cut off", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const documents = [
        invoice({ id: "Y1", currency: "JPY", gross: "100.50" }),
        invoice({ id: "Y2", currency: "JPY", gross: "100" }),
        payment("P1", "0.005", "2026-01-10", { currency: "GBP" }),
        payment("P2", "1.234", "2026-01-10", { currency: "KWD" })
      ]
      const source = connector(() => Stream.make({ read: documents.map(read), quarantined: [], bookmark: { page: 1 } }))
      yield* pull(connection(source), surroundings)
      assert.deepStrictEqual(
        db.prepare("SELECT kind, id, field, why FROM quarantine ORDER BY id").all(),
        [
          [
            "payment",
            "P1",
            "amount",
            "0.005 has more decimal places than GBP allows; correct the amount or the currency"
          ],
          [
            "invoice",
            "Y1",
            "gross",
            "100.5 has more decimal places than JPY allows; correct the amount or the currency"
          ]
        ].map(([kind, id, field, why]) => ({ kind, id, field, why }))
      )
      assert.deepStrictEqual(db.prepare("SELECT key FROM document ORDER BY key").pluck().all(), [
        "books/invoice/Y2",
        "books/payment/P2"
      ])
    }).pipe(Effect.provide(layer))
  )
})
