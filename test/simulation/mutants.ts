/**
 * Programs with one mistake each, made from the source as it is now, in a copy of their own. The simulation must catch
 * every one of them within so many seeds; without faults they look well.
 *
 *     node test/simulation/mutants.ts                 each of them, and the seed that caught it; ends with 1 if one survives
 *     node test/simulation/mutants.ts "the claim"     those whose name has these words
 */
import { execFile } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))

/** Seeds within which a mutant must be caught, and calm ones that it must pass. */
export const SEEDS = 300
const CALM = 20

interface Change {
  readonly file: string
  readonly from: string
  readonly to: string
}

export interface Mutant {
  readonly name: string
  /** Only something that is done twice counts. */
  readonly double?: true
  /** So many seeds where its moment is rare. */
  readonly seeds?: number
  /** It is in what a second connection pays. */
  readonly pays?: true
  readonly changes: ReadonlyArray<Change>
}

const lane = (from: string, to: string): Change => ({ file: "sync/apply/Worker.ts", from, to })

export const MUTANTS: ReadonlyArray<Mutant> = [
  {
    name: "remove the claim: it is written after the answer",
    double: true,
    changes: [
      lane(
        `        const id = yield* db.commit(() => {
          before?.write()
          return Claims.claim(db, lane.#run, call, now)
        })`,
        `        yield* db.commit(() => before?.write())
        const ended = yield* lane.#sender.send(0, call)
        const id = yield* db.commit(() => Claims.claim(db, lane.#run, call, now))`
      ),
      lane(
        `        if (before !== undefined) yield* lane.#tell(before)
        const ended = yield* lane.#sender.send(id, call)
`,
        `        if (before !== undefined) yield* lane.#tell(before)
`
      )
    ]
  },
  {
    name: "commit the receipt apart from the ledger",
    changes: [
      lane(
        `          owed = {
            call,
            ended,
            write: () => {
              lane.#receive(id, ended, then)
              lane.#write(plan, state)
            }
          }`,
        `          yield* db.commit(() => lane.#receive(id, ended, then))
          owed = { call, ended, write: () => lane.#write(plan, state) }`
      )
    ]
  },
  {
    name: "drop the read-back: what may have been done is sent again",
    double: true,
    changes: [
      {
        file: "sync/apply/Sender.ts",
        from: "const settled = yield* Effect.result(Effect.interruptible(lane.settle(call, yield* Clock.currentTimeMillis)))",
        to: "const settled = yield* Effect.result(Effect.succeed<Settled>({ absent: true }) as Effect.Effect<Settled, ServiceError>)"
      }
    ]
  },
  {
    name: "use a fresh idempotency key for every request",
    double: true,
    changes: [
      {
        file: "sync/apply/Sender.ts",
        from: "lane.#client.send(call.operation, params, body, call.take?.key)",
        to: "lane.#client.send(call.operation, params, body, call.take && crypto.randomUUID())"
      },
      {
        file: "sync/apply/ReadBack.ts",
        from: "send(call.operation, resolve(call.params, find), call.body, call.take!.key)",
        to: "send(call.operation, resolve(call.params, find), call.body, crypto.randomUUID())"
      }
    ]
  },
  {
    name: "advance the bookmark early: before its page is stored",
    changes: [
      {
        file: "sync/books/DocumentStore.ts",
        from: "Effect.flatMap(Clock.currentTimeMillis, (now) => this.#db.transaction(() => this.#keep(page, bookmark, now)))",
        to: `Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.andThen(
        this.#db.transaction(() => {
          if (bookmark === undefined) return
          this.#db
            .prepare("INSERT INTO bookmark VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET bookmark = excluded.bookmark")
            .run(this.#connection, bookmark, now)
        }),
        this.#db.transaction(() => this.#keep(page, bookmark, now))
      )
    )`
      }
    ]
  },
  {
    name: "forget the fence: two processes work on one state file",
    double: true,
    changes: [
      {
        file: "sync/state/Database.ts",
        from: `      if (options.mode === "write") yield* lock(file, command)\n`,
        to: ""
      }
    ]
  },
  {
    name: "believe at once that what is not there yet will not come",
    double: true,
    changes: [
      {
        file: "sync/apply/Sender.ts",
        from: "if (wait <= 0) return first",
        to: "if (wait <= settleNever) return first"
      },
      {
        file: "sync/apply/Sender.ts",
        from: "const MOST_READS = 4",
        to: "const MOST_READS = 4\nconst settleNever = Number.POSITIVE_INFINITY"
      }
    ]
  },
  {
    name: "void what is left of a closed order though not all was read",
    // An order is closed, and a reading is cut off between that and its last parcel.
    seeds: 1000,
    changes: [
      { file: "sync/rules/OrderPostings.ts", from: "if (over && subject.unread !== true) {", to: "if (over) {" }
    ]
  },
  {
    name: "forget the claims of a run that died",
    changes: [
      {
        file: "sync/apply/Worker.ts",
        from: "claims.flatMap((claim) => {",
        to: "claims.slice(0, 0).flatMap((claim) => {"
      }
    ]
  },
  {
    name: "take a record that could not be read for one that vanished",
    changes: [
      {
        file: "sync/books/DocumentStore.ts",
        from: "if (!part.scanning || row.part !== part.id || isMarked(part, row.id)) continue",
        to: "if (part.scanning) continue"
      }
    ]
  },
  {
    name: "take what is to be matched off the queue before it is matched",
    pays: true,
    changes: [
      {
        file: "sync/matching/Run.ts",
        from: "    while (yield* db.transaction(() => batch(db, work))) {",
        to: `    const [from, to] = range(work.connection, work.kind)
    const keys = db.prepare("SELECT key FROM to_match WHERE key > ? AND key < ?").pluck().all(from, to)
    yield* db.transaction(() => db.prepare("DELETE FROM to_match WHERE key > ? AND key < ?").run(from, to))
    yield* db.transaction(() => {
      for (const key of keys) db.prepare("INSERT INTO to_match VALUES (?)").run(key)
      return batch(db, work)
    })
    while (yield* db.transaction(() => batch(db, work))) {`
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
        from: "  while (yield* db.transaction(() => groups(db))) {",
        to: `  const waiting = db
    .prepare("SELECT pays, currency, CAST(amount AS TEXT) AS amount, party FROM to_group")
    .all() as ReadonlyArray<Group>
  yield* db.transaction(() => db.prepare("DELETE FROM to_group").run())
  yield* db.transaction(() => waiting.forEach((group) => decideGroup(db, group)))
  while (yield* db.transaction(() => groups(db))) {`
      }
    ]
  }
]

