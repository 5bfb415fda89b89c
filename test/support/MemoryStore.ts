/**
 * Simulates in memory what PostgreSQL stores of replicated tenants: it rejects writes from an earlier tenure, and fails or hangs
 * when a test says so.
 */
import { Effect } from "effect"
import { Fenced, type Kept, StoreAway, type StoreError, type Tenure } from "../../sync/state/replication/Store.ts"
import type { LateAnswer } from "../../sync/state/replication/LateAnswers.ts"
import type { Replica } from "../../sync/state/replication/Replica.ts"

interface Row {
  epoch: number
  kept: Omit<Kept, "logBytes" | "baseBytes">
  base: ReadonlyArray<Buffer>
  log: Array<{ readonly seq: number; readonly parts: ReadonlyArray<Buffer> }>
}

const nothing = (): Row => ({
  epoch: 0,
  kept: { seq: 0, size: 0, pageSize: 4096, hash: Buffer.alloc(16), vault: undefined },
  base: [],
  log: []
})

const bytesOf = (parts: ReadonlyArray<Buffer>) => parts.reduce((sum, { length }) => sum + length, 0)

export type Fault = "none" | "away" | "unknown" | "hangs"

export class MemoryStore {
  readonly rows = new Map<string, Row>()
  /** `away`: unreachable; `unknown`: the write succeeds but the answer is lost; `hangs`: the call never ends. */
  fault: Fault = "none"
  ships = 0
  checks = 0
  rebases = 0
  mostParts = 0
  /** Shipments that were read. */
  partsRead = 0
  /** What was heard by who had lost a tenant. */
  readonly late: Array<LateAnswer> = []
  /** How long it takes to say so. Milliseconds. */
  lateMs = 0
  /** What happens while a shipment is under way. */
  onShip: () => void = () => {}
  /** What it waits for after each part of a whole file. */
  onPart: () => Promise<unknown> = () => Promise.resolve()

  row(tenant: string): Row {
    const row = this.rows.get(tenant) ?? nothing()
    this.rows.set(tenant, row)
    return row
  }

  replica(tenant: string, sizes: Pick<Replica, "checkpointBytes" | "leastLogBytes"> = {}): Replica {
    const take = this.#answering(() => {
      const row = this.row(tenant)
      row.epoch++
      return this.tenure(tenant, row.epoch)
    })
    return { take, patienceMs: 300, ...sizes }
  }

  tenure(tenant: string, epoch: number): Tenure {
    const fenced = <A>(work: (row: Row) => A) =>
      Effect.suspend(() => {
        const row = this.row(tenant)
        return row.epoch === epoch
          ? this.#answering(() => work(row))
          : Effect.fail<StoreError>(new Fenced("another process has taken this tenant over"))
      })
    return {
      tenant,
      epoch,
      late: (answers) =>
        Effect.delay(
          this.#answering(() => void this.late.push(...answers)),
          this.lateMs
        ),
      check: fenced(() => void this.checks++),
      read: (onPart, after = 0) =>
        this.#answering(() => {
          const { base, kept, log: whole } = this.row(tenant)
          const hasBase = after > 0 && after >= (whole[0]?.seq ?? kept.seq + 1) - 1
          const log = whole.filter(({ seq }) => !hasBase || seq > after)
          for (const { parts } of log.toReversed()) for (const part of parts) onPart(part, kept.pageSize)
          this.partsRead += log.length
          if (!hasBase) for (const part of base) onPart(part, kept.pageSize)
          return {
            ...kept,
            baseBytes: hasBase ? 0 : bytesOf(base),
            logBytes: bytesOf(log.flatMap(({ parts }) => parts))
          }
        }),
      ship: ({ parts, ...shipment }) =>
        fenced((row) => {
          this.ships++
          this.onShip()
          this.mostParts = Math.max(this.mostParts, parts.length)
          if (row.kept.seq === shipment.seq) return
          row.kept = { ...row.kept, ...shipment }
          row.log.push({ seq: shipment.seq, parts })
        }),
      rebase: (seq, parts) =>
        Effect.gen({ self: this }, function* () {
          const all: Array<Buffer> = []
          yield* Effect.promise(async () => {
            for await (const part of parts) {
              all.push(part)
              await this.onPart()
            }
          })
          return yield* fenced((row) => {
            this.rebases++
            row.base = all
            row.log = row.log.filter((one) => one.seq > seq)
            return bytesOf(all)
          })
        }),
      keepVault: (vault) => fenced((row) => void (row.kept = { ...row.kept, vault }))
    }
  }

  #answering<A>(work: () => A): Effect.Effect<A, StoreError> {
    return Effect.suspend(() => {
      if (this.fault === "hangs") return Effect.never
      if (this.fault === "away") return Effect.fail(new StoreAway("nobody answers"))
      const done = work()
      return this.fault === "unknown" ? Effect.fail(new StoreAway("the connection was lost")) : Effect.succeed(done)
    }).pipe(Effect.tap(() => Effect.yieldNow))
  }
}
