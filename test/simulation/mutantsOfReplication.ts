/** Mistakes in keeping state files elsewhere as well: each trap of it. */
import type { UnitMutant } from "./unitMutants.ts"

const REPLICATED = "test/sync/state/replication/Replicated.long.test.ts"
const VERIFIED = "test/sync/state/replication/Verified.test.ts"
const OUTSIDE = "test/sync/state/replication/Outside.test.ts"
const READY = "test/sync/engine/Ready.test.ts"
const VAULTS = "test/sync/state/replication/Vaults.test.ts"
const HIGH_WATER_TEST = "test/sync/state/replication/HighWater.test.ts"
const WAL = "sync/state/replication/Wal.ts"
const HIGH_WATER = "sync/state/replication/HighWater.ts"
const SHIPPER = "sync/state/replication/Shipper.ts"
const COMMITS = "sync/state/Commits.ts"
const DATABASE = "sync/state/Database.ts"

export const REPLICATION: ReadonlyArray<UnitMutant> = [
  {
    name: "a replicated file copies its log back by itself",
    caughtBy: [REPLICATED, "ends its handle when the log was copied back"],
    changes: [{ file: DATABASE, from: 'mode === "ship" ? 0 : 4000', to: 'mode === "ship" ? 4 : 4000' }]
  },
  {
    name: "much that is matched lets the log be copied back by itself",
    caughtBy: [REPLICATED, "not even where much is matched"],
    changes: [{ file: "sync/matching/Run.ts", from: "...(db.isReplicated ? {} :", to: "...(false ? {} :" }]
  },
  {
    name: "the log is copied back without a look whether all of it was shipped",
    caughtBy: [REPLICATED, "committed beside a shipment"],
    changes: [{ file: SHIPPER, from: "if (this.#rebasing || !this.#isAllShipped()) return false\n    try", to: "try" }]
  },
  {
    name: "nobody notices that the log was begun anew before it was read",
    caughtBy: [REPLICATED, "ends its handle when the log was copied back"],
    changes: [{ file: WAL, from: "if (!this.#isCopied) throw", to: "if (false) throw" }]
  },
  {
    name: "the old tail of a log that was begun anew is taken for new",
    caughtBy: [REPLICATED, "after random work"],
    changes: [
      { file: WAL, from: 'if (bytes.toString("latin1", at + 8, at + 16) !== this.#salts) return undefined', to: "" },
      { file: WAL, from: "? sums : undefined", to: "? sums : before" }
    ]
  },
  {
    name: "pages of a transaction that was rolled back are shipped",
    caughtBy: [VERIFIED, "ships nothing of a transaction that was rolled back"],
    changes: [{ file: WAL, from: "        if (size === 0) continue\n", to: "" }]
  },
  {
    name: "what is restored is not compared with the hash of what was shipped",
    caughtBy: [VERIFIED, "a store that lost a shipment"],
    changes: [
      {
        file: "sync/state/replication/Restore.ts",
        from: "!content.value.equals(kept.hash)",
        to: "kept.hash.length === 0"
      }
    ]
  },
  {
    name: "a whole file that differs from what was shipped replaces it",
    caughtBy: [VERIFIED, "a whole file that differs"],
    changes: [{ file: SHIPPER, from: "if (!content.value.equals(hash))", to: "if (size === 0)" }]
  },
  {
    name: "a working copy is left behind",
    caughtBy: [REPLICATED, "after random work"],
    changes: [
      {
        file: "sync/state/replication/Replica.ts",
        from: "        discard(file)\n      })\n",
        to: "      })\n"
      }
    ]
  },
  {
    name: "what is cut off a file stays in what is kept of it",
    caughtBy: [REPLICATED, "after random work"],
    changes: [{ file: SHIPPER, from: "this.#content.cut(size)", to: "" }]
  },
  {
    name: "a file is closed before its last commit is shipped",
    caughtBy: [REPLICATED, "is not closed before its last commit is shipped"],
    changes: [{ file: DATABASE, from: "yield* Effect.addFinalizer(() => Effect.ignore(shipper.shipped))", to: "" }]
  },
  {
    name: "what nobody is told is never shipped, however much it is",
    caughtBy: [REPLICATED, "stores what nobody is told with the next commit"],
    changes: [
      { file: "sync/state/Commits.ts", from: "(gate.isFarBehind() ? gate.shipped : Effect.void)", to: "Effect.void" }
    ]
  },
  {
    name: "what nobody is told is waited for",
    caughtBy: [REPLICATED, "stores what nobody is told with the next commit"],
    changes: [
      { file: "sync/state/Commits.ts", from: "(gate.isFarBehind() ? gate.shipped : Effect.void)", to: "gate.shipped" }
    ]
  },
  {
    name: "what was heard when a tenant was lost is not told before its process ends",
    caughtBy: ["test/sync/apply/SentTwice.test.ts", "is told before the file is closed"],
    changes: [
      {
        file: "sync/state/replication/Replica.ts",
        from: "shipper.told,",
        to: "Effect.void,"
      }
    ]
  },
  {
    name: "a copy of the file is read past SQLite, which takes its locks away",
    caughtBy: [REPLICATED, "keeps SQLite's own locks"],
    changes: [{ file: SHIPPER, from: "??= openSync(", to: "??= (closeSync(openSync(this.#options.file)), openSync)(" }]
  },
  {
    name: "the log is copied back while the file is read for the store",
    caughtBy: [REPLICATED, "has its log replaced by what was in it at one moment"],
    changes: [{ file: SHIPPER, from: "if (this.#rebasing || !this.#isAllShipped())", to: "if (!this.#isAllShipped())" }]
  },
  {
    name: "a handle goes on after a shipment that failed",
    caughtBy: [REPLICATED, "tells nobody that something is committed before it is kept"],
    changes: [{ file: SHIPPER, from: "if (this.#failed !== undefined) throw this.#failed", to: "" }]
  },
  {
    name: "a transaction is not waited for",
    caughtBy: [REPLICATED, "tells nobody that something is committed before it is kept"],
    changes: [{ file: COMMITS, from: "Effect.tap(running(work), () => gate.shipped)", to: "running(work)" }]
  },
  {
    name: "a shared commit is not waited for",
    caughtBy: [REPLICATED, "tells nobody that something is committed before it is kept"],
    changes: [{ file: COMMITS, from: "else gate.whenShipped(tell)", to: "else tell()" }]
  },
  {
    name: "a read that writes is not waited for",
    caughtBy: [REPLICATED, "tells nobody that something is committed before it is kept"],
    changes: [
      { file: COMMITS, from: "wrote ? Effect.as(gate.shipped, result)", to: "false ? Effect.as(gate.shipped, result)" }
    ]
  },
  {
    name: "a shipment of which nobody heard is given up at once",
    caughtBy: [REPLICATED, "settles a shipment"],
    changes: [{ file: SHIPPER, from: "if ((yield* monotonic) >= until)", to: "if (until > 0)" }]
  },
  {
    name: "a store that hangs is waited for",
    caughtBy: [REPLICATED, "waits for a store that hangs for a bounded time"],
    changes: [{ file: SHIPPER, from: "yield* Effect.result(bounded)", to: "yield* Effect.result(attempt)" }]
  },
  {
    name: "a run whose store went away counts as failed",
    caughtBy: [REPLICATED, "counts a run whose store went away as cut off"],
    changes: [{ file: "sync/schedule/RecordedRun.ts", from: "if (isElsewhere(error)) return", to: "if (false) return" }]
  },
  {
    name: "a request that waits for a connection leaves after the lease is over",
    caughtBy: ["test/core/wire/MayLeave.test.ts", "does not leave once the lease is over"],
    changes: [
      { file: "core/wire/Exchange.ts", from: "else if (!this.#may()) controller", to: "else if (false) controller" }
    ]
  },
  {
    name: "a node believes a webhook of a tenant that another node has",
    caughtBy: ["test/cli/Hooks.test.ts", "is authenticated there, and counts once"],
    changes: [
      { file: "cli/daemon/Webhooks.ts", from: 'return secret !== "" && connector', to: "return true || connector" }
    ]
  },
  {
    name: "a webhook that could not be passed on is answered as if it had been",
    caughtBy: ["test/cli/Hooks.test.ts", "is authenticated there, and counts once"],
    changes: [{ file: "cli/daemon/Webhooks.ts", from: "why === undefined ? counted", to: "why !== null ? counted" }]
  },
  {
    name: "an older node goes on with tables that changed under it",
    caughtBy: ["test/sync/cluster/Format.test.ts", "are refused where the tables changed"],
    changes: [
      {
        file: "sync/state/replication/postgres/Schema.ts",
        from: "return least <= known ? undefined",
        to: "return true ? undefined"
      }
    ]
  },
  {
    name: "nobody remembers what was shipped to a store that loses it",
    caughtBy: [HIGH_WATER_TEST, "sends nothing from a store that lost what was shipped"],
    changes: [{ file: SHIPPER, from: "this.#options.mark?.put(shipment.seq, shipment.hash)\n", to: "" }]
  },
  {
    name: "what was shipped is not flushed to disk",
    caughtBy: [HIGH_WATER_TEST, "is flushed to disk"],
    changes: [{ file: HIGH_WATER, from: "this.#isNewer = true", to: "this.#isNewer = this.#flushing" }]
  },
  {
    name: "a damaged memory of what was shipped counts as none",
    caughtBy: [HIGH_WATER_TEST, "where the file is damaged"],
    changes: [{ file: HIGH_WATER, from: 'return text === "" ? undefined : "damaged"', to: "return undefined" }]
  },
  {
    name: "a store that lost what was shipped is believed",
    caughtBy: [HIGH_WATER_TEST, "sends nothing from a store that lost what was shipped"],
    changes: [{ file: DATABASE, from: "if (behind !== undefined) {", to: "if (false) {" }]
  },
  {
    name: "a store with other shipments of the same number is believed",
    caughtBy: [HIGH_WATER_TEST, "sends nothing from a store that lost what was shipped"],
    changes: [
      {
        file: HIGH_WATER,
        from: 'return known.hash === kept.hash.toString("hex")',
        to: "return known.seq > 0"
      }
    ]
  },
  {
    name: "a worker whose queue hangs is ready",
    caughtBy: [READY, "nor while it hangs"],
    changes: [{ file: "sync/engine/Worker.ts", from: "still > 20 * LOOKS_MS", to: "still < 0" }]
  },
  {
    name: "the age of a claim is measured by the clock that people set",
    caughtBy: ["test/sync/state/replication/FreshClaims.test.ts", "counts by the clock by which it is longest ago"],
    changes: [
      {
        file: "sync/state/replication/Clocks.ts",
        from: "Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)",
        to: "clock.currentTimeMillisUnsafe()"
      }
    ]
  },
  {
    name: "a worker does not start while PostgreSQL is away",
    caughtBy: ["test/cli/TenantsWork.long.test.ts", "wait for a PostgreSQL that is away"],
    changes: [{ file: "cli/commands/tenantsWork.ts", from: "if (cache === undefined) yield*", to: "if (false) yield*" }]
  },
  {
    name: "a worker is ready while PostgreSQL is away",
    caughtBy: [READY, "is not ready while PostgreSQL is away"],
    changes: [{ file: "sync/engine/Worker.ts", from: "      this.#failed ??\n", to: "" }]
  },
  {
    name: "a server of PostgreSQL on another machine is used without TLS",
    caughtBy: ["test/sync/cluster/Address.test.ts", "must prove that it is the one named"],
    changes: [
      {
        file: "sync/state/replication/postgres/Address.ts",
        from: "&& HERE.test(url.hostname))",
        to: '&& url.hostname !== "")'
      }
    ]
  },
  {
    name: "of a large transaction only the first part is shipped",
    caughtBy: [REPLICATED, "keeps a large transaction in parts"],
    changes: [{ file: SHIPPER, from: "of inParts([...pages])) {", to: "of inParts([...pages]).slice(0, 1)) {" }]
  },
  {
    name: "every state file is taken to have pages of the usual size",
    caughtBy: [VAULTS, "comes along when a state file of before"],
    changes: [{ file: "sync/state/replication/Adopt.ts", from: 'pageSize: said("page_size")', to: "pageSize: 4096" }]
  },
  {
    name: "secrets stay on the machine that got them",
    caughtBy: [VAULTS, "is kept with it, and restored"],
    changes: [{ file: "sync/vault/Vault.ts", from: "text === before ? Effect.void : box.#kept(db)", to: "Effect.void" }]
  },
  {
    name: "a token is asked for that cannot be kept",
    caughtBy: [VAULTS, "asks for no token that could not be kept"],
    changes: [{ file: "sync/vault/Vault.ts", from: "          yield* box.#mayKeep\n", to: "" }]
  },
  {
    name: "a state file that was used outside of the cluster is passed over",
    caughtBy: [OUTSIDE, "if it was used outside of the cluster"],
    changes: [
      {
        file: "sync/state/replication/Adopt.ts",
        from: "claimsOf(seed) > claimsOf(file)",
        to: "claimsOf(seed) < 0"
      }
    ]
  },
  {
    name: "a state file is moved aside before it is stored that nothing may be sent",
    caughtBy: [OUTSIDE, "if it was used outside of the cluster"],
    changes: [
      {
        file: DATABASE,
        from: "    yield* shipped\n    yield* afterwards\n",
        to: "    yield* afterwards\n    yield* shipped\n"
      }
    ]
  },
  {
    name: "a state file that is moved aside replaces an earlier one",
    caughtBy: [OUTSIDE, "if it was used outside of the cluster"],
    changes: [
      {
        file: "sync/state/replication/Adopt.ts",
        from: "ends.some((end) => existsSync(seed + end + aside))",
        to: "n < 2"
      }
    ]
  },
  {
    name: "a tenant of a cluster gets a state file outside of it",
    caughtBy: [OUTSIDE, "by anything outside of the cluster"],
    changes: [{ file: DATABASE, from: "isInCluster(dirname(file))", to: "isInCluster(file)" }]
  }
]
