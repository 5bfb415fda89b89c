/**
 * Ends a connection on which nothing arrives while an answer is waited for: a server that hangs, or a firewall that dropped
 * the connection without a word. An answer that keeps arriving may take as long as it takes, but no part of it more memory
 * than there may be: drivers keep a row, or what comes in its place, until its end.
 */
import type { Socket } from "node:net"
import type { OpenOptions } from "./Driver.ts"

/** The connection was ended because nothing came for so long. */
export class Silent extends Error {
  readonly seconds: number

  constructor(milliseconds: number) {
    super("nothing was heard")
    this.seconds = milliseconds / 1000
  }
}

/** The connection was ended because so much came for one page of rows. */
export class Endless extends Error {
  readonly bytes: number

  constructor(bytes: number) {
    super("the answer does not end")
    this.bytes = bytes
  }
}

const LOOKS_MS = 50

/**
 * Time is counted in parts, each of which this process must have listened in: after it was busy for long, what arrived
 * meanwhile is heard first.
 */
const PARTS = 10

export class Silence {
  readonly #socket: () => Socket
  readonly #timers: ReadonlyArray<NodeJS.Timeout>
  #waiting = 0
  #still = 0
  #read = 0
  #began = 0

  /** @param socket the one in use now: it is another once TLS has begun */
  constructor(socket: () => Socket, { most, patience }: OpenOptions) {
    const silent = () => {
      const { bytesRead } = socket()
      if (this.#waiting === 0 || bytesRead !== this.#read) this.#still = 0
      else if (++this.#still >= PARTS) socket().destroy(new Silent(patience))
      this.#read = bytesRead
    }
    const endless = () => {
      if (socket().bytesRead - this.#began > most) socket().destroy(new Endless(most))
    }
    this.#socket = socket
    this.#timers = [setInterval(silent, patience / PARTS), setInterval(endless, LOOKS_MS)]
  }

  /** What comes from now on is another page of rows, or another answer. */
  begin(): void {
    this.#began = this.#socket().bytesRead
  }

  /** Waits for an answer; the driver rejects it when the connection ends. */
  async within<A>(answer: Promise<A>): Promise<A> {
    this.#waiting++
    this.#still = 0
    try {
      return await answer
    } finally {
      this.#waiting--
    }
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer)
  }
}
