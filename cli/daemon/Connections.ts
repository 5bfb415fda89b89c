/** Limits what one address and one connection may keep busy, so that others are answered. */
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { networkOf, type Trusts } from "./Sender.ts"

/**
 * The most open connections: of everybody together, and of one address or IPv6 network. Trusted proxies are not limited. A browser opens six, and a
 * whole office may have one address.
 */
const MOST_CONNECTIONS = { all: 2000, each: 200 }

/** Requests of one connection that are not answered yet: programs send one after the other, few send some ahead. */
const MOST_PENDING = 32

/** Returns whether a request is to be answered; the connections of others are closed. */
export const limited = (
  server: Server,
  trusts: Trusts
): ((request: IncomingMessage, response: ServerResponse) => boolean) => {
  const open = new Map<string, number>()
  const pending = new WeakMap<Socket, number>()
  server.maxConnections = MOST_CONNECTIONS.all
  server.on("connection", (socket) => {
    const address = socket.remoteAddress ?? ""
    if (trusts(address)) return
    const from = networkOf(address)
    const own = (open.get(from) ?? 0) + 1
    if (own > MOST_CONNECTIONS.each) return void socket.destroy()
    open.set(from, own)
    socket.once("close", () => {
      const left = (open.get(from) ?? 1) - 1
      if (left > 0) open.set(from, left)
      else open.delete(from)
    })
  })
  return ({ socket }, response) => {
    const own = (pending.get(socket) ?? 0) + 1
    if (own > MOST_PENDING) {
      socket.destroy()
      return false
    }
    pending.set(socket, own)
    response.once("close", () => pending.set(socket, (pending.get(socket) ?? 1) - 1))
    return true
  }
}
