/** The tables of a cluster on a real PostgreSQL, for the tests of one file; they are skipped if it is not installed. */
import { Effect } from "effect"
import { afterAll, beforeAll, beforeEach } from "vitest"
import { connect } from "../../sync/state/replication/postgres/PgSessions.ts"
import { init } from "../../sync/state/replication/postgres/Schema.ts"
import { postgres, type Server } from "./Servers.ts"

/** Returns the address of the server, once a test runs. */
export const clusterTables = (): (() => string) => {
  let server: Server | string = "PostgreSQL was not started"
  const url = () => (typeof server === "string" ? server : `${server.url}/postgres`)
  beforeAll(async () => {
    server = await postgres()
    if (typeof server === "string") return console.info(`${server}: skipped`)
    await Effect.runPromise(Effect.scoped(Effect.flatMap(connect(url(), 1), init)))
  }, 120_000)
  beforeEach(({ skip }) => {
    if (typeof server === "string") skip(server)
  })
  afterAll(async () => {
    if (typeof server !== "string") await server.stop()
  })
  return url
}
