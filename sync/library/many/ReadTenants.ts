/** Tenants of the database as a process reads them that does not run them: each by a copy, which is brought up to date before a request. */
import { Effect, type Scope } from "effect"
import { randomUUID } from "node:crypto"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../../core/TemporaryFolder.ts"
import { CachedCopy } from "../../state/replication/CachedCopy.ts"
import { type KeptNow, keptNamed, stillKept } from "../../state/replication/postgres/KeptSettings.ts"
import { read } from "../../state/replication/postgres/PostgresStore.ts"
import { readCopy } from "../../state/replication/ReadCopy.ts"
import type { StoreAway } from "../../state/replication/Store.ts"
import { type KeptPlace, readKept } from "./KeptTenants.ts"
import { ManyTenants } from "./ManyTenants.ts"
import type { ConfigChange, Tenant } from "./TenantSource.ts"

/** How many copies are open. */
const MOST_OPEN = 16

export class ReadTenants {
  readonly #place: KeptPlace
  readonly #folder: string
  /** What was last found of each. */
  readonly #found = new Map<string, KeptNow>()
  readonly all: ManyTenants

  private constructor(place: KeptPlace, folder: string, all: ManyTenants) {
    this.#place = place
    this.#folder = folder
    this.all = all
  }

  static readonly make = (place: KeptPlace): Effect.Effect<ReadTenants, never, Scope.Scope> =>
    Effect.gen(function* () {
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => temporaryFolder("page")),
        (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
      )
      return new ReadTenants(place, folder, yield* ManyTenants.make({ maxOpen: MOST_OPEN }, "daybook tenants work"))
    })

  /** The folder of copies that are not open. */
  get folder(): string {
    return this.#folder
  }

  /** What the database says of it now, by which it is shown from here on. Undefined: there is none of this name. */
  find(name: string): Effect.Effect<KeptNow | undefined, StoreAway> {
    return Effect.gen({ self: this }, function* () {
      const row = yield* keptNamed(this.#place.sessions, name)
      const before = this.#found.get(name)
      if (row === undefined) {
        this.#found.delete(name)
        yield* this.all.forget(name)
        return undefined
      }
      this.#found.set(name, row)
      if (before?.id !== row.id || before.seq !== row.seq || before.sealed !== row.sealed)
        yield* this.all.add(this.#tenantOf(row))
      return row
    })
  }

  /** Closes those that were removed, of which nobody asks any more. */
  get sweep(): Effect.Effect<void, StoreAway> {
    return Effect.gen({ self: this }, function* () {
      const found = [...this.#found]
      const ids = found.map(([, { id }]) => id)
      const kept = yield* stillKept(this.#place.sessions, ids)
      for (const [name, { id }] of found) {
        if (kept.has(id)) continue
        this.#found.delete(name)
        yield* this.all.forget(name)
      }
    })
  }

  #tenantOf(row: KeptNow): Tenant {
    const { id, name } = row
    const { sessions } = this.#place
    const file = join(this.#folder, `${id}-${randomUUID()}.db`)
    const readAs = (change?: ConfigChange) => readKept(this.#place, row, change)
    return {
      name,
      folder: this.#folder,
      state: file,
      read: readAs(),
      readAs,
      version: () => "",
      glance: () => undefined,
      copy: readCopy(
        { tenant: id, read: (onPart, after) => read(sessions, id, onPart, after) },
        file,
        new CachedCopy(this.#folder, id)
      )
    }
  }
}
