/**
 * Limits how many tenants are open. A tenant is opened when it is used, and stays open until another needs its place or it
 * has not been used for a while. A tenant in use is never closed; if all are in use, the next one waits.
 *
 * Opening and closing block the thread for milliseconds, so they happen one at a time, and the event loop gets its turn in
 * between.
 */
import { Clock, Deferred, Effect, Exit, Scope, Semaphore } from "effect"
import { StateError } from "../state/Database.ts"
import { breathe } from "../state/Breathe.ts"
import { type Resident, toReplace, unused } from "./Residents.ts"

export interface PoolOptions<A, E> {
  /** How many may be open. */
  readonly most: number
  /** How long an unused tenant stays open. Milliseconds. */
  readonly idleMs: number
  readonly open: (name: string) => Effect.Effect<A, E, Scope.Scope>
  /** Whether the open tenant is current: its configuration has not changed. */
  readonly isCurrent: (name: string, open: A) => boolean
  /** Whether it is only read, so that a newer one is opened while this one is still in use. */
  readonly isRead?: (open: A) => boolean
}

interface Entry<A, E> extends Resident {
  users: number
  used: number
  readonly scope: Scope.Closeable
  readonly opened: Deferred.Deferred<A, E>
  /** The open tenant, once it is open. */
  value: { readonly it: A } | undefined
  /** Completed once it is closed; set while it is being closed. */
  closing: Deferred.Deferred<void> | undefined
}

/** With fewer open than this, the pool is not the cause of too many open files. */
const FEWEST = 2

export class Pool<A, E> {
  readonly #options: PoolOptions<A, E>
  readonly #entries = new Map<string, Entry<A, E>>()
  /** Allows one thread-blocking operation at a time. */
  readonly #gate = Semaphore.makeUnsafe(1)
  /** Callers that wait until a tenant is closed or no longer used. */
  #waiters: Array<Deferred.Deferred<void>> = []
  #most: number

  constructor(options: PoolOptions<A, E>) {
    this.#options = options
    this.#most = options.most
  }

  get open(): number {
    return this.#entries.size
  }

  /** How many may be open now: fewer than requested if the system did not allow as many files. */
  get most(): number {
    return this.#most
  }

  isOpen(name: string): boolean {
    return this.#entries.get(name)?.value !== undefined
  }

  /** Runs something short that blocks the thread, while nothing else does. */
  apart<B, E2, R>(work: Effect.Effect<B, E2, R>): Effect.Effect<B, E2, R> {
    return this.#gate.withPermits(1)(Effect.ensuring(work, breathe))
  }

  /** Opens it if necessary, and keeps it open during the work. */
  use<B, E2, R>(name: string, work: (open: A) => Effect.Effect<B, E2, R>): Effect.Effect<B, E | E2, R> {
    return Effect.acquireUseRelease(
      this.#acquire(name),
      (entry) => Effect.flatMap(Deferred.await(entry.opened), work),
      (entry) => this.#release(entry)
    )
  }

