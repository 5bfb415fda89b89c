/** The wire between a worker and PostgreSQL, which can be cut: what is under way arrives late, as after a partition of a network. */
import { createConnection, createServer, type Socket } from "node:net"

export interface Wire {
  readonly port: number
  /** Nothing arrives any more, in either direction, and nobody is told. */
  readonly cut: () => void
  /** What was held back arrives, and all goes on. */
  readonly heal: () => void
}

/** @param to the port of the server on this machine */
export const wire = async (to: number): Promise<Wire> => {
  let isCut = false
  const open = new Set<Socket>()
  const waiting: Array<() => void> = []
  const join = (near: Socket) => {
    const far = createConnection(to, "127.0.0.1")
    for (const [from, into] of [
      [near, far],
      [far, near]
    ] as const) {
      open.add(from)
      from.on("error", () => into.destroy())
      from.on("close", () => {
        open.delete(from)
        into.destroy()
      })
      from.on("data", (bytes) => into.write(bytes))
      if (isCut) from.pause()
    }
  }
  const server = createServer((near) => {
    near.on("error", () => {})
    if (isCut) waiting.push(() => join(near))
    else join(near)
  }).listen(0, "127.0.0.1")
  server.unref()
  await new Promise((resolve) => server.once("listening", resolve))
  return {
    port: (server.address() as { port: number }).port,
    cut: () => {
      isCut = true
      for (const socket of open) socket.pause()
    },
    heal: () => {
      isCut = false
      for (const socket of open) socket.resume()
      for (const one of waiting.splice(0)) one()
    }
  }
}