/** The files of a mutant. Throws when the source no longer has the text that is changed, or has it twice. */
export const mutated = ({ changes, name }: Mutant): ReadonlyMap<string, string> => {
  const files = new Map<string, string>()
  for (const { file, from, to } of changes) {
    const [before, after, more] = (files.get(file) ?? readFileSync(join(ROOT, file), "utf8")).split(from)
    if (before === undefined || after === undefined || more !== undefined)
      throw new Error(`"${name}": ${file} should have this text once, so the mutant must be written anew:\n${from}`)
    files.set(file, before + to + after)
  }
  return files
}

const runs = (folder: string, ...words: ReadonlyArray<string>): Promise<string> =>
  new Promise((resolve) => {
    const args = ["test/simulation/run.ts", ...words, "--plain", "--first"]
    execFile(process.execPath, args, { cwd: folder }, (_, stdout, stderr) => resolve(stdout + stderr))
  })

export interface Verdict {
  readonly name: string
  /** The seed that caught it, and what did not hold; undefined when it survived. */
  readonly caught?: { readonly seed: number; readonly found: string }
  /** Why it is no fair mutant: it fails where nothing goes wrong. */
  readonly unfair?: string
}

export const tryMutant = async (mutant: Mutant, seeds = mutant.seeds ?? SEEDS, calm = CALM): Promise<Verdict> => {
  const folder = mkdtempSync(join(tmpdir(), "daybook-mutant-"))
  try {
    for (const name of ["core", "connectors", "sync", "test", "package.json"])
      cpSync(join(ROOT, name), join(folder, name), { recursive: true })
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"))
    for (const [file, text] of mutated(mutant)) writeFileSync(join(folder, file), text)
    const pays = mutant.pays === true ? ["--pays"] : []
    const quiet = await runs(folder, `${calm}`, "--calm", ...pays)
    if (!quiet.includes(": 0 failed")) return { name: mutant.name, unfair: quiet }
    const said = await runs(folder, `${seeds}`, ...(mutant.double === true ? ["--double"] : []), ...pays)
    const [, seed, found] = /^seed (\d+):.*\n {2}(.*)$/m.exec(said) ?? []
    if (seed === undefined) {
      if (!said.includes(`${seeds} seeds`)) return { name: mutant.name, unfair: said }
      return { name: mutant.name }
    }
    return { name: mutant.name, caught: { seed: Number(seed), found: found! } }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const words = process.argv.slice(2).join(" ")
  let failed = 0
  for (const mutant of MUTANTS.filter(({ name }) => name.includes(words))) {
    const { caught, name, unfair } = await tryMutant(mutant)
    if (caught === undefined) failed++
    console.log(
      caught !== undefined
        ? `caught by seed ${caught.seed}: ${name}\n    ${caught.found.slice(0, 200)}`
        : unfair !== undefined
          ? `NO MUTANT: ${name}\n${unfair}`
          : `SURVIVED: ${name}`
    )
  }
  console.log(failed === 0 ? "all of them are caught" : `${failed} not caught`)
  process.exitCode = failed === 0 ? 0 : 1
}
