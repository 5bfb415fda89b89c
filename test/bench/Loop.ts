/**
 * What one would write by hand to send many requests and never lose track of one: undici, some requests at a time over
 * kept connections, and better-sqlite3 in WAL with `synchronous = FULL`, where each request's claim is committed
 * before it leaves and its receipt when its answer is there.
 *
 * `bare` is the same without a database: what undici and the server alone can do.
 */
import Sqlite from "better-sqlite3"
import { Pool } from "undici"
import type { How } from "./Apply.ts"
import * as Disk from "./Disk.ts"
import { timed } from "./Process.ts"

const HEADERS = { authorization: "Token sandbox-key", accept: "application/json", "content-type": "application/json" }

/** Sends to `/v1${path}`; throws unless the answer is as it should be. */
const send = async (pool: Pool, method: "GET" | "POST", path: string, body?: unknown) => {
  const { body: answer, statusCode } = await pool.request({
    method,
    path: `/v1${path}`,
    headers: HEADERS,
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const said = (await answer.json()) as { readonly id: string }
  if (statusCode >= 300) throw new Error(`${method} ${path}: ${statusCode} ${JSON.stringify(said)}`)
  return { status: statusCode, said }
}

/** Works through `items` with so many workers. */
const each = async <A>(atOnce: number, items: ReadonlyArray<A>, work: (item: A) => Promise<void>): Promise<void> => {
  let next = 0
  const worker = async () => {
    while (next < items.length) await work(items[next++]!)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

export type Body = Readonly<Record<string, unknown>>

const ORGANISATION = { unique_id: "acme", registered: "2024-01-01T00:00:00Z" }

/** Seconds for an owner and then a transaction for each of `bodies`, with a claim and a receipt each. */
export const kept = async (
  bodies: ReadonlyArray<Body>,
  url: string,
  state: string,
  { atOnce, disk }: How
): Promise<number> => {
  const pool = new Pool(url, { connections: 2 * atOnce })
  Disk.pause(disk * 1000)
  const took = await timed(async () => {
    const db = new Sqlite(state)
    db.pragma("journal_mode = WAL")
    db.pragma("synchronous = FULL")
    db.exec("CREATE TABLE call (id INTEGER PRIMARY KEY, request TEXT, status INTEGER, remote TEXT, answer TEXT)")
    const claim = db.prepare("INSERT INTO call (request) VALUES (?)")
    const receipt = db.prepare("UPDATE call SET status = ?, remote = ?, answer = ? WHERE id = ?")
    const make = async (path: string, body: Body): Promise<string> => {
      const { lastInsertRowid } = claim.run(JSON.stringify(body))
      const { said, status } = await send(pool, "POST", path, body)
      receipt.run(status, said.id, JSON.stringify(said), lastInsertRowid)
      return said.id
    }
    const owner = await make("/organisations/", ORGANISATION)
    await each(atOnce, bodies, async (body) => void (await make("/transactions/", { ...body, owner })))
    db.close()
  })
  await pool.close()
  return took
}

/** Makes an owner and a transaction for each of `bodies`, without a database. Answers their ids and the seconds it took. */
const making = async (pool: Pool, bodies: ReadonlyArray<Body>, atOnce: number) => {
  const owner = (await send(pool, "POST", "/organisations/", ORGANISATION)).said.id
  const ids: Array<string> = []
  const make = await timed(() =>
    each(
      atOnce,
      bodies,
      async (body) => void ids.push((await send(pool, "POST", "/transactions/", { ...body, owner })).said.id)
    )
  )
  return { ids, make }
}

/** Seconds for as many transactions, made by nothing but undici. */
export const made = async (bodies: ReadonlyArray<Body>, url: string, atOnce: number): Promise<number> => {
  const pool = new Pool(url, { connections: 2 * atOnce })
  const { make } = await making(pool, bodies, atOnce)
  await pool.close()
  return make
}

/** Seconds for as many transactions made, and for each of them read. */
export const bare = async (
  bodies: ReadonlyArray<Body>,
  url: string
): Promise<{ readonly make: number; readonly read: number }> => {
  const pool = new Pool(url, { connections: 32 })
  const { ids, make } = await making(pool, bodies, 16)
  const read = await timed(() => each(16, ids, async (id) => void (await send(pool, "GET", `/transactions/${id}/`))))
  await pool.close()
  return { make, read }
}
