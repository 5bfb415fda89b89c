/**
 * Reads the bodies of requests within budgets: how many bytes may be on their way, in all and of one sender, and for how long. Who
 * has shown a session or a token has a budget of its own, so that strangers who send slowly or much keep nobody else waiting.
 */
import { Effect } from "effect"
import type { IncomingMessage } from "node:http"
import { setImmediate } from "node:timers/promises"

interface Limits {
  /** Bytes of all, and of one sender. */
  readonly all: number
  readonly each: number
  /** Milliseconds for a body. */
  readonly takes: number
}

const MB = 2 ** 20
const KNOWN: Limits = { all: 64 * MB, each: 24 * MB, takes: 120_000 }
const STRANGERS: Limits = { all: 16 * MB, each: 4 * MB, takes: 10_000 }

/** What a piece of a body needs beside its bytes: many small ones must not be free. */
const PIECE_BYTES = 256

/** Why a body was not read: it is larger than its route accepts, it comes too slowly, or too many others are being read. */
export type Unread = "too large" | "too slow" | "too many"

export interface Expected {
  readonly isKnown: boolean
  readonly from: string
  /** The largest body that the route takes, in bytes. */
  readonly most: number
}

/** A body that is being read. */
interface Reading {
  /** Ends it, and gives its room back. */
  readonly leave: (why: Unread) => void
}

/** The bytes of a group of senders that are on their way. */
class Room {
  #all = 0
  /** Oldest first. */
  readonly reading = new Set<Reading>()
  readonly #each = new Map<string, number>()
  readonly limits: Limits

  constructor(limits: Limits) {
    this.limits = limits
  }

  /** When there is no room left, the bodies that have taken longest so far are dropped. */
  take(from: string, bytes: number, by: Reading): boolean {
    const own = (this.#each.get(from) ?? 0) + bytes
    if (own > this.limits.each) return false
    for (const one of this.reading) {
      if (this.#all + bytes <= this.limits.all) break
      if (one !== by) one.leave("too many")
    }
    if (this.#all + bytes > this.limits.all) return false
    this.#all += bytes
    this.#each.set(from, (this.#each.get(from) ?? 0) + bytes)
    return true
  }

  give(from: string, bytes: number): void {
    this.#all -= bytes
    const own = (this.#each.get(from) ?? 0) - bytes
    if (own > 0) this.#each.set(from, own)
    else this.#each.delete(from)
  }
}

export class Bodies {
  readonly #known = new Room(KNOWN)
  readonly #strangers = new Room(STRANGERS)

  /** Passes the body to its user, or why there is none; its bytes count until the user is done. */
  using<A>(
    incoming: IncomingMessage,
    { from, isKnown, most }: Expected,
    use: (body: Buffer | Unread) => Effect.Effect<A>
  ): Effect.Effect<A> {
    const room = isKnown ? this.#known : this.#strangers
    return Effect.suspend(() => {
      let held = 0
      const reading = Effect.callback<Buffer | Unread>((resume) => {
        let chunks: Array<Buffer> = []
        let size = 0
        const leave = (why: Unread) => {
          chunks = []
          room.give(from, held)
          held = 0
          incoming.off("data", take).resume()
          end(why)
        }
        const own: Reading = { leave }
        room.reading.add(own)
        const end = (body: Buffer | Unread) => {
          clearTimeout(timer)
          room.reading.delete(own)
          resume(Effect.succeed(body))
        }
        const take = (chunk: Buffer) => {
          size += chunk.length
          if (size > most) return leave("too large")
          const bytes = chunk.length + PIECE_BYTES
          if (!room.take(from, bytes, own)) return leave("too many")
          held += bytes
          chunks.push(chunk)
        }
        const timer = setTimeout(() => leave("too slow"), room.limits.takes)
        incoming.on("data", take)
        incoming.once("end", () => end(Buffer.concat(chunks)))
        // Its sender went away: nobody waits for an answer.
        incoming.once("close", () => end("too slow"))
        return Effect.sync(() => end("too slow"))
      })
      return Effect.ensuring(
        Effect.flatMap(reading, use),
        Effect.sync(() => room.give(from, held))
      )
    })
  }
}

/** How much of a body is handed over at once. */
const HANDED_BYTES = 2 ** 16

/** A body without a copy of it; others have their turn between its pieces. */
export const inPieces = (body: Uint8Array) => {
  let at = 0
  const stream = new ReadableStream<Uint8Array>({
    pull: async (to) => {
      if (at >= body.length) return to.close()
      await setImmediate()
      to.enqueue(body.subarray(at, at + HANDED_BYTES))
      at += HANDED_BYTES
    }
  })
  return { body: stream, duplex: "half" }
}
