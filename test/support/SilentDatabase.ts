/** Databases that stop answering, or never end one answer; and a network between that drops what it carries. */
import { connect, createServer, type Server, type Socket } from "node:net"

/** A packet of MySQL. */
export const packet = (sequence: number, body: Buffer): Buffer => {
  const head = Buffer.alloc(4)
  head.writeUIntLE(body.length, 0, 3)
  head[3] = sequence
  return Buffer.concat([head, body])
}

export interface Silent {
  readonly port: number
  /** Connections that are open now. */
  readonly open: () => number
  readonly close: () => void
}

const listening = async (server: Server, open: Set<Socket>): Promise<Silent> => {
  server.on("connection", (socket) => {
    open.add(socket)
    socket.on("close", () => open.delete(socket)).on("error", () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    port: (server.address() as { port: number }).port,
    open: () => open.size,
    close: () => {
      for (const socket of open) socket.destroy()
      server.close()
    }
  }
}

/** An answer without an end: how it begins, and what comes again and again. */
export interface Endless {
  readonly head: Buffer
  readonly piece: Buffer
}

/** Far more than one answer may have, and not more than a test can bear. */
const MOST_BYTES = 400 * 2 ** 20

const flood = (socket: Socket, { head, piece }: Endless): void => {
  socket.write(head)
  let sent = 0
  const more = () => {
    while (sent < MOST_BYTES && !socket.destroyed) {
      sent += piece.length
      if (!socket.write(piece)) return void socket.once("drain", more)
    }
  }
  more()
}

/** Answers with these, one for each time that something comes, and then nothing any more, or without an end. */
export const silentAfter = (
  greeting: Buffer | undefined,
  answers: ReadonlyArray<Buffer>,
  then?: Endless
): Promise<Silent> => {
  const server = createServer((socket) => {
    let n = 0
    if (greeting !== undefined) socket.write(greeting)
    socket.on("data", () => {
      const answer = answers[n++]
      if (answer !== undefined) socket.write(answer)
      else if (then !== undefined && n === answers.length + 1) flood(socket, then)
    })
  })
  return listening(server, new Set())
}

const MYSQL_GREETING = packet(
  0,
  Buffer.concat([
    Buffer.from([10]),
    Buffer.from("8.0.0\0"),
    Buffer.from([1, 0, 0, 0]),
    Buffer.from("abcdefgh"),
    Buffer.from([0, 0xff, 0xf7, 33, 2, 0, 0xff, 0x81, 21]),
    Buffer.alloc(10),
    Buffer.from("ijklmnopqrst\0mysql_native_password\0")
  ])
)
const MYSQL_OK = (sequence: number) => packet(sequence, Buffer.from([0, 0, 0, 2, 0, 0, 0]))

const message = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
const POSTGRES_READY = message("Z", Buffer.from("T"))
const POSTGRES_IN = Buffer.concat([message("R", Buffer.alloc(4)), message("Z", Buffer.from("I"))])
const POSTGRES_DONE = Buffer.concat([message("C", Buffer.from("BEGIN\0")), POSTGRES_READY])

/** A row that says that it has a gigabyte, and packets each of which says that another one follows. */
const ROW: Endless = { head: Buffer.from("D\u003f\u007f\u007f\u007f"), piece: Buffer.alloc(2 ** 20, "x") }
const FULL = packet(3, Buffer.alloc(2 ** 24 - 1, "x"))
const PACKETS: Endless = { head: FULL, piece: FULL }

const comingSoFar =
  (greeting: Buffer | undefined, answers: ReadonlyArray<Buffer>, endless: Endless) =>
  (isEndless = false): Promise<Silent> =>
    silentAfter(greeting, answers, isEndless ? endless : undefined)

/** How far a server comes before it falls silent, or begins an answer without an end. */
export const SILENCES: ReadonlyArray<readonly [string, scheme: string, (isEndless?: boolean) => Promise<Silent>]> = [
  ["says nothing at all", "postgresql", comingSoFar(undefined, [], ROW)],
  ["takes the login", "postgresql", comingSoFar(undefined, [POSTGRES_IN], ROW)],
  [
    "begins a transaction",
    "postgresql",
    comingSoFar(undefined, [POSTGRES_IN, POSTGRES_DONE, POSTGRES_DONE, POSTGRES_DONE], ROW)
  ],
  ["greets", "mysql", comingSoFar(MYSQL_GREETING, [], PACKETS)],
  ["takes the login", "mysql", comingSoFar(MYSQL_GREETING, [MYSQL_OK(2)], PACKETS)],
  [
    "begins a transaction",
    "mysql",
    comingSoFar(MYSQL_GREETING, [MYSQL_OK(2), MYSQL_OK(1), MYSQL_OK(1), MYSQL_OK(1), MYSQL_OK(1)], PACKETS)
  ],
  ["says nothing at all", "mysql", () => silentAfter(undefined, [])]
]

/** A network before a server, that drops everything once it carried so many bytes of it; it may be slow. */
export const network = (
  to: number,
  { bytes = Number.POSITIVE_INFINITY, pieceMs }: { readonly bytes?: number; readonly pieceMs?: number }
): Promise<Silent> => {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    const there = connect(to, "127.0.0.1")
    let carried = 0
    socket.on("data", (data) => void (carried <= bytes && there.write(data)))
    socket.on("close", () => there.destroy())
    there.on("error", () => {})
    there.on("data", (data) => {
      carried += data.length
      if (carried > bytes) return
      if (pieceMs === undefined) return void socket.write(data)
      there.pause()
      const pieces = Math.ceil(data.length / 4096)
      const carry = (n: number) => {
        socket.write(data.subarray(n * 4096, (n + 1) * 4096))
        if (n + 1 < pieces) setTimeout(carry, pieceMs, n + 1)
        else there.resume()
      }
      carry(0)
    })
  })
  return listening(server, open)
}
