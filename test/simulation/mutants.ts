/**
 * Programs with one mistake each, made from the source as it is now, in a copy of their own. The simulation must catch
 * every one of them within so many seeds; without faults they look well.
 *
 *     node test/simulation/tryMutants.ts                 each of them, and the seed that caught it; ends with 1 if one survives
 *     node test/simulation/tryMutants.ts "the claim"     those whose name has these words
 *
 * Those that a test of one part catches are in `unitMutants.ts`.
 */
export interface Change {
  readonly file: string
  readonly from: string
  readonly to: string
}

export interface Mutant {
  readonly name: string
  /** Only something that is done twice counts. */
  readonly double?: true
  /** A seed that catches it, and that the program as it is passes: tried in every run of the tests. */
  readonly caughtBy?: number
  /** So many seeds where its moment is rare. */
  readonly seeds?: number
  /** It is in what a second connection pays. */
  readonly pays?: true
  /** It is in what a source says itself of its balances. */
  readonly lies?: true
  /** It is about cover, in histories that have it, or about collections, in weeks of their own (`CollectionHistory.ts`). */
  readonly history?: "cover" | "collections"
  /** Other words for the command of the history. */
  readonly more?: ReadonlyArray<string>
  readonly changes: ReadonlyArray<Change>
}

const worker = (from: string, to: string): Change => ({ file: "sync/apply/Worker.ts", from, to })