  /** Closes those that have not been used for a while. */
  get tidy(): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      const now = yield* Clock.currentTimeMillis
      for (const name of unused(this.#entries.values(), now, this.#options.idleMs)) yield* this.close(name)
    })
  }

  /** Closes it as soon as it is not in use. */
  close(name: string): Effect.Effect<void> {
    return Effect.suspend(() => {
      const entry = this.#entries.get(name)
      if (entry === undefined) return Effect.void
      if (entry.closing !== undefined) return Deferred.await(entry.closing)
      return entry.users > 0 ? Effect.andThen(this.#change(), this.close(name)) : this.#shut(entry)
    })
  }

  get closeAll(): Effect.Effect<void> {
    return Effect.suspend(() =>
      Effect.forEach([...this.#entries.keys()], (name) => this.close(name), { discard: true })
    )
  }

  /** Waits until one is closed or no longer used; registered synchronously, so that no change is missed. */
  #change(): Effect.Effect<void> {
    const waiter = Deferred.makeUnsafe<void>()
    this.#waiters.push(waiter)
    return Effect.interruptible(Deferred.await(waiter))
  }

  #changed(): void {
    for (const waiter of this.#waiters.splice(0)) Deferred.doneUnsafe(waiter, Effect.void)
  }

  /** Uninterruptible while it opens, so that nothing stays open by accident. */
  #acquire(name: string): Effect.Effect<Entry<A, E>> {
    return Effect.gen({ self: this }, function* () {
      for (;;) {
        const known = this.#entries.get(name)
        if (known?.closing !== undefined) {
          yield* Effect.interruptible(Deferred.await(known.closing))
          continue
        }
        if (known !== undefined) {
          const { value } = known
          const isCurrent = value === undefined || this.#options.isCurrent(name, value.it)
          if (!isCurrent && known.users > 0 && this.#options.isRead?.(value.it) === true) {
            // Whoever uses it last closes it.
            this.#entries.delete(name)
            continue
          }
          if (known.users > 0 || isCurrent) {
            known.users++
            return known
          }
          yield* this.#shut(known)
          continue
        }
        if (this.#entries.size < this.#most) {
          const entry = this.#enter(name)
          yield* this.#opening(entry)
          return entry
        }
        const leaves = toReplace(this.#entries.values(), this.#entries.size, this.#most)
        if (leaves === undefined) yield* this.#change()
        else yield* this.close(leaves)
      }
    })
  }

  #enter(name: string): Entry<A, E> {
    const entry: Entry<A, E> = {
      name,
      users: 1,
      used: 0,
      scope: Scope.makeUnsafe(),
      opened: Deferred.makeUnsafe(),
      value: undefined,
      closing: undefined
    }
    this.#entries.set(name, entry)
    return entry
  }

  /** Stores the result in the entry. If opening failed because of too many open files, retries with fewer. */
  #opening(entry: Entry<A, E>): Effect.Effect<void> {
    const scope = Scope.provide(entry.scope)
    // Suspended, so that what it throws ends this opening, for which others wait: a tenant may be gone by now.
    const open = this.apart(Effect.exit(scope(Effect.suspend(() => this.#options.open(entry.name)))))
    return Effect.gen({ self: this }, function* () {
      let exit = yield* open
      if (isExhausted(exit) && (yield* this.#shrink(entry.name))) exit = yield* open
      if (Exit.isSuccess(exit)) entry.value = { it: exit.value }
      yield* Deferred.done(entry.opened, exit)
    })
  }

  /** The system allows fewer files than its limit says: keeps fewer open from now on. False: there is none to close. */
  #shrink(name: string): Effect.Effect<boolean> {
    return Effect.gen({ self: this }, function* () {
      const others = [...this.#entries.values()].filter((one) => one.name !== name && one.users === 0)
      this.#most = Math.max(FEWEST, Math.floor(this.#entries.size * 0.8))
      const leaving = others.toSorted((a, b) => a.used - b.used).slice(0, Math.max(1, this.#entries.size - this.#most))
      for (const { name } of leaving) yield* this.close(name)
      return leaving.length > 0
    })
  }

  #release(entry: Entry<A, E>): Effect.Effect<void> {
    return Effect.flatMap(Clock.currentTimeMillis, (now) => {
      entry.users--
      entry.used = now
      // A failed opening is not kept; the next use tries again. Nor is one in whose place there is a newer one.
      const isLeft = entry.value === undefined || this.#entries.get(entry.name) !== entry
      const left = isLeft && entry.users === 0 && entry.closing === undefined ? this.#shut(entry) : Effect.void
      return Effect.andThen(
        left,
        Effect.sync(() => this.#changed())
      )
    })
  }

  #shut(entry: Entry<A, E>): Effect.Effect<void> {
    return Effect.suspend(() => {
      const closing = Deferred.makeUnsafe<void>()
      entry.closing = closing
      return this.apart(Scope.close(entry.scope, Exit.void)).pipe(
        Effect.ensuring(
          Effect.suspend(() => {
            if (this.#entries.get(entry.name) === entry) this.#entries.delete(entry.name)
            this.#changed()
            return Deferred.done(closing, Exit.void)
          })
        )
      )
    }).pipe(Effect.uninterruptible)
  }
}

const isExhausted = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) &&
  exit.cause.reasons.some(
    (reason) => reason._tag === "Fail" && reason.error instanceof StateError && reason.error.kind === "descriptors"
  )
