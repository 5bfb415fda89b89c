/**
 * Ends a connection on which nothing arrives while an answer is waited for: a server that hangs, or a firewall that dropped
 * the connection without a word. An answer that keeps arriving may take as long as it takes.
 */
import type { Socket } from "node:net"

/** The connection was ended because nothing came for so long. */
export class Silent extends Error {
  readonly seconds: number

  constructor(milliseconds: number) {
    super("nothing was heard")
    this.seconds = milliseconds / 1000
  }
}

/**
 * Time is counted in parts, each of which this process must have listened in: after it was busy for long, what arrived
 * meanwhile is heard first.
 */
const PARTS = 10

export class Silence {
  readonly #timer: NodeJS.Timeout
  #waiting = 0
  #still = 0
  #read = 0

  /** @param socket the one in use now: it is another once TLS has begun */
  constructor(socket: () => Socket, milliseconds: number) {
    this.#timer = setInterval(() => {
      const { bytesRead } = socket()
      if (this.#waiting === 0 || bytesRead !== this.#read) this.#still = 0
      else if (++this.#still >= PARTS) socket().destroy(new Silent(milliseconds))
      this.#read = bytesRead
    }, milliseconds / PARTS)
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
    clearInterval(this.#timer)
  }
}