export const MUTANTS: ReadonlyArray<Mutant> = [
  {
    name: "remove the claim: it is written after the answer",
    caughtBy: 48,
    double: true,
    changes: [
      worker("      const id = yield* worker.#claim(job, call)\n", "      const id = 0\n"),
      worker(
        "      const ended = yield* worker.sender.send(id, call)\n      const now",
        `      yield* worker.#db.commit(() => job.owed?.write(false))
      job.owed = undefined
      const ended = yield* worker.sender.send(0, call)
      const made = yield* worker.#claim(job, call)
      if (made === undefined) {
        job.complete = false
        return ended
      }
      id = made
      const now`
      )
    ]
  },
  {
    name: "commit the receipt apart from the ledger",
    caughtBy: 20,
    changes: [
      worker(
        `      if (ended.outcome === "done") worker.#onDone(job, { id, call, ended, now })
`,
        `      if (ended.outcome === "done") {
        yield* worker.#db.commit(() => receive(worker.#db, id, ended, now))
        worker.#onDone(job, { id, call, ended, now })
        const advanced = job.remote
        job.owed = { call, ended, write: () => write(worker.#db, job, advanced) }
      }
`
      )
    ]
  },
  {
    name: "drop the read-back: what may have been done is sent again",
    caughtBy: 1,
    double: true,
    changes: [
      {
        file: "sync/apply/Sender.ts",
        from: "const outcome = yield* Effect.result(Effect.interruptible(sender.readBack(call, yield* monotonic)))",
        to: "const outcome = yield* Effect.result(Effect.succeed<ReadBack>({ absent: true }) as Effect.Effect<ReadBack, ServiceError>)"
      }
    ]
  },
  {
    name: "use a fresh idempotency key for every request",
    caughtBy: 18,
    double: true,
    changes: [
      {
        file: "sync/apply/Sender.ts",
        from: "sender.#client.send(call.operation, params, body, key)",
        to: "sender.#client.send(call.operation, params, body, key && crypto.randomUUID())"
      },
      {
        file: "sync/apply/ReadBack.ts",
        from: "send(call.operation, resolve(call.params, find), call.body, call.orderPosting.key)",
        to: "send(call.operation, resolve(call.params, find), call.body, crypto.randomUUID())"
      }
    ]
  },
  {
    name: "advance the bookmark early: before its page is stored",
    caughtBy: 19,
    changes: [
      {
        file: "sync/books/DocumentStore.ts",
        from: `    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      this.#db.soon(() => {
        for (const { bookmark, page } of pages) this.#keep(page, bookmark, now)
      })
    )`,
        to: `    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.andThen(
        this.#db.soon(() => {
          for (const { bookmark } of pages) {
            if (bookmark === undefined) continue
            this.#db
              .prepare("INSERT INTO bookmark (connection, bookmark, moved, reading) VALUES (?, ?, ?, 1) ON CONFLICT DO UPDATE SET bookmark = excluded.bookmark")
              .run(this.#connection, bookmark, now)
          }
        }),
        this.#db.soon(() => {
          for (const { bookmark, page } of pages) this.#keep(page, bookmark, now)
        })
      )
    )`
      }
    ]
  },
  {
    name: "forget the fence: two processes work on one state file",
    caughtBy: 9,
    double: true,
    changes: [
      {
        file: "sync/state/Database.ts",
        from: `options.mode === "write" && !inMemory && attach === undefined`,
        to: `options.mode === "write" && inMemory && attach === undefined`
      }
    ]
  },
  {
    name: "believe in recovery that what was sent before must have arrived",
    caughtBy: 27,
    double: true,
    changes: [
      {
        file: "sync/apply/Recovery.ts",
        from: "const since = yield* monotonic",
        to: "const since = (yield* monotonic) - 1e9"
      }
    ]
  },
  {
    name: "believe at once that what is not there yet will not come",
    caughtBy: 1,
    double: true,
    changes: [
      {
        file: "sync/apply/Sender.ts",
        from: "yield* waitUntil(since, this.#settleAfter)",
        to: "yield* waitUntil(since, 0)"
      }
    ]
  },
  {
    name: "forget the claims of a run that died",
    caughtBy: 9,
    changes: [
      {
        file: "sync/apply/Recovery.ts",
        from: "claims.flatMap((claim) => {",
        to: "claims.slice(0, 0).flatMap((claim) => {"
      }
    ]
  },
  {
    name: "take a record that could not be read for one that vanished",
    caughtBy: 3,
    changes: [
      {
        file: "sync/books/DocumentStore.ts",
        from: "if (!scan.scanning || isRead(scan, row.id)) continue",
        to: "if (scan.scanning) continue"
      }
    ]
  },
  {
    name: "take what is to be matched off the queue before it is matched",
    caughtBy: 11,
    pays: true,
    changes: [
      {
        file: "sync/matching/Run.ts",
        from: "    yield* untilDone(db, () => documents(db, work, waiting))",
        to: `    const [from, to] = range(work.connection, work.kind)
    const keys = db.prepare("SELECT key FROM to_match WHERE key > ? AND key < ?").pluck().all(from, to)
    yield* db.transaction(() => db.prepare("DELETE FROM to_match WHERE key > ? AND key < ?").run(from, to))
    yield* db.transaction(() => {
      for (const key of keys) db.prepare("INSERT INTO to_match VALUES (?)").run(key)
      return documents(db, work, waiting)
    })
    yield* untilDone(db, () => documents(db, work, waiting))`
      }
    ]
  },
  {
    name: "forget which payments wait for an amount",
    // A run ends within one short moment.
    seeds: 1000,
    pays: true,
    changes: [
      {
        file: "sync/matching/Run.ts",
        from: "  yield* untilDone(db, () => batch(() => decideGroups(db, AT_ONCE)))",
        to: `  const kept = db.prepare("SELECT pays, currency, amount, party FROM to_group").raw().all() as Array<Array<string>>
  yield* db.transaction(() => db.prepare("DELETE FROM to_group").run())
  const keep = db.prepare("INSERT INTO to_group VALUES (?, ?, ?, ?)")
  yield* db.transaction(() => kept.forEach((group) => keep.run(group)))
  yield* untilDone(db, () => batch(() => decideGroups(db, AT_ONCE)))`
      }
    ]
  },
  {
    name: "believe a refusal of whatever shape: a proxy's page says that nothing was done",
    caughtBy: 41,
    changes: [
      {
        file: "core/Answers.ts",
        from: "if (!isJson(type) || !isOwnRefusal(status, body)) {",
        to: "if (false) {"
      }
    ]
  },
  {
    name: "send what there is to send once a person has approved a plan, whether or not that is still the plan",
    caughtBy: 10,
    changes: [
      {
        file: "sync/apply/Apply.ts",
        from: "const moved = options.digest !== undefined && options.digest !== summary.digest",
        to: 'const moved = options.digest === ""'
      }
    ]
  },
  {
    name: "forget one payment of a page that also has a record which cannot be read",
    caughtBy: 3,
    seeds: 100,
    changes: [
      {
        file: "sync/books/Ready.ts",
        from: "  read: page.read.map((read) => (isReady",
        to: `  read: page.read
    .filter((_, at, all) => page.quarantined.length === 0 || at !== all.findIndex(({ document }) => document.kind === "payment"))
    .map((read: Read | Ready) => (isReady`
      }
    ]
  },
  {
    name: "believe the records, whatever the source itself says of the balance",
    caughtBy: 2,
    seeds: 100,
    lies: true,
    changes: [
      {
        file: "sync/rules/SourceFigures.ts",
        from: "if (says === undefined) return { balance, says, follows: without }",
        to: "if (says === undefined || elsewhere === 0n) return { balance, says, follows: says ?? without }"
      }
    ]
  },
  {
    name: "believe the source's own balance whatever it is, of an invoice that another connection pays as well",
    caughtBy: 9,
    seeds: 100,
    pays: true,
    lies: true,
    changes: [
      {
        file: "sync/rules/SourceFigures.ts",
        from: "follows: can.reduce((nearest, one) => (apart(one) < apart(nearest) ? one : nearest), without)",
        to: "follows: elsewhere === 0n ? without : says"
      }
    ]
  },
  {
    name: "count what is in another currency than its invoice",
    caughtBy: 16,
    changes: [
      {
        file: "sync/model/InvoiceFacts.ts",
        from: "  if (!isExchanged({ how }) && document.currency !== undefined && document.currency !== invoice.currency) return true\n",
        to: ""
      }
    ]
  }
]
