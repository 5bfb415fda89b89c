/**
 * The client of `Sandbox.ts`: speaks over kept sockets, writes bytes that are made beforehand and reads no more of an answer
 * than its status and length, so that what is measured is the server.
 */
import { connect, type Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"

export const CONNECTIONS = 16
export const KEY = "sandbox-key"
/** Seconds: what is not counted, and what is. */
const [WARM, MEASURED] = [0.3, 0.7]

/** What a client asks again and again. */
export interface Asked {
  readonly method: "GET" | "POST"
  /** Taken one after the other. */
  readonly paths: ReadonlyArray<string>
  /** With it every request makes a transaction of this owner. */
  readonly owner?: string
}

/** The nth invoice: 40 debtors, amounts and dates that come again as they do in books. */
export const invoice = (owner: string, n: number) => ({
  owner,
  unique_id: `INV-${n}`,
  number: `INV-${n}`,
  debtor: `co-${1000 + (n % 6)}`,
  creditor: "co-1000",
  net_amount: `${100 + (n % 9000)}.50`,
  gross_amount: `${120 + (n % 9000)}.60`,
  currency: "GBP",
  issue_date: `2026-01-${String(1 + (n % 28)).padStart(2, "0")}`,
  due_date: `2026-02-${String(1 + (n % 28)).padStart(2, "0")}`,
  metadata: { shop: `shop-${n % 40}` }
})

/** Calls `answered` with the status of every whole answer that comes in. */
const listen = (socket: Socket, answered: (status: number) => void): void => {
  let head = ""
  let missing = 0
  socket.on("data", (chunk: Buffer) => {
    if (missing > 0) {
      missing -= chunk.length
    } else {
      head += chunk.toString("latin1")
      const end = head.indexOf("\r\n\r\n")
      if (end < 0) return
      missing = end + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1]) - head.length
    }
    // One request at a time: nothing follows an answer but what was asked next.
    if (missing > 0) return
    const status = Number(head.slice(9, 12))
    head = ""
    missing = 0
    answered(status)
  })
}

/** Side: asks over 16 connections for a while. Whole answers per second. */
export const load = async (url: string, { method, owner, paths }: Asked): Promise<number> => {
  const { host, hostname, port } = new URL(url)
  const head = `\r\nhost: ${host}\r\nauthorization: Token ${KEY}\r\naccept: application/json\r\n`
  const written = (path: string, body?: string): Buffer =>
    Buffer.from(
      `${method} ${path} HTTP/1.1${head}${body === undefined ? "\r\n" : `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`}`
    )
  const made =
    owner === undefined
      ? paths.map((path) => written(path))
      : Array.from({ length: 20_000 }, (_, n) => written(paths[0]!, JSON.stringify(invoice(owner, n))))
  let n = 0
  const next = (): Buffer => made[n++ % made.length]!
  let count = 0
  let failed: number | undefined
  const sockets = Array.from({ length: CONNECTIONS }, () => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    listen(socket, (status) => {
      count++
      if (status >= 300) failed = status
      socket.write(next())
    })
    socket.once("connect", () => socket.write(next()))
    return socket
  })
  await sleep(WARM * 1000)
  const [from, started] = [count, performance.now()]
  await sleep(MEASURED * 1000)
  const rate = ((count - from) * 1000) / (performance.now() - started)
  for (const socket of sockets) socket.destroy()
  if (failed !== undefined || rate === 0) throw new Error(`${method} ${paths[0]} was answered with ${failed}`)
  return rate
}
