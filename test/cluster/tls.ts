/**
 * `node test/cluster/tls.ts`: a PostgreSQL with TLS and a certificate of an authority of one's own. Only the server that the address names
 * is used, and only if the authority is trusted. Ends with 1 when that is not so. Needs `openssl`.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { connect } from "../../sync/state/replication/postgres/PgSessions.ts"
import { issue } from "../support/Certificates.ts"
import { type Server, start } from "./Server.ts"

const folder = mkdtempSync(join(tmpdir(), "daybook-tls-"))
const IS_SECURED = "SELECT ssl::text AS answer FROM pg_stat_ssl WHERE pid = pg_backend_pid()"

const tried = ({ url }: Server, host: string, settings: string): Promise<string> => {
  const address = `${url.replace("127.0.0.1", host)}?${settings}`
  const asking = Effect.flatMap(connect(address, 1), ({ use }) => use(({ ask }) => ask<{ answer: string }>(IS_SECURED)))
  return Effect.runPromise(
    Effect.scoped(asking).pipe(
      Effect.map(([row]) => (row?.answer === "true" ? "TLS" : "no TLS")),
      Effect.catch(({ why }) => Effect.succeed(why))
    )
  )
}

let failed = 0
const expect = async (what: string, wanted: RegExp, trying: Promise<string>) => {
  const answer = await trying
  if (!wanted.test(answer)) failed++
  console.log(`${wanted.test(answer) ? "held  " : "MISSED"} ${what}: ${answer}`)
}

const named = issue(folder, "named", "DNS:localhost")
const numbered = issue(folder, "numbered", "IP:127.0.0.1")
const servers: Array<Server> = []
const started = async (tls?: { readonly key: string; readonly cert: string }) => {
  const server = await start(tls)
  servers.push(server)
  return server
}
try {
  const [byName, byNumber, plain] = [await started(named.tls), await started(numbered.tls), await started()]
  const trusting = (ca: string) => `sslmode=verify-full&sslrootcert=${ca}`
  await expect("the server that is named", /^TLS$/, tried(byName, "localhost", trusting(named.ca)))
  await expect("the server that is numbered", /^TLS$/, tried(byNumber, "127.0.0.1", trusting(numbered.ca)))
  await expect(
    "another name than in its certificate",
    /does not match|altnames/i,
    tried(byName, "127.0.0.1", trusting(named.ca))
  )
  await expect(
    "another number than in its certificate",
    /does not match|altnames/i,
    tried(byNumber, "localhost", trusting(numbered.ca))
  )
  await expect("an authority that is not trusted", /certificate/, tried(byName, "localhost", trusting(numbered.ca)))
  await expect("no authority named", /certificate/, tried(byName, "localhost", "sslmode=verify-full"))
  await expect("a server without TLS", /SSL/, tried(plain, "localhost", trusting(named.ca)))
  await expect("TLS switched off", /^no TLS$/, tried(byName, "localhost", "sslmode=disable"))
} finally {
  for (const server of servers) server.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit(failed === 0 ? 0 : 1)
